import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lineDiff } from '../../bridge/shared/line-diff.ts'
import { foldedLines, foldedText } from './fold.ts'

describe('a long text', () => {
  it('is shown by its beginning and end, with the number of characters between', () => {
    expect(foldedText('a'.repeat(500), 300, 300)).toBeNull()
    expect(foldedText(`${'a'.repeat(300)}${'b'.repeat(2_914)}${'c'.repeat(300)}`, 300, 300)).toEqual({
      begin: 'a'.repeat(300),
      between: 2_914,
      end: 'c'.repeat(300),
    })
  })
  it('loses nothing, and no character is split', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 1_500 }), fc.nat(300), fc.nat(300), (text, begin, end) => {
        const folded = foldedText(text, begin, end)
        if (folded === null) return
        expect(text.startsWith(folded.begin) && text.endsWith(folded.end)).toBe(true)
        expect(folded.begin.length + folded.between + folded.end.length).toBe(text.length)
        expect(folded.begin.isWellFormed() && folded.end.isWellFormed()).toBe(true)
      }),
    )
  })
})

describe('a difference', () => {
  const lines = (n: number, word = 'line') => Array.from({ length: n }, (_, i) => `${word} ${i}`).join('\n')
  it('folds what stays the same far from a change', () => {
    const shown = foldedLines(lineDiff(lines(100), lines(100).replace('line 50\n', 'line fifty\n')), {
      around: 3,
      most: 400,
    })
    expect(shown[0]).toEqual({ between: 47 })
    expect(shown.at(-1)).toEqual({ between: 46 })
    expect(shown.filter(line => 'kind' in line && line.kind !== 'same')).toEqual([
      { kind: 'gone', text: 'line 50' },
      { kind: 'new', text: 'line fifty' },
    ])
    expect(foldedLines(lineDiff('a\nb\nc', 'a\nb\nd'), { around: 3, most: 400 })).toHaveLength(4)
  })
  it('counts every line, shown or folded, and keeps the ends of a long one', () => {
    const line = fc.constantFrom('a', 'b', 'c', '', 'x')
    const text = fc.array(line, { maxLength: 120 }).map(all => all.join('\n'))
    fc.assert(
      fc.property(text, text, fc.integer({ min: 8, max: 60 }), (before, after, most) => {
        const all = lineDiff(before, after)
        const shown = foldedLines(all, { around: 2, most })
        expect(shown.reduce((sum, line) => sum + ('between' in line ? line.between : 1), 0)).toBe(all.length)
        expect(shown.filter(line => 'kind' in line).length).toBeLessThanOrEqual(most + 1)
        const [last, lastShown] = [all.at(-1), shown.at(-1)]
        if (last && last.kind !== 'same') expect(lastShown).toEqual(last)
        if (all.length <= most) for (const line of all) if (line.kind !== 'same') expect(shown).toContainEqual(line)
      }),
    )
  })
})
