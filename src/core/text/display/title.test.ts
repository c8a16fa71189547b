import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { borderAt, clip } from './graphemes.ts'
import { anyText, runs } from '../laws.fixture.ts'
import { givenTitle, isTitleOf, visibleLine, titleOf } from './title.ts'
import { hasVisibleText } from './invisible.ts'

const graphemes = (text: string): string[] =>
  [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)].map(({ segment }) => segment)
/** What fills a line with letters of several units each. */
const wide = ['👩🏽‍💻', '👨‍👩‍👧‍👦', '🇩🇪', 'é', '한', 'क्षि', '葛󠄀', '𠮷', '❤️‍🔥', 'ที่', 'שָׁ']
const nothing = [
  '',
  ' ',
  '\u00a0\u3000',
  '\u200b',
  '\u200d\u200d',
  '\u202e\u202c',
  '\u2066\u2069',
  '\ufeff',
  '\u00ad\u034f',
  '\u3164',
  '\u115f\u1160',
  '\u2800\u2800',
  '\u0301\u0308',
  '\ufe0f',
  '\u0000\u0007',
  '\u{e0041}\u{e007f}',
  '\u180e',
  '\u2028',
  '\ud800',
]

describe('the title of a chat', () => {
  it.each(wide.map(letter => letter.replace('\u{e0100}', '')))('ends with a whole %s', letter => {
    for (const before of ['', 'a', 'ab', 'abc']) {
      const title = titleOf(before + letter.repeat(60))!
      expect(title.length).toBeLessThanOrEqual(60)
      expect(graphemes(title.slice(0, -1)).every(part => part === letter || before.includes(part))).toBe(true)
      expect(
        graphemes(givenTitle(before + letter.repeat(200))).every(part => part === letter || before.includes(part)),
      ).toBe(true)
    }
  })

  it.each(nothing)('is never made of %j', text => {
    expect(titleOf(text)).toBeUndefined()
    expect(givenTitle(text)).toBe('')
    expect(titleOf(`${text}\n${text}\nHarbour`)).toBe('Harbour')
    expect(titleOf(`${text}Harbour ${text}`)).toMatch(/^Harbour/)
  })

  it('leaves out what nobody sees, and keeps what a script or an emoji needs', () => {
    expect(titleOf('\u202egpj.exe\u202c and\u200b more')).toBe('gpj.exe and more')
    for (const text of ['می‌خواهم', 'क्‍ष', '👩🏽‍💻 at work', '1️⃣ first', '\u05e9\u05dc\u05d5\u05dd'])
      expect(titleOf(text)).toBe(text)
    expect(titleOf(`a${'\u0301'.repeat(500)}b`)!.length).toBeLessThan(12)
  })

  it('is short, ends between words where it can, and is one line', () => {
    expect(titleOf('one\ttwo\r\nthree')).toBe('one two')
    expect(titleOf('word '.repeat(30))).toBe(`${'word '.repeat(11).trim()}…`)
    expect(titleOf('x'.repeat(61))).toBe(`${'x'.repeat(59)}…`)
    expect(titleOf('x'.repeat(60))).toBe('x'.repeat(60))
  })

  it('is known again, also as earlier versions made it', () => {
    const long = `${'👨‍👩‍👧‍👦'.repeat(20)} on the way`
    expect(isTitleOf(titleOf(long)!, long)).toBe(true)
    expect(isTitleOf(`${[...long].slice(0, 59).join('')}…`, long)).toBe(true)
    expect(isTitleOf('\u200bsecret', '\u200bsecret')).toBe(true)
    expect(isTitleOf('Boats', long)).toBe(false)
    expect(isTitleOf('…', long)).toBe(false)
  })

  it('can be seen, fits, and is well formed, whatever was said', () => {
    const text = fc
      .array(
        fc.oneof(
          fc.constantFrom(...wide, ...nothing, '\n', ' ', 'a', '\u0301'),
          anyText,
          fc.string({ unit: 'binary', maxLength: 4 }),
        ),
        { maxLength: 40 },
      )
      .map(parts => parts.join(''))
    fc.assert(
      fc.property(text, text => {
        for (const [title, most] of [
          [titleOf(text) ?? 'none', 60],
          [givenTitle(text) || 'none', 200],
          [visibleLine(text) || 'none', Infinity],
        ] as const) {
          expect(hasVisibleText(title)).toBe(true)
          expect(title.length).toBeLessThanOrEqual(most)
          expect(title.isWellFormed()).toBe(true)
          expect(title).toBe(title.trim())
          expect(title).not.toMatch(/^\p{M}|[\n\r\t\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\ufeff\u2028]/u)
        }
      }),
      runs(300),
    )
  })
})

describe('a cut between graphemes', () => {
  it('is the last one that fits', () => {
    const text = fc.array(fc.constantFrom(...wide, 'a', ' ', 'б'), { maxLength: 30 }).map(parts => parts.join(''))
    fc.assert(
      fc.property(text, fc.nat(200), (text, most) => {
        let whole = ''
        for (const part of graphemes(text)) {
          if (whole.length + part.length > most) break
          whole += part
        }
        if (whole !== '') expect(clip(text, most)).toBe(whole)
      }),
      runs(200),
    )
  })

  it('makes no half letters of one that is longer than everything', () => {
    expect(clip('👨‍👩‍👧‍👦', 3).isWellFormed()).toBe(true)
    expect(clip(`a${'\u0301'.repeat(300)}`, 10)).toHaveLength(10)
    expect([borderAt('abc', 0), borderAt('abc', 9), borderAt('', 1)]).toEqual([0, 3, 0])
  })
})
