/** The export format, one JSON object per line (C9.4), and reading it (C9.5). Pure; nothing here accesses the store. */
import { AgentError } from '../../errors.ts'
import { fromBase64, toBase64 } from '../../text/base64.ts'
import { FieldReader } from './json-fields.ts'
import { readAside, readEdit, readMessage, usualStop, type ParsedEntry } from './json-entry.ts'
import { isEdit, isFact } from '../query.ts'
import { excerptOfFact, textPath } from '../model-view/view-message.ts'
import { shownText } from '../../text/excerpt.ts'
import { tombstoneText } from '../model-view/view-texts.ts'
import type { Attachment, Entry, FactEntry, Id, NewEntry, SessionId, Tombstone } from '../entry.ts'
import type { EgressMark } from '../egress-mark.ts'
import type { Usage } from '../message.ts'

/** Version of the format. A reader refuses a newer one. */
export const FORMAT = 1

export type SessionHeader = {
  id: SessionId
  name: string
  createdAt: number /* ms */
  leaf?: Id
  leaves?: EgressMark
  pinned?: true
  draft?: string
}

/**
 * The first line of a session. `leaf`: given where the version in view does not end with the last line. `pinned`: it
 * stands at the top of the list. `draft`: what stands unsent in the message box, where it would be lost. `canonical`:
 * only what every device knows alike.
 */
export function sessionLine(
  { id, name, createdAt, leaf, leaves, pinned, draft }: SessionHeader,
  { canonical = false } = {},
): string {
  if (canonical) return JSON.stringify({ type: 'session', id, createdAt, format: FORMAT })
  return JSON.stringify({
    type: 'session',
    harness: 'haversack',
    id,
    name,
    createdAt,
    format: FORMAT,
    ...(leaf === undefined ? {} : { leaf }),
    ...asking(leaves),
    ...(pinned === true ? { pinned } : {}),
    ...(draft === undefined ? {} : { draft }),
  })
}

/** The mark as a line has it: `stays` is not written, so that a line without it counts as the stricter. */
function asking(leaves: EgressMark | undefined): { leaves?: 'asks' } {
  return leaves === 'asks' ? { leaves } : {}
}

export type LineOptions = {
  /** The whole text of an entry that keeps only its ends (C3.7). */
  whole?: string
  /** Only what a reader of the Session Trace Simple Format knows: messages. Other entries give null. */
  strict?: boolean
}

/** The line of an entry; null where `strict` leaves it out. `seq`: its 0-based position in the session. */
export function entryLine(entry: Entry, seq: number, options: LineOptions = {}): string | null {
  const place = {
    id: entry.id,
    parent: entry.parent,
    seq,
    timestamp: entry.at,
    ...(entry.gone ? { gone: { bytes: entry.gone.bytes, day: entry.gone.day, why: entry.gone.why } } : {}),
  }
  if (isFact(entry)) {
    const message = messageFields(entry, options.whole)
    return JSON.stringify({
      type: 'message',
      ...place,
      message: options.strict ? { ...message, timestamp: entry.at } : message,
    })
  }
  if (options.strict) return null
  // What came as a line of its own goes as one, unless that line would be read as something else than it was kept as.
  if (isLineOfItsOwn(entry)) return entry.raw
  const { id: _id, parent: _parent, at: _at, gone: _gone, ...own } = entry
  return JSON.stringify({ type: isEdit(entry) ? 'edit' : 'aside', ...place, entry: inOrder(own) })
}

/** Whether the entry goes out as the very line that came, without an id and a time of its own. */
export function isLineOfItsOwn(entry: Entry): entry is Entry & { type: 'foreign' } {
  return entry.type === 'foreign' && !/[\r\n]/.test(entry.raw) && parseLine(entry.raw).kind === 'foreign'
}

/**
 * The fields in the order in which they are read back, whatever order the entry was made in: equal entries give equal
 * bytes.
 */
function inOrder(own: object): object {
  const fields = new FieldReader(own)
  try {
    return (readEdit(fields) ?? readAside(fields))?.entry ?? own
  } catch {
    return own // an entry of a later version: as it is, rather than not at all
  }
}

/**
 * A fact's line in `dialog/<day>.jsonl`: with its session; a huge text as its excerpt, a removed one as what is said of
 * it.
 */
export function dialogLine(entry: FactEntry, session: SessionId): string {
  const cut = excerptOfFact(entry)
  const text = entry.gone ? tombstoneText(entry.gone) : cut.whole ? entry.text : shownText(cut, textPath(entry))
  // sealed: nobody can read them
  const { reasoningDetails: _details, reasoningFrom: _from, ...message } = messageFields(entry, text)
  return JSON.stringify({ type: 'message', session, id: entry.id, timestamp: entry.at, message })
}

/** Bytes in one piece of a blob: 256 kB as base64. A multiple of 3, so that pieces can be read one by one. */
const PIECE = 196_608

/** The lines of an attachment, in order; an empty one has one line. */
export function* blobLines(id: Id, mime: string, bytes: Uint8Array): Generator<string> {
  for (let from = 0; from === 0 || from < bytes.length; from += PIECE) {
    yield JSON.stringify({ type: 'blob', id, mime, base64: toBase64(bytes.subarray(from, from + PIECE)) })
  }
}

export type DocumentLine = { path: string; revision: number; at: number /* ms */; text: string; leaves?: EgressMark }

/** The line of one revision of a document. */
export function documentLine({ path, revision, at, text, leaves }: DocumentLine): string {
  return JSON.stringify({ type: 'document', path, revision, timestamp: at, text, ...asking(leaves) })
}

function messageFields(fact: FactEntry, whole?: string): Record<string, unknown> {
  const content = whole ?? fact.text
  const { tail, rest } = fact
  const huge =
    whole === undefined && rest ? { tail, rest: { bytes: rest.bytes, lines: rest.lines, chars: rest.chars } } : {}
  switch (fact.type) {
    case 'user':
      return {
        role: 'user',
        content,
        ...(fact.attachments?.length ? { attachments: fact.attachments.map(attachmentInOrder) } : {}),
        ...huge,
      }
    case 'result':
      return {
        role: 'tool',
        content,
        toolCallId: fact.callId,
        ...(fact.tool === '' ? {} : { name: fact.tool }),
        ...(fact.isError ? { isError: true } : {}),
        ...huge,
      }
    case 'assistant':
      return {
        role: 'assistant',
        content,
        ...(fact.reasoning === undefined ? {} : { reasoningContent: fact.reasoning }),
        ...detailFields(fact),
        ...(fact.calls.length > 0
          ? {
              toolCalls: fact.calls.map(({ id, name, arguments: text }) => ({
                id,
                function: { name, arguments: text },
              })),
            }
          : {}),
        ...(fact.model === '' ? {} : { model: fact.model }),
        ...(fact.local ? { local: true } : {}),
        ...(fact.stop === usualStop(fact.calls) ? {} : { stop: fact.stop }),
        ...(fact.usage ? { usage: usageInOrder(fact.usage) } : {}),
        ...huge,
      }
    default:
      return fact satisfies never
  }
}

/** `reasoningFrom` marks where the details came from: nobody else may have them. */
function detailFields({ details }: FactEntry & { type: 'assistant' }): Record<string, unknown> {
  if (details === undefined) return {}
  return { reasoningDetails: details.value, ...(details.from === '' ? {} : { reasoningFrom: details.from }) }
}

// JSON leaves out what is undefined.
function attachmentInOrder({ name, mime, bytes, blob, span }: Attachment): Attachment {
  return { name, mime, bytes, blob, span } as Attachment
}

function usageInOrder({ input, cacheRead, cacheWrite, output, cost }: Usage): Usage {
  return { input, cacheRead, cacheWrite, output, cost } as Usage
}

/** `extras`: fields that we do not know; they are not kept, and worth a report. */
export type ParsedLine =
  | { kind: 'empty' }
  | {
      kind: 'session'
      harness: string
      id: SessionId
      name: string
      createdAt: number | null /* ms */
      leaf?: Id
      leaves?: EgressMark
      pinned?: true
      draft?: string
    }
  /** A bare line of another program has no id, parent or time of its own: they are null, undefined, null. */
  | {
      kind: 'entry'
      id: Id | null
      parent: Id | null | undefined
      at: number | null /* ms */
      gone?: Tombstone
      entry: NewEntry
      extras: string[]
    }
  | { kind: 'blob'; id: Id; mime: string; bytes: Uint8Array /* this piece */ }
  | ({ kind: 'document' } & DocumentLine)
  /** JSON of a type that we do not know: to be kept as an aside and exported again. */
  | { kind: 'foreign'; raw: string }
  | { kind: 'bad'; reason: string }

/**
 * One line of an export, of this program or a related one. `ours`: the header named this program, so id and time are
 * required. A text above 131 072 bytes comes whole; splitting it is the caller's. Never throws.
 */
export function parseLine(line: string, options: { ours?: boolean } = {}): ParsedLine {
  const raw = line.replace(/^\uFEFF/, '').replace(/\r$/, '')
  if (raw.trim() === '') return { kind: 'empty' }
  let value: unknown
  try {
    value = JSON.parse(raw)
  } catch (error) {
    return {
      kind: 'bad',
      reason: `not JSON: ${error instanceof Error ? error.message.slice(0, 120) : 'cannot be read'}`,
    }
  }
  try {
    return read(new FieldReader(value), raw, options.ours === true)
  } catch (error) {
    return { kind: 'bad', reason: error instanceof Error ? error.message : 'cannot be read' }
  }
}

function read(line: FieldReader, raw: string, ours: boolean): ParsedLine {
  const type = line.text('type')
  switch (type) {
    case 'session':
      return readSession(line)
    case 'message':
      return readEntry(line, raw, ours, readMessage(line.object('message')))
    case 'edit':
      return readEntry(line, raw, true, readEdit(line.object('entry')))
    case 'aside':
      return readEntry(line, raw, true, readAside(line.object('entry')))
    case 'blob': {
      const bytes = fromBase64(line.text('base64'))
      if (!bytes) throw new AgentError('bad_input', 'base64 is damaged')
      return { kind: 'blob', id: line.text('id'), mime: line.text('mime'), bytes }
    }
    case 'document':
      return {
        kind: 'document',
        path: line.text('path'),
        revision: line.number('revision'),
        at: timeOf(line),
        text: line.text('text'),
        ...leavesOf(line),
      }
    default:
      return { kind: 'foreign', raw }
  }
}

function readSession(line: FieldReader): ParsedLine {
  // A canonical line names no program; only ours has a format.
  const harness = line.has('harness') ? line.text('harness') : line.has('format') ? 'haversack' : ''
  const format = line.has('format') ? line.number('format') : FORMAT
  if (harness === 'haversack' && format > FORMAT)
    throw new AgentError('bad_input', `format ${format} is newer than this app understands (${FORMAT})`)
  const createdAt = line.has('createdAt') ? line.raw('createdAt') : null
  return {
    kind: 'session',
    harness,
    id: line.text('id'),
    name: line.has('name') ? line.text('name') : '',
    createdAt: typeof createdAt === 'number' && isTime(createdAt) ? createdAt : null,
    ...(line.has('leaf') ? { leaf: line.text('leaf') } : {}),
    ...leavesOf(line),
    ...(line.raw('pinned') === true ? { pinned: true as const } : {}),
    ...(line.has('draft') ? { draft: line.text('draft') } : {}),
  }
}

/** A value that is not known counts as none. */
function leavesOf(line: FieldReader): { leaves?: 'asks' } {
  return line.raw('leaves') === 'asks' ? { leaves: 'asks' } : {}
}

function readEntry(line: FieldReader, raw: string, ours: boolean, found: ParsedEntry | undefined): ParsedLine {
  if (!found) return { kind: 'foreign', raw }
  const at = ours || line.has('timestamp') ? timeOf(line) : innerTime(line)
  const parent = ours || line.has('parent') ? line.textOrNull('parent') : undefined
  const id = ours || line.has('id') ? line.text('id') : null
  const gone = line.has('gone') ? goneOf(line.object('gone')) : undefined
  for (const name of ['seq', 'message', 'entry', 'session']) line.raw(name)
  return {
    kind: 'entry',
    id,
    parent,
    at,
    ...(gone ? { gone } : {}),
    entry: found.entry,
    extras: [...line.extras(), ...found.extras],
  }
}

function goneOf(gone: FieldReader): Tombstone {
  return { bytes: gone.number('bytes'), day: gone.text('day'), why: gone.text('why') }
}

function timeOf(line: FieldReader): number {
  const at = line.number('timestamp')
  if (!isTime(at)) throw new AgentError('bad_input', 'timestamp is no moment in milliseconds')
  return at
}

/** The time inside the message, where other programs put it. */
function innerTime(line: FieldReader): number | null {
  const at = line.object('message').raw('timestamp')
  return typeof at === 'number' && isTime(at) ? at : null
}

/** What a Date can hold, in ms. */
function isTime(at: number): boolean {
  return Number.isFinite(at) && Math.abs(at) <= 8.64e15
}
