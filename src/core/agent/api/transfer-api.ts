/** What the page asks of export and import. Types only. */
import type { Id, SessionId } from '../../log/entry.ts'

export type ExportScope = { kind: 'session'; session: SessionId } | { kind: 'day'; day: string } | { kind: 'all' }
/**
 * `strict`: only lines that other tools read. `canonical`: equal chats give equal files on every device, for comparing
 * them (C9.4).
 */
export type ExportOptions = { strict?: boolean; canonical?: boolean }

/**
 * A document of a file. `offered`: taken only when the person says so; `replaces` is what stands here under its path.
 * `taken`: the person said so. `here already`: this device knows its text. `proposed`: MEMORY.md, which waits as a
 * proposal.
 */
export type ImportedDocument = {
  path: string
  bytes: number
  at: number /* ms */
  replaces?: { bytes: number; at: number /* ms */ }
  state: 'offered' | 'taken' | 'here already' | 'proposed'
}

/**
 * What became of a file. `entries` were taken, `messages` of them are questions, answers and results; `skipped` were
 * here already. `sessions`: the chats that it names. `versions`: in these the file goes on in another way than the chat
 * that was here; `leaf` is its end.
 */
export type ImportReport = {
  entries: number
  messages: number
  skipped: number
  sessions: SessionId[]
  versions: { session: SessionId; leaf: Id }[]
  documents: ImportedDocument[]
  problems: { line: number; reason: string }[]
}

export interface TransferApi {
  exportLines(what: ExportScope, cursor?: string, options?: ExportOptions): Promise<{ lines: string[]; next?: string }>
  /**
   * `documents`: nothing but these documents is taken, by the person's choice among those that the first import of the
   * file offered.
   */
  importStart(options: { asCopy: boolean; documents?: string[] }): Promise<Id>
  importLines(handle: Id, lines: string[]): Promise<void> // in order; unfinished lines are the page's business
  importEnd(handle: Id): Promise<ImportReport>
}
