import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { excerpt, readOnNotice, shownText, wholeNotice } from './excerpt.ts'
import { codePoints, lineCount, sizeOf, utf8Bytes, type Unit } from './bytes.ts'
import { recipeText, type Recipe } from './recipe.fixture.ts'
import { anyText, runs } from './laws.fixture.ts'
import vectors from './excerpt.vectors.json' with { type: 'json' }

type Case = {
  name: string
  why: string
  text: Recipe
  limit: number
  unit: Unit
  headShare: number
  expect: Record<string, unknown>
}

describe('excerpt', () => {
  it.each(vectors as Case[])('$name: $why', ({ text, limit, unit, headShare, expect: right }) => {
    const whole = recipeText(text)
    const found = excerpt(whole, { limit, unit, headShare })
    if (found.whole) return expect({ whole: true }).toEqual(right)
    expect(whole.startsWith(found.head)).toBe(true)
    expect(whole.endsWith(found.tail)).toBe(true)
    const { headEnds, tailStarts } = right as { headEnds: string; tailStarts: string }
    expect(found.head.endsWith(headEnds)).toBe(true)
    expect(found.tail.startsWith(tailStarts)).toBe(true)
    const { omitted, startLine, startByte, insideLine, bytes, lines } = found
    expect({
      head: sizeOf(found.head, unit),
      tail: sizeOf(found.tail, unit),
      headEnds,
      tailStarts,
      omitted,
      startLine,
      startByte,
      insideLine,
      bytes,
      lines,
    }).toEqual(right)
  })

  it('keeps within the limit, loses no part, and starts where it says', () => {
    fc.assert(
      fc.property(
        anyText,
        fc.nat(400),
        fc.constantFrom<Unit>('bytes', 'chars'),
        fc.integer({ min: 0, max: 100 }),
        (text, limit, unit, headShare) => {
          const found = excerpt(text, { limit, unit, headShare })
          if (found.whole) return sizeOf(text, unit) <= limit
          const middle = text.slice(found.head.length, text.length - found.tail.length)
          expect(sizeOf(text, unit)).toBeGreaterThan(limit)
          expect(found.head + middle + found.tail).toBe(text)
          expect(sizeOf(found.head, unit) + sizeOf(found.tail, unit)).toBeLessThanOrEqual(limit)
          expect(found.omitted).toBe(sizeOf(text, unit) - sizeOf(found.head, unit) - sizeOf(found.tail, unit))
          expect(found.omitted).toBeGreaterThan(0)
          expect(found.startByte).toBe(utf8Bytes(found.head))
          expect(found.startLine).toBe(found.head.split('\n').length)
          expect([found.bytes, found.lines]).toEqual([utf8Bytes(text), lineCount(text)])
          // No character is split: the parts have together as many code points as the whole.
          expect(codePoints(found.head) + codePoints(middle) + codePoints(found.tail)).toBe(codePoints(text))
          return true
        },
      ),
      runs(),
    )
  })

  it('takes sizes from the whole where only the ends are there, and never shows more than is there', () => {
    const found = excerpt(
      'a\n'.repeat(50),
      { limit: 1_000, unit: 'bytes', headShare: 50 },
      { tail: 'z'.repeat(30), bytes: 5_000, lines: 900 },
    )
    expect(found).toMatchObject({
      whole: false,
      head: 'a\n'.repeat(50),
      tail: 'z'.repeat(30),
      omitted: 4_870,
      bytes: 5_000,
      lines: 900,
      startLine: 51,
    })
  })

  it('counts what is omitted of a huge text in characters where those are known, else in bytes', () => {
    const limits = { limit: 10, unit: 'chars', headShare: 50 } as const
    expect(
      excerpt('你'.repeat(20), limits, { tail: '好'.repeat(20), bytes: 3_000, lines: 1, chars: 1_000 }),
    ).toMatchObject({ omitted: 990, unit: 'chars' })
    expect(excerpt('你'.repeat(20), limits, { tail: '好'.repeat(20), bytes: 3_000, lines: 1 })).toMatchObject({
      omitted: 2_970,
      unit: 'bytes',
    })
  })
})

describe('the notice', () => {
  it('says how much, from where, of how much, and how to read on', () => {
    const cut = excerpt('line of words\n'.repeat(1_000), { limit: 300, unit: 'bytes', headShare: 70 })
    if (cut.whole) throw new Error('expected a cut')
    const notice = readOnNotice(cut, 'tool_result/r1.txt')
    for (const part of [
      `${cut.omitted} bytes`,
      'line 16',
      '14000 bytes',
      '1000 lines',
      'path="tool_result/r1.txt"',
      'start_line=16',
    ])
      expect(notice).toContain(part)
    expect(notice).not.toContain('start_byte')
    expect(shownText(cut, 'p')).toBe(cut.head + readOnNotice(cut, 'p') + cut.tail)
  })

  it('names the byte when the omission starts inside a line', () => {
    const cut = excerpt('x'.repeat(5_000), { limit: 1_000, unit: 'chars', headShare: 50 })
    if (cut.whole) throw new Error('expected a cut')
    expect(readOnNotice(cut, 'p')).toContain('start_byte=500')
    expect(readOnNotice(cut, 'p')).toContain('4000 characters')
  })

  it('has at most 300 characters, whatever the path and the numbers', () => {
    const cut = {
      whole: false,
      head: 'x',
      tail: '',
      omitted: 9e15,
      unit: 'chars',
      startLine: 9e15,
      startByte: 9e15,
      insideLine: true,
      bytes: 9e15,
      lines: 9e15,
    } as const
    expect(readOnNotice(cut, 'p').length).toBeLessThanOrEqual(300)
    expect(readOnNotice(cut, 'p'.repeat(400)).length).toBeLessThanOrEqual(300)
    expect(wholeNotice('x', 'p'.repeat(400)).length).toBeLessThanOrEqual(300)
  })
})
