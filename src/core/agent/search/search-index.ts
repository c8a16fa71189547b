/**
 * The search over everything that is kept: chats, notes, documents. Its words lie packed in the store, so opening
 * builds nothing; what was appended since is read before each search.
 */
import type { Id, LogRow, SessionId } from '../../log/entry.ts'
import type { LogStore, SessionInfo } from '../../ports/ports.ts'
import { coverageOf } from '../../text/search/coverage.ts'
import { questionKind } from '../../text/search/question-kinds.ts'
import { rankWithWishes, type RankPart } from '../../text/search/rank-passages.ts'
import { openSegment, packSegment, type OpenSegment } from '../../text/search/segment.ts'
import { timesIn } from '../../text/search/times-in.ts'
import type { SearchFilter } from '../api/api.ts'
import { chooseHits, withStatements } from './choose-hits.ts'
import type { EmbeddingIndex } from './embedding-index.ts'
import { isFindable } from './passages.ts'
import { PassageTable } from './passage-table.ts'
import { addCoverage, addNeighbours, searchResult, type SearchResult } from './search-result.ts'
import { fullArchive, type SearchView } from '../archive/readable-archive.ts'
import { SearchSegments, type RemovedTexts } from './search-segments.ts'

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

export type SearchIndexOptions = {
  /** Lets other work run. */
  pause?: () => Promise<void>
  segments?: SearchSegments
  embeddings?: EmbeddingIndex | undefined
  /** Tools whose results are not taken in. */
  unindexedTools?: ReadonlySet<string>
}

export class SearchIndex {
  readonly #store: LogStore
  readonly #pause: () => Promise<void>
  readonly #segments: SearchSegments
  #table = new PassageTable()
  /** How many entries of each chat are in the index. */
  #covered = new Map<SessionId, number>()
  /** Passages of the log that are in no segment yet. */
  #unpacked: number[] = []
  /** How many of these came with an earlier update. */
  #unpackedBefore = 0
  #updating: Promise<void> = Promise.resolve()
  #isOpen = false
  readonly #embeddings: EmbeddingIndex | undefined

  readonly #unindexedTools: ReadonlySet<string>

  constructor(store: LogStore, { pause, segments, embeddings, unindexedTools }: SearchIndexOptions = {}) {
    this.#store = store
    this.#pause = pause ?? (() => Promise.resolve())
    this.#segments = segments ?? new SearchSegments(store)
    this.#embeddings = embeddings
    this.#unindexedTools = unindexedTools ?? new Set()
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
    const table = this.#table
    const places = table.places(view)
    // What a person expects to see marked has the words; meaning adds to what an agent asks.
    const near =
      literalOnly || !this.#embeddings ? [] : table.passagesOf(await this.#embeddings.nearest(query, localOnly))
    const accept = (passage: number): boolean =>
      table.fits(passage, filter) && view.has(table.ownerOf(passage)) && !exclude.has(table.idOf(passage))
    // Some hits may prove to be gone when their text is read, so more are asked for than are wanted.
    const { hits: ranked, wishes } = rankWithWishes(table.corpus, rest, {
      limit: limit * 4 + 10 + exclude.size,
      accept,
      // Titles rank lower, because they repeat the first message and say less.
      prior: passage => (table.isTitle(passage) ? -titleBehind : 0),
      matching: literalOnly,
      times: spans,
      similar: near,
      disabledParts,
    })
    const kind = literalOnly ? 'plain' : questionKind(rest)
    const chosen = { table, places, query: rest, kind, limit, exclude, distinct }
    const best = await chooseHits(ranked, chosen)
    const shown = literalOnly ? best.hits : await withStatements(best, wishes, chosen)
    const hits = shown.map(one => ({
      passage: one.passage,
      hit: searchResult(table, { ...one, marked: rest, longest: maxLength }),
    }))
    if (neighbourLength > 0) {
      const around = { table, places, longest: neighbourLength }
      const texts = hits.map(async ({ hit, passage }) => ({
        hit,
        text: await addNeighbours(hit, { ...around, passage }),
      }))
      addCoverage(await Promise.all(texts), coverageOf(table.corpus, rest, spans.length > 0 ? 1 : 0))
    }
    return hits.map(({ hit }) => hit)
  }

  /**
   * Makes vectors of passages that have none yet, if the person wants that and the server may see the text. Throws what
   * the server throws.
   */
  async embedMissing(mayGoOn: () => boolean, view: SearchView): Promise<void> {
    if (!this.#embeddings) return
    const table = this.#table
    const places = table.places(view)
    const passages = new Map<string, number>()
    for (let passage = 0; passage < table.corpus.size; passage++)
      if (!table.corpus.isGone(passage) && !table.isTitle(passage) && view.has(table.ownerOf(passage)))
        passages.set(table.idOf(passage), passage)
    await this.#embeddings.embedMissing(
      [...passages.keys()],
      async key => (await places.resolve(passages.get(key)!))?.text,
      mayGoOn,
    )
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
    const passages = this.#table.remove(isGone)
    if ('session' in gone) this.#table.dropTitle(gone.session)
    const ids = new Set([...passages].map(passage => this.#table.idOf(passage)))
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
      this.#table.addTitle(info)
      await this.#addRows(info)
    }
    await this.#table.addDocuments(this.#store)
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
    this.#table = new PassageTable()
    this.#covered.clear()
    this.#isOpen = true
  }

  #addSegment(id: string, segment: OpenSegment, bytes: Uint8Array): void {
    const from = this.#table.addSegment(segment)
    this.#segments.register(
      id,
      segment.rows.map((_, index) => from + index),
      bytes,
    )
    for (const { session, to } of segment.covered) this.#covered.set(session, to)
  }

  async #addRows({ id, size }: SessionInfo): Promise<void> {
    const count = size ?? (await this.#store.count(id))
    for (let from = this.#covered.get(id) ?? 0; from < count;) {
      const rows = await this.#store.read(id, { from, limit: page })
      if (rows.length === 0) return
      for (const [n, row] of rows.entries()) {
        if (!this.#isUnindexed(row)) for (const passage of this.#table.addEntry(id, row)) this.#unpacked.push(passage)
        if (n % slice === slice - 1) await this.#pause()
      }
      from += rows.length
      this.#covered.set(id, from)
      if (this.#unpacked.length >= segmentSize) await this.#pack()
    }
  }

  #isUnindexed({ entry }: LogRow): boolean {
    return entry.type === 'result' && this.#unindexedTools.has(entry.tool)
  }

  async #pack(): Promise<void> {
    if (this.#segments.isStale) return
    const { corpus } = this.#table
    const young = this.#unpacked
    await this.#dropRemoved(young.slice(0, this.#unpackedBefore))
    const rows = young.map(passage => corpus.rows[passage]!)
    const covered = [...this.#covered].map(([session, to]) => ({ session, to }))
    const bytes = packSegment(
      rows.map((row, n) => (corpus.isGone(young[n]!) ? { ...row, length: 0, features: 0, statements: 0 } : row)),
      this.#segments.grownSessions(covered),
      corpus.listsOf(young),
    )
    const segment = openSegment(bytes)
    if (!segment || !(await this.#segments.add(young, bytes, covered))) return
    corpus.usePacked(young, segment.lists)
    this.#unpacked = []
    this.#unpackedBefore = 0
  }

  /** Drops what another tab removed since it was indexed: its words must not be packed. */
  async #dropRemoved(passages: readonly number[]): Promise<void> {
    const { corpus } = this.#table
    const { rows } = corpus
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
      for (const passage of own) if (!there.has(rows[passage]!.seq)) corpus.remove(passage)
    }
  }

  get #whole(): SearchView {
    return { archive: fullArchive(this.#store), has: () => true }
  }
}
