import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { countsOf, differencesOf, faultOf, numbered, tableOf, testsIn, type FoundTest } from './published-texts.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string): string => readFileSync(`${root}${path}`, 'utf8')

describe('docs/published-texts.md', () => {
  const markdown = read('docs/published-texts.md')
  const table = tableOf(markdown)

  it('has rows that can be read, numbered without a gap, and counts that are right', () => {
    expect(table.problems).toEqual([])
    expect(table.sentences.length).toBeGreaterThan(171)
    expect(table.sentences.map(({ number }) => number)).toEqual(table.sentences.map((_, at) => at + 1))
    expect(table.counts).toEqual(countsOf(table.sentences))
    expect(numbered(markdown)).toBe(markdown)
  })

  it('names for each sentence tests that are there and run', () => {
    const known = new Map<string, readonly FoundTest[]>()
    const faults = table.sentences.flatMap(({ number, heldBy }) =>
      heldBy.flatMap(reference => {
        const fault = faultOf(reference, root, known)
        return fault === undefined ? [] : [`${number}: ${fault}: ${reference}`]
      }),
    )
    expect(faults).toEqual([])
  })

  it('names for each difference a row of the README', () => {
    const names = differencesOf(read('README.md'), 'What differs from the published systems')
    expect(
      table.sentences.flatMap(({ number, differs }) =>
        differs === undefined || names.includes(differs) ? [] : [`${number}: ${differs}`],
      ),
    ).toEqual([])
  })
})

describe('tests of a file', () => {
  const titles = (code: string): string[] => testsIn(code).flatMap(({ title, runs }) => (runs ? [title] : []))

  it('are found with the groups around them, also in loops and tables', () => {
    expect(
      titles(`
      describe('cuts', () => { it('hide', () => {}); describe.each(logs)('of %s', name => { it.each([1])('are %i', async n => { go(n) }) }) })
      for (const one of all) test(\`the stream "\${one}" arrives\`, async ({ page }) => { await page.go() })
      test.describe('on a phone', () => { test.use({}); test('turns', () => {}) })
      it(law.name, { timeout: 5 }, () => {})
      it.each\`a | b\`('by table', () => {})
    `),
    ).toEqual(['cuts › hide', 'cuts › of %s › are %i', 'the stream "…" arrives', 'on a phone › turns', '…', 'by table'])
  })

  it('do not count where they are skipped, in whatever way', () => {
    expect(
      titles(`
      it.skip('a', () => {}); it.todo('b'); test.fixme('c', () => {}); describe.skip('d', () => { it('e', () => {}) })
      it('f', { skip: true }, () => {}); it('g', context => { context.skip() }); test('h', () => { test.skip(isPhone, 'too small') }); it.skipIf(x)('i', () => {}); it.fails('j', () => {})
      it('stays', () => { list.map(skip); counts.skipped++ })
    `),
    ).toEqual(['stays'])
    expect(
      titles(
        `it('left out', () => {}); describe('g', () => { it.only('alone', () => {}) }); describe.only('h', () => { it('too', () => {}) })`,
      ),
    ).toEqual(['g › alone', 'h › too'])
  })
})

describe('a reference', () => {
  const own = '.ci/published-texts.test.ts'

  it('is right where file and title are, and otherwise says what is missing', () => {
    expect(
      faultOf(`${own} › a reference › is right where file and title are, and otherwise says what is missing`, root),
    ).toBeUndefined()
    expect(faultOf(`${own} › is right where file and title are, and otherwise says what is missing`, root)).toBe(
      'no such test that runs',
    )
    expect(faultOf('.ci/nowhere.test.ts › a reference', root)).toBe('no such file')
    expect(faultOf(own, root)).toBe('names no title')
    expect(faultOf('README.md › Run it', root)).toBe('no such case')
  })

  it('may name a vector, a law or a run of replay, which a test reads', () => {
    const cut = 'src/core/context/size/cut-point.vectors.json'
    const [first] = JSON.parse(read(cut)) as { name: string; why: string }[]
    expect(faultOf(`${cut} › ${first!.name}: ${first!.why}`, root)).toBeUndefined()
    expect(faultOf(`${cut} › ${first!.name}`, root)).toBe('no such case')
    expect(faultOf('src/storage/log-store.laws.ts › keeps the order of appending and numbers it', root)).toBeUndefined()
    expect(faultOf('src/storage/log-store.laws.ts › keeps the order', root)).toBe('no such case')
    const run = 'bench/replay/vectors/unknown-strategy.expected.json'
    expect(faultOf(`${run} › C13: an unknown strategy is bad usage`, root)).toBeUndefined()
  })
})

describe('the page', () => {
  const page = [
    '| | sentences | hold | differ |',
    '|---|---|---|---|',
    '| One | 2 | 1 | 1 |',
    '| all | 2 | 1 | 1 |',
    '',
    '## One',
    '',
    '| # | they say | here | held by |',
    '|---|---|---|---|',
    '| 1 | a \\| b | holds | `x › y`<br>`x › z` |',
    '| 2 | c | differs: `dialog` kept | `x › y` |',
  ].join('\n')

  it('is read row by row', () => {
    const { sentences, counts, problems } = tableOf(page)
    expect(problems).toEqual([])
    expect(sentences).toEqual([
      { number: 1, group: 'One', says: 'a | b', heldBy: ['x › y', 'x › z'] },
      { number: 2, group: 'One', says: 'c', differs: 'dialog kept', heldBy: ['x › y'] },
    ])
    expect(counts).toEqual(countsOf(sentences))
  })

  it('is numbered and counted anew where a row was put in or taken out', () => {
    expect(numbered(page)).toBe(page)
    const more = page
      .replace('| 2 | c', '| 7 | new | holds | `x › y` |\n| 2 | c')
      .concat('\n\n## Two\n\n| 9 | d | holds | `x › y` |')
    const { sentences, counts } = tableOf(numbered(more))
    expect(sentences.map(({ number, says }) => [number, says])).toEqual([
      [1, 'a | b'],
      [2, 'new'],
      [3, 'c'],
      [4, 'd'],
    ])
    expect(counts).toEqual([
      { group: 'One', sentences: 3, hold: 2, differ: 1 },
      { group: 'Two', sentences: 1, hold: 1, differ: 0 },
      { group: 'all', sentences: 4, hold: 3, differ: 1 },
    ])
  })

  it('is wrong where a row says nothing, holds by nothing, or is neither this nor that', () => {
    expect(
      tableOf(
        '## One\n| 1 | | holds | `x › y` |\n| 2 | c | holds | |\n| 3 | c | maybe | `x › y` |\n| x | c | holds | `x › y` |',
      ).problems,
    ).toHaveLength(4)
  })

  it('finds the names of differences below their heading only', () => {
    const table = (...rows: string[]): string => ['| what | why |', '|---|---|', ...rows].join('\n')
    const readme = [
      '## Other',
      table('| no | x |'),
      '## What differs',
      'text',
      '',
      table('| **one** | x |', '| `two` [three](x.md) | y |'),
      '',
      '## More',
      table('| z | z |'),
    ].join('\n')
    expect(differencesOf(readme, 'What differs')).toEqual(['one', 'two three'])
    expect(differencesOf(readme, 'Not there')).toEqual([])
  })
})
