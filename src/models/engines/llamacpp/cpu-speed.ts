/**
 * How fast this device's processor can read weights: measured with a short calculation, before anything is downloaded.
 */

/**
 * Products a second of the loop below → bytes of 4-bit weights a second that the engine read: the best of five against
 * the best of five on one machine, 824 million and 0.56 GB.
 */
const bytesPerProduct = 0.7
/** A second thread brings a little less than the first: memory is shared. Share of one; a guess. */
const gainPerThread = 0.8
const length = 65_536
/**
 * The best of several short runs counts: in the others something else had the processor, or the loop was not compiled
 * yet.
 */
const runs = 6
const runMs = 12

/** Bytes a second. Takes about 70 ms. */
export function weightsPerSecond(threads: number, now: () => number = () => performance.now()): number {
  const a = new Float32Array(length).fill(0.5)
  const b = new Float32Array(length).fill(0.25)
  const best = Math.max(...Array.from({ length: runs }, () => productsPerSecond(a, b, now)))
  return best * bytesPerProduct * (1 + (threads - 1) * gainPerThread)
}

function productsPerSecond(a: Float32Array, b: Float32Array, now: () => number): number {
  let products = 0
  let [w, x, y, z] = [0, 0, 0, 0] // four sums: one would wait for itself
  const begin = now()
  let end = begin
  do {
    for (let at = 0; at < length; at += 4) {
      w += a[at]! * b[at]!
      x += a[at + 1]! * b[at + 1]!
      y += a[at + 2]! * b[at + 2]!
      z += a[at + 3]! * b[at + 3]!
    }
    products += length
    end = now()
  } while (end - begin < runMs)
  return w + x + y + z > 0 ? (products / (end - begin)) * 1_000 : 0
}
