/** All formats of other apps that are read. */
import { chatgpt } from './readers/chatgpt/chatgpt.ts'
import { claudeCode } from './readers/claude-code/claude-code.ts'
import { claude } from './readers/claude.ts'
import { codex } from './readers/codex/codex.ts'
import { librechat } from './readers/librechat.ts'
import { llamaCppUi } from './readers/llama-cpp-ui.ts'
import { openWebui } from './readers/open-webui/open-webui.ts'
import { openaiMessages } from './readers/openai-messages.ts'
import { pi } from './readers/pi.ts'
import { sharegpt } from './readers/sharegpt.ts'
import type { Format } from './shape/reader.ts'

export const formats: readonly Format[] = [
  chatgpt,
  claude,
  openWebui,
  librechat,
  llamaCppUi,
  pi,
  claudeCode,
  codex,
  openaiMessages,
  sharegpt,
]
