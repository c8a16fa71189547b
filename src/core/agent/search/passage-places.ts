/** From a passage of the index to its text and place as they are now. */
import type { Entry, Id, SessionId } from '../../log/entry.ts'
import { pathOf } from '../../log/paths.ts'
import { isFact } from '../../log/query.ts'
import { textPath } from '../../log/model-view/view-message.ts'
import { lineCount } from '../../text/bytes.ts'
import type { PassageRow } from '../../text/search/segment.ts'
import { currentMemories, memoryText } from '../archive/memory-text.ts'
import { isFindable, splitIntoPassages, type PassageSpan } from './passages.ts'
import type { SearchView } from '../archive/readable-archive.ts'

/** Passages that are not part of a log: they are read again when the index is opened. */
export type UnloggedPassage =
  | { kind: 'document'; path: string; revision: number; at: number; piece: PassageSpan }
  | { kind: 'title'; session: SessionId; title: string; at: number }

export type PassagePlace = { text: string; path: string; from: number; to: number; at: number; entry: Id | null }

type Parts = {
  archive: SearchView['archive']
  rows: readonly PassageRow[]
  loose: ReadonlyMap<number, UnloggedPassage>
}

/** Reads each passage once: hits stand beside each other. */
export class PassagePlaces {
  readonly #parts: Parts
  readonly #known = new Map<number, Promise<PassagePlace | undefined>>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** undefined for what was removed or replaced, or may not be seen. */
  resolve(passage: number): Promise<PassagePlace | undefined> {
    const known = this.#known.get(passage) ?? this.#read(passage)
    this.#known.set(passage, known)
    return known
  }

  async #read(passage: number): Promise<PassagePlace | undefined> {
    const { archive, rows, loose } = this.#parts
    const own = loose.get(passage)
    if (own?.kind === 'title') return { text: own.title, path: '', from: 0, to: 0, at: own.at, entry: null }
    if (own) {
      const document = await archive.document(own.path, own.revision)
      const { from, to, fromLine, toLine } = own.piece
      return (
        document && {
          text: document.text.slice(from, to),
          path: own.path,
          from: fromLine,
          to: toLine,
          at: own.at,
          entry: null,
        }
      )
    }
    const { session, seq, piece, tail } = rows[passage]!
    const [row] = await archive.read(session, { from: seq, limit: 1 })
    if (!row || row.seq !== seq || !isFindable(row.entry)) return undefined
    const { entry } = row
    if (entry.type === 'memory') return this.#memory(entry, row.day)
    if (!isFact(entry)) return undefined
    const source = tail ? (entry.tail ?? '') : entry.text
    const pieces = splitIntoPassages(source)
    const part = pieces[piece]
    if (!part) return undefined
    const text = source.slice(part.from, part.to)
    // A message of usual length has its line in the archive; a piece of a long text has lines of its own.
    if (entry.type !== 'result' && pieces.length === 1 && !entry.rest) {
      return {
        text,
        path: pathOf({ kind: 'dialog', day: row.day }),
        from: row.line ?? 1,
        to: row.line ?? 1,
        at: entry.at,
        entry: entry.id,
      }
    }
    const before = tail && entry.rest ? entry.rest.lines - lineCount(source) : 0
    return {
      text,
      path: textPath(entry),
      from: Math.max(1, before + part.fromLine),
      to: Math.max(1, before + part.toLine),
      at: entry.at,
      entry: entry.id,
    }
  }

  /** `day`: as it was where it was written, whatever the time zone is now. */
  async #memory(entry: Entry & { type: 'memory' }, day: string): Promise<PassagePlace | undefined> {
    const rows = (await this.#parts.archive.memories(day)).map(({ session, row }) => ({
      session,
      entry: row.entry,
      day: row.day,
    }))
    if (!currentMemories(rows).some(memory => memory.entry.id === entry.id)) return undefined
    const text = entry.text.trim()
    const file = memoryText(day, rows) ?? ''
    const from = file.slice(0, Math.max(0, file.indexOf(text))).split('\n').length
    return {
      text,
      path: pathOf({ kind: 'memory', day }),
      from,
      to: from + lineCount(text) - 1,
      at: entry.at,
      entry: entry.id,
    }
  }
}
