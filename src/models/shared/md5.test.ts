import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { md5 } from './md5.ts'

it('gives what the platform of the tests gives, however the bytes are cut', () => {
  for (const length of [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1_000, 65_537]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + length) & 255)
    const expected = createHash('md5').update(bytes).digest('hex')
    for (const piece of [1, 7, 64, 1_000, 100_000]) {
      const sum = md5()
      for (let at = 0; at < length; at += piece) sum.add(bytes.subarray(at, at + piece))
      expect(sum.hex(), `${length} bytes in pieces of ${piece}`).toBe(expected)
    }
  }
})
