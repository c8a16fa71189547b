/** ShareGPT and the collections that took its shape: turns, each with who spoke. Pure; never throws. */
import { parsedJson } from '../../text/json.ts'
import { isObject, type JsonObject } from '../../log/file-format/json-fields.ts'
import { GatheredAnswer, ChatIds, foreignItem, inRow, userItem } from '../shape/answer.ts'
import { chatByPiece, chatOf, type PiecePlace, type PieceRead } from '../shape/chat-by-piece.ts'
import { argumentsOf, filledText, idOf, joinTexts, listOf, madeId, rawJson, stringOf, timeOf } from '../shape/fields.ts'
import type { ForeignItem } from '../shape/foreign-chat.ts'
import type { Format } from '../shape/reader.ts'

/**
 * Reads a list of chats, or a chat a line. Ids repeat in these files, and the same numbers stand in every file: a chat
 * is known by its id and its first two turns together, and by all of it where it has no id.
 */
export const sharegpt: Format = chatByPiece('sharegpt', () => {
  const seen = new Map<string, string>()
  return (chat, place) => {
    const read = readChat(chat, place)
    if (!('items' in read)) return read
    const content = madeId(chat)
    const said = idOf(chat['id'])
    const id = said === undefined ? content : `${said}#${madeId(listOf(chat['conversations']).slice(0, 2))}`
    const other = (seen.get(id) ?? content) !== content
    if (!other) seen.set(id, content)
    return { ...read, id: other ? `${id}#${content}` : id }
  }
})

type Speaker = 'user' | 'assistant' | 'system' | 'call' | 'result'

const speakers: Readonly<Record<string, Speaker>> = {
  human: 'user',
  user: 'user',
  prompter: 'user',
  gpt: 'assistant',
  chatgpt: 'assistant',
  bing: 'assistant',
  bard: 'assistant',
  claude: 'assistant',
  assistant: 'assistant',
  model: 'assistant',
  ai: 'assistant',
  bot: 'assistant',
  system: 'system',
  function_call: 'call',
  tool_call: 'call',
  'function-call': 'call',
  observation: 'result',
  tool: 'result',
  function: 'result',
  function_response: 'result',
  'function-response': 'result',
  tool_response: 'result',
}

function readChat(chat: JsonObject, { at: line, findings }: PiecePlace): Exclude<PieceRead, undefined> {
  const id = idOf(chat['id'])
  if (!Array.isArray(chat['conversations'])) return { id, why: 'no conversations' }
  const ids = new ChatIds()
  const items: ForeignItem[] = []
  const system = [wordsOf(chat['system']), wordsOf(chat['system_prompt'])]
  const model = filledText(chat['model'])
  const add = (row: readonly ForeignItem[]): void => {
    for (const item of inRow(row, items.at(-1)?.id ?? null)) items.push(item)
  }
  let answer: GatheredAnswer | undefined
  let hasText = false
  const close = (): void => {
    if (answer !== undefined) add(answer.items(null, model === undefined ? {} : { model }))
    answer = undefined
    hasText = false
  }
  for (const [i, turn] of listOf(chat['conversations']).entries()) {
    if (!isObject(turn)) continue
    const row = idOf(turn['id']) ?? `turn-${i + 1}`
    const speaker = speakerOf(turn)
    const text = wordsOf(turn['value'] ?? turn['text'] ?? turn['content'])
    if (speaker === 'user' || speaker === undefined) close()
    switch (speaker) {
      case 'system':
        system.push(text)
        break
      case 'user':
        if (text.trim() !== '') add([userItem(ids.item(row), { text, at: timeOf(turn['timestamp']), files: [] })])
        break
      case undefined:
        add([foreignItem(ids.item(row), turn, 'unknown')])
        break
      case 'assistant':
        // Words behind words are another message; words behind a call and its result end the same one.
        if (hasText) close()
        answer ??= new GatheredAnswer(row, ids)
        answer.say(text)
        hasText = text.trim() !== ''
        break
      case 'call':
        answer ??= new GatheredAnswer(row, ids)
        if (!addCalls(answer, text)) findings.skipped.push({ line, why: `turn ${i + 1}: the call is not JSON` })
        break
      case 'result':
        answer ??= new GatheredAnswer(row, ids)
        if (!answer.result({ id: row, tool: filledText(turn['name']), text })) answer.keep(row, turn, 'unknown')
        break
      default:
        return speaker satisfies never
    }
  }
  close()
  return chatOf({
    id: id ?? '',
    title: filledText(chat['title']),
    createdAt: timeOf(chat['created_at'] ?? chat['create_time']),
    updatedAt: timeOf(chat['updated_at'] ?? chat['update_time']),
    system: joinTexts(system),
    leaf: undefined,
    items,
  })
}

function speakerOf(turn: JsonObject): Speaker | undefined {
  const name = stringOf(turn['from'] ?? turn['role'])
    .trim()
    .toLowerCase()
  return Object.hasOwn(speakers, name) ? speakers[name] : undefined
}

/** A text as it is, anything else as JSON. */
const wordsOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : rawJson(value)

/** Adds the call, or the list of calls, that JSON says. Else the text is the call's arguments, and false is said. */
function addCalls(answer: GatheredAnswer, text: string): boolean {
  const value = parsedJson(text)
  const calls = (Array.isArray(value) ? value : [value]).filter(isObject)
  for (const call of calls) {
    const inner = isObject(call['function']) ? call['function'] : call
    const given = inner['arguments'] ?? inner['parameters'] ?? inner['args']
    answer.call({ id: idOf(call['id']), name: filledText(inner['name']) ?? 'tool', arguments: argumentsOf(given) })
  }
  if (calls.length === 0) answer.call({ name: 'tool', arguments: text })
  return calls.length > 0
}
