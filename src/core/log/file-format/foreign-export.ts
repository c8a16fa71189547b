/** Which program exported a file, by its content and never by its name. Pure; loaded when a file is opened. */
import { jsonBeginning } from '../../text/json-beginning.ts'
import { carriedChat } from './carried-lines.ts'

/**
 * Programs whose files are known, by the names that they have everywhere. `openai-messages`: messages as that interface
 * takes them, from whomever.
 */
export const foreignApps = {
  chatgpt: 'ChatGPT',
  claude: 'Claude',
  gemini: 'Gemini',
  'ai-studio': 'Google AI Studio',
  grok: 'Grok',
  deepseek: 'DeepSeek',
  'open-webui': 'Open WebUI',
  librechat: 'LibreChat',
  'llama-cpp-ui': 'llama.cpp',
  'lm-studio': 'LM Studio',
  jan: 'Jan',
  sillytavern: 'SillyTavern',
  lobechat: 'LobeChat',
  nextchat: 'NextChat',
  'cherry-studio': 'Cherry Studio',
  typingmind: 'TypingMind',
  'claude-code': 'Claude Code',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
  pi: 'pi',
  aider: 'aider',
  sharegpt: 'ShareGPT',
  'openai-messages': 'OpenAI',
} as const

export type ForeignApp = keyof typeof foreignApps

/** What a file of chats is: one that the import reads, or one of another program. */
export type ChatFile = { of: 'haversack' } | { of: ForeignApp }

/** How much of a file is read to recognize it, bytes. The first chat of an export may begin with a long text. */
export const headBytes = 512 * 1024

/** So many lines of a file of lines are looked at: the first ones of a session are often about the program itself. */
const mostLines = 60

/**
 * What a file of chats is, by its beginning; undefined where it is none that is known. `head`: the first `headBytes`,
 * or the whole. A file that only holds JSON of another kind is none. Never throws.
 */
export function chatFile(head: string): ChatFile | undefined {
  const text = head.replace(/^\uFEFF/, '').trimStart()
  if (text.startsWith('<') && carriedChat(text.split('\n', 20)) !== undefined) return { of: 'haversack' }
  if (/^# aider chat started at \d{4}-\d{2}-\d{2}/.test(text)) return { of: 'aider' }
  // Takeout's other form: a page of cells, each headed by the product.
  if (/^<(?:!doctype|html)/i.test(text))
    return /class="[^"]*outer-cell[^"]*"[^]*>\s*Gemini Apps\s*</i.test(text) ? { of: 'gemini' } : undefined
  if (!/^[[{]/.test(text)) return undefined
  const lines = linesOf(text)
  if (lines.some(isOurs)) return { of: 'haversack' }
  const app = appOfLines(lines)
  if (app === undefined && lines.some(isMessageLine)) return { of: 'haversack' }
  const of = app ?? appOfWhole(jsonBeginning(text))
  return of && { of }
}

type Thing = Readonly<Record<string, unknown>>

/** The objects that stand a line each; empty where the first line is none. */
function linesOf(text: string): Thing[] {
  const lines: Thing[] = []
  for (const line of text.split('\n', mostLines)) {
    if (line.trim() === '') continue
    const value = line.startsWith('{') ? jsonBeginning(line) : undefined
    if (!isThing(value)) return lines
    lines.push(value)
  }
  return lines
}

/** A line that the import reads: one of ours, or of a related program that says which it is. */
function isOurs(line: Thing): boolean {
  switch (line['type']) {
    case 'session':
      return !isOfLlama(line) && (isText(line['harness']) || 'format' in line)
    case 'edit':
    case 'aside':
      return isThing(line['entry'])
    case 'blob':
      return isText(line['base64']) && isText(line['id'])
    case 'document':
      return isText(line['path']) && 'revision' in line
    case 'message':
      return isMessageLine(line) && 'seq' in line
    default:
      return false
  }
}

/** The header of a chat of llama.cpp's page: it tells the message in view. */
const isOfLlama = (line: Thing): boolean =>
  line['type'] === 'session' && (line['harness'] === 'llama.app' || 'currNode' in line)

/** A message without more, as related programs write it too; others put more of their own around it. */
const isMessageLine = (line: Thing): boolean =>
  line['type'] === 'message' && isThing(line['message']) && isText(line['message']['role'])

function appOfLines(lines: readonly Thing[]): ForeignApp | undefined {
  const [first] = lines
  if (first === undefined) return undefined
  const has = (...keys: string[]): boolean => lines.some(line => keys.every(key => key in line))
  if (has('user_name', 'character_name') || has('chat_metadata', 'user_name') || has('is_user', 'mes'))
    return 'sillytavern'
  if (lines.some(({ object, thread_id }) => object === 'thread.message' && isText(thread_id))) return 'jan'
  if (lines.some(isOfLlama)) return 'llama-cpp-ui'
  if (has('sessionId', 'parentUuid', 'uuid') || has('leafUuid', 'summary') || has('messageId', 'snapshot'))
    return 'claude-code'
  const codex = ['session_meta', 'response_item', 'event_msg', 'turn_context', 'compacted']
  if (lines.some(({ type, payload }) => codex.includes(String(type)) && isThing(payload))) return 'codex'
  // Before that envelope came: a header with the instructions, then bare items.
  if (isText(first['id']) && isText(first['timestamp']) && 'instructions' in first && lines.length > 1) return 'codex'
  if (first['type'] === 'session' && isText(first['cwd'])) return 'pi'
  if (lines.length === 1) return undefined // one object, which may go on
  if (first['type'] === 'message' || first['type'] === 'session') return undefined
  return appOfMessages(first)
}

function appOfWhole(value: unknown): ForeignApp | undefined {
  if (Array.isArray(value)) {
    const of = value
      .slice(0, 20)
      .filter(isThing)
      .map(one => appOfChat(one, true))
      .find(app => app !== undefined)
    return of
  }
  if (!isThing(value)) return undefined
  const [chat] = listOf(value['conversations'])
  if (isThing(chat) && isThing(chat['conversation']) && 'responses' in chat) return 'grok'
  if (isThing(value['chunkedPrompt']) || (isThing(value['runSettings']) && 'systemInstruction' in value))
    return 'ai-studio'
  if (isText(value['exportType']) && isThing(value['state'])) return 'lobechat'
  if (isThing(value['chat-next-web-store'])) return 'nextchat'
  if (isThing(value['localStorage']) && 'persist:cherry-studio' in value['localStorage']) return 'cherry-studio'
  if (
    isThing(value['data']) &&
    listOf(value['data']['chats']).some(one => isThing(one) && ('chatTitle' in one || 'chatID' in one))
  )
    return 'typingmind'
  if (value['object'] === 'thread' && ('assistants' in value || 'metadata' in value)) return 'jan'
  return appOfChat(value, false)
}

/** By one chat, or one line of a list. */
function appOfChat(chat: Thing, inList: boolean): ForeignApp | undefined {
  if (isThing(chat['mapping']))
    return 'inserted_at' in chat ? 'deepseek' : isTree(chat['mapping']) ? 'chatgpt' : undefined
  // shared_conversations.json
  if (inList && isText(chat['conversation_id']) && isText(chat['title']) && !('messages' in chat)) return 'chatgpt'
  if (Array.isArray(chat['chat_messages']) && isText(chat['uuid'])) return 'claude'
  if (isThing(chat['chat']) && (isThing(chat['chat']['history']) || Array.isArray(chat['chat']['messages'])))
    return 'open-webui'
  if (isText(chat['conversationId']) && (isThing(chat['options']) || 'exportAt' in chat || 'messagesTree' in chat))
    return 'librechat'
  if (isThing(chat['conv']) && Array.isArray(chat['messages'])) return 'llama-cpp-ui'
  if (isText(chat['sessionId']) && isText(chat['projectHash'])) return 'gemini-cli'
  if (
    isText(chat['header']) &&
    isText(chat['title']) &&
    'time' in chat &&
    (/\b(?:gemini|bard)\b/i.test(chat['header']) ||
      listOf(chat['products']).some(product => /\b(?:gemini|bard)\b/i.test(String(product))))
  )
    return 'gemini'
  if (chat['object'] === 'thread.message' && isText(chat['thread_id'])) return 'jan'
  const [message] = listOf(chat['messages'])
  if (
    isThing(message) &&
    Array.isArray(message['versions']) &&
    ('currentlySelected' in message || message['versions'].some(one => isThing(one) && isText(one['role'])))
  )
    return 'lm-studio'
  return appOfMessages(chat)
}

/** Forms that many programs write. */
function appOfMessages(value: Thing): ForeignApp | undefined {
  const [turn] = listOf(value['conversations'])
  if (isThing(turn) && isText(turn['from']) && 'value' in turn) return 'sharegpt'
  const [message] = listOf(value['messages'])
  return isMessage(value) || (isThing(message) && isMessage(message)) ? 'openai-messages' : undefined
}

const isMessage = (value: Thing): boolean =>
  ['system', 'developer', 'user', 'assistant', 'tool'].includes(String(value['role'])) &&
  ('content' in value || 'tool_calls' in value)

/** Whether the nodes hang on each other as those of a conversation do. */
const isTree = (mapping: Thing): boolean =>
  Object.values(mapping)
    .slice(0, 5)
    .some(node => isThing(node) && ('message' in node || 'children' in node || 'parent' in node))

const isThing = (value: unknown): value is Thing => typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === 'string'
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
