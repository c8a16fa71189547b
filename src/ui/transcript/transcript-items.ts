/** The items of the transcript, and how they are made from entries. Pure. */
import type { Code } from '../../core/errors.ts'
import type { Attachment, CutReason, Entry, GuideLine, Id, SummaryStats, Tombstone } from '../../core/log/entry.ts'
import type { StopReason, ToolCall, Usage } from '../../core/log/message.ts'

/** An attachment as a chip. `text` is its part of the message as far as the entry holds it (C3.7). */
export type Chip = { name: string; mime: string; bytes: number; blob?: Id; text?: string; whole: boolean }

/** Where an item stands among its siblings; `previous` and `next` are the entries to switch to. */
export type Versions = { index: number /* 1-based */; count: number; previous?: Id; next?: Id }

/** A text of which the entry holds only both ends (C3.7): what lies between is read by `path`. */
export type Gap = { tail: string; bytes: number; lines: number; path: string }

/** What the model is shown of a text that an edit shortened. */
export type ShownLimit = { keep: number; unit: 'bytes' | 'chars'; path: string }

export type ItemBase = {
  readonly key: string // stable on screen, unique in a transcript
  readonly entry: Id // the entry that the actions name
  readonly at: number // ms since epoch
  readonly gone?: Tombstone // its texts were removed
}

/** A fact that the model may see. `out`: it stands behind a cut and is no longer sent. */
export type ViewMarks = {
  readonly outOfContext: boolean
  readonly pinned: boolean
  readonly versions?: Versions
  readonly shortened?: ShownLimit
}

export type UserItem = ItemBase &
  ViewMarks & { type: 'user'; text: string; whole: string; chips: readonly Chip[]; gap?: Gap }
export type AssistantItem = ItemBase &
  ViewMarks & {
    type: 'assistant'
    text: string
    reasoning: string
    model: string
    local: boolean
    stop: StopReason
    usage?: Usage
    gap?: Gap
    /** Calls follow it: not the end of a turn. */
    calls: number
    /** The entries of an answer that came in parts, the first one included. */
    parts?: readonly Id[]
  }
export type ToolResult = { entry: Id; text: string; isError: boolean; at: number; gap?: Gap; gone?: Tombstone }
/** One call and, when it is there, its result. */
export type ToolItem = ItemBase &
  ViewMarks & {
    type: 'tool'
    call: ToolCall
    result?: ToolResult
    imported?: true /* it came with a file */
    /** The built-in model looked something up: a step, not news. */
    looksUp?: true
  }
export type SummaryItem = ItemBase & {
  type: 'summary'
  group: Id
  of: Id /* its cut */
  text: string
  by: 'model' | 'extractive' | 'person'
  guide: readonly GuideLine[]
  covers: { first: Id; last: Id }
  stats: SummaryStats
  /** Not undone. */
  effective: boolean
  /** The one that the model is shown: standing, and no newer one or clearing cut took its place. */
  current: boolean
}
export type MarkItem = ItemBase & {
  type: 'mark'
  what: 'cut' | 'strip'
  reason?: CutReason
  group: Id
  order: number /* facts in front of it, of those that are loaded */
  effective: boolean
}
export type NoteItem = ItemBase & { type: 'note'; code: Code; text: string; data?: Readonly<Record<string, unknown>> }
export type QuietItem = ItemBase & { type: 'memory' | 'foreign'; text: string }
/** An orphan result of an imported log: shown, so that nothing is hidden. */
export type OrphanItem = ItemBase & ViewMarks & { type: 'orphan'; tool: string; result: ToolResult }

export type TranscriptItem =
  | UserItem
  | AssistantItem
  | ToolItem
  | SummaryItem
  | MarkItem
  | NoteItem
  | QuietItem
  | OrphanItem

/** What every item has. */
export function itemBase(entry: Entry): ItemBase {
  return { key: entry.id, entry: entry.id, at: entry.at, ...(entry.gone === undefined ? {} : { gone: entry.gone }) }
}

/** The gap of a text of which the entry holds only both ends. */
export function gapOf(
  fact: { id: Id; tail?: string; rest?: { bytes: number; lines: number } },
  folder: string,
  ending: string,
): { gap?: Gap } {
  return fact.rest === undefined
    ? {}
    : { gap: { tail: fact.tail ?? '', ...fact.rest, path: `${folder}/${fact.id}.${ending}` } }
}

/** The typed words without the attached texts, and these as chips. */
export function splitAttachments(fact: Extract<Entry, { type: 'user' }>): { text: string; chips: Chip[] } {
  const chips = (fact.attachments ?? []).map(attachment => chipOf(attachment, fact.text))
  const spans = (fact.attachments ?? [])
    .flatMap(({ span }) => (span === undefined ? [] : [span]))
    .sort((a, b) => a[0] - b[0])
  let text = ''
  let at = 0
  for (const [from, to] of spans) {
    if (from > at) text += fact.text.slice(at, from)
    at = Math.max(at, to)
  }
  return { text: text + fact.text.slice(at), chips }
}

function chipOf({ name, mime, bytes, blob, span }: Attachment, text: string): Chip {
  return {
    name,
    mime,
    bytes,
    whole: span === undefined || span[1] <= text.length,
    ...(blob === undefined ? {} : { blob }),
    ...(span === undefined ? {} : { text: text.slice(span[0], span[1]) }),
  }
}
