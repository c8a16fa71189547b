/** The index of memory search: all chats, notes and documents, built when first asked for and brought up to date before each search. */
import type { Entry, Id, Row, SessionId } from '../log/entry.ts'
import { isFact } from '../log/query.ts'
import { pathOf } from '../log/paths.ts'
import { textPath } from '../log/view-message.ts'
import type { LogStore } from '../ports.ts'
import { lineCount } from '../text/bytes.ts'
import { dayOf } from '../text/day.ts'
import { createRank, type Rank } from '../text/rank.ts'
import { marksOf } from '../text/terms.ts'
import type { Filter, Hit } from './api.ts'
import { currentMemories, memoryText } from './memory-text.ts'
import { around, isFindable, piecesOf, type Piece } from './passages.ts'

/** Entries that are indexed without a pause: about 10 ms of work, measured at 90 ms per 1 000 messages of 400 characters. */
const slice = 100

type Kind = Hit['kind']
type Item =
  | { kind: 'message' | 'result' | 'memory'; session: SessionId; entry: Id; at: number; piece?: Piece; tail?: true }
  | { kind: 'document'; path: string; revision: number; at: number; piece: Piece }
  | { kind: 'title'; session: SessionId; title: string; at: number }

export type Search = {
  most: number
  /** Longest text of a hit, UTF-16 units. */
  longest: number
  filter?: Filter
  /** Passages that must not come: by the id of their entry, or of the passage itself. */
  without?: ReadonlySet<Id>
}

/** A hit, with the id by which its passage is told from others. */
export type Found = Hit & { passage: Id }

export class SearchIndex {
  readonly #store: LogStore
  readonly #pause: () => Promise<void>
  readonly #rank: Rank = createRank()
  #items = new Map<Id, Item>()
  /** How far each chat is in the index, and when it was last changed. */
  #chats = new Map<SessionId, { seq: number; updatedAt: number; title: string; titleId: Id }>()
  #documents = new Map<string, { revision: number; ids: Id[] }>()
  #updating: Promise<void> = Promise.resolve()

  /** `pause` lets other work run between slices of the building, which takes seconds for a hundred thousand messages. */
  constructor(store: LogStore, pause: () => Promise<void> = async () => undefined) {
    this.#store = store
    this.#pause = pause
  }

  /** The best passages, best first. A text that was removed is not found any more. */
  async find(query: string, { most, longest, filter = {}, without }: Search): Promise<Found[]> {
    await this.#update()
    const accept = (id: string): boolean => {
      const item = this.#items.get(id)
      return item !== undefined && fits(item, filter) && !without?.has(id) && !('entry' in item && without?.has(item.entry))
    }
    const found: Found[] = []
    const seen = new Set<string>()
    // Some hits may prove to be gone when their text is read, so more are asked for than are wanted.
    for (const { id, score } of this.#rank.search(query, { most: most * 2 + 10, accept })) {
      if (found.length >= most) break
      const hit = await this.#hit(id, score, query, longest)
      if (!hit || seen.has(`${hit.path} ${hit.from}`)) continue
      seen.add(`${hit.path} ${hit.from}`)
      found.push(hit)
    }
    return found
  }

  /** Words of texts that were removed are forgotten at once. */
  forget(entries: readonly Id[]): void {
    const gone = new Set(entries)
    for (const [id, item] of this.#items) if ('entry' in item && gone.has(item.entry)) this.#drop(id)
  }

  #update(): Promise<void> {
    const updated = this.#updating.then(() => this.#read(), () => this.#read())
    this.#updating = updated
    return updated
  }

  async #read(): Promise<void> {
    for (const info of await this.#store.sessions()) {
      const known = this.#chats.get(info.id)
      if (known?.title !== info.title) {
        if (known) this.#drop(known.titleId)
        this.#put(`title ${info.id} ${info.title}`, 'titles', info.title, { kind: 'title', session: info.id, title: info.title, at: info.updatedAt })
      }
      const seq = known?.seq ?? 0
      const rows = known?.updatedAt === info.updatedAt ? [] : await this.#store.read(info.id, { from: seq })
      for (const [n, row] of rows.entries()) {
        this.#addEntry(info.id, row)
        if (n % slice === slice - 1) await this.#pause()
      }
      this.#chats.set(info.id, { seq: seq + rows.length, updatedAt: info.updatedAt, title: info.title, titleId: `title ${info.id} ${info.title}` })
    }
    for (const { path, revision, at } of await this.#store.documents()) {
      const known = this.#documents.get(path)
      if (known?.revision === revision) continue
      for (const id of known?.ids ?? []) this.#drop(id)
      const text = (await this.#store.document(path))?.text ?? ''
      const ids = piecesOf(text).map(piece => {
        const id = `${path} ${revision} ${piece.from}`
        this.#put(id, path, text.slice(piece.from, piece.to), { kind: 'document', path, revision, at, piece })
        return id
      })
      this.#documents.set(path, { revision, ids })
    }
  }

  #addEntry(session: SessionId, { entry }: Row): void {
    if (!isFindable(entry)) return
    const kind = entry.type === 'memory' ? 'memory' : entry.type === 'result' ? 'result' : 'message'
    const pieces = piecesOf(entry.text)
    const one = pieces.length === 1 && !('rest' in entry && entry.rest)
    for (const [n, piece] of pieces.entries()) {
      const item: Item = { kind, session, entry: entry.id, at: entry.at, ...(one && kind !== 'result' ? {} : { piece }) }
      // Its first passage stands beside the other messages of the chat, the others beside each other.
      this.#put(n === 0 ? entry.id : `${entry.id} ${n}`, n === 0 ? session : entry.id, entry.text.slice(piece.from, piece.to), item)
    }
    if (!isFact(entry) || entry.tail === undefined || !entry.rest) return
    const before = entry.rest.lines - lineCount(entry.tail)
    for (const [n, piece] of piecesOf(entry.tail).entries()) {
      const shifted = { ...piece, fromLine: Math.max(1, before + piece.fromLine), toLine: Math.max(1, before + piece.toLine) }
      this.#put(`${entry.id} tail ${n}`, `${entry.id} tail`, entry.tail.slice(piece.from, piece.to), { kind: kind, session, entry: entry.id, at: entry.at, piece: shifted, tail: true })
    }
  }

  #put(id: Id, group: string, text: string, item: Item): void {
    this.#rank.addFact({ id, group, text })
    this.#items.set(id, item)
  }

  #drop(id: Id): void {
    this.#rank.remove(id)
    this.#items.delete(id)
  }

  async #hit(id: Id, score: number, query: string, longest: number): Promise<Found | undefined> {
    const item = this.#items.get(id)
    if (!item) return undefined
    const place = await this.#place(item)
    if (!place) return undefined
    const whole = place.text.trim()
    const part = around(whole, marksOf(whole, query), longest)
    return {
      session: 'session' in item ? item.session : '', title: 'session' in item ? this.#chats.get(item.session)?.title ?? '' : '',
      entry: 'entry' in item ? item.entry : null, path: place.path, from: place.from, to: place.to, at: item.at, score,
      text: part.text, marks: marksOf(part.text, query), kind: item.kind, passage: id,
    }
  }

  /** Text and place of a passage as they are now; undefined for what was removed or replaced. */
  async #place(item: Item): Promise<{ text: string; path: string; from: number; to: number } | undefined> {
    if (item.kind === 'title') return { text: item.title, path: '', from: 0, to: 0 }
    if (item.kind === 'document') {
      const document = await this.#store.document(item.path, item.revision)
      const { from, to, fromLine, toLine } = item.piece
      return document && { text: document.text.slice(from, to), path: item.path, from: fromLine, to: toLine }
    }
    const row = (await this.#store.find(item.entry))?.row
    if (!row || row.entry.gone) return undefined
    if (row.entry.type === 'memory') return this.#memoryPlace(row.entry)
    if (!isFact(row.entry)) return undefined
    if (!item.piece) return { text: row.entry.text, path: pathOf({ kind: 'dialog', day: row.day }), from: row.line ?? 1, to: row.line ?? 1 }
    const { from, to, fromLine, toLine } = item.piece
    const source = item.tail ? row.entry.tail ?? '' : row.entry.text
    return { text: source.slice(from, to), path: textPath(row.entry), from: fromLine, to: toLine }
  }

  async #memoryPlace(entry: Entry & { type: 'memory' }): Promise<{ text: string; path: string; from: number; to: number } | undefined> {
    const day = dayOf(entry.at)
    const rows = (await this.#store.memories(day)).map(({ session, row }) => ({ session, entry: row.entry }))
    if (!currentMemories(rows).some(memory => memory.entry.id === entry.id)) return undefined
    const text = entry.text.trim()
    const file = memoryText(day, rows) ?? ''
    const from = file.slice(0, Math.max(0, file.indexOf(text))).split('\n').length
    return { text, path: pathOf({ kind: 'memory', day }), from, to: from + lineCount(text) - 1 }
  }
}

function fits(item: Item, { from, to, session, kinds }: Filter): boolean {
  if (from !== undefined && item.at < from) return false
  if (to !== undefined && item.at > to) return false
  if (session !== undefined && !('session' in item && item.session === session)) return false
  return kinds === undefined || kinds.includes(item.kind satisfies Kind)
}
