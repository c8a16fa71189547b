/**
 * The data that ranking needs of every passage, in typed arrays: objects would take most of the time of a search.
 * Grows.
 */
import type { PassageRow } from './segment.ts'
import { joinFeatures } from './text-features.ts'

export class Columns {
  /** The neighbour in the same sitting; -1: none. */
  before = new Int32Array(1024)
  after = new Int32Array(1024)
  episode = new Int32Array(1024)
  /** Terms. */
  length = new Int32Array(1024)
  features = new Uint8Array(1024)
  /** The first passage of the text that this is a piece of. What follows stands at it, for the whole text. */
  head = new Int32Array(1024)
  /** The text before and after it in the same sitting, by its first passage; -1: none. */
  previous = new Int32Array(1024)
  next = new Int32Array(1024)
  /** Terms, and ln(1 + terms). */
  wholeLength = new Int32Array(1024)
  logLength = new Float32Array(1024)
  wholeFeatures = new Uint8Array(1024)
  /** Kinds of statements in the whole text. */
  statements = new Uint8Array(1024)
  /** The number of its chat, and how many texts of it came before. */
  chat = new Int32Array(1024)
  nth = new Int32Array(1024)
  kind = new Uint8Array(1024)
  /** ms since epoch. */
  at = new Float64Array(1024)
  /** 1: it is not found any more. */
  gone = new Uint8Array(1024)

  /** Sets what a row says of a passage, a piece of the text that begins at `head`; its neighbours are none yet. */
  set(passage: number, { length, features, statements = 0, kind, at }: PassageRow, head: number): void {
    if (passage >= this.length.length) this.#grow(passage + 1)
    this.before[passage] = this.after[passage] = -1
    this.previous[passage] = this.next[passage] = -1
    this.length[passage] = length
    this.features[passage] = features
    this.head[passage] = head
    this.wholeLength[head] = length + (head === passage ? 0 : this.wholeLength[head]!)
    this.logLength[head] = Math.log(1 + this.wholeLength[head]!)
    this.wholeFeatures[head] = head === passage ? features : joinFeatures(this.wholeFeatures[head]!, features)
    this.statements[head] = statements | (head === passage ? 0 : this.statements[head]!)
    this.kind[passage] = kind
    this.at[passage] = at
  }

  #grow(least: number): void {
    const size = Math.max(least, 2 * this.length.length)
    this.before = grown(this.before, new Int32Array(size))
    this.after = grown(this.after, new Int32Array(size))
    this.episode = grown(this.episode, new Int32Array(size))
    this.length = grown(this.length, new Int32Array(size))
    this.features = grown(this.features, new Uint8Array(size))
    this.head = grown(this.head, new Int32Array(size))
    this.previous = grown(this.previous, new Int32Array(size))
    this.next = grown(this.next, new Int32Array(size))
    this.wholeLength = grown(this.wholeLength, new Int32Array(size))
    this.logLength = grown(this.logLength, new Float32Array(size))
    this.wholeFeatures = grown(this.wholeFeatures, new Uint8Array(size))
    this.statements = grown(this.statements, new Uint8Array(size))
    this.chat = grown(this.chat, new Int32Array(size))
    this.nth = grown(this.nth, new Int32Array(size))
    this.kind = grown(this.kind, new Uint8Array(size))
    this.at = grown(this.at, new Float64Array(size))
    this.gone = grown(this.gone, new Uint8Array(size))
  }
}

function grown<Numbers extends Int32Array | Float32Array | Float64Array | Uint8Array>(
  old: Numbers,
  larger: Numbers,
): Numbers {
  larger.set(old)
  return larger
}
