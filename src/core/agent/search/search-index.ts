/**
 * The search over everything that is kept: chats, notes, documents. Its words lie packed in the store, so opening
 * builds nothing; what was appended since is read before each search.
 */
import type { Id, Row, SessionId } from '../../log/entry.ts'
import { isFact } from '../../log/query.ts'
import type { LogStore, SessionInfo } from '../../ports/ports.ts'
import { Corpus } from '../../text/search/corpus.ts'
import { borderAt, clip } from '../../text/display/graphemes.ts'
import { search, type RankPart } from '../../text/search/rank-passages.ts'
import { openSegment, packSegment, type OpenSegment } from '../../text/search/segment.ts'
import { marksOf } from '../../text/search/terms.ts'
import { timesIn } from '../../text/search/times-in.ts'
import type { Filter, Hit } from '../api/api.ts'
import type { Meaning } from './embedding-index.ts'
import { around, isFindable, piecesOf } from './passages.ts'
import { Places, type Loose, type PassagePlace } from './passage-places.ts'
import { everything, type SearchView } from '../archive/readable-archive.ts'
import { SearchSegments, type Gone } from './search-segments.ts'

/** What a passage is, as its number in a segment. */
const kinds = ['message', 'result', 'memory', 'document', 'title'] as const satisfies readonly Hit['kind'][]
const titleKind = kinds.indexOf('title')
/** Passages of a segment. Unit: passages. */
const segmentSize = 1000
/** How far a title stands behind a message with the same words. Unit: score. */
const titleBehind = 5
/** Rows that are read at once. */
const page = 500
/** Texts that are taken in before others get their turn. */
const slice = 50

export type Search = {
  most: number
  /** Longest text of a hit, UTF-16 units. */
  longest: number
  filter?: Filter
  /** The question does not leave this device. */
  stays?: boolean
  /** Only what this view has; without it everything is searched. */
  view?: SearchView
  /** Passages that must not come: by the id of their entry, or of the passage itself. */
  without?: ReadonlySet<Id>
  /** The time from which "last week" is reckoned, ms; without it the question's times are words like others. */
  now?: number
  /** Longest part of what stands before and after a hit, UTF-16 units; 0: none is read. */
  beside?: number
  /** Only passages that have a word of the query themselves: what a person expects to see marked. */
  matching?: boolean
  /**
   * What was said in the very same words comes after what is different: ten times the same request must not fill an
   * answer.
   */
  distinct?: boolean
  /** Parts of the ranking to leave out, for measuring. */
  leaveOut?: readonly RankPart[]
}

/** A hit, with the id by which its passage is told from others, and what stands beside it. */
export type Found = Hit & { passage: Id; before?: Beside; after?: Beside }
type Candidate = { passage: number; score: number; place: PassagePlace }
/** A neighbour of a hit: its id, and the part of it that lies nearer. */
export type Beside = { passage: Id; text: string }

export class SearchIndex {
  readonly #store: LogStore
  readonly #pause: () => Promise<void>
  readonly #segments: SearchSegments
  #corpus = new Corpus()
  #loose = new Map<number, Loose>()
  /** How many entries of each chat are in the index. */
  #covered = new Map<SessionId, number>()
  #titles = new Map<SessionId, { title: string; passage: number }>()
  #documents = new Map<string, { revision: number; passages: number[] }>()
  /** Passages of the log that are in no segment yet. */
  #young: number[] = []
  /** How many of these an earlier reading took in. */
  #older = 0
  #updating: Promise<void> = Promise.resolve()
  #isOpen = false
  readonly #meaning: Meaning | undefined

  constructor(
    store: LogStore,
    pause: () => Promise<void> = () => Promise.resolve(),
    segments = new SearchSegments(store),
    meaning?: Meaning,
  ) {
    this.#meaning = meaning
    this.#store = store
    this.#pause = pause
    this.#segments = segments
  }

  /** The best passages, best first. A text that was removed is not found any more. Never repeats a place. */
  async find(
    query: string,
    {
      most,
      longest,
      filter = {},
      view = this.#whole,
      stays = false,
      without = new Set<Id>(),
      now,
      beside = 0,
      matching = false,
      distinct = false,
      leaveOut = [],
    }: Search,
  ): Promise<Found[]> {
    await this.update()
    const { spans, rest } = now === undefined ? { spans: [], rest: query } : timesIn(query, now)
    const places = this.#places(view)
    // What a person expects to see marked has the words; meaning adds to what an agent asks.
    const near = matching || !this.#meaning ? [] : this.#passagesOf(await this.#meaning.near(query, stays))
    const accept = (passage: number): boolean =>
      this.#fits(passage, filter) && view.has(this.#ownerOf(passage)) && !without.has(this.#idOf(passage))
    // Some hits may prove to be gone when their text is read, so more are asked for than are wanted.
    const ranked = search(this.#corpus, rest, {
      most: most * 2 + 10 + without.size,
      accept,
      prior: this.#prior,
      matching,
      times: spans,
      near,
      without: leaveOut,
    })
    const found: Candidate[] = []
    const again: Candidate[] = []
    const seen = new Set<string>()
    for (let at = 0; at < ranked.length && found.length < most; at += most) {
      const batch = ranked.slice(at, at + most)
      const read = await Promise.all(batch.map(({ passage }) => places.of(passage)))
      for (const [n, { passage, score }] of batch.entries()) {
        const place = read[n]
        if (!place || (place.entry !== null && without.has(place.entry)) || seen.has(`${place.path} ${place.from}`))
          continue
        seen.add(`${place.path} ${place.from}`)
        const isAgain = distinct && seen.has(`= ${place.text}`)
        seen.add(`= ${place.text}`)
        ;(isAgain ? again : found).push({ passage, score, place })
      }
    }
    const hits = [...found, ...again]
      .slice(0, most)
      .map(one => ({ passage: one.passage, hit: this.#hit({ ...one, marked: rest, longest }) }))
    if (beside > 0) await Promise.all(hits.map(({ hit, passage }) => this.#addBeside(hit, passage, places, beside)))
    return hits.map(({ hit }) => hit)
  }

  /**
   * Has vectors made of what has none yet, where the person wants that; and the server may see it. Throws what the
   * server throws.
   */
  async coverMeaning(mayGoOn: () => boolean, view: SearchView): Promise<void> {
    if (!this.#meaning) return
    const places = this.#places(view)
    const passages = new Map<string, number>()
    for (let passage = 0; passage < this.#corpus.size; passage++)
      if (
        !this.#corpus.isGone(passage) &&
        this.#corpus.columns.kind[passage] !== titleKind &&
        view.has(this.#ownerOf(passage))
      )
        passages.set(this.#idOf(passage), passage)
    await this.#meaning.cover([...passages.keys()], async key => (await places.of(passages.get(key)!))?.text, mayGoOn)
  }

  /** The passages that these ids name, in their order. */
  #passagesOf(ids: readonly string[]): number[] {
    if (ids.length === 0) return []
    const wanted = new Map(ids.map((id, at) => [id, at]))
    const found: number[] = []
    for (let passage = 0; passage < this.#corpus.size; passage++) {
      const at = wanted.get(this.#idOf(passage))
      if (at !== undefined) found[at] = passage
    }
    return found.filter(passage => passage !== undefined)
  }

  /** Takes in what was appended since the last time, and packs it when it is enough for a segment. */
  update(): Promise<void> {
    const updated = this.#updating.then(
      () => this.#read(),
      () => this.#read(),
    )
    this.#updating = updated
    return updated
  }

  /** Words of texts that were removed are forgotten, here and in the store. */
  async forget(gone: Gone): Promise<void> {
    await this.update()
    await this.#forget(gone)
  }

  /** The same, at the end of a removal that was noted before it began. */
  async settle(gone: Gone): Promise<void> {
    await this.forget(gone)
    await this.#segments.settled()
  }

  async #forget(gone: Gone): Promise<void> {
    const isGone =
      'session' in gone
        ? ({ session }: { session: SessionId }) => session === gone.session
        : await this.#among(gone.entries)
    const passages = new Set<number>()
    for (const [passage, row] of this.#corpus.rows.entries()) if (row.seq >= 0 && isGone(row)) passages.add(passage)
    for (const passage of passages) this.#corpus.remove(passage)
    if ('session' in gone) this.#dropTitle(gone.session)
    const ids = new Set([...passages].map(passage => this.#idOf(passage)))
    await this.#meaning?.forget(id => ids.has(id))
    await this.#segments.forget(passages)
  }

  async #among(entries: readonly Id[]): Promise<(row: { session: SessionId; seq: number }) => boolean> {
    const found = await Promise.all(entries.map(id => this.#store.find(id)))
    const keys = new Set(found.flatMap(one => (one ? [`${one.session} ${one.row.seq}`] : [])))
    return ({ session, seq }) => keys.has(`${session} ${seq}`)
  }

  async #read(): Promise<void> {
    if (!this.#isOpen) await this.#open()
    this.#older = this.#young.length
    for (const info of await this.#store.sessions()) {
      this.#addTitle(info)
      await this.#addRows(info)
    }
    await this.#addDocuments()
    if (this.#young.length >= segmentSize) await this.#pack()
  }

  async #open(): Promise<void> {
    for (const { id, bytes } of await this.#segments.load()) {
      const segment = openSegment(bytes)
      if (!segment) return this.#anew()
      this.#addSegment(id, segment, bytes)
    }
    this.#isOpen = true
    for (const gone of await this.#segments.owed()) await this.#forget(gone)
    await this.#segments.settled()
  }

  /** An index of another format is of no use: it is built from the texts. */
  async #anew(): Promise<void> {
    await this.#segments.clear()
    this.#corpus = new Corpus()
    this.#covered.clear()
    this.#isOpen = true
  }

  #addSegment(id: string, segment: OpenSegment, bytes: Uint8Array): void {
    const from = this.#corpus.addSegment(segment)
    this.#segments.know(
      id,
      segment.rows.map((_, index) => from + index),
      bytes,
    )
    for (const { session, to } of segment.covered) this.#covered.set(session, to)
    // A passage whose words were taken out has none left.
    for (const [index, { length }] of segment.rows.entries()) if (length === 0) this.#corpus.remove(from + index)
  }

  async #addRows({ id, size }: SessionInfo): Promise<void> {
    const count = size ?? (await this.#store.count(id))
    for (let from = this.#covered.get(id) ?? 0; from < count;) {
      const rows = await this.#store.read(id, { from, limit: page })
      if (rows.length === 0) return
      for (const [n, row] of rows.entries()) {
        this.#addEntry(id, row)
        if (n % slice === slice - 1) await this.#pause()
      }
      from += rows.length
      this.#covered.set(id, from)
      if (this.#young.length >= segmentSize) await this.#pack()
    }
  }

  #addEntry(session: SessionId, { entry, seq }: Row): void {
    if (!isFindable(entry)) return
    const kind = entry.type === 'memory' ? 2 : entry.type === 'result' ? 1 : 0
    const add = (text: string, tail: boolean): void => {
      for (const [piece, { from, to }] of piecesOf(text).entries()) {
        this.#young.push(
          this.#corpus.add({
            session,
            seq,
            piece,
            tail,
            kind,
            at: entry.at,
            group: session,
            text: text.slice(from, to),
          }),
        )
      }
    }
    add(entry.text, false)
    if (isFact(entry) && entry.tail !== undefined && entry.rest) add(entry.tail, true)
  }

  #addTitle({ id, title, updatedAt }: SessionInfo): void {
    if (this.#titles.get(id)?.title === title) return
    this.#dropTitle(id)
    const passage = this.#addLoose({ kind: 'title', session: id, title, at: updatedAt }, `title ${id}`, title)
    this.#titles.set(id, { title, passage })
  }

  #dropTitle(id: SessionId): void {
    const known = this.#titles.get(id)
    if (known) this.#corpus.remove(known.passage)
    this.#titles.delete(id)
  }

  async #addDocuments(): Promise<void> {
    const stored = await this.#store.documents()
    const paths = new Set(stored.map(({ path }) => path))
    for (const [path, { passages }] of this.#documents) {
      if (paths.has(path)) continue
      for (const passage of passages) this.#corpus.remove(passage)
      this.#documents.delete(path)
    }
    for (const { path, revision, at } of stored) {
      const known = this.#documents.get(path)
      if (known?.revision === revision) continue
      for (const passage of known?.passages ?? []) this.#corpus.remove(passage)
      const text = (await this.#store.document(path, revision))?.text ?? ''
      const passages = piecesOf(text).map(piece =>
        this.#addLoose(
          { kind: 'document', path, revision, at, piece },
          `${path} ${revision}`,
          text.slice(piece.from, piece.to),
        ),
      )
      this.#documents.set(path, { revision, passages })
    }
  }

  #addLoose(loose: Loose, group: string, text: string): number {
    const passage = this.#corpus.add({
      session: 'session' in loose ? loose.session : '',
      seq: -1,
      piece: 0,
      tail: false,
      kind: kinds.indexOf(loose.kind),
      at: loose.at,
      group,
      text,
    })
    this.#loose.set(passage, loose)
    return passage
  }

  async #pack(): Promise<void> {
    if (this.#segments.isBehind) return
    const young = this.#young
    await this.#dropRemoved(young.slice(0, this.#older))
    const rows = young.map(passage => this.#corpus.rows[passage]!)
    const covered = [...this.#covered].map(([session, to]) => ({ session, to }))
    const bytes = packSegment(
      rows.map((row, n) => (this.#corpus.isGone(young[n]!) ? { ...row, length: 0 } : row)),
      this.#segments.news(covered),
      this.#corpus.listsOf(young),
    )
    const segment = openSegment(bytes)
    if (!segment || !(await this.#segments.add(young, bytes, covered))) return
    this.#corpus.settle(young, segment.lists)
    this.#young = []
    this.#older = 0
  }

  /** What another tab removed since it was taken in: its words must not be packed. */
  async #dropRemoved(passages: readonly number[]): Promise<void> {
    const { rows } = this.#corpus
    for (const session of new Set(passages.map(passage => rows[passage]!.session))) {
      const own = passages.filter(passage => rows[passage]!.session === session)
      const [from, to] = own.reduce(
        ([least, most], passage) => [Math.min(least, rows[passage]!.seq), Math.max(most, rows[passage]!.seq)],
        [Infinity, 0],
      )
      const there = new Set(
        (await this.#store.read(session, { from, limit: to - from + 1 })).flatMap(({ seq, entry }) =>
          isFindable(entry) ? [seq] : [],
        ),
      )
      for (const passage of own) if (!there.has(rows[passage]!.seq)) this.#corpus.remove(passage)
    }
  }

  #fits(passage: number, { from, to, session, kinds: wanted }: Filter): boolean {
    const row = this.#corpus.rows[passage]!
    if (from !== undefined && row.at < Math.floor(from / 1000) * 1000) return false
    if (to !== undefined && row.at > to) return false
    if (session !== undefined && row.session !== session) return false
    return wanted === undefined || wanted.includes(kinds[row.kind] ?? 'message')
  }

  /** A title repeats the first message and says less. */
  #prior = (passage: number): number => (this.#corpus.columns.kind[passage] === titleKind ? -titleBehind : 0)

  get #whole(): SearchView {
    return { archive: everything(this.#store), has: () => true }
  }

  /** The chat or the document that a passage is of. */
  #ownerOf(passage: number): Parameters<SearchView['has']>[0] {
    const loose = this.#loose.get(passage)
    return loose?.kind === 'document' ? { path: loose.path } : { session: this.#corpus.rows[passage]!.session }
  }

  #places({ archive }: SearchView): Places {
    return new Places({ archive, rows: this.#corpus.rows, loose: this.#loose })
  }

  #idOf(passage: number): Id {
    const loose = this.#loose.get(passage)
    if (loose?.kind === 'document') return `${loose.path} ${loose.revision} ${loose.piece.from}`
    const { session, seq, piece, tail } = this.#corpus.rows[passage]!
    return `${session} ${seq} ${tail ? 'tail ' : ''}${piece}`
  }

  #hit({
    passage,
    score,
    place,
    marked,
    longest,
  }: {
    passage: number
    score: number
    place: PassagePlace
    marked: string
    longest: number
  }): Found {
    const { session } = this.#corpus.rows[passage]!
    const whole = place.text.trim()
    const all = marksOf(whole, marked)
    const part = around(whole, all, longest)
    const end = part.from + part.text.length
    const marks = all.flatMap(([from, to]): [number, number][] =>
      from >= part.from && to <= end ? [[from - part.from, to - part.from]] : [],
    )
    return {
      session,
      title: this.#titles.get(session)?.title ?? '',
      entry: place.entry,
      path: place.path,
      from: place.from,
      to: place.to,
      at: place.at,
      score,
      text: part.text,
      marks,
      kind: kinds[this.#corpus.rows[passage]!.kind] ?? 'message',
      passage: this.#idOf(passage),
    }
  }

  /** The end of what stands before and the beginning of what stands after. */
  async #addBeside(hit: Found, passage: number, places: Places, longest: number): Promise<void> {
    const textOf = async (next: number | undefined): Promise<string> =>
      next === undefined || next < 0 || this.#corpus.isGone(next)
        ? ''
        : ((await places.of(next))?.text.replace(/\s+/g, ' ').trim() ?? '')
    const [back, on] = [this.#corpus.columns.before[passage], this.#corpus.columns.after[passage]]
    const [before, after] = await Promise.all([textOf(back), textOf(on)])
    if (before !== '')
      hit.before = {
        passage: this.#idOf(back!),
        text: before.length <= longest ? before : `…${before.slice(borderAt(before, before.length - longest))}`,
      }
    if (after !== '')
      hit.after = { passage: this.#idOf(on!), text: after.length <= longest ? after : `${clip(after, longest)}…` }
  }
}
