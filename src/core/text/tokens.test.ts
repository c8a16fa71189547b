import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { bpeOf, bytesTokens, scriptTokens } from './tokens.ts'
import { codePoints } from './bytes.ts'
import { anyText, runs } from './laws.fixture.ts'

describe('counting by slices', () => {
  it('gives the tokenizer slices of at most 512 units that make up the text and split no pair', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 8 }), (piece, times) => {
        const text = piece.repeat(times)
        const slices: string[] = []
        bpeOf(slice => {
          slices.push(slice)
          return 1
        })(text)
        expect(slices.join('')).toBe(text)
        expect(slices.every(slice => slice.length > 0 && slice.length <= 512)).toBe(true)
        expect(slices.reduce((sum, slice) => sum + codePoints(slice), 0)).toBe(codePoints(text))
      }),
      runs(),
    )
  })

  it('estimates a text above 200 kB by its bytes and never asks the tokenizer', () => {
    const count = bpeOf(() => {
      throw new Error('asked')
    })
    expect(count('x'.repeat(200_001))).toBe(bytesTokens('x'.repeat(200_001), 4))
    expect(count('你'.repeat(66_667))).toBe(bytesTokens('你'.repeat(66_667), 4))
    expect(bpeOf(() => 1)('x'.repeat(200_000))).toBe(391)
  })

  it('answers by bytes for a slice that the tokenizer refuses', () => {
    expect(
      bpeOf(slice => {
        if (slice.includes('!')) throw new Error('no')
        return 7
      })('a'.repeat(512) + '!'.repeat(400)),
    ).toBe(107)
    expect(bpeOf(() => Number.NaN)('abcdefgh')).toBe(2)
  })
})

describe('counting by script', () => {
  it('takes a lone surrogate as one code point above 127', () => {
    expect([scriptTokens('\ud83c'), scriptTokens('🎒'), scriptTokens('\udf92\ud83c')]).toEqual([2, 2, 4])
  })
})
