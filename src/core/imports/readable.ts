/** The programs whose exports are read. Apart from the readers, which load when one is. */
import type { ForeignApp } from '../log/file-format/foreign-export.ts'

export const readablePrograms: readonly ForeignApp[] = [
  'chatgpt',
  'claude',
  'open-webui',
  'librechat',
  'llama-cpp-ui',
  'pi',
  'claude-code',
  'codex',
  'openai-messages',
  'sharegpt',
]

/** Whether the import reads files of this program. */
export const isReadable = (app: ForeignApp): boolean => readablePrograms.includes(app)
