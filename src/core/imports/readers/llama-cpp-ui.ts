/**
 * Chats of llama.cpp's own page: lines of `session` and `message`, or a list of `{conv, messages}` as earlier versions
 * wrote it. Pure.
 */
import type { ForeignAttachment, ForeignChat } from '../shape/foreign-chat.ts'
import type { ToolCall, Usage } from '../../log/message.ts'
import { parsedJson } from '../../text/json.ts'
import { isObject, type JsonObject } from '../../log/file-format/json-fields.ts'
import {
  argumentsOf,
  countOf,
  attachmentAt,
  filledText,
  freeId,
  idOf,
  joinTexts,
  listOf,
  madeId,
  objectOf,
  stringOf,
  timeOf,
  type TakenIds,
} from '../shape/fields.ts'
import type { ExportReader, Findings, Format, SourcePiece } from '../shape/reader.ts'
import { attached, finishedChat, present } from './finished-chat.ts'
import { foreign, type ItemContent, type TreeRow } from './item-tree.ts'

export const llamaCppUi: Format = { app: 'llama-cpp-ui', begin: findings => new LlamaReader(findings) }

class LlamaReader implements ExportReader {
  readonly #findings: Findings
  #chat: LlamaChat | undefined
  readonly #taken: TakenIds = new Map()
  /** Of each id that the file gives: the contents that came under it. */
  readonly #seen = new Map<string, Set<string>>()
  constructor(findings: Findings) {
    this.#findings = findings
  }

  take({ value, at }: SourcePiece): ForeignChat[] {
    if (!isObject(value)) this.#findings.skipped.push({ at, why: 'no object' })
    else if (value['type'] === 'session') {
      const before = this.end()
      this.#chat = new LlamaChat(value, at, this.#findings)
      return before
    } else if ('conv' in value || Array.isArray(value['messages'])) return [...this.end(), ...this.#whole(value, at)]
    else if (this.#chat === undefined)
      this.#findings.bad.push({ line: at, why: `${filledText(value['type']) ?? 'record'} before a session` })
    else this.#chat.add(value, at)
    return []
  }

  end(): ForeignChat[] {
    const chat = this.#chat
    this.#chat = undefined
    return chat === undefined ? [] : this.#finished(chat)
  }

  #whole(value: JsonObject, at: number): ForeignChat[] {
    const { conv, messages } = value
    if (!isObject(conv) || !Array.isArray(messages)) {
      const id = idOf(objectOf(conv)['id'])
      this.#findings.skipped.push({ ...present({ id }), at, why: isObject(conv) ? 'no messages' : 'no conversation' })
      return []
    }
    const chat = new LlamaChat(conv, at, this.#findings)
    for (const message of messages) chat.add({ type: 'message', message: message as unknown }, at)
    return this.#finished(chat)
  }

  /** Two chats may have one id, where somebody put files together; the same chat twice is one. */
  #finished(chat: LlamaChat): ForeignChat[] {
    const content = madeId(chat.rows)
    const seen = this.#seen.get(chat.id) ?? new Set()
    this.#seen.set(chat.id, seen)
    if (seen.has(content)) {
      this.#findings.merged.push({ id: chat.id, why: 'stands more than once in the file' })
      return []
    }
    seen.add(content)
    return chat.finished(freeId(chat.id, this.#taken))
  }
}

class LlamaChat {
  readonly id: string
  readonly rows: TreeRow[] = []
  readonly #head: JsonObject
  readonly #at: number
  readonly #findings: Findings
  readonly #system: string[] = []
  #newest: number | undefined

  constructor(head: JsonObject, at: number, findings: Findings) {
    this.id = idOf(head['id']) ?? `chat-${at}`
    this.#head = head
    this.#at = at
    this.#findings = findings
  }

  /** A line behind that of the session. */
  add(record: JsonObject, line: number): void {
    const message = record['message']
    if (record['type'] === 'message' && isObject(message)) return this.#message(message, line)
    if (record['type'] === 'message') this.#findings.bad.push({ line, why: 'message is no object' })
    else this.#findings.kept.push({ line, why: `unknown record ${stringOf(record['type'])}`.trimEnd() })
    this.#aside(record)
  }

  finished(id: string): ForeignChat[] {
    return finishedChat(
      {
        id,
        title: stringOf(this.#head['name']),
        updatedAt: timeOf(this.#head['lastModified']) ?? this.#newest,
        system: this.#system,
        leaf: idOf(this.#head['currNode']),
        rows: this.rows,
      },
      this.#findings,
      this.#at,
    )
  }

  #message(message: JsonObject, line: number): void {
    const id = idOf(message['id']) ?? `message-${this.rows.length}`
    const at = timeOf(message['timestamp'])
    this.#newest = at ?? this.#newest
    // Without an id there is no tree: it follows the one before it.
    const parent = idOf(message['parent']) ?? (message['id'] === undefined ? (this.rows.at(-1)?.id ?? null) : null)
    if (message['role'] === 'system') {
      this.#system.push(stringOf(message['content']))
      this.rows.push({ id, parent })
      return
    }
    if (message['type'] === 'root') {
      this.rows.push({ id, parent })
      return
    }
    const calls = callsOf(message['toolCalls'] ?? message['tool_calls'], id)
    const content = contentOf(message, calls ?? [])
    this.rows.push({ id, parent, content: { ...content, ...present({ at }) } })
    if (content.kind === 'foreign') this.#findings.kept.push({ line, why: 'message of no known role' })
    if (calls === undefined) {
      this.#findings.skipped.push({ line, why: `the calls of message ${id} are no JSON` })
      this.#aside({ toolCalls: message['toolCalls'] ?? message['tool_calls'] })
    }
  }

  /** Kept behind what came last. */
  #aside(value: unknown): void {
    this.rows.push({
      id: `aside-${this.rows.length}`,
      parent: this.rows.at(-1)?.id ?? null,
      content: foreign(value, 'unknown'),
      behind: true,
    })
  }
}

function contentOf(message: JsonObject, calls: ToolCall[]): ItemContent {
  const { text, reasoning } = withoutMarks(stringOf(message['content']))
  const files = listOf(message['extra']).flatMap((one, i) => filesOf(objectOf(one), i + 1))
  switch (message['role']) {
    case 'user':
      return { kind: 'user', text, ...attached(files) }
    case 'assistant': {
      const thoughts = [reasoning, stringOf(message['reasoningContent']), stringOf(message['thinking'])]
      return {
        kind: 'assistant',
        text,
        calls,
        ...present({
          reasoning: filledText(joinTexts([...new Set(thoughts)])),
          model: filledText(message['model']),
          usage: usageOf(objectOf(message['timings'])),
        }),
        ...attached(files),
      }
    }
    case 'tool':
      return {
        kind: 'result',
        callId: idOf(message['toolCallId'] ?? message['tool_call_id']) ?? '',
        tool: stringOf(message['toolName']),
        text,
        isError: false,
        ...attached(files),
      }
    default:
      return foreign(message, 'unknown')
  }
}

/** Some versions kept thoughts inside the text, between marks of their own. */
function withoutMarks(content: string): { text: string; reasoning: string } {
  const begin = '<<<reasoning_content_start>>>'
  const end = '<<<reasoning_content_end>>>'
  if (!content.includes(begin)) return { text: content, reasoning: '' }
  const [before = '', ...blocks] = content.split(begin)
  const texts = [before]
  const thoughts: string[] = []
  for (const block of blocks) {
    const to = block.indexOf(end)
    thoughts.push((to === -1 ? block : block.slice(0, to)).trim())
    if (to !== -1) texts.push(block.slice(to + end.length))
  }
  return { text: joinTexts(texts), reasoning: joinTexts(thoughts) }
}

/** The calls; undefined where something stands there that is no list of them. */
function callsOf(value: unknown, id: string): ToolCall[] | undefined {
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) return []
  const list = typeof value === 'string' ? parsedJson(value) : value
  if (!Array.isArray(list)) return undefined
  return list.filter(isObject).map((call, i) => {
    const asked = isObject(call['function']) ? call['function'] : call
    return {
      id: idOf(call['id']) ?? `${id}-call-${i + 1}`,
      name: stringOf(asked['name']),
      arguments: argumentsOf(asked['arguments']),
    }
  })
}

function usageOf(timings: JsonObject): Usage | undefined {
  const input = countOf(timings['prompt_n'])
  if (input === undefined) return undefined
  return { input, ...present({ cacheRead: countOf(timings['cache_n']), output: countOf(timings['predicted_n']) }) }
}

/** What was attached. A PDF has its text, and its bytes where they were kept; or pictures of its pages. */
function filesOf(extra: JsonObject, n: number): ForeignAttachment[] {
  const name = filledText(extra['name']) ?? filledText(extra['uri']) ?? `file-${n}`
  const mime = filledText(extra['mimeType'])
  const address = filledText(extra['base64Url'])
  if (address !== undefined) return [attachmentAt(address, name, mime)]
  const base64 = filledText(extra['base64Data'])
  const text = filledText(extra['content']) === undefined ? undefined : stringOf(extra['content'])
  const type = stringOf(extra['type']).toUpperCase()
  if (type.startsWith('PDF')) {
    const pages = listOf(extra['images'])
      .map(stringOf)
      .filter(page => page !== '')
    if (base64 === undefined && extra['processedAsImages'] === true && pages.length > 0)
      return pages.map((page, i) => attachmentAt(page, `${name}-${i + 1}`, 'image/png'))
    return [{ name, mime: 'application/pdf', ...present({ text, base64 }) }]
  }
  if (base64 !== undefined) return [{ name, ...present({ mime }), base64 }]
  return [{ name, ...present({ mime: mime ?? (text === undefined ? undefined : 'text/plain'), text }) }]
}
