/** What reads one format. A reader is pure, never throws, and takes a file piece by piece. */
import type { ForeignApp } from '../../log/file-format/foreign-export.ts'
import type { ForeignChat } from './foreign-chat.ts'

/**
 * A piece of a file: an item of its list, a line of a file of lines, or the whole, where it is one object. `at`: place
 * of the item, counted from 0, or number of the line, from 1. Lines that are no JSON are told before, and come to no
 * reader.
 */
export type SourcePiece = { value: unknown; at: number }
/** How the pieces of a file lie in it. */
export type SourceShape = 'list' | 'lines' | 'object'

/** What the person hears of what did not become a message. */
export type Findings = {
  /**
   * A chat, or what stands in the place of one, that cannot be read; `id` where it has one, else its place. `line`: a
   * part of a line that is read otherwise.
   */
  skipped: { id?: string; at?: number; line?: number; why: string }[]
  /** A line, or a part of one, that cannot be read. */
  bad: { line: number; why: string }[]
  /** A line that we do not know, kept as it is. */
  kept: { line: number; why: string }[]
  /** Chats that came more than once and became one. */
  merged: { id: string; why: string }[]
}

/** One file being read. */
export interface ExportReader {
  /** Takes the next piece; answers with the chats that are whole by now. */
  take(piece: SourcePiece): ForeignChat[]
  /** The file has ended: the chats that are left. */
  end(): ForeignChat[]
}

/** A format. */
export type Format = {
  /** As `foreignApps` names it: which format a file has is decided there, by its content. */
  app: ForeignApp
  /** Begins a file. The findings are written to as it is read. */
  begin(findings: Findings, shape: SourceShape): ExportReader
}
