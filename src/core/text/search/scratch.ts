/** Room for a search: arrays that are kept from one to the next, so that none has to be made. */
import type { Corpus } from './corpus.ts'

/** Arrays with a place for each passage: kept, and left as they were found, all zero. */
type Scratch = {
  piece: Float32Array
  own: Float32Array
  covered: Float32Array
  beside: Float32Array
  near: Float32Array
  isTouched: Uint8Array
}
const scratches = new WeakMap<Corpus, Scratch>()

/** The arrays of a corpus, long enough for all its passages. */
export function scratchOf(corpus: Corpus): Scratch {
  const known = scratches.get(corpus)
  if (known && known.own.length >= corpus.size) return known
  const size = corpus.size + 10_000
  const made = {
    piece: new Float32Array(size),
    own: new Float32Array(size),
    covered: new Float32Array(size),
    beside: new Float32Array(size),
    near: new Float32Array(size),
    isTouched: new Uint8Array(size),
  }
  scratches.set(corpus, made)
  return made
}
