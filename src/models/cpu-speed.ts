/** How fast this device's processor will read weights: measured with a short sum, before anything is downloaded. */

/** Multiplications a second of the loop below → bytes of 4-bit weights a second that the engine read on the same core. Five pairs, on a busy machine: 0.6 to 2.3, half of them near 0.6. */
const bytesPerProduct = 0.8
/** A second thread brings a little less than the first: memory is shared. Share of one; a guess. */
const gainPerThread = 0.8
const length = 65_536
const measureMs = 40

/** Bytes a second. Takes about 40 ms. */
export function weightsPerSecond(threads: number, now: () => number = () => performance.now()): number {
  const a = new Float32Array(length).fill(0.5)
  const b = new Float32Array(length).fill(0.25)
  let products = 0
  let [w, x, y, z] = [0, 0, 0, 0]   // four sums: one would wait for itself
  const begin = now()
  do {
    for (let at = 0; at < length; at += 4) {
      w += a[at]! * b[at]!
      x += a[at + 1]! * b[at + 1]!
      y += a[at + 2]! * b[at + 2]!
      z += a[at + 3]! * b[at + 3]!
    }
    products += length
  } while (now() - begin < measureMs)
  const seconds = Math.max(0.001, (now() - begin) / 1_000)
  return w + x + y + z > 0 ? products / seconds * bytesPerProduct * (1 + (threads - 1) * gainPerThread) : 0
}
