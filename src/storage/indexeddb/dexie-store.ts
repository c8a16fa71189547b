/**
 * The persistent LogStore: IndexedDB through Dexie. Everything goes through one connection, which handles its failures.
 */
import type { Entry, Id, LogRow, SessionId, Tombstone } from '../../core/log/entry.ts'
import { strictestMark, type EgressMark } from '../../core/log/egress-mark.ts'
import type {
  AppendOptions,
  ArchiveDocument,
  ArchiveDocumentInfo,
  LogStore,
  PartialReply as PartialAnswer,
  IndexSegment,
  SessionInfo,
} from '../../core/ports/ports.ts'
import { utf8Bytes } from '../../core/text/bytes.ts'
import type { Connection } from './connection.ts'
import type { Database, PieceRow } from './database.ts'
import {
  appendRows,
  blankRows,
  blankSession,
  dayCounts,
  dayRows,
  findRow,
  knownIds,
  memoryRows,
  readRows,
} from './log-table.ts'
import { changedInfo, changedMeanwhile, noSession, sessionExists, type PlacedRow } from '../rows/row-rules.ts'
import { isDuplicate } from './store-errors.ts'
import { cutBytes, cutLines } from '../rows/text-pieces.ts'

export class DexieStore implements LogStore {
  readonly #connection: Connection
  readonly #onAppended: () => void

  /** `onAppended` is called after each append that was stored. */
  constructor(connection: Connection, onAppended: () => void = () => {}) {
    this.#connection = connection
    this.#onAppended = onAppended
  }

  sessions(): Promise<SessionInfo[]> {
    return this.#connection.run('read', async db => (await db.sessions.orderBy('updatedAt').toArray()).toReversed())
  }

  session(id: SessionId): Promise<SessionInfo | undefined> {
    return this.#connection.run('read', db => db.sessions.get(id))
  }

  createSession(info: SessionInfo): Promise<void> {
    return this.#connection.run('write', async (db, again) => {
      try {
        await db.sessions.add(info)
      } catch (thrown) {
        if (!isDuplicate(thrown)) throw thrown
        if (!again) throw sessionExists(info.id, thrown)
      }
    })
  }

  updateSession(id: SessionId, changes: Partial<Omit<SessionInfo, 'id'>>): Promise<void> {
    return this.#connection.run('write', db =>
      db.transaction('rw', [db.sessions], async () => {
        const info = await db.sessions.get(id)
        if (!info) throw noSession(id)
        await db.sessions.put(changedInfo(info, changes))
      }),
    )
  }

  removeSession(id: SessionId, tombstone: Omit<Tombstone, 'bytes'>): Promise<void> {
    return this.#connection.run('write', (db, again) =>
      db.transaction('rw', [db.sessions, db.entries, db.texts, db.partials, db.blobs], async () => {
        if (!(await db.sessions.get(id))) {
          if (again) return
          throw noSession(id)
        }
        await blankSession(db, id, tombstone)
        await db.partials.delete(id)
        await db.sessions.delete(id)
      }),
    )
  }

  read(session: SessionId, range: { from?: number; limit?: number } = {}): Promise<LogRow[]> {
    return this.#connection.run('read', db => readRows(db, session, range))
  }

  count(session: SessionId): Promise<number> {
    return this.#connection.run('read', db =>
      db.entries.where('[session+seq]').between([session, 0], [session, Infinity]).count(),
    )
  }

  async append(session: SessionId, entries: readonly Entry[], options: AppendOptions = {}): Promise<LogRow[]> {
    const rows = await this.#connection.run('write', (db, again) =>
      appendRows(db, session, entries, { ...options, again }),
    )
    this.#onAppended()
    return rows
  }

  knownIds(ids: readonly Id[]): Promise<Set<Id>> {
    return this.#connection.run('read', db => knownIds(db, ids))
  }

  find(id: Id): Promise<PlacedRow | undefined> {
    return this.#connection.run('read', db => findRow(db, id))
  }

  text(
    entry: Id,
    range: { bytes: [number, number] } | { lines: [number, number] } | 'all',
  ): Promise<string | undefined> {
    return this.#connection.run('read', db =>
      db.transaction('r', [db.texts], async () => {
        const whole = db.texts.where('[entry+from]').between([entry, 0], [entry, Infinity])
        if (range === 'all') return joined(await whole.toArray())
        const pieces =
          'bytes' in range ? await piecesByBytes(db, entry, range.bytes) : await piecesByLines(db, entry, range.lines)
        if (pieces.length === 0) return (await whole.count()) > 0 ? '' : undefined
        return 'bytes' in range ? cutBytes(pieces, ...range.bytes) : cutLines(pieces, ...range.lines)
      }),
    )
  }

  lines(day: string, from: number, to: number, session?: SessionId): Promise<PlacedRow[]> {
    return this.#connection.run('read', db => dayRows(db, day, { from, to }, session))
  }

  days(session?: SessionId): Promise<{ day: string; lines: number }[]> {
    return this.#connection.run('read', db => dayCounts(db, session))
  }

  memories(day?: string): Promise<PlacedRow[]> {
    return this.#connection.run('read', db => memoryRows(db, day))
  }

  removeTexts(ids: readonly Id[], tombstone: Omit<Tombstone, 'bytes'>): Promise<void> {
    return this.#connection.run('write', db =>
      db.transaction('rw', [db.entries, db.texts, db.blobs], () => blankRows(db, ids, tombstone)),
    )
  }

  savePartial(partial: PartialAnswer): Promise<void> {
    return this.#connection.run('write', async db => {
      await db.partials.put(partial)
    })
  }

  partial(session: SessionId): Promise<PartialAnswer | undefined> {
    return this.#connection.run('read', db => db.partials.get(session))
  }

  dropPartial(session: SessionId): Promise<void> {
    return this.#connection.run('write', db => db.partials.delete(session))
  }

  documents(prefix = ''): Promise<ArchiveDocumentInfo[]> {
    return this.#connection.run('read', db =>
      db.transaction('r', [db.documents], async () => {
        const keys = (await db.documents
          .where('[path+revision+at+bytes]')
          .between([prefix], [`${prefix}\uffff`])
          .keys()) as unknown as [string, number, number, number][]
        const newest = keys.filter(([path], index) => keys[index + 1]?.[0] !== path)
        const asking = (await db.documents
          .where('[leaves+path+revision]')
          .between(['asks', prefix], ['asks', `${prefix}\uffff`])
          .keys()) as unknown as [EgressMark, string, number][]
        const marks = new Set(asking.map(([, path, revision]) => `${revision} ${path}`))
        return newest.map(([path, revision, at, bytes]) => ({
          path,
          revision,
          at,
          bytes,
          leaves: marks.has(`${revision} ${path}`) ? ('asks' as const) : ('stays' as const),
        }))
      }),
    )
  }

  document(path: string, revision?: number): Promise<ArchiveDocument | undefined> {
    return this.#connection.run('read', async db => {
      const row = revision === undefined ? await newestDocument(db, path) : await db.documents.get([path, revision])
      return row && { path, revision: row.revision, at: row.at, text: row.text, leaves: strictestMark(row.leaves) }
    })
  }

  saveDocument(
    path: string,
    text: string,
    at: number,
    expected: number,
    leaves: EgressMark = 'stays',
  ): Promise<number> {
    return this.#connection.run('write', (db, again) =>
      db.transaction('rw', [db.documents], async () => {
        const newest = await newestDocument(db, path)
        const revision = newest?.revision ?? 0
        if (again && revision === expected + 1 && newest?.text === text && newest.at === at) return revision
        if (revision !== expected) throw changedMeanwhile(path, revision, expected)
        await db.documents.add({
          path,
          revision: revision + 1,
          at,
          text,
          bytes: utf8Bytes(text),
          leaves: newest ? strictestMark(newest.leaves, leaves) : leaves,
        })
        return revision + 1
      }),
    )
  }

  markDocumentLocalOnly(path: string): Promise<void> {
    return this.#connection.run('write', async db => {
      await db.documents.where('[path+revision]').between([path, 0], [path, Infinity]).modify({ leaves: 'stays' })
    })
  }

  removeDocument(path: string): Promise<void> {
    return this.#connection.run('write', async db => {
      await db.documents.where('[path+revision]').between([path, 0], [path, Infinity]).delete()
    })
  }

  putBlob(id: Id, mime: string, bytes: Uint8Array): Promise<void> {
    // A view is stored with its whole buffer behind it; a slice has a buffer of its own.
    return this.#connection.run('write', async db => {
      await db.blobs.put({ id, mime, bytes: bytes.slice() })
    })
  }

  blob(id: Id): Promise<{ mime: string; bytes: Uint8Array } | undefined> {
    return this.#connection.run('read', async db => {
      const row = await db.blobs.get(id)
      return row && { mime: row.mime, bytes: row.bytes }
    })
  }

  segments(after?: string): Promise<IndexSegment[]> {
    return this.#connection.run('read', db =>
      (after === undefined ? db.segments : db.segments.where('id').above(after)).toArray(),
    )
  }

  addSegment(segment: IndexSegment): Promise<void> {
    return this.#connection.run('write', async db => {
      await db.segments.put({ ...segment, bytes: segment.bytes.slice() })
    })
  }

  removeSegment(id: string): Promise<void> {
    return this.#connection.run('write', db => db.segments.delete(id))
  }

  setting(key: string): Promise<unknown> {
    return this.#connection.run('read', async db => (await db.settings.get(key))?.value)
  }

  saveSetting(key: string, value: unknown): Promise<void> {
    return this.#connection.run('write', async db => {
      if (value === undefined) await db.settings.delete(key)
      else await db.settings.put({ key, value })
    })
  }
}

function joined(pieces: readonly PieceRow[]): string | undefined {
  return pieces.length === 0 ? undefined : pieces.map(piece => piece.text).join('')
}

/** From the piece in which the range starts to the one in which it ends. */
async function piecesByBytes(db: Database, entry: Id, [from, to]: [number, number]): Promise<PieceRow[]> {
  const first = await db.texts
    .where('[entry+from]')
    .between([entry, 0], [entry, Math.max(0, from)], true, true)
    .last()
  if (!first || to <= first.from) return []
  return db.texts.where('[entry+from]').between([entry, first.from], [entry, to]).toArray()
}

/**
 * A long line lies in several pieces with the same number of newlines before them: start in the last that has fewer.
 */
async function piecesByLines(db: Database, entry: Id, [from, to]: [number, number]): Promise<PieceRow[]> {
  const before = await db.texts
    .where('[entry+line+from]')
    .between([entry, 0], [entry, Math.max(0, from - 1)])
    .last()
  const start = before ? [entry, before.line, before.from] : [entry, 0, 0]
  return db.texts.where('[entry+line+from]').between(start, [entry, to]).toArray()
}

async function newestDocument(db: Database, path: string) {
  return db.documents.where('[path+revision]').between([path, 0], [path, Infinity]).last()
}
