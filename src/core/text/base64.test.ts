import { expect, it } from 'vitest'
import fc from 'fast-check'
import { fromBase64, toBase64 } from './base64.ts'
import { runs } from './laws.fixture.ts'

it('agrees with the platform both ways', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), bytes => {
      const text = toBase64(bytes)
      expect(text).toBe(Buffer.from(bytes).toString('base64'))
      expect(fromBase64(text)).toEqual(Uint8Array.from(bytes))
    }),
    runs(),
  )
})

it('refuses what is none', () => {
  expect(['A', 'AB=A', '====', 'AA-_', 'AAA\n', '你AAA'].map(fromBase64)).toEqual(
    Array.from({ length: 6 }, () => undefined),
  )
})
