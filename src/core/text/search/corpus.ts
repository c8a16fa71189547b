/**
 * The passages that can be found: their words, lengths, features and neighbours, in memory. Grows; is filled from
 * segments or from texts.
 */
import { Columns } from './columns.ts'
import type { OpenSegment, PackedLists, PassageRow } from './segment.ts'
import { featuresOf, isAssistant, isPerson, packFeatures, speakerOf, type Voice } from './text-features.ts'
import { termHash } from './term-hash.ts'
import { contentTerms, terms } from './terms.ts'

/**
 * A passage as it is added; `group`: passages of one group stand beside each other in the order of adding. `voice`:
 * other. `wish`: what of it is a standing wish of the person, found by its own words beside those of the passage.
 */
export type NewPassage = Omit<PassageRow, 'length' | 'features'> & {
  group: string
  text: string
  voice?: Voice
  wish?: string
}

/** What a chat is like: its texts, those that are not the person's, and those that tools gave. Lengths: terms. */
export type ChatShape = { texts: number; length: number; others: number; othersLength: number; results: number }

/** Messages of one chat that follow each other within this time belong to one sitting. Unit: ms. */
const episodeGapMs = 3_600_000
/** Most terms of one passage that are kept: a file without blanks must not fill the index. */
const mostTerms = 20_000

/** The name of the speaker as a term of its own, different from the same word said by others. */
export const speakerTerm = (term: string): number => termHash(`^${term}`)

/**
 * A word of a standing wish as a term of its own; of a long word its beginning: "implementation" bears on "implement".
 */
export const wishTerm = (term: string): number => termHash(`!${/^[a-z]/.test(term) ? term.slice(0, 6) : term}`)

export class Corpus {
  readonly rows: PassageRow[] = []
  readonly columns = new Columns()
  readonly episodeLength: number[] = [] // terms
  /** Terms of all passages. */
  total = 0
  /** Texts: a long one is several passages. */
  texts = 0
  readonly chats: ChatShape[] = []
  readonly #chatOf = new Map<string, number>()
  readonly #lastOf = new Map<string, number>()
  readonly #packed: { numbers: Uint32Array; lists: PackedLists }[] = []
  #unpacked = new Map<number, number[]>()

  get size(): number {
    return this.rows.length
  }

  isGone(passage: number): boolean {
    return this.columns.gone[passage] === 1
  }

  /** It is not found any more; its length still counts. */
  remove(passage: number): void {
    this.columns.gone[passage] = 1
  }

  /** Adds a passage at the end of its group; answers with its number. Costs O(text). */
  add({ group, text, voice = 'other', wish = '', ...place }: NewPassage): number {
    const found = terms(text).slice(0, mostTerms)
    const counts = new Map<number, number>()
    for (const term of found) {
      const hash = termHash(term)
      counts.set(hash, (counts.get(hash) ?? 0) + 1)
    }
    for (const term of new Set(terms(speakerOf(text)))) counts.set(speakerTerm(term), 1)
    for (const term of contentTerms(wish)) counts.set(wishTerm(term), 1)
    const passage = this.#place(
      { ...place, length: found.length, features: packFeatures(featuresOf(text), voice) },
      group,
    )
    for (const [term, count] of counts) {
      const list = this.#unpacked.get(term)
      if (list) list.push(passage, count)
      else this.#unpacked.set(term, [passage, count])
    }
    return passage
  }

  /** Adds what a segment holds, in its order; answers with the number of its first passage. */
  addSegment({ rows, lists }: Pick<OpenSegment, 'rows' | 'lists'>): number {
    const from = this.rows.length
    for (const row of rows) this.#place(row, row.session)
    this.#packed.push({ numbers: Uint32Array.from(rows, (_, index) => from + index), lists })
    return from
  }

  /** The lists of these passages, numbered as they stand here: for a segment. They must not be packed yet. */
  listsOf(passages: readonly number[]): Map<number, number[]> {
    const local = new Map(passages.map((passage, index) => [passage, index]))
    const lists = new Map<number, number[]>()
    for (const [term, list] of this.#unpacked) {
      const own: number[] = []
      for (let i = 0; i < list.length; i += 2) {
        const passage = local.get(list[i] ?? -1)
        if (passage !== undefined && !this.isGone(list[i] ?? -1)) own.push(passage, list[i + 1] ?? 1)
      }
      if (own.length > 0) lists.set(term, own)
    }
    return lists
  }

  /** From now on the words of these passages are read from packed lists, which number them in this order. */
  usePacked(passages: readonly number[], lists: PackedLists): void {
    const settled = new Set(passages)
    for (const [term, list] of this.#unpacked) {
      const kept: number[] = []
      for (let i = 0; i < list.length; i += 2)
        if (!settled.has(list[i] ?? -1)) kept.push(list[i] ?? 0, list[i + 1] ?? 1)
      if (kept.length > 0) this.#unpacked.set(term, kept)
      else this.#unpacked.delete(term)
    }
    this.#packed.push({ numbers: Uint32Array.from(passages), lists })
  }

  /** Passages with the term, by number. */
  each(term: number, tell: (passage: number, count: number) => void): void {
    for (const { numbers, lists } of this.#packed)
      lists.each(term, (passage, count) => {
        tell(numbers[passage] ?? 0, count)
      })
    const list = this.#unpacked.get(term)
    if (list) for (let i = 0; i < list.length; i += 2) tell(list[i] ?? 0, list[i + 1] ?? 1)
  }

  /** Roughly how many passages have the term; costs nothing. */
  costOf(term: number): number {
    let cost = (this.#unpacked.get(term)?.length ?? 0) / 2
    for (const { lists } of this.#packed) cost += lists.costOf(term)
    return cost
  }

  #place(row: PassageRow, group: string): number {
    const passage = this.rows.length
    // The pieces of a long text stand behind each other; the next message stands behind the first of them.
    const isPiece = row.piece > 0 || row.tail
    const last = isPiece ? passage - 1 : (this.#lastOf.get(group) ?? -1)
    const { columns } = this
    const near = last >= 0 && Math.abs(row.at - columns.at[last]!) <= episodeGapMs
    this.rows.push(row)
    columns.set(passage, row, isPiece && last >= 0 ? columns.head[last]! : passage)
    if (near) columns.before[passage] = last
    if (near && columns.after[last] === -1) columns.after[last] = passage
    const sitting = near ? columns.episode[last]! : this.episodeLength.length
    columns.episode[passage] = sitting
    this.episodeLength[sitting] = (this.episodeLength[sitting] ?? 0) + row.length
    if (!isPiece) {
      if (near) [columns.previous[passage], columns.next[last]] = [last, passage]
      this.#lastOf.set(group, passage)
      this.texts++
    }
    this.total += row.length
    this.#countIn(group, passage)
    return passage
  }

  #countIn(group: string, passage: number): void {
    const { columns } = this
    const head = columns.head[passage]!
    let number = this.#chatOf.get(group)
    if (number === undefined) {
      number = this.chats.push({ texts: 0, length: 0, others: 0, othersLength: 0, results: 0 }) - 1
      this.#chatOf.set(group, number)
    }
    const shape = this.chats[number]!
    columns.chat[passage] = number
    const begins = head === passage ? 1 : 0
    columns.nth[passage] = shape.texts + begins - 1
    shape.texts += begins
    shape.length += columns.length[passage]!
    if (isPerson(columns.features[head]!)) return
    shape.others += begins
    if (!isAssistant(columns.features[head]!)) shape.results += begins
    shape.othersLength += columns.length[passage]!
  }
}
