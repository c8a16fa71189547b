/** A packed piece of the search index: about a thousand facts, their words as delta-coded lists. Pure. */
import { ByteReader, ByteWriter } from './varints.ts'

/**
 * Increased when the bytes, the terms or the stored data of a passage change: an index of another format is rebuilt.
 */
export const segmentFormat = 4

/**
 * Where a passage comes from and what ranking must know of it. `piece`: n-th piece of its entry, of the tail where
 * `tail`.
 */
export type PassageRow = {
  session: string
  seq: number
  piece: number
  tail: boolean
  kind: number /* 0…7 */
  at: number /* ms, kept to the second */
  length: number /* terms */
  features: number /* a byte */
  statements?: number /* a byte: which kinds of statements it holds; none: 0 */
}

/** Entries of a session that a segment speaks for: those before `to` (0-based), since the segment before. */
export type Covered = { session: string; to: number }

/** Postings by the number of a term: passage, count, passage, count …; passages of this segment, rising. */
export type TermLists = ReadonlyMap<number, readonly number[]>

export type OpenSegment = { rows: PassageRow[]; covered: Covered[]; lists: PackedLists }

/** The bytes of a segment. */
export function packSegment(rows: readonly PassageRow[], covered: readonly Covered[], lists: TermLists): Uint8Array {
  const out = new ByteWriter()
  out.byte(segmentFormat)
  const sessions = new Map<string, number>()
  for (const { session } of [...covered, ...rows]) if (!sessions.has(session)) sessions.set(session, sessions.size)
  out.number(sessions.size)
  for (const session of sessions.keys()) out.text(session)
  out.number(covered.length)
  for (const { session, to } of covered) {
    out.number(sessions.get(session) ?? 0)
    out.number(to)
  }
  out.number(rows.length)
  let [number, seq, at] = [0, 0, 0]
  for (const row of rows) {
    const own = sessions.get(row.session) ?? 0
    const seconds = Math.floor(row.at / 1000)
    const statements = row.statements ?? 0
    out.byte(
      row.kind |
        (row.tail ? 8 : 0) |
        (row.piece > 0 ? 16 : 0) |
        (own === number ? 0 : 32) |
        (statements === 0 ? 0 : 64),
    )
    if (own !== number) out.number(own)
    if (row.piece > 0) out.number(row.piece)
    out.signed(row.seq - seq)
    out.signed(seconds - at)
    out.number(row.length)
    out.byte(row.features)
    if (statements !== 0) out.byte(statements)
    ;[number, seq, at] = [own, row.seq, seconds]
  }
  packLists(lists, out)
  return out.done()
}

function packLists(lists: TermLists, out: ByteWriter): void {
  const terms = [...lists.keys()].filter(term => (lists.get(term)?.length ?? 0) > 0).sort((a, b) => a - b)
  const heads = new ByteWriter()
  const bodies = new ByteWriter()
  let before = 0
  for (const term of terms) {
    const list = lists.get(term) ?? []
    const start = bodies.length
    let last = -1
    for (let i = 0; i < list.length; i += 2) {
      const [passage, count] = [list[i] ?? 0, list[i + 1] ?? 1]
      bodies.number(2 * (passage - last - 1) + (count > 1 ? 1 : 0))
      if (count > 1) bodies.number(count)
      last = passage
    }
    heads.number(term - before)
    heads.number(bodies.length - start)
    before = term
  }
  out.number(terms.length)
  out.bytes(heads.done())
  out.bytes(bodies.done())
}

/** Opens a segment; undefined for bytes of another format. Costs its rows and words, not its lists. */
export function openSegment(bytes: Uint8Array): OpenSegment | undefined {
  if (bytes[0] !== segmentFormat) return undefined
  const from = new ByteReader(bytes, 1)
  const sessions = repeat(from, () => from.text())
  const covered = repeat(from, () => ({ session: sessions[from.number()] ?? '', to: from.number() }))
  let [number, seq, at] = [0, 0, 0]
  const rows = repeat(from, (): PassageRow => {
    const head = from.byte()
    if (head & 32) number = from.number()
    const piece = head & 16 ? from.number() : 0
    seq += from.signed()
    at += from.signed()
    return {
      session: sessions[number] ?? '',
      seq,
      piece,
      tail: (head & 8) !== 0,
      kind: head & 7,
      at: at * 1000,
      length: from.number(),
      features: from.byte(),
      ...(head & 64 ? { statements: from.byte() } : {}),
    }
  })
  return { rows, covered, lists: new PackedLists(bytes, from) }
}

/** The lists of a segment as they lie there. */
export class PackedLists {
  readonly #bytes: Uint8Array
  readonly #terms: Uint32Array
  readonly #starts: Uint32Array // one more than terms

  constructor(bytes: Uint8Array, from: ByteReader) {
    const count = Math.min(from.number(), bytes.length)
    this.#bytes = bytes
    this.#terms = new Uint32Array(count)
    this.#starts = new Uint32Array(count + 1)
    // Opening reads some million of these numbers: here without a call for each.
    let [at, term, size] = [from.at, 0, 0]
    for (let i = 0; i < count; i++) {
      let byte = bytes[at++] ?? 0
      let value = byte & 0x7f
      for (let unit = 128; byte >= 0x80; unit *= 128) {
        byte = bytes[at++] ?? 0
        value += (byte & 0x7f) * unit
      }
      term += value
      this.#terms[i] = term
      this.#starts[i] = size
      byte = bytes[at++] ?? 0
      value = byte & 0x7f
      for (let unit = 128; byte >= 0x80; unit *= 128) {
        byte = bytes[at++] ?? 0
        value += (byte & 0x7f) * unit
      }
      size += value
    }
    this.#starts[count] = size
    for (let i = 0; i <= count; i++) this.#starts[i] = this.#starts[i]! + at
  }

  /** Every passage that has the term. */
  each(term: number, tell: (passage: number, count: number) => void): void {
    const at = this.#find(term)
    if (at >= 0) this.#read(at, tell)
  }

  /** Bytes of the list of a term: about the passages that have it. */
  costOf(term: number): number {
    const at = this.#find(term)
    return at < 0 ? 0 : (this.#starts[at + 1] ?? 0) - (this.#starts[at] ?? 0)
  }

  /** All lists, without the passages that are left out. */
  excluding(passages: ReadonlySet<number>): Map<number, number[]> {
    const lists = new Map<number, number[]>()
    for (const [at, term] of this.#terms.entries()) {
      const list: number[] = []
      this.#read(at, (passage, count) => {
        if (!passages.has(passage)) list.push(passage, count)
      })
      lists.set(term, list)
    }
    return lists
  }

  #read(at: number, tell: (passage: number, count: number) => void): void {
    const bytes = this.#bytes
    const end = this.#starts[at + 1] ?? 0
    let next = this.#starts[at] ?? 0
    for (let passage = -1; next < end;) {
      let byte = bytes[next++]!
      let head = byte & 0x7f
      for (let shift = 7; byte >= 0x80 && shift < 28; shift += 7) {
        byte = bytes[next++]!
        head |= (byte & 0x7f) << shift
      }
      passage += (head >> 1) + 1
      let count = 1
      if (head & 1) {
        byte = bytes[next++]!
        count = byte & 0x7f
        for (let shift = 7; byte >= 0x80 && shift < 28; shift += 7) {
          byte = bytes[next++]!
          count |= (byte & 0x7f) << shift
        }
      }
      tell(passage, count)
    }
  }

  #find(term: number): number {
    let [low, high] = [0, this.#terms.length - 1]
    while (low <= high) {
      const middle = (low + high) >> 1
      const value = this.#terms[middle] ?? 0
      if (value === term) return middle
      if (value < term) low = middle + 1
      else high = middle - 1
    }
    return -1
  }
}

function repeat<T>(from: ByteReader, read: () => T): T[] {
  const items: T[] = []
  for (let left = from.number(); left > 0 && !from.isDone; left--) items.push(read())
  return items
}
