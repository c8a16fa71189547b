/** One record of a session's log: three facts, six edits, three asides. Types only. */
import type { Code } from '../errors.ts'
import type { ReasoningDetails, StopReason, ToolCall, Usage } from './message.ts'

/** 128 random bits in base 36, or what an imported file used. */
export type Id = string
export type SessionId = Id

/** Left where a text was removed by Delete or by retention, so that line numbers hold and reading can say why. */
export type Tombstone = { bytes: number; day: string /* of the removal */; why: string }

type Base = {
  readonly id: Id
  readonly parent: Id | null
  readonly at: number // ms since epoch
  readonly gone?: Tombstone // its texts are empty then
}

/**
 * What a person attached. A text lies inside the user fact's text, at `span` (UTF-16 offsets into the whole text);
 * anything else is a row of `blobs`.
 */
export type Attachment = { name: string; mime: string; bytes: number; blob?: Id; span?: readonly [number, number] }

export type UserFact = { type: 'user'; text: string; attachments?: readonly Attachment[] }
export type AssistantFact = {
  type: 'assistant'
  text: string
  reasoning?: string
  details?: ReasoningDetails
  calls: readonly ToolCall[]
  model: string
  local: boolean
  stop: StopReason
  usage?: Usage
  imported?: true // came with a file: its calls never run and never ask (C9.5); not exported
}
export type ResultFact = { type: 'result'; callId: string; tool: string; text: string; isError: boolean }

/**
 * C3.7: of a text above 131 072 bytes the entry keeps the first 72 KiB in `text` and the last 40 KiB in `tail`;
 * the whole lies in the store, `rest` is its size.
 */
export type HugeTextParts = {
  tail?: string
  rest?: { bytes: number; lines: number; chars?: number /* code points, for limits in chars */ }
}

export type Fact = (UserFact | AssistantFact | ResultFact) & HugeTextParts

export type CutReason =
  | 'turns'
  | 'budget'
  | 'compact'
  | 'overflow' // these get a summary (C6.6)
  | 'clear'
  | 'open'
  | 'last resort' // these do not

/** A range of lines of `dialog/<day>.jsonl` or `dialog/<session id>/<day>.jsonl`, 1-based, inclusive (C6.3). */
export type GuideLine = { path: string; from: number; to: number }

export type SummaryStats = {
  entries: number
  before: number /* tokens */
  after: number /* tokens */
  model?: string
  ms: number
  unfollowed?: true /* made by rule: what the person asked of it could not be followed */
  asked?: 'agent' | 'person' /* who asked for it, where it was no threshold (C5.4, C5.8) */
}

/**
 * Why an older result shows less: its call was made again, its file was changed since, the model has not written names
 * from it, or has, and then more stays.
 */
export const shortenReasons = ['repeated', 'edited', 'unused', 'used'] as const
export type ShortenReason = (typeof shortenReasons)[number]

export type Edit = { group: Id } & (
  | {
      type: 'shorten'
      target: Id
      keep: number
      unit: 'bytes' | 'chars'
      headShare: number /* percent */
      path: string
      part?: 'text' | 'arguments'
      reason?: ShortenReason
    }
  | { type: 'strip'; before: Id | null } // turns before it (null: all): first question and last answer only
  // nothing older is sent (null: nothing at all), except the pinned question
  | { type: 'cut'; before: Id | null; pin?: Id; reason: CutReason }
  | {
      type: 'summary'
      of: Id /* its cut */
      text: string
      by: 'model' | 'extractive' | 'person'
      place: 'own message' | 'first question'
      guide: readonly GuideLine[]
      covers: { first: Id; last: Id }
      stats: SummaryStats
    }
  | { type: 'pin'; target: Id; on: boolean } // never cut, never shortened
  | {
      type: 'undo'
      target: Id /* a group */
      by?: 'ladder' /* that ended in vain: no person has refused these edits */
      act?: true /* Put back: an act of the history like any edit, so undo lifts it and redo does not */
    }
) // lifts a group of edits; an undo may be undone

export type Aside =
  // the person reads it
  | { type: 'note'; code: Code; text: string; tokens?: number; data?: Readonly<Record<string, unknown>> }
  | {
      type: 'memory'
      text: string
      supersedes?: Id
      cut?: Id /* C6.7: made for this cut */
      reason?: 'overflow' /* C5.6: made of all in view where nothing was cut */
      since?: Id /* it begins at this clear */
    } // later sessions may find it
  | { type: 'foreign'; raw: string } // C9.5: an imported line that we do not know, kept

/** An entry that is not stored yet. */
export type NewEntry = Fact | Edit | Aside

export type Entry = Base & NewEntry
export type FactEntry = Base & Fact
export type EditEntry = Base & Edit

/**
 * The entries on the path from the first one to the leaf, oldest first. Edits and asides stand where they were
 * appended.
 */
export type Log = readonly Entry[]

/** A stored entry with the columns that the table adds: they never travel inside the entry. */
export type LogRow = {
  readonly entry: Entry
  readonly seq: number // 0-based position within its session, in order of appending
  readonly day: string // local day of `at`, '2026-01-31'
  readonly line: number | null // facts only: 1-based line in dialog/<day>.jsonl, given once
}
/**
 * Where a fact lies: in `dialog/<day>.jsonl`, and in its own chat's `dialog/<session id>/<day>.jsonl`. Lines are
 * 1-based.
 */
export type ArchivePlace = { day: string; line: number; session: SessionId; ownLine: number }
