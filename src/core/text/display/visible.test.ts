import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../laws.fixture.ts'
import { shownName, visible } from './visible.ts'

describe('visible', () => {
  it.each([
    ['a\u202egpj.exe', 'a‹U+202E›gpj.exe'],
    ['pay\u200bpal', 'pay‹U+200B›pal'],
    ['\u2066x\u2069', '‹U+2066›x‹U+2069›'],
    ['a\u0000b\u001b[2J', 'a‹U+0000›b‹U+001B›[2J'],
    ['a\rb', 'a‹U+000D›b'],
    ['a\r\nb\tc\n', 'a\nb\tc\n'],
    ['\ufeffa', '‹U+FEFF›a'],
    ['a\u2028b', 'a‹U+2028›b'],
    ['\u{e0041}', '‹U+E0041›'],
    ['\u3164\u2800', '‹U+3164›‹U+2800›'],
    ['\ud83d', '‹U+D83D›'],
    ['\u200f', '‹U+200F›'],
    ['\u061c', '‹U+061C›'],
    ['a\u00adb', 'a‹U+00AD›b'],
  ])('shows %j as %j', (text, shown) => {
    expect(visible(text)).toBe(shown)
  })

  it.each([
    'plain text',
    '敏捷的棕色狐狸',
    'مرحبا بالعالم',
    'می\u200cخواهم',
    'क्\u200dष',
    '👩🏽\u200d💻',
    '❤\ufe0f\u200d🔥',
    '1\ufe0f⃣',
    'naïve e\u0301',
    '\u3000\u00a0',
  ])('leaves %j as it is', text => {
    expect(visible(text)).toBe(text)
  })

  it('leaves nothing that turns the order of the text, takes no room, or is a control character', () => {
    const letter = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
      fc.constantFrom(
        '\u202a',
        '\u202b',
        '\u202c',
        '\u202d',
        '\u202e',
        '\u2066',
        '\u2067',
        '\u2068',
        '\u2069',
        '\u200e',
        '\u200f',
        '\u200b',
        '\u200c',
        '\u200d',
        '\ufeff',
        '\u00ad',
        '\ufe0f',
        '\r',
        '\n',
        '\u001b',
        'a',
        'ب',
        '👩',
        '\ud800',
      ),
    )
    fc.assert(
      fc.property(fc.array(letter, { maxLength: 40 }), letters => {
        const shown = visible(letters.join(''))
        expect(shown).not.toMatch(
          /[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u2060-\u2064\ufeff\u00ad\u061c\u2028\u2029]|(?![\n\t])\p{Cc}/u,
        )
        expect(shown).not.toMatch(/[\u200c\u200d]{2}/) // one at most, between letters that need it
        expect(shown.isWellFormed()).toBe(true)
      }),
      runs(500),
    )
  })

  it('shows a name in one short line', () => {
    expect(shownName('get\n\ntime')).toBe('get time')
    expect(shownName('x'.repeat(1_000))).toBe(`${'x'.repeat(99)}…`)
    expect(shownName('\u202eemit_teg')).toBe('‹U+202E›emit_teg')
  })
})
