import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { runs } from '../../core/text/laws.fixture.ts'
import { lineDiff } from './line-diff.ts'

const brief = (before: string, after: string): string[] =>
  lineDiff(before, after).map(({ kind, text }) => `${{ same: ' ', gone: '-', new: '+' }[kind]}${text}`)

describe('the difference of two texts', () => {
  it('keeps what is the same and shows what went before what came', () => {
    expect(brief('a\nb\nc\n', 'a\nx\nc\nd\n')).toEqual([' a', '-b', '+x', ' c', '+d'])
    expect([brief('', 'a'), brief('a', ''), brief('', ''), brief('a\n', 'a')]).toEqual([['+a'], ['-a'], [], [' a']])
  })

  it('holds both texts whole, whatever they are', () => {
    const lines = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 })
      .map(list => list.map(line => `${line}\n`).join(''))
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = lineDiff(before, after)
        const join = (kind: 'gone' | 'new'): string =>
          diff
            .filter(line => line.kind === 'same' || line.kind === kind)
            .map(line => `${line.text}\n`)
            .join('')
        expect([join('gone'), join('new')]).toEqual([before, after])
      }),
      runs(),
    )
  })

  it('shows very long texts that share nothing as one block, in time', () => {
    const text = (letter: string): string => Array.from({ length: 20_000 }, (_, i) => `${letter}${i}\n`).join('')
    const started = performance.now()
    expect(lineDiff(text('a'), text('b'))).toHaveLength(40_000)
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})
