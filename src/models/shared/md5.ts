/**
 * MD5 of a stream of bytes. Lists of weights give it for each file. Browsers do not offer it, because it does not
 * protect against an attacker.
 */

const shifts = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
const sines = Int32Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32))

/** Takes the bytes in pieces of any size; `hex` ends it. */
export function md5(): { add(bytes: Uint8Array): void; hex(): string } {
  const state = new Int32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476])
  const block = new Uint8Array(64)
  const words = new Int32Array(16)
  let length = 0

  const digest = (bytes: Uint8Array, at: number): void => {
    for (let i = 0; i < 16; i++) {
      const from = at + i * 4
      words[i] = bytes[from]! | (bytes[from + 1]! << 8) | (bytes[from + 2]! << 16) | (bytes[from + 3]! << 24)
    }
    let [a, b, c, d] = [state[0]!, state[1]!, state[2]!, state[3]!]
    for (let i = 0; i < 64; i++) {
      let mixed: number
      let word: number
      if (i < 16) {
        mixed = (b & c) | (~b & d)
        word = i
      } else if (i < 32) {
        mixed = (d & b) | (~d & c)
        word = (5 * i + 1) & 15
      } else if (i < 48) {
        mixed = b ^ c ^ d
        word = (3 * i + 5) & 15
      } else {
        mixed = c ^ (b | ~d)
        word = (7 * i) & 15
      }
      const sum = (a + mixed + sines[i]! + words[word]!) | 0
      const by = shifts[(i >> 4) * 4 + (i & 3)]!
      a = d
      d = c
      c = b
      b = (b + ((sum << by) | (sum >>> (32 - by)))) | 0
    }
    state[0] = state[0]! + a
    state[1] = state[1]! + b
    state[2] = state[2]! + c
    state[3] = state[3]! + d
  }

  const add = (bytes: Uint8Array): void => {
    let at = 0
    const filled = length & 63
    length += bytes.length
    if (filled > 0) {
      at = Math.min(64 - filled, bytes.length)
      block.set(bytes.subarray(0, at), filled)
      if (filled + at < 64) return
      digest(block, 0)
    }
    for (; at + 64 <= bytes.length; at += 64) digest(bytes, at)
    block.set(bytes.subarray(at))
  }

  return {
    add,
    hex() {
      const bitLength = length * 8
      const tail = new Uint8Array((length & 63) < 56 ? 64 - (length & 63) : 128 - (length & 63))
      tail[0] = 0x80
      const view = new DataView(tail.buffer)
      view.setUint32(tail.length - 8, bitLength >>> 0, true)
      view.setUint32(tail.length - 4, Math.floor(bitLength / 2 ** 32), true)
      add(tail)
      return [...new Uint8Array(state.buffer)].map(byte => byte.toString(16).padStart(2, '0')).join('')
    },
  }
}
