/** What the page asks about memory. Types only. */
import type { CutReason, Id, SessionId } from '../../log/entry.ts'

/** Where something in memory was said: a note, or a summary, of a chat. */
export type MemorySource = { session: SessionId; title: string; entry: Id; day: string }

/** A note of a day as it counts now. */
export type MemoryNote = MemorySource & { at: number /* ms */; text: string; cut?: CutReason /* what it came by */ }

/** A line of MEMORY.md. `at`: when it came, ms; `sources`: empty where somebody wrote it. */
export type MemoryLine = { text: string; at: number; sources: MemorySource[] }

/**
 * What MEMORY.md could become; nothing is written before the person says so. `revision` is the one that it would
 * replace, 0 for none; `isOld`: another one has been written meanwhile. `days`: whose notes were merged. `by:
 * 'import'`: it came with a file.
 */
export type MemoryProposal = {
  at: number
  before: string
  text: string
  revision: number
  isOld: boolean
  days: string[]
  by: 'model' | 'rule' | 'import'
  model?: string
}

export interface MemoryApi {
  /** The notes of all days, newest day first, oldest note of a day first. */
  memoryNotes(): Promise<{ day: string; notes: MemoryNote[] }[]>
  /** Another wording of a note; it keeps its day and time. */
  editNote(entry: Id, text: string): Promise<void>
  /** The note is removed for good. */
  forgetNote(entry: Id): Promise<void>
  memoryLines(): Promise<MemoryLine[]>
  /** An earlier text of MEMORY.md; null where there is no such revision. */
  memoryRevision(revision: number): Promise<{ text: string; at: number } | null>
  /**
   * Merges the notes of the last `days`, or those not merged yet, into a proposal; null where nothing would change.
   * `session`: whose model shall write it.
   */
  dream(days?: number, session?: SessionId): Promise<MemoryProposal | null>
  proposal(): Promise<MemoryProposal | null>
  /**
   * Writes the text as the newest revision, or, with null, drops the proposal. `shown`: the one that the person saw,
   * absent for the one that waits. Answers with the revision. Throws `busy` where MEMORY.md has changed meanwhile.
   */
  resolveProposal(text: string | null, shown?: Pick<MemoryProposal, 'at' | 'revision'>): Promise<number>
}
