/**
 * Messages as OpenAI's interface takes them: one object, a list or lines of objects with `messages`, a list of lists,
 * or a chat whose messages stand one a line or as the items of the list. Pure.
 */
import type { ForeignAttachment, ForeignChat } from '../shape/foreign-chat.ts'
import type { ToolCall } from '../../log/message.ts'
import { isObject, type JsonObject } from '../../log/file-format/json-fields.ts'
import {
  argumentsOf,
  attachmentAt,
  filledText,
  freeId,
  idOf,
  joinTexts,
  listOf,
  madeId,
  objectOf,
  rawJson,
  stringOf,
  timeOf,
  type TakenIds,
} from '../shape/fields.ts'
import type { ExportReader, Findings, Format, SourcePiece, SourceShape } from '../shape/reader.ts'
import { attached, finishedChat, present } from './finished-chat.ts'
import { foreign, type ItemContent, type TreeRow } from './item-tree.ts'

export const openaiMessages: Format = {
  app: 'openai-messages',
  begin: (findings, shape) => new MessagesReader(findings, shape),
}

class MessagesReader implements ExportReader {
  readonly #findings: Findings
  readonly #shape: SourceShape
  /** Messages that stand alone are one chat together. */
  readonly #bare: unknown[] = []
  #bareAt: number[] = []
  readonly #taken: TakenIds = new Map()
  readonly #seen = new Map<string, string>()

  constructor(findings: Findings, shape: SourceShape) {
    this.#findings = findings
    this.#shape = shape
  }

  take({ value, at }: SourcePiece): ForeignChat[] {
    if (Array.isArray(value)) return this.#chat({}, value, at)
    if (isObject(value) && Array.isArray(value['messages'])) return this.#chat(value, value['messages'], at)
    if (isObject(value) && typeof value['role'] === 'string') {
      this.#bare.push(value)
      this.#bareAt.push(at)
    } else
      this.#findings.skipped.push({
        ...present({ id: idOf(objectOf(value)['id']) }),
        at,
        why: isObject(value) ? 'no messages' : 'no object',
      })
    return []
  }

  end(): ForeignChat[] {
    const messages = this.#bare.splice(0)
    return messages.length === 0 ? [] : this.#chat({}, messages, this.#bareAt[0]!)
  }

  #chat(chat: JsonObject, messages: readonly unknown[], at: number): ForeignChat[] {
    const given = idOf(chat['id']) ?? idOf(chat['conversation_id'])
    // Without an id the content is its name: the same chat is the same again, another one never is.
    const content = madeId(chat['messages'] === undefined ? messages : chat)
    const known = this.#seen.get(content)
    if (known !== undefined) {
      this.#findings.merged.push({ id: known, why: 'stands more than once in the file' })
      return []
    }
    const id = freeId(given ?? content, this.#taken)
    this.#seen.set(content, id)
    const rows: TreeRow[] = []
    const system: string[] = []
    const reader = new MessageReader(filledText(chat['model']))
    for (const [i, message] of messages.entries()) {
      const role = objectOf(message)['role']
      if (role === 'system' || role === 'developer') {
        system.push(partsOf(objectOf(message)['content']).text)
        continue
      }
      const item = reader.contentOf(message, i)
      if (item.kind === 'foreign') this.#told(at, i, messages.length === this.#bareAt.length)
      const when = timeOf(objectOf(message)['timestamp']) ?? timeOf(objectOf(message)['created_at'])
      rows.push({
        id: `message-${i}`,
        parent: rows.at(-1)?.id ?? null,
        content: { ...item, ...present({ at: when }) },
      })
    }
    return finishedChat(
      {
        id,
        title: filledText(chat['title']) ?? filledText(chat['name']),
        createdAt: timeOf(chat['created']) ?? timeOf(chat['created_at']) ?? timeOf(chat['create_time']),
        updatedAt: timeOf(chat['updated_at']) ?? timeOf(chat['update_time']),
        system,
        leaf: rows.at(-1)?.id,
        rows,
      },
      this.#findings,
      at,
    )
  }

  #told(at: number, i: number, bare: boolean): void {
    const line = bare ? this.#bareAt[i]! : at
    const place = bare || this.#shape === 'object' ? `message ${i + 1}` : `message ${i + 1} of the chat`
    this.#findings.kept.push({ line, why: `${place} is of no known role` })
  }
}

/** Reads the messages of one chat in their order. */
class MessageReader {
  readonly #model: string | undefined
  /** Calls of the older form, which have no ids: the newest of each name. */
  readonly #functions = new Map<string, string>()
  constructor(model: string | undefined) {
    this.#model = model
  }

  contentOf(value: unknown, place: number): ItemContent {
    const message = objectOf(value)
    const { text, files } = partsOf(message['content'])
    switch (message['role']) {
      case 'user':
        return { kind: 'user', text, ...attached(files) }
      case 'assistant': {
        const audio = objectOf(message['audio'])
        return {
          kind: 'assistant',
          text: joinTexts([text, text === '' ? stringOf(audio['transcript']) : '', stringOf(message['refusal'])]),
          calls: this.#callsOf(message, place),
          ...present({
            reasoning: filledText(message['reasoning_content']) ?? filledText(message['reasoning']),
            model: filledText(message['model']) ?? this.#model,
          }),
          ...attached(files),
        }
      }
      case 'tool':
      case 'function': {
        const tool = stringOf(message['name'])
        return {
          kind: 'result',
          callId: idOf(message['tool_call_id']) ?? this.#functions.get(tool) ?? `result-${place}`,
          tool,
          text,
          isError: false,
          ...attached(files),
        }
      }
      default:
        return foreign(value, 'unknown')
    }
  }

  #callsOf(message: JsonObject, place: number): ToolCall[] {
    const calls = listOf(message['tool_calls']).map((value, i) => {
      const call = objectOf(value)
      const asked = isObject(call['function']) ? call['function'] : objectOf(call['custom'])
      return {
        id: idOf(call['id']) ?? `call-${place}-${i + 1}`,
        name: stringOf(asked['name']),
        arguments: 'input' in asked ? rawJson({ input: asked['input'] }) : argumentsOf(asked['arguments']),
      }
    })
    const old = message['function_call']
    if (!isObject(old)) return calls
    const name = stringOf(old['name'])
    const id = `call-${place}`
    this.#functions.set(name, id)
    return [...calls, { id, name, arguments: argumentsOf(old['arguments']) }]
  }
}

function partsOf(content: unknown): { text: string; files: ForeignAttachment[] } {
  if (typeof content === 'string') return { text: content, files: [] }
  const texts: string[] = []
  const files: ForeignAttachment[] = []
  for (const value of listOf(content)) {
    if (typeof value === 'string') texts.push(value)
    const part = objectOf(value)
    const file = fileOf(part, files.length + 1)
    if (file) files.push(file)
    else texts.push(stringOf(part['text']), stringOf(part['refusal']))
  }
  return { text: joinTexts(texts), files }
}

function fileOf(part: JsonObject, n: number): ForeignAttachment | undefined {
  const image = part['image_url']
  const address = typeof image === 'string' ? image : stringOf(objectOf(image)['url'])
  if (address !== '') return attachmentAt(address, `image-${n}`)
  const sound = objectOf(part['input_audio'])
  const format = filledText(sound['format'])
  if (stringOf(sound['data']) !== '')
    return {
      name: format === undefined ? `audio-${n}` : `audio-${n}.${format}`,
      ...present({ mime: format === undefined ? undefined : `audio/${format}` }),
      base64: stringOf(sound['data']),
    }
  const file = { ...objectOf(part['file']) }
  const name = filledText(file['filename']) ?? `file-${n}`
  const data = stringOf(file['file_data'])
  if (data !== '') return data.startsWith('data:') ? attachmentAt(data, name) : { name, base64: data }
  const ref = filledText(file['file_id'])
  return ref === undefined ? undefined : { name, ref }
}
