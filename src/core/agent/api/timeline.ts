/** The timeline of a chat: each of its messages from the first to the newest, and what the model sees of it. Pure. */
import type { CutReason, Id, ShortenReason } from '../../log/entry.ts'

/** Who a message is of; `note`: told to the person only, never sent. In the order of their codes. */
export const speakers = ['person', 'assistant', 'tool', 'note'] as const
export type Speaker = (typeof speakers)[number]

/**
 * What the model sees of a message: all of it, a part of it, only the summary that tells it, or nothing. In the order
 * of their codes.
 */
export const sendings = ['whole', 'shortened', 'summarised', 'unsent'] as const
export type Sending = (typeof sendings)[number]

/**
 * Ten thousand messages in 80 kB, whatever they say: what a message says is asked for when a person points at it. All
 * lists but the last two have one number for each message on the path in view, oldest first.
 */
export type Timeline = {
  tokens: Uint32Array<ArrayBuffer> // as they are sent; of what is not sent, whole
  marks: Uint8Array<ArrayBuffer> // `timelineMark`
  summary?: { entry: Id; tokens: number } // the one in view
  /** Messages before which the next compaction can cut, oldest first. */
  stops: Uint32Array<ArrayBuffer>
  /** Tokens of the newest messages that a cut at each stop keeps: the reserve that leads there (C4.2). */
  keeps: Uint32Array<ArrayBuffer>
  /** The stop that the strategy's own reserve leads to, and the one that the asked reserve does; -1: all stays. */
  automatic: number
  border: number
  window: number // tokens
}

/** Why a message is not sent as it is: its text was removed, or by an edit of this kind. */
export type TimelineReason = CutReason | 'strip' | 'removed' | 'long' | ShortenReason

/** What a person is told of one message of the timeline. */
export type TimelineMessage = {
  entry: Id
  speaker: Speaker
  name?: string // of the tool
  at: number // ms since epoch
  tokens: number
  sending: Sending
  pinned: boolean
  words: string // the first ones, in one line
  reason?: TimelineReason
  /** A summary of it is sent from the next message on (C2.5), or is still to be made (C6.6). */
  summaryWaits?: true
  /** The edits whose undo brings it back; absent where more than one act keeps it out, or none. */
  group?: Id
  path?: string // where the whole of it lies
}

/** One byte that says who, what is seen, and whether it is pinned. */
export function timelineMark(speaker: Speaker, sending: Sending, pinned: boolean): number {
  return speakers.indexOf(speaker) | (sendings.indexOf(sending) << 2) | (pinned ? 16 : 0)
}

export function speakerOfMark(mark: number): Speaker {
  return speakers[mark & 3]!
}

export function sendingOfMark(mark: number): Sending {
  return sendings[(mark >> 2) & 3]!
}

export function isPinnedMark(mark: number): boolean {
  return (mark & 16) !== 0
}

/** Whether it stands in the request. */
export function isSentMark(mark: number): boolean {
  return (mark >> 2) % 4 < 2
}
