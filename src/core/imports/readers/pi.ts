/**
 * Sessions of pi: a line for the session, then a line each for what happened. Version 1 has no ids, each line follows
 * the one before it; since version 2 lines are a tree. Pure.
 */
import type { ForeignAttachment, ForeignChat } from '../shape/foreign-chat.ts'
import type { StopReason, ToolCall, Usage } from '../../log/message.ts'
import type { JsonObject } from '../../log/file-format/json-fields.ts'
import {
  argumentsOf,
  countOf,
  filledText,
  idOf,
  joinTexts,
  listOf,
  objectOf,
  stringOf,
  timeOf,
} from '../shape/fields.ts'
import type { ExportReader, Findings, Format, SourcePiece } from '../shape/reader.ts'
import { attached, finishedChat, present } from './finished-chat.ts'
import { foreign, type ItemContent, type TreeRow } from './item-tree.ts'

export const pi: Format = { app: 'pi', begin: findings => new PiReader(findings) }

class PiReader implements ExportReader {
  readonly #findings: Findings
  #session: PiSession | undefined
  constructor(findings: Findings) {
    this.#findings = findings
  }

  take({ value, at }: SourcePiece): ForeignChat[] {
    const line = objectOf(value)
    const kind = line['type']
    if (kind === 'session') {
      const before = this.end()
      this.#session = new PiSession(line, at, this.#findings)
      return before
    }
    if (typeof kind !== 'string') this.#findings.bad.push({ line: at, why: 'no entry of a session' })
    else if (this.#session === undefined) this.#findings.bad.push({ line: at, why: `${kind} before a session` })
    this.#session?.add(line, at)
    return []
  }

  end(): ForeignChat[] {
    const chats = this.#session?.chat() ?? []
    this.#session = undefined
    return chats
  }
}

class PiSession {
  readonly #head: JsonObject
  readonly #findings: Findings
  readonly #at: number
  readonly #rows: TreeRow[] = []
  /** How many lines came, the session's own too: version 1 names entries by it. */
  #count = 1
  #title: string | undefined
  #updatedAt: number | undefined

  constructor(head: JsonObject, at: number, findings: Findings) {
    this.#head = head
    this.#at = at
    this.#findings = findings
  }

  add(line: JsonObject, at: number): void {
    const place = this.#count++
    if (typeof line['type'] !== 'string') return
    const when = timeOf(line['timestamp']) ?? timeOf(objectOf(line['message'])['timestamp'])
    this.#updatedAt = when ?? this.#updatedAt
    if (line['type'] === 'session_info') this.#title = stringOf(line['name'])
    const id = idOf(line['id'])
    const content = contentOf(line, id ?? placeName(place))
    if (content === 'unknown') this.#findings.kept.push({ line: at, why: `unknown entry ${line['type']}` })
    this.#rows.push({
      id: id ?? placeName(place),
      // Without ids a line follows the one before it.
      parent:
        id === undefined && !('parentId' in line) ? (this.#rows.at(-1)?.id ?? null) : (idOf(line['parentId']) ?? null),
      ...(content === undefined
        ? {}
        : { content: { ...(content === 'unknown' ? foreign(line, 'unknown') : content), ...present({ at: when }) } }),
    })
  }

  chat(): ForeignChat[] {
    const createdAt = timeOf(this.#head['timestamp'])
    const id = idOf(this.#head['id']) ?? `pi-${createdAt ?? this.#at}`
    return finishedChat(
      {
        id,
        title: this.#title,
        createdAt,
        updatedAt: this.#updatedAt,
        system: [stringOf(this.#head['systemPrompt'])],
        leaf: this.#rows.at(-1)?.id,
        rows: this.#rows,
      },
      this.#findings,
      this.#at,
    )
  }
}

/** The name of an entry without an id, by its line, counted from 0 with the session's own. */
const placeName = (place: number): string => `entry-${place}`

/** What an entry says: nothing where it is about the program itself. */
function contentOf(line: JsonObject, id: string): ItemContent | 'unknown' | undefined {
  switch (line['type']) {
    case 'message':
      return messageOf(line, id)
    case 'compaction': {
      const place = countOf(line['firstKeptEntryIndex'])
      const firstKept = idOf(line['firstKeptEntryId']) ?? (place === undefined ? undefined : placeName(place))
      return { kind: 'summary', text: stringOf(line['summary']), ...present({ firstKept }) }
    }
    case 'custom_message': // what an extension told the model
      return foreign(line, 'injected')
    case 'branch_summary': // what the program told the model of the branch that was left; the branch itself is there
    case 'custom':
    case 'label':
      return foreign(line, 'unknown')
    case 'model_change':
    case 'thinking_level_change':
    case 'session_info':
      return undefined
    default:
      return 'unknown'
  }
}

function messageOf(line: JsonObject, id: string): ItemContent | 'unknown' {
  const message = objectOf(line['message'])
  const { text, files } = partsOf(message['content'])
  switch (message['role']) {
    case 'user':
      return { kind: 'user', text, ...attached(files) }
    case 'assistant':
      return {
        kind: 'assistant',
        text,
        calls: callsOf(message['content'], id),
        ...present({
          reasoning: filledText(joinTexts(textsOf(message['content'], 'thinking'))),
          model: filledText(message['model']),
          stop: stops.get(message['stopReason']),
          usage: usageOf(objectOf(message['usage'])),
        }),
        ...attached(files),
      }
    case 'toolResult':
      return {
        kind: 'result',
        callId: stringOf(message['toolCallId']),
        tool: stringOf(message['toolName']),
        text,
        isError: message['isError'] === true,
        ...attached(files),
      }
    case 'bashExecution':
      return bashResult(message, id)
    case 'hookMessage': // version 2
    case 'custom':
      return foreign(line, 'injected')
    default:
      return 'unknown'
  }
}

/** What the person ran: a result that no model asked for. */
function bashResult(message: JsonObject, id: string): ItemContent {
  const code = message['exitCode']
  const said = [`$ ${stringOf(message['command'])}`, stringOf(message['output']).trimEnd()]
  if (message['cancelled'] === true) said.push('(cancelled)')
  else if (typeof code === 'number' && code !== 0) said.push(`(exit code ${code})`)
  return {
    kind: 'result',
    callId: `bash-${id}`,
    tool: 'bash',
    text: said.filter(one => one !== '').join('\n'),
    isError: message['cancelled'] === true || (typeof code === 'number' && code !== 0),
  }
}

const stops = new Map<unknown, StopReason>([
  ['stop', 'stop'],
  ['length', 'length'],
  ['toolUse', 'calls'],
  ['aborted', 'stopped'],
  ['error', 'failed'],
])

const textsOf = (content: unknown, type: 'text' | 'thinking'): string[] =>
  listOf(content).map(part => (objectOf(part)['type'] === type ? stringOf(objectOf(part)[type]) : ''))

function partsOf(content: unknown): { text: string; files: ForeignAttachment[] } {
  if (typeof content === 'string') return { text: content, files: [] }
  const files: ForeignAttachment[] = []
  for (const part of listOf(content).map(objectOf)) {
    const base64 = stringOf(part['data'])
    if (part['type'] !== 'image' || base64 === '') continue
    files.push({ name: `image-${files.length + 1}`, ...present({ mime: filledText(part['mimeType']) }), base64 })
  }
  return { text: joinTexts(textsOf(content, 'text')), files }
}

function callsOf(content: unknown, id: string): ToolCall[] {
  return listOf(content)
    .map(objectOf)
    .filter(part => part['type'] === 'toolCall')
    .map((part, i) => ({
      id: idOf(part['id']) ?? `${id}-call-${i + 1}`,
      name: stringOf(part['name']),
      arguments: argumentsOf(part['arguments']),
    }))
}

/** Undefined where nothing was used: an answer that was stopped before it began. */
function usageOf(usage: JsonObject): Usage | undefined {
  const input = countOf(usage['input'])
  const output = countOf(usage['output'])
  const cacheRead = countOf(usage['cacheRead'])
  const cacheWrite = countOf(usage['cacheWrite'])
  if (input === undefined || !(input || output || cacheRead || cacheWrite)) return undefined
  return { input, ...present({ cacheRead, cacheWrite, output, cost: countOf(objectOf(usage['cost'])['total']) }) }
}
