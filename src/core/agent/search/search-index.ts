/**
 * The search over everything that is kept: chats, notes, documents. Its words lie packed in the store, so opening
 * builds nothing; what was appended since is read before each search.
 */
import type { Id, LogRow, SessionId } from '../../log/entry.ts'
import { isFact } from '../../log/query.ts'
import type { LogStore, SessionInfo } from '../../ports/ports.ts'
import { Corpus } from '../../text/search/corpus.ts'
import { borderAt, clip } from '../../text/display/graphemes.ts'
import { rankPassages, type RankPart } from '../../text/search/rank-passages.ts'
import { openSegment, packSegment, type OpenSegment } from '../../text/search/segment.ts'
import { marksOf } from '../../text/search/terms.ts'
import { timesIn } from '../../text/search/times-in.ts'
import type { SearchFilter, SearchHit } from '../api/api.ts'
import type { EmbeddingIndex } from './embedding-index.ts'
import { passageAround, isFindable, splitIntoPassages } from './passages.ts'
import { PassagePlaces, type UnloggedPassage, type PassagePlace } from './passage-places.ts'
import { fullArchive, type SearchView } from '../archive/readable-archive.ts'
import { SearchSegments, type RemovedTexts } from './search-segments.ts'

/** What a passage is, as its number in a segment. */
const kinds = ['message', 'result', 'memory', 'document', 'title'] as const satisfies readonly SearchHit['kind'][]
const titleKind = kinds.indexOf('title')
/** Passages of a segment. Unit: passages. */
const segmentSize = 1000
/** How much lower a title ranks than a message with the same words. Unit: score. */
const titleBehind = 5
/** Rows that are read at once. */
const page = 500
/** Texts that are indexed between two pauses. */
const slice = 50

export type SearchOptions = {
  limit: number
  /** Longest text of a hit, UTF-16 units. */
  maxLength: number
  filter?: SearchFilter
  /** The question does not leave this device. */
  localOnly?: boolean
  /** Only what this view has; without it everything is searched. */
  view?: SearchView
  /** Passages that must not come: by the id of their entry, or of the passage itself. */
  exclude?: ReadonlySet<Id>
  /** The time from which "last week" is reckoned, ms; without it the question's times are words like others. */
  now?: number
  /** Longest part of what stands before and after a hit, UTF-16 units; 0: none is read. */
  neighbourLength?: number
  /** Only passages that have a word of the query themselves: what a person expects to see marked. */
  literalOnly?: boolean
  /** Results with identical text come after different ones: the same request ten times must not fill an answer. */
  distinct?: boolean
  /** Parts of the ranking to leave out, for measuring. */
  disabledParts?: readonly RankPart[]
}

/** A hit with the id of its passage and its neighbours. */
export type SearchResult = SearchHit & { passage: Id; before?: Neighbour; after?: Neighbour }
type Candidate = { passage: number; score: number; place: PassagePlace }
/** A neighbour of a hit: its id, and the part of it that lies nearer. */
export type Neighbour = { passage: Id; text: string }

export class SearchIndex {
  readonly #store: LogStore
  readonly #pause: () => Promise<void>
  readonly #segments: SearchSegments
  #corpus = new Corpus()
  #unlogged = new Map<number, UnloggedPassage>()
  /** How many entries of each chat are in the index. */
  #covered = new Map<SessionId, number>()
  #titles = new Map<SessionId, { title: string; passage: number }>()
  #documents = new Map<string, { revision: number; passages: number[] }>()
  /** Passages of the log that are in no segment yet. */
  #unpacked: number[] = []
  /** How many of these came with an earlier update. */
  #unpackedBefore = 0
  #updating: Promise<void> = Promise.resolve()
  #isOpen = false
  readonly #embeddings: EmbeddingIndex | undefined

  constructor(
    store: LogStore,
    pause: () => Promise<void> = () => Promise.resolve(),
    segments = new SearchSegments(store),
    meaning?: EmbeddingIndex,
  ) {
    this.#embeddings = meaning
    this.#store = store
    this.#pause = pause
    this.#segments = segments
  }

  /** The best passages, best first. A text that was removed is not found any more. Never repeats a place. */
  async find(
    query: string,
    {
      limit,
      maxLength,
      filter = {},
      view = this.#whole,
      localOnly = false,
      exclude = new Set<Id>(),
      now,
      neighbourLength = 0,
      literalOnly = false,
      distinct = false,
      disabledParts = [],
    }: SearchOptions,
  ): Promise<SearchResult[]> {
    await this.update()
    const { spans, rest } = now === undefined ? { spans: [], rest: query } : timesIn(query, now)
    const places = this.#places(view)
    // What a person expects to see marked has the words; meaning adds to what an agent asks.
    const near =
      literalOnly || !this.#embeddings ? [] : this.#passagesOf(await this.#embeddings.nearest(query, localOnly))
    const accept = (passage: number): boolean =>
      this.#fits(passage, filter) && view.has(this.#ownerOf(passage)) && !exclude.has(this.#idOf(passage))
    // Some hits may prove to be gone when their text is read, so more are asked for than are wanted.
    const ranked = rankPassages(this.#corpus, rest, {
      limit: limit * 2 + 10 + exclude.size,
      accept,
      prior: this.#prior,
      matching: literalOnly,
      times: spans,
      similar: near,
      disabledParts,
    })
    const found: Candidate[] = []
    const again: Candidate[] = []
    const seen = new Set<string>()
    for (let at = 0; at < ranked.length && found.length < limit; at += limit) {
      const batch = ranked.slice(at, at + limit)
      const read = await Promise.all(batch.map(({ passage }) => places.resolve(passage)))
      for (const [n, { passage, score }] of batch.entries()) {
        const place = read[n]
        if (!place || (place.entry !== null && exclude.has(place.entry)) || seen.has(`${place.path} ${place.from}`))
          continue
        seen.add(`${place.path} ${place.from}`)
        const isAgain = distinct && seen.has(`= ${place.text}`)
        seen.add(`= ${place.text}`)
        ;(isAgain ? again : found).push({ passage, score, place })
      }
    }
    const hits = [...found, ...again]
      .slice(0, limit)
      .map(one => ({ passage: one.passage, hit: this.#hit({ ...one, marked: rest, longest: maxLength }) }))
    if (neighbourLength > 0)
      await Promise.all(hits.map(({ hit, passage }) => this.#addNeighbours(hit, passage, places, neighbourLength)))
    return hits.map(({ hit }) => hit)
  }

  /**
   * Makes vectors of passages that have none yet, if the person wants that and the server may see the text. Throws what
   * the server throws.
   */
  async embedMissing(mayGoOn: () => boolean, view: SearchView): Promise<void> {
    if (!this.#embeddings) return
    const places = this.#places(view)
    const passages = new Map<string, number>()
    for (let passage = 0; passage < this.#corpus.size; passage++)
      if (
        !this.#corpus.isGone(passage) &&
        this.#corpus.columns.kind[passage] !== titleKind &&
        view.has(this.#ownerOf(passage))
      )
        passages.set(this.#idOf(passage), passage)
    await this.#embeddings.embedMissing(
      [...passages.keys()],
      async key => (await places.resolve(passages.get(key)!))?.text,
      mayGoOn,
    )
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
  async forget(gone: RemovedTexts): Promise<void> {
    await this.update()
    await this.#forget(gone)
  }

  /** The same, at the end of a removal that was noted before it began. */
  async finishRemoval(gone: RemovedTexts): Promise<void> {
    await this.forget(gone)
    await this.#segments.clearPending()
  }

  async #forget(gone: RemovedTexts): Promise<void> {
    const isGone =
      'session' in gone
        ? ({ session }: { session: SessionId }) => session === gone.session
        : await this.#among(gone.entries)
    const passages = new Set<number>()
    for (const [passage, row] of this.#corpus.rows.entries()) if (row.seq >= 0 && isGone(row)) passages.add(passage)
    for (const passage of passages) this.#corpus.remove(passage)
    if ('session' in gone) this.#dropTitle(gone.session)
    const ids = new Set([...passages].map(passage => this.#idOf(passage)))
    await this.#embeddings?.forget(id => ids.has(id))
    await this.#segments.forget(passages)
  }

  async #among(entries: readonly Id[]): Promise<(row: { session: SessionId; seq: number }) => boolean> {
    const found = await Promise.all(entries.map(id => this.#store.find(id)))
    const keys = new Set(found.flatMap(one => (one ? [`${one.session} ${one.row.seq}`] : [])))
    return ({ session, seq }) => keys.has(`${session} ${seq}`)
  }

  async #read(): Promise<void> {
    if (!this.#isOpen) await this.#open()
    this.#unpackedBefore = this.#unpacked.length
    for (const info of await this.#store.sessions()) {
      this.#addTitle(info)
      await this.#addRows(info)
    }
    await this.#addDocuments()
    if (this.#unpacked.length >= segmentSize) await this.#pack()
  }

  async #open(): Promise<void> {
    for (const { id, bytes } of await this.#segments.load()) {
      const segment = openSegment(bytes)
      if (!segment) return this.#rebuild()
      this.#addSegment(id, segment, bytes)
    }
    this.#isOpen = true
    for (const gone of await this.#segments.pendingRemovals()) await this.#forget(gone)
    await this.#segments.clearPending()
  }

  /** Rebuilds an index of another format from the texts. */
  async #rebuild(): Promise<void> {
    await this.#segments.clear()
    this.#corpus = new Corpus()
    this.#covered.clear()
    this.#isOpen = true
  }

  #addSegment(id: string, segment: OpenSegment, bytes: Uint8Array): void {
    const from = this.#corpus.addSegment(segment)
    this.#segments.register(
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
      if (this.#unpacked.length >= segmentSize) await this.#pack()
    }
  }

  #addEntry(session: SessionId, { entry, seq }: LogRow): void {
    if (!isFindable(entry)) return
    const kind = entry.type === 'memory' ? 2 : entry.type === 'result' ? 1 : 0
    const add = (text: string, tail: boolean): void => {
      for (const [piece, { from, to }] of splitIntoPassages(text).entries()) {
        this.#unpacked.push(
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
    const passage = this.#addUnlogged({ kind: 'title', session: id, title, at: updatedAt }, `title ${id}`, title)
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
      const passages = splitIntoPassages(text).map(piece =>
        this.#addUnlogged(
          { kind: 'document', path, revision, at, piece },
          `${path} ${revision}`,
          text.slice(piece.from, piece.to),
        ),
      )
      this.#documents.set(path, { revision, passages })
    }
  }

  #addUnlogged(loose: UnloggedPassage, group: string, text: string): number {
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
    this.#unlogged.set(passage, loose)
    return passage
  }

  async #pack(): Promise<void> {
    if (this.#segments.isStale) return
    const young = this.#unpacked
    await this.#dropRemoved(young.slice(0, this.#unpackedBefore))
    const rows = young.map(passage => this.#corpus.rows[passage]!)
    const covered = [...this.#covered].map(([session, to]) => ({ session, to }))
    const bytes = packSegment(
      rows.map((row, n) => (this.#corpus.isGone(young[n]!) ? { ...row, length: 0 } : row)),
      this.#segments.grownSessions(covered),
      this.#corpus.listsOf(young),
    )
    const segment = openSegment(bytes)
    if (!segment || !(await this.#segments.add(young, bytes, covered))) return
    this.#corpus.usePacked(young, segment.lists)
    this.#unpacked = []
    this.#unpackedBefore = 0
  }

  /** Drops what another tab removed since it was indexed: its words must not be packed. */
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

  #fits(passage: number, { from, to, session, kinds: wanted }: SearchFilter): boolean {
    const row = this.#corpus.rows[passage]!
    if (from !== undefined && row.at < Math.floor(from / 1000) * 1000) return false
    if (to !== undefined && row.at > to) return false
    if (session !== undefined && row.session !== session) return false
    return wanted === undefined || wanted.includes(kinds[row.kind] ?? 'message')
  }

  /** Titles rank lower, because they repeat the first message and say less. */
  #prior = (passage: number): number => (this.#corpus.columns.kind[passage] === titleKind ? -titleBehind : 0)

  get #whole(): SearchView {
    return { archive: fullArchive(this.#store), has: () => true }
  }

  /** The chat or the document that a passage is of. */
  #ownerOf(passage: number): Parameters<SearchView['has']>[0] {
    const loose = this.#unlogged.get(passage)
    return loose?.kind === 'document' ? { path: loose.path } : { session: this.#corpus.rows[passage]!.session }
  }

  #places({ archive }: SearchView): PassagePlaces {
    return new PassagePlaces({ archive, rows: this.#corpus.rows, loose: this.#unlogged })
  }

  #idOf(passage: number): Id {
    const loose = this.#unlogged.get(passage)
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
  }): SearchResult {
    const { session } = this.#corpus.rows[passage]!
    const whole = place.text.trim()
    const all = marksOf(whole, marked)
    const part = passageAround(whole, all, longest)
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
  async #addNeighbours(hit: SearchResult, passage: number, places: PassagePlaces, longest: number): Promise<void> {
    const textOf = async (next: number | undefined): Promise<string> =>
      next === undefined || next < 0 || this.#corpus.isGone(next)
        ? ''
        : ((await places.resolve(next))?.text.replace(/\s+/g, ' ').trim() ?? '')
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
