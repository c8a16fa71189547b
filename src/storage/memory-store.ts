/** A LogStore in memory: for tests, for benchmarks, and for a browser that blocks storage. */
import type { Entry, Id, LogRow, SessionId, Tombstone } from '../core/log/entry.ts'
import { isFact } from '../core/log/query.ts'
import { strictestMark, type EgressMark } from '../core/log/egress-mark.ts'
import type {
  AppendOptions,
  ArchiveDocument,
  ArchiveDocumentInfo,
  LogStore,
  PartialReply as PartialAnswer,
  IndexSegment,
  SessionInfo,
} from '../core/ports/ports.ts'
import { utf8Bytes } from '../core/text/bytes.ts'
import { dayOf } from '../core/text/day.ts'
import { withoutTexts, blobsOf } from './rows/without-texts.ts'
import {
  changedInfo,
  changedMeanwhile,
  checkAppend,
  duplicate,
  byTime,
  throwMissing,
  noSession,
  targetSession,
  sessionExists,
  type PlacedRow,
} from './rows/row-rules.ts'
import { cutBytes, cutLines, splitText, type TextPiece } from './rows/text-pieces.ts'

export class MemoryStore implements LogStore {
  #sessions = new Map<SessionId, SessionInfo>()
  #rows = new Map<SessionId, LogRow[]>()
  #places = new Map<Id, { session: SessionId; seq: number }>()
  #days = new Map<string, { session: SessionId; seq: number }[]>() // by line
  #texts = new Map<Id, TextPiece[]>()
  #partials = new Map<SessionId, PartialAnswer>()
  #documents = new Map<string, ArchiveDocument[]>() // by revision
  #blobs = new Map<Id, { mime: string; bytes: Uint8Array }>()
  #segments = new Map<string, IndexSegment>()
  #settings = new Map<string, unknown>()

  async sessions(): Promise<SessionInfo[]> {
    return [...this.#sessions.values()].map(info => structuredClone(info)).sort((a, b) => b.updatedAt - a.updatedAt)
  }

  async session(id: SessionId): Promise<SessionInfo | undefined> {
    return structuredClone(this.#sessions.get(id))
  }

  async createSession(info: SessionInfo): Promise<void> {
    if (this.#sessions.has(info.id)) throw sessionExists(info.id)
    this.#sessions.set(info.id, structuredClone(info))
  }

  async updateSession(id: SessionId, changes: Partial<Omit<SessionInfo, 'id'>>): Promise<void> {
    this.#sessions.set(id, changedInfo(this.#info(id), structuredClone(changes)))
  }

  async removeSession(id: SessionId, tombstone: Omit<Tombstone, 'bytes'>): Promise<void> {
    this.#info(id)
    await this.removeTexts(
      (this.#rows.get(id) ?? []).map(row => row.entry.id),
      tombstone,
    )
    this.#partials.delete(id)
    this.#sessions.delete(id)
  }

  async read(
    session: SessionId,
    { from = 0, limit = Infinity }: { from?: number; limit?: number } = {},
  ): Promise<LogRow[]> {
    return (this.#rows.get(session) ?? []).slice(Math.max(0, from), Math.max(0, from) + limit)
  }

  async count(session: SessionId): Promise<number> {
    return this.#rows.get(session)?.length ?? 0
  }

  async append(session: SessionId, entries: readonly Entry[], options: AppendOptions = {}): Promise<LogRow[]> {
    checkAppend(entries, options.texts ?? [])
    const info = targetSession(
      session,
      this.#sessions.get(session),
      structuredClone({ create: options.create, changes: options.changes }),
    )
    for (const { id } of entries) if (this.#places.has(id)) throw duplicate(id)
    const last = entries.at(-1)
    if (!last) return []

    // Nothing below throws or waits: it happens whole.
    const rows = this.#rows.get(session) ?? []
    const added = entries.map((entry, index) => this.#place(session, entry, rows.length + index))
    this.#rows.set(session, rows)
    for (const row of added) rows.push(row)
    for (const { entry, text } of options.texts ?? []) this.#texts.set(entry, splitText(text))
    if (entries.some(entry => entry.type === 'assistant')) this.#partials.delete(session)
    this.#sessions.set(session, {
      ...info,
      ...options.changes,
      leaf: options.keepLeaf ? info.leaf : last.id,
      updatedAt: Math.max(info.updatedAt, last.at),
      size: rows.length,
    })
    return added
  }

  async knownIds(ids: readonly Id[]): Promise<Set<Id>> {
    return new Set(ids.filter(id => this.#places.has(id)))
  }

  async find(id: Id): Promise<PlacedRow | undefined> {
    const place = this.#places.get(id)
    return place && this.#placed(place)
  }

  async text(
    entry: Id,
    range: { bytes: [number, number] } | { lines: [number, number] } | 'all',
  ): Promise<string | undefined> {
    const pieces = this.#texts.get(entry)
    if (!pieces) return undefined
    if (range === 'all') return pieces.map(piece => piece.text).join('')
    if ('bytes' in range) {
      const [from, to] = range.bytes
      const first = Math.max(
        0,
        pieces.findLastIndex(piece => piece.from <= from),
      )
      return cutBytes(
        pieces.filter((piece, index) => index >= first && piece.from < to),
        from,
        to,
      )
    }
    const [from, to] = range.lines
    const first = Math.max(
      0,
      pieces.findLastIndex(piece => piece.line < from - 1),
    )
    return cutLines(
      pieces.filter((piece, index) => index >= first && piece.line < to),
      from,
      to,
    )
  }

  async lines(day: string, from: number, to: number, session?: SessionId): Promise<PlacedRow[]> {
    const all = this.#days.get(day) ?? []
    const own = session === undefined ? all : all.filter(place => place.session === session)
    return own.slice(Math.max(0, from - 1), Math.max(0, to)).map(place => this.#placed(place))
  }

  async days(session?: SessionId): Promise<{ day: string; lines: number }[]> {
    return [...this.#days]
      .map(([day, all]) => ({
        day,
        lines: session === undefined ? all.length : all.filter(place => place.session === session).length,
      }))
      .filter(({ lines }) => lines > 0)
      .sort((a, b) => (a.day < b.day ? -1 : 1))
  }

  async memories(day?: string): Promise<PlacedRow[]> {
    const found: PlacedRow[] = []
    for (const [session, rows] of this.#rows) {
      for (const row of rows)
        if (row.entry.type === 'memory' && (day === undefined || row.day === day)) found.push({ session, row })
    }
    return found.sort(byTime)
  }

  async removeTexts(ids: readonly Id[], tombstone: Omit<Tombstone, 'bytes'>): Promise<void> {
    const places = ids.map(id => this.#places.get(id) ?? throwMissing(id))
    for (const place of places) {
      const { row } = this.#placed(place)
      this.#rows.get(place.session)![place.seq] = { ...row, entry: withoutTexts(row.entry, tombstone) }
      this.#texts.delete(row.entry.id)
      for (const blob of blobsOf(row.entry)) if (!this.#namesBlob(blob)) this.#blobs.delete(blob)
    }
  }

  async savePartial(partial: PartialAnswer): Promise<void> {
    this.#partials.set(partial.session, structuredClone(partial))
  }

  async partial(session: SessionId): Promise<PartialAnswer | undefined> {
    return structuredClone(this.#partials.get(session))
  }

  async dropPartial(session: SessionId): Promise<void> {
    this.#partials.delete(session)
  }

  async documents(prefix = ''): Promise<ArchiveDocumentInfo[]> {
    const newest = [...this.#documents]
      .filter(([path]) => path.startsWith(prefix))
      .flatMap(([, revisions]) => revisions.at(-1) ?? [])
    return newest
      .map(({ text, ...info }) => ({ ...info, bytes: utf8Bytes(text) }))
      .sort((a, b) => (a.path < b.path ? -1 : 1))
  }

  async document(path: string, revision?: number): Promise<ArchiveDocument | undefined> {
    const revisions = this.#documents.get(path)
    const found =
      revision === undefined ? revisions?.at(-1) : revisions?.find(document => document.revision === revision)
    return found && { ...found }
  }

  async saveDocument(
    path: string,
    text: string,
    at: number,
    expected: number,
    leaves: EgressMark = 'stays',
  ): Promise<number> {
    const revisions = this.#documents.get(path) ?? []
    const last = revisions.at(-1)
    const newest = last?.revision ?? 0
    if (newest !== expected) throw changedMeanwhile(path, newest, expected)
    this.#documents.set(path, [
      ...revisions,
      { path, revision: newest + 1, at, text, leaves: last ? strictestMark(last.leaves, leaves) : leaves },
    ])
    return newest + 1
  }

  async markDocumentLocalOnly(path: string): Promise<void> {
    const revisions = this.#documents.get(path)
    if (revisions)
      this.#documents.set(
        path,
        revisions.map(document => ({ ...document, leaves: 'stays' })),
      )
  }

  async removeDocument(path: string): Promise<void> {
    this.#documents.delete(path)
  }

  async putBlob(id: Id, mime: string, bytes: Uint8Array): Promise<void> {
    this.#blobs.set(id, { mime, bytes: bytes.slice() })
  }

  async blob(id: Id): Promise<{ mime: string; bytes: Uint8Array } | undefined> {
    const found = this.#blobs.get(id)
    return found && { mime: found.mime, bytes: found.bytes.slice() }
  }

  async segments(after?: string): Promise<IndexSegment[]> {
    const ids = [...this.#segments.keys()].filter(id => after === undefined || id > after).sort()
    return ids.map(id => structuredClone(this.#segments.get(id)!))
  }

  async addSegment(segment: IndexSegment): Promise<void> {
    this.#segments.set(segment.id, structuredClone(segment))
  }

  async removeSegment(id: string): Promise<void> {
    this.#segments.delete(id)
  }

  async setting(key: string): Promise<unknown> {
    return structuredClone(this.#settings.get(key))
  }

  async saveSetting(key: string, value: unknown): Promise<void> {
    if (value === undefined) this.#settings.delete(key)
    else this.#settings.set(key, structuredClone(value))
  }

  #info(id: SessionId): SessionInfo {
    const info = this.#sessions.get(id)
    if (!info) throw noSession(id)
    return info
  }

  #place(session: SessionId, entry: Entry, seq: number): LogRow {
    const day = dayOf(entry.at)
    this.#places.set(entry.id, { session, seq })
    if (!isFact(entry)) return { entry, seq, day, line: null }
    const places = this.#days.get(day) ?? []
    this.#days.set(day, places)
    return { entry, seq, day, line: places.push({ session, seq }) }
  }

  #placed({ session, seq }: { session: SessionId; seq: number }): PlacedRow {
    return { session, row: this.#rows.get(session)![seq]! }
  }

  #namesBlob(blob: Id): boolean {
    return [...this.#rows.values()].some(rows => rows.some(row => blobsOf(row.entry).includes(blob)))
  }
}
