/** What can be found, passage by passage: the words of each, what it is of, and its id. */
import type { Id, LogRow, SessionId } from '../../log/entry.ts'
import { isFact } from '../../log/query.ts'
import type { LogStore, SessionInfo } from '../../ports/ports.ts'
import { Corpus } from '../../text/search/corpus.ts'
import type { OpenSegment } from '../../text/search/segment.ts'
import type { SearchFilter, SearchHit } from '../api/api.ts'
import type { SearchView } from '../archive/readable-archive.ts'
import { isFindable, splitIntoPassages } from './passages.ts'
import { signsOf } from './statements-of.ts'
import { PassagePlaces, type UnloggedPassage } from './passage-places.ts'

/** What a passage is, as its number in a segment. */
const kinds = ['message', 'result', 'memory', 'document', 'title'] as const satisfies readonly SearchHit['kind'][]
const titleKind = kinds.indexOf('title')

export class PassageTable {
  readonly corpus = new Corpus()
  readonly #unlogged = new Map<number, UnloggedPassage>()
  readonly #titles = new Map<SessionId, { title: string; passage: number }>()
  readonly #documents = new Map<string, { revision: number; passages: number[] }>()

  /** Answers with the number of its first passage. */
  addSegment(segment: OpenSegment): number {
    const from = this.corpus.addSegment(segment)
    // A passage whose words were taken out has none left.
    for (const [index, { length }] of segment.rows.entries()) if (length === 0) this.corpus.remove(from + index)
    return from
  }

  /** Answers with the passages of the entry. */
  addEntry(session: SessionId, { entry, seq }: LogRow): number[] {
    if (!isFindable(entry)) return []
    const kind = entry.type === 'memory' ? 2 : entry.type === 'result' ? 1 : 0
    const voice = entry.type === 'user' ? 'person' : entry.type === 'assistant' ? 'assistant' : 'other'
    const add = (whole: string, tail: boolean): number[] =>
      splitIntoPassages(whole).map(({ from, to }, piece) => {
        const text = whole.slice(from, to)
        return this.corpus.add({
          session,
          seq,
          piece,
          tail,
          kind,
          voice,
          at: entry.at,
          group: session,
          text,
          ...(voice === 'person' ? signsOf(text) : {}),
        })
      })
    return [
      ...add(entry.text, false),
      ...(isFact(entry) && entry.tail !== undefined && entry.rest ? add(entry.tail, true) : []),
    ]
  }

  /** Takes in the title of a chat as it is now. */
  addTitle({ id, title, updatedAt }: SessionInfo): void {
    if (this.#titles.get(id)?.title === title) return
    this.dropTitle(id)
    const passage = this.#addUnlogged({ kind: 'title', session: id, title, at: updatedAt }, `title ${id}`, title)
    this.#titles.set(id, { title, passage })
  }

  dropTitle(id: SessionId): void {
    const known = this.#titles.get(id)
    if (known) this.corpus.remove(known.passage)
    this.#titles.delete(id)
  }

  /** Takes in the newest revision of each document, and drops those that are gone. */
  async addDocuments(store: Pick<LogStore, 'documents' | 'document'>): Promise<void> {
    const stored = await store.documents()
    const paths = new Set(stored.map(({ path }) => path))
    for (const [path, { passages }] of this.#documents) {
      if (paths.has(path)) continue
      for (const passage of passages) this.corpus.remove(passage)
      this.#documents.delete(path)
    }
    for (const { path, revision, at } of stored) {
      const known = this.#documents.get(path)
      if (known?.revision === revision) continue
      for (const passage of known?.passages ?? []) this.corpus.remove(passage)
      const text = (await store.document(path, revision))?.text ?? ''
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
    const passage = this.corpus.add({
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

  /** Removes the passages of the log whose row this holds for, and answers with them. */
  remove(isGone: (row: { session: SessionId; seq: number }) => boolean): Set<number> {
    const passages = new Set<number>()
    for (const [passage, row] of this.corpus.rows.entries()) if (row.seq >= 0 && isGone(row)) passages.add(passage)
    for (const passage of passages) this.corpus.remove(passage)
    return passages
  }

  fits(passage: number, { from, to, session, kinds: wanted }: SearchFilter): boolean {
    const row = this.corpus.rows[passage]!
    if (from !== undefined && row.at < Math.floor(from / 1000) * 1000) return false
    if (to !== undefined && row.at > to) return false
    if (session !== undefined && row.session !== session) return false
    return wanted === undefined || wanted.includes(this.kindOf(passage))
  }

  kindOf(passage: number): SearchHit['kind'] {
    return kinds[this.corpus.rows[passage]!.kind] ?? 'message'
  }

  isTitle(passage: number): boolean {
    return this.corpus.columns.kind[passage] === titleKind
  }

  /** The title of the chat that a passage is of; '' for a document. */
  titleOf(passage: number): string {
    return this.#titles.get(this.corpus.rows[passage]!.session)?.title ?? ''
  }

  /** The chat or the document that a passage is of. */
  ownerOf(passage: number): Parameters<SearchView['has']>[0] {
    const loose = this.#unlogged.get(passage)
    return loose?.kind === 'document' ? { path: loose.path } : { session: this.corpus.rows[passage]!.session }
  }

  idOf(passage: number): Id {
    const loose = this.#unlogged.get(passage)
    if (loose?.kind === 'document') return `${loose.path} ${loose.revision} ${loose.piece.from}`
    const { session, seq, piece, tail } = this.corpus.rows[passage]!
    return `${session} ${seq} ${tail ? 'tail ' : ''}${piece}`
  }

  /** The passages that these ids name, in their order. */
  passagesOf(ids: readonly string[]): number[] {
    if (ids.length === 0) return []
    const wanted = new Map(ids.map((id, at) => [id, at]))
    const found: number[] = []
    for (let passage = 0; passage < this.corpus.size; passage++) {
      const at = wanted.get(this.idOf(passage))
      if (at !== undefined) found[at] = passage
    }
    return found.filter(passage => passage !== undefined)
  }

  places({ archive }: Pick<SearchView, 'archive'>): PassagePlaces {
    return new PassagePlaces({ archive, rows: this.corpus.rows, loose: this.#unlogged })
  }
}
