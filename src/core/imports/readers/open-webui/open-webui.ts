/** Open WebUI's export: each chat a map of messages that hang on each other. Pure; never throws. */
import type { StopReason, Usage } from '../../../log/message.ts'
import { isObject, type JsonObject } from '../../../log/file-format/json-fields.ts'
import { GatheredAnswer, ChatIds, foreignItem, userItem, type AnswerFacts } from '../../shape/answer.ts'
import { chatByPiece, chatOf, type PieceRead } from '../../shape/chat-by-piece.ts'
import {
  countOf,
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
} from '../../shape/fields.ts'
import type { ForeignAttachment, ForeignItem } from '../../shape/foreign-chat.ts'
import type { Format } from '../../shape/reader.ts'
import { itemsOfRows, type MessageRow } from '../../shape/rows.ts'
import { partsOfText, wordsOfText } from './details.ts'

/** Reads the export of one chat or of all. */
export const openWebui: Format = chatByPiece('open-webui', () => readChat)

function readChat(row: JsonObject): PieceRead {
  const chat = objectOf(row['chat'])
  const id = idOf(row['id']) ?? idOf(chat['id'])
  const history = objectOf(chat['history'])
  const rows = isObject(history['messages']) ? rowsOfMap(history['messages']) : rowsOfList(chat['messages'])
  if (rows === undefined) return { id, why: 'no messages' }
  const ids = new ChatIds()
  const system = [stringOf(chat['system']), stringOf(objectOf(chat['params'])['system'])]
  const { items, tails } = itemsOfRows(rows, (message, key) => itemsOf(message, { row: key, ids, system }))
  return chatOf({
    id: id ?? madeId(row),
    title: filledText(row['title']) ?? filledText(chat['title']),
    createdAt: timeOf(row['created_at']) ?? timeOf(chat['timestamp']),
    updatedAt: timeOf(row['updated_at']),
    system: joinTexts([...new Set(system)]),
    leaf: tails.get(idOf(history['currentId']) ?? ''),
    items,
  })
}

/** The key of the map is the message's id. Who names no parent may be named as a child. */
function rowsOfMap(messages: JsonObject): MessageRow[] {
  const listedBy = new Map<string, string>()
  for (const [id, message] of Object.entries(messages))
    for (const child of listOf(objectOf(message)['childrenIds']))
      if (typeof child === 'string' && !listedBy.has(child)) listedBy.set(child, id)
  return Object.entries(messages).flatMap(([id, message]) =>
    isObject(message) ? [{ id, parent: idOf(message['parentId']) ?? listedBy.get(id) ?? null, value: message }] : [],
  )
}

/** Before there were branches, the messages stood in a list. */
function rowsOfList(messages: unknown): MessageRow[] | undefined {
  if (!Array.isArray(messages)) return undefined
  return messages.filter(isObject).map((value, i) => ({
    id: idOf(value['id']) ?? `message-${i + 1}`,
    parent: 'parentId' in value ? (idOf(value['parentId']) ?? null) : undefined,
    value,
  }))
}

type Place = { row: string; ids: ChatIds; system: string[] }

function itemsOf(message: JsonObject, { row, ids, system }: Place): ForeignItem[] {
  const at = timeOf(message['timestamp'])
  const { role } = message
  if (role === 'assistant') return answerItems(message, row, ids, at)
  const { text, files, unknown } = contentOf(message)
  if (role === 'system') {
    system.push(text)
    return []
  }
  if (role !== 'user') return [foreignItem(ids.item(row), message, 'unknown', at)]
  const kept = unknown.map(part => foreignItem(ids.item(`${row}/part`), part, 'unknown'))
  return text.trim() === '' && files.length === 0 ? kept : [...kept, userItem(ids.item(row), { text, at, files })]
}

function answerItems(message: JsonObject, row: string, ids: ChatIds, at: number | undefined): ForeignItem[] {
  const answer = new GatheredAnswer(row, ids)
  const { text, files, unknown } = contentOf(message)
  for (const part of unknown) answer.keep(`${row}/part`, part, 'unknown')
  const output = listOf(message['output']).filter(isObject)
  if (output.length === 0) readText(text, answer, row)
  else {
    const said = output.map(part => readOutput(part, answer, row))
    // The list may hold what went before the words, and not the words.
    if (said.every(words => words.trim() === '')) answer.say(wordsOfText(text))
  }
  answer.attach(files)
  const model = filledText(message['model']) ?? filledText(message['modelName'])
  const stop = stopOf(message)
  const usage = usageIn(message['usage'] ?? message['info'])
  const facts: AnswerFacts = {
    ...(at !== undefined && { at }),
    ...(model !== undefined && { model }),
    ...(stop !== undefined && { stop }),
    ...(usage !== undefined && { usage }),
  }
  const items = answer.items(null, facts)
  // An answer that failed before its first word says why.
  return items.length === 0 && isObject(message['error']) ? [foreignItem(ids.item(row), message, 'unknown', at)] : items
}

function readText(text: string, answer: GatheredAnswer, row: string): void {
  for (const part of partsOfText(text)) {
    if (part.type === 'text') answer.say(part.text)
    else if (part.type === 'reasoning') answer.reason(part.text)
    else {
      answer.call(part)
      if (part.result === undefined && part.files.length === 0) continue
      const result = { id: `${row}/result`, callId: part.id, tool: part.name, text: part.result ?? '' }
      answer.result(result, part.files.map(fileByAddress))
    }
  }
}

/** A part of what the model gave, as OpenAI's Responses have it; answers with its words. */
function readOutput(part: JsonObject, answer: GatheredAnswer, row: string): string {
  switch (part['type']) {
    case 'message': {
      const text = textOfParts(part['content'])
      answer.say(text)
      return text
    }
    case 'reasoning':
      answer.reason(textOfParts(part['content']) || textOfParts(part['summary']))
      return ''
    case 'function_call': {
      const id = idOf(part['call_id']) ?? idOf(part['id'])
      answer.call({ id, name: filledText(part['name']) ?? 'tool', arguments: part['arguments'] })
      return ''
    }
    case 'function_call_output': {
      const files = [...listOf(part['files']), ...listOf(part['output'])].flatMap(fileOf)
      const result = { id: `${row}/result`, callId: idOf(part['call_id']), text: textOfParts(part['output']) }
      if (!answer.result(result, files)) answer.keep(`${row}/part`, part, 'unknown')
      return ''
    }
    case 'open_webui:code_interpreter': {
      const id = idOf(part['id']) ?? `${row}/code`
      answer.call({ id, name: 'code_interpreter', arguments: { code: stringOf(part['code']) } })
      const { output } = part
      if (output === undefined || output === null) return ''
      const text = typeof output === 'string' ? output : rawJson(output)
      answer.result({ id: `${row}/result`, callId: id, text })
      return ''
    }
    default:
      answer.keep(`${row}/part`, part, 'unknown')
      return ''
  }
}

/** The words of a list of parts, or of a text. A part that has none and is no file is written as JSON. */
function textOfParts(parts: unknown): string {
  if (typeof parts === 'string') return parts
  return joinTexts(
    (Array.isArray(parts) ? parts : isObject(parts) ? [parts] : []).map(part => {
      if (typeof part === 'string') return part
      const text = objectOf(part)['text'] ?? objectOf(part)['content']
      if (typeof text === 'string') return text
      return !isObject(part) || fileOf(part).length > 0 ? '' : rawJson(part)
    }),
  )
}

function contentOf(message: JsonObject): { text: string; files: ForeignAttachment[]; unknown: unknown[] } {
  const files = listOf(message['files']).flatMap(fileOf)
  const { content } = message
  if (!Array.isArray(content)) return { text: stringOf(content), files, unknown: [] }
  const texts: string[] = []
  const unknown: unknown[] = []
  for (const part of content) {
    const text = typeof part === 'string' ? part : objectOf(part)['text']
    const found = typeof text === 'string' ? [] : fileOf(part)
    if (typeof text === 'string') texts.push(text)
    else if (found.length === 0 && isObject(part)) unknown.push(part)
    for (const file of found) files.push(file)
  }
  return { text: joinTexts(texts), files, unknown }
}

/** A picture by its address, or a file with what was read of it. */
function fileOf(value: unknown): ForeignAttachment[] {
  if (!isObject(value)) return []
  const file = objectOf(value['file'])
  const { image_url } = value
  const address = [value['url'], typeof image_url === 'string' ? image_url : objectOf(image_url)['url']]
    .flatMap(one => filledText(one) ?? [])
    .at(0)
  const meta = objectOf(file['meta'])
  const name = [value['name'], file['filename'], meta['name'], value['filename'], value['title']]
    .flatMap(one => filledText(one) ?? [])
    .at(0)
  const mime = filledText(value['content_type']) ?? filledText(meta['content_type'])
  const ref = address ?? idOf(file['id']) ?? idOf(value['id'])
  if (ref === undefined && name === undefined) return []
  const text = objectOf(file['data'])['content'] ?? value['content']
  const found = attachmentAt(ref ?? name ?? '', name ?? '', mime)
  const named = { ...found, name: name ?? nameOf(found) }
  return [typeof text === 'string' && text !== '' && named.base64 === undefined ? { ...named, text } : named]
}

function fileByAddress(address: string): ForeignAttachment {
  const file = attachmentAt(address, '')
  return { ...file, name: nameOf(file) }
}

/** A name for a file that has none: the end of its address, or its kind. */
const nameOf = ({ mime, ref }: ForeignAttachment): string =>
  ref?.split('/').at(-1) || mime?.replace(/^(image|audio|video)\/([\w-]+).*$/, '$1.$2').replace(/^.*\//, '') || 'file'

function stopOf({ done, error }: JsonObject): StopReason | undefined {
  if (isObject(error) || error === true) return 'failed'
  return done === false ? 'interrupted' : undefined
}

/** Tokens as OpenAI and as Ollama count them. */
function usageIn(value: unknown): Usage | undefined {
  const counts = objectOf(value)
  const whole =
    countOf(counts['prompt_tokens']) ?? countOf(counts['input_tokens']) ?? countOf(counts['prompt_eval_count'])
  const output =
    countOf(counts['completion_tokens']) ?? countOf(counts['output_tokens']) ?? countOf(counts['eval_count'])
  if (whole === undefined) return undefined
  const details = objectOf(counts['prompt_tokens_details'] ?? counts['input_tokens_details'])
  const cacheRead = Math.min(whole, countOf(details['cached_tokens']) ?? 0)
  return {
    input: whole - cacheRead,
    ...(cacheRead > 0 && { cacheRead }),
    ...(output !== undefined && { output }),
  }
}
