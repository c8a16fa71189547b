/** Claude's export: each chat a list of messages, each message a list of blocks. Pure; never throws. */
import type { StopReason } from '../../log/message.ts'
import { isObject, type JsonObject } from '../../log/file-format/json-fields.ts'
import { GatheredAnswer, ChatIds, foreignItem, userItem } from '../shape/answer.ts'
import { chatByPiece, chatOf, type PieceRead } from '../shape/chat-by-piece.ts'
import { filledText, idOf, joinTexts, listOf, madeId, objectOf, rawJson, stringOf, timeOf } from '../shape/fields.ts'
import type { ForeignAttachment, ForeignItem } from '../shape/foreign-chat.ts'
import type { Format } from '../shape/reader.ts'
import { itemsOfRows } from '../shape/rows.ts'

/** Reads `conversations.json`. */
export const claude: Format = chatByPiece('claude', () => readChat)

function readChat(chat: JsonObject): PieceRead {
  const id = idOf(chat['uuid'])
  if (!Array.isArray(chat['chat_messages'])) return { id, why: 'no chat_messages' }
  const ids = new ChatIds()
  const model = filledText(chat['model'])
  const rows = listOf(chat['chat_messages']).map((value, i) => ({
    id: idOf(objectOf(value)['uuid']) ?? `message-${i + 1}`,
    parent: parentOf(objectOf(value)['parent_message_uuid']),
    value: isObject(value) ? value : {},
  }))
  const { items, tails } = itemsOfRows(rows, (message, row) => itemsOf(message, { row, ids, model }))
  return chatOf({
    id: id ?? madeId(chat),
    title: filledText(chat['name']),
    createdAt: timeOf(chat['created_at']),
    updatedAt: timeOf(chat['updated_at']),
    system: '',
    leaf: tails.get(stringOf(chat['current_leaf_message_uuid'])),
    items,
  })
}

/** Older exports name no parent: a message then follows the one before it. The root has a uuid of zeros. */
const parentOf = (uuid: unknown): string | null | undefined =>
  idOf(uuid) === undefined ? undefined : /^0{8}-0000-4?0+-8?0+-0{12}$/.test(stringOf(uuid)) ? null : stringOf(uuid)

type Place = { row: string; ids: ChatIds; model: string | undefined }

function itemsOf(message: JsonObject, { row, ids, model }: Place): ForeignItem[] {
  const at = timeOf(message['created_at'])
  const { sender } = message
  const files = filesOf(message)
  const blocks = listOf(message['content'])
  if (sender !== 'human' && sender !== 'user' && sender !== 'assistant') {
    const isNothing = Object.keys(message).length === 0
    return isNothing ? [] : [foreignItem(ids.item(row), message, 'unknown', at)]
  }
  const answer = new GatheredAnswer(row, ids)
  const texts: string[] = []
  for (const [i, block] of blocks.entries()) {
    const before = objectOf(blocks[i - 1])
    const say = (text: string): void => {
      texts.push(text)
      answer.say(text, before['type'] === 'text' && isOneText(stringOf(before['text']), text))
    }
    readBlock(block, { answer, row, files, say })
  }
  // In older exports the words stand only here; in newer ones they stand here again.
  if (texts.every(text => text.trim() === '')) {
    texts.push(withoutPlaceholders(stringOf(message['text'])))
    answer.say(texts.at(-1) ?? '')
  }
  if (sender === 'assistant') {
    answer.attach(files)
    const stop = stopOf(message['stop_reason'])
    const facts = { ...(at !== undefined && { at }), ...(model !== undefined && { model }) }
    return answer.items(null, { ...facts, ...(stop !== undefined && { stop }) })
  }
  const text = joinTexts(texts)
  const kept = answer.keptItems()
  return text === '' && files.length === 0 ? kept : [...kept, userItem(ids.item(row), { text, at, files })]
}

/** Whether two blocks that touch are one text, which was parted where a source is named. */
const isOneText = (before: string, after: string): boolean => /\s$/.test(before) || /^[\s.,;:!?)\]]/.test(after)

function stopOf(reason: unknown): StopReason | undefined {
  switch (reason) {
    case 'end_turn':
    case 'stop_sequence':
      return 'stop'
    case 'max_tokens':
      return 'length'
    case 'user_canceled':
      return 'stopped'
    default:
      return undefined
  }
}

type BlockPlace = { answer: GatheredAnswer; row: string; files: ForeignAttachment[]; say: (text: string) => void }

function readBlock(block: unknown, { answer, row, files, say }: BlockPlace): void {
  if (typeof block === 'string') return say(block)
  if (!isObject(block)) return
  switch (block['type']) {
    case 'text':
    case 'voice_note':
      return say(stringOf(block['text']))
    case 'thinking':
      return answer.reason(stringOf(block['thinking']))
    case 'tool_use':
      return answer.call({
        id: idOf(block['id']),
        name: filledText(block['name']) ?? 'tool',
        arguments: block['input'],
      })
    case 'tool_result': {
      const { text, files: shown } = resultOf(block['content'])
      const result = { id: `${row}/result`, tool: filledText(block['name']), text, isError: block['is_error'] === true }
      if (!answer.result({ ...result, callId: idOf(block['tool_use_id']) }, shown))
        answer.keep(`${row}/part`, block, 'unknown')
      return
    }
    case 'image':
    case 'document': {
      const file = fileOfBlock(block)
      if (file === undefined) answer.keep(`${row}/part`, block, 'unknown')
      else files.push(file)
      return
    }
    // Bookkeeping of the app.
    case 'token_budget':
    case 'flag':
      return
    default:
      answer.keep(`${row}/part`, block, 'unknown')
  }
}

/** What a tool gave: words, pictures, and whatever else as JSON. */
function resultOf(content: unknown): { text: string; files: ForeignAttachment[] } {
  if (typeof content === 'string') return { text: content, files: [] }
  const files: ForeignAttachment[] = []
  const texts = (Array.isArray(content) ? content : [content]).map(part => {
    if (typeof part === 'string') return part
    if (!isObject(part)) return ''
    const file = fileOfBlock(part)
    if (file !== undefined) files.push(file)
    return file !== undefined ? '' : typeof part['text'] === 'string' ? part['text'] : rawJson(part)
  })
  return { text: joinTexts(texts), files }
}

function fileOfBlock(block: JsonObject): ForeignAttachment | undefined {
  if (block['type'] !== 'image' && block['type'] !== 'document') return undefined
  const { data, media_type, url } = objectOf(block['source'])
  const mime = filledText(media_type)
  const name = filledText(block['file_name']) ?? filledText(block['title']) ?? String(block['type'])
  const file = { name, ...(mime !== undefined && { mime }) }
  if (filledText(data) !== undefined) return { ...file, base64: stringOf(data) }
  const ref = filledText(url) ?? filledText(block['file_uuid'])
  return ref === undefined ? undefined : { ...file, ref }
}

/** Files of a message: `attachments` with their text, `files` by their name alone. */
function filesOf(message: JsonObject): ForeignAttachment[] {
  const attachments = listOf(message['attachments'])
    .filter(isObject)
    .map(file => {
      const type = filledText(file['file_type'])
      const text = file['extracted_content']
      const name = filledText(file['file_name'])
      return {
        name: name ?? 'attachment.txt',
        ...(type?.includes('/') === true && { mime: type }),
        ...(typeof text === 'string' ? { text } : name !== undefined && { ref: name }),
      }
    })
  const named = listOf(message['files'])
    .filter(isObject)
    .flatMap(file => {
      const name = filledText(file['file_name']) ?? filledText(file['file_uuid'])
      return name === undefined ? [] : [{ name, ref: name }]
    })
  return [...attachments, ...named]
}

/** What the export writes in the place of a block that it cannot tell in words. */
const withoutPlaceholders = (text: string): string =>
  text.includes('This block is not supported')
    ? text.replaceAll(/```\n?This block is not supported on your current device yet\.\n?```/g, '')
    : text
