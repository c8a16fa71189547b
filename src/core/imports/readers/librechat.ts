/** LibreChat's export: one chat a file, its messages flat or nested in each other. Pure; never throws. */
import type { StopReason } from '../../log/message.ts'
import { isObject, type JsonObject } from '../../log/file-format/json-fields.ts'
import { GatheredAnswer, ChatIds, foreignItem, userItem } from '../shape/answer.ts'
import { chatByPiece, chatOf, type PieceRead } from '../shape/chat-by-piece.ts'
import {
  attachmentAt,
  filledText,
  idOf,
  joinTexts,
  listOf,
  madeId,
  objectOf,
  rawJson,
  stringOf,
  timeOf,
} from '../shape/fields.ts'
import type { ForeignAttachment, ForeignItem } from '../shape/foreign-chat.ts'
import type { Format } from '../shape/reader.ts'
import { withoutMarks } from '../shape/source-marks.ts'
import { itemsOfRows, type MessageRow } from '../shape/rows.ts'

/** Reads the JSON that LibreChat writes for a chat. */
export const librechat: Format = chatByPiece('librechat', () => readChat)

function readChat(chat: JsonObject): PieceRead {
  const id = idOf(chat['conversationId'])
  const messages = Array.isArray(chat['messages']) ? chat['messages'] : chat['messagesTree']
  if (!Array.isArray(messages)) return { id, why: 'no messages' }
  const options = objectOf(chat['options'])
  const ids = new ChatIds()
  const system = ['promptPrefix', 'system', 'instructions', 'additional_instructions'].map(name =>
    stringOf(options[name]),
  )
  const model = filledText(options['model'])
  const { items } = itemsOfRows(rowsOf(messages), (message, row) => itemsOf(message, { row, ids, model, system }))
  return chatOf({
    id: id ?? madeId(chat),
    title: filledText(chat['title']) ?? filledText(options['title']),
    createdAt: timeOf(chat['createdAt']) ?? timeOf(options['createdAt']),
    updatedAt: timeOf(chat['updatedAt']) ?? timeOf(options['updatedAt']),
    system: joinTexts([...new Set(system)]),
    leaf: undefined,
    items,
  })
}

/** The messages in a row. What a message nests hangs on it, whatever it says itself. */
function rowsOf(messages: readonly unknown[]): MessageRow[] {
  const rows: MessageRow[] = []
  const open = messages.toReversed().map(value => ({ value, above: undefined as string | undefined }))
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!isObject(next.value)) continue
    const { children, ...value } = next.value
    const id = idOf(value['messageId']) ?? `message-${rows.length + 1}`
    rows.push({ id, parent: next.above ?? parentOf(value['parentMessageId']), value })
    for (const child of listOf(children).toReversed()) open.push({ value: child, above: id })
  }
  return rows
}

/** The root has an id of zeros; where nothing is said, a message follows the one before it. */
const parentOf = (id: unknown): string | null | undefined =>
  idOf(id) === undefined ? undefined : /^[0-]+$/.test(stringOf(id)) ? null : idOf(id)

type Place = { row: string; ids: ChatIds; model: string | undefined; system: string[] }

function itemsOf(message: JsonObject, { row, ids, model, system }: Place): ForeignItem[] {
  const at = timeOf(message['createdAt'])
  const files = [...listOf(message['files']), ...listOf(message['attachments'])].flatMap(fileOf)
  const role = roleOf(message)
  if (role === undefined) return [foreignItem(ids.item(row), message, 'unknown', at)]
  const answer = new GatheredAnswer(row, ids)
  const texts: string[] = []
  const say = (words: string): void => {
    const text = role === 'assistant' ? withoutMarks(words) : words
    texts.push(text)
    answer.say(text)
  }
  for (const part of listOf(message['content'])) readPart(part, { answer, row, files, say })
  if (texts.every(text => text.trim() === '')) {
    const { reasoning, text } = parted(stringOf(message['text']) || stringOf(message['content']))
    answer.reason(reasoning)
    say(text)
  }
  if (role === 'assistant') {
    answer.attach(files)
    const stop = stopOf(message)
    const by = filledText(message['model']) ?? model
    const facts = {
      ...(at !== undefined && { at }),
      ...(by !== undefined && { model: by }),
      ...(stop !== undefined && { stop }),
    }
    return answer.items(null, facts)
  }
  const text = joinTexts(texts)
  if (role === 'system') {
    system.push(text)
    return []
  }
  const kept = answer.keptItems()
  return text === '' && files.length === 0 ? kept : [...kept, userItem(ids.item(row), { text, at, files })]
}

function roleOf(message: JsonObject): 'user' | 'assistant' | 'system' | undefined {
  const { isCreatedByUser, role, sender } = message
  if (role === 'system') return 'system'
  if (typeof isCreatedByUser === 'boolean') return isCreatedByUser ? 'user' : 'assistant'
  if (role === 'user' || role === 'assistant') return role
  if (filledText(sender) === undefined) return undefined
  return stringOf(sender).toLowerCase() === 'user' ? 'user' : 'assistant'
}

type PartPlace = { answer: GatheredAnswer; row: string; files: ForeignAttachment[]; say: (text: string) => void }

function readPart(part: unknown, { answer, row, files, say }: PartPlace): void {
  if (typeof part === 'string') return say(part)
  if (!isObject(part)) return
  const { type } = part
  switch (type) {
    case 'text':
      return say(wordsOf(part['text']))
    case 'think':
      return answer.reason(wordsOf(part['think']))
    case 'error':
      return say(wordsOf(part['error']) || wordsOf(part['text']))
    case 'tool_call':
      return isObject(part['tool_call'])
        ? readCall(part['tool_call'], answer, row)
        : answer.keep(`${row}/part`, part, 'unknown')
    case 'image_file':
    case 'image_url':
    case 'input_audio':
    case 'file': {
      const found = typeof part[type] === 'string' ? [attachmentAt(part[type], 'image')] : fileOf(part[type])
      if (found.length === 0) answer.keep(`${row}/part`, part, 'unknown')
      for (const file of found) files.push(file)
      return
    }
    // Which of several agents goes on.
    case 'agent_update':
      return
    default:
      answer.keep(`${row}/part`, part, 'unknown')
  }
}

/** Words that stand plainly or in a `value`. */
const wordsOf = (words: unknown): string => stringOf(words) || stringOf(objectOf(words)['value'])

/** A call with what it gave, in the shapes of its agents and of OpenAI's assistants. */
function readCall(call: JsonObject, answer: GatheredAnswer, row: string): void {
  const inner = isObject(call['function']) ? call['function'] : objectOf(call['code_interpreter'])
  const name = filledText(call['name']) ?? filledText(inner['name']) ?? filledText(call['type']) ?? 'tool'
  const id = idOf(call['id'])
  answer.call({
    id,
    name,
    arguments:
      call['args'] ?? inner['arguments'] ?? (inner['input'] === undefined ? undefined : { input: inner['input'] }),
  })
  const output = call['output'] ?? inner['output'] ?? inner['outputs']
  if (output === undefined || output === null) return
  const text = typeof output === 'string' ? output : rawJson(output)
  answer.result({ id: `${row}/result`, callId: id, tool: name, text })
}

function fileOf(value: unknown): ForeignAttachment[] {
  if (!isObject(value)) return []
  const address = ['filepath', 'url', 'preview', 'file_id'].flatMap(name => filledText(value[name]) ?? [])[0]
  const name = filledText(value['filename']) ?? filledText(value['name'])
  if (address === undefined && name === undefined) return []
  const file = attachmentAt(
    address ?? name ?? '',
    name ?? address ?? '',
    filledText(value['type'])?.match(/^[^/\s]+\/\S+$/)?.[0],
  )
  const text = value['text']
  if (typeof text === 'string' && text !== '' && file.base64 === undefined) return [{ ...file, text }]
  return [address?.startsWith('data:') === true && name === undefined ? { ...file, name: 'image' } : file]
}

/** Older versions wrote the thoughts before the text, between marks. */
function parted(text: string): { reasoning: string; text: string } {
  const begin = ':::thinking\n'
  const end = text.indexOf('\n:::', begin.length - 1)
  if (!text.startsWith(begin) || end === -1) return { reasoning: '', text }
  return { reasoning: text.slice(begin.length, end), text: text.slice(end + 4).trimStart() }
}

function stopOf(message: JsonObject): StopReason | undefined {
  if (message['error'] === true) return 'failed'
  if (message['unfinished'] === true) return 'stopped'
  switch (message['finish_reason']) {
    case 'stop':
    case 'end_turn':
      return 'stop'
    case 'length':
    case 'max_tokens':
      return 'length'
    case 'incomplete':
      return 'stopped'
    default:
      return undefined
  }
}
