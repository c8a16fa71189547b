import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { codePoints, lineCount, prefixLength, suffixStart, sizeOf, utf8Bytes, type Unit } from './bytes.ts'
import { anyText, runs } from './laws.fixture.ts'

describe('sizes', () => {
  it('agrees with the platform on every text, lone surrogates included', () => {
    fc.assert(
      fc.property(anyText, text => {
        expect(utf8Bytes(text)).toBe(new TextEncoder().encode(text).length)
        expect(codePoints(text)).toBe([...text].length)
      }),
      runs(),
    )
  })

  it('counts a surrogate without partner as three bytes and one code point', () => {
    expect([utf8Bytes('\ud83c'), codePoints('\ud83c'), utf8Bytes('\udf92\ud83c'), codePoints('\udf92\ud83c')]).toEqual([
      3, 1, 6, 2,
    ])
  })

  it('counts lines: a newline ends one, the last piece is one too', () => {
    expect(['', 'a', 'a\n', 'a\nb', '\n', '\n\n'].map(lineCount)).toEqual([0, 1, 1, 2, 1, 2])
  })
})

describe('borders', () => {
  it('finds the longest prefix and suffix that fit and split no character', () => {
    fc.assert(
      fc.property(anyText, fc.nat(300), fc.constantFrom<Unit>('bytes', 'chars'), (text, limit, unit) => {
        const letters = [...text]
        const fitting = (parts: string[]): string => {
          let taken = ''
          let size = 0
          for (const part of parts) {
            size += sizeOf(part, unit)
            if (size > limit) break
            taken += part
          }
          return taken
        }
        expect(text.slice(0, prefixLength(text, limit, unit))).toBe(fitting(letters))
        expect(
          Array.from(text.slice(suffixStart(text, limit, unit)))
            .toReversed()
            .join(''),
        ).toBe(fitting(letters.toReversed()))
      }),
      runs(),
    )
  })
})
