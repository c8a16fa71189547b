import { describe, expect, it } from 'vitest'
import { isolated, withIsolatedArguments } from './isolate.ts'

const arabic = 'ملف التقرير'

/**
 * Sentences shown, in the order of their signs on the line from left to right, is what a browser does; what counts here
 * is that the marks are whole.
 */
const depths = (text: string): number[] => {
  let depth = 0
  return [...text].map(sign => (/[\u2066-\u2068]/.test(sign) ? ++depth : sign === '\u2069' ? --depth : depth))
}

describe('a text inside of a sentence', () => {
  it('comes back byte for byte where nothing in it turns', () => {
    for (const text of ['', 'notes.md', '笔记', 'à é ñ', 'a\nb', '`x`', '😀', 'e\u0301', '\u200d', 'ﬁ'])
      expect(isolated(text)).toBe(text)
  })

  it('is isolated where something in it turns, each line by itself and without the blanks around it', () => {
    expect(isolated(arabic)).toBe(`\u2068${arabic}\u2069`)
    expect(isolated(` ${arabic} `)).toBe(` \u2068${arabic}\u2069 `)
    expect(isolated(`${arabic}\nplain\n${arabic}`)).toBe(`\u2068${arabic}\u2069\nplain\n\u2068${arabic}\u2069`)
    for (const turning of ['דוח', 'ﷺ', '\u{10800}', '\u{1e900}', 'x\u202ey', 'x\u200fy', 'x\u2067y'])
      expect(isolated(turning)).toMatch(/^\u2068.*\u2069$/su)
  })

  it('cannot end the isolation of its sentence, nor go on behind it', () => {
    for (const hostile of [
      '\u2069\u2069 a',
      'a \u2067 b',
      '\u2068',
      '\u2069',
      'x\u2066y\u2069\u2069z',
      '\u2068a\u2069 and \u2068b\u2069',
      '\u202e\u2069\u202e',
    ]) {
      const found = depths(isolated(hostile))
      expect(found.at(-1), JSON.stringify(hostile)).toBe(0)
      expect(Math.min(...found.slice(0, -1), 1), JSON.stringify(hostile)).toBe(1)
    }
  })

  it('is isolated once, however often it is asked for', () => {
    expect(isolated(isolated(arabic))).toBe(isolated(arabic))
  })
})

describe('words that isolate', () => {
  const words = withIsolatedArguments({
    plain: arabic,
    list: ['a', 'b'],
    name: (name: string) => `Open ${name}: 17`,
    deep: ({ of, names }: { of: { name: string }; names: string[] }) => [`${of.name}: 1`, names.join(', ')],
    code: (name: string) => `\`read ${name}\`, of ${name}`,
    more: (name: string, shout: (text: string) => string = text => text) => shout(name),
  })

  it('isolate what they are given, and nothing of their own', () => {
    expect(words.plain).toBe(arabic)
    expect(words.name('x')).toBe('Open x: 17')
    expect(words.name(arabic)).toBe(`Open \u2068${arabic}\u2069: 17`)
    expect(words.deep({ of: { name: arabic }, names: [arabic, 'b'] })).toEqual([
      `\u2068${arabic}\u2069: 1`,
      `\u2068${arabic}\u2069, b`,
    ])
    expect(words.more('a', text => text.toUpperCase())).toBe('A')
    expect(words.name).toHaveLength(1)
  })

  it('leave what is to be copied as it is', () => {
    expect(words.code(arabic)).toBe(`\`read ${arabic}\`, of \u2068${arabic}\u2069`)
  })
})
