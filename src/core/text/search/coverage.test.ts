import { describe, expect, it } from 'vitest'
import { Corpus } from './corpus.ts'
import { coverageOf, saidFrom } from './coverage.ts'

const said = [
  'My sister Anna has her birthday on 4 May.',
  'I have put the passport in the second drawer.',
  'How often should the boiler be serviced?',
  'Once a year, best in September.',
  '代理服务器的端口是八千。',
  '王芳对花生过敏。',
]
const corpus = new Corpus()
for (const [n, text] of said.entries())
  corpus.add({ session: 'a', seq: n, piece: 0, tail: false, kind: 0, at: n, group: 'a', text })

/** The coverage of the best of the texts. */
const best = (query: string): number => {
  const coverage = coverageOf(corpus, query)
  return Math.max(...said.map((text, n) => coverage({ text, before: said[n - 1] ?? '', after: said[n + 1] ?? '' })))
}

describe('coverage', () => {
  it.each([
    ["When is Anna's birthday?"],
    ['Where did I leave my passport?'],
    ['How often does the boiler need a service?'],
    ['代理的端口是多少？'],
    ['王芳对什么过敏？'],
    ['passport'],
  ])('is high for what was said: %s', query => expect(best(query)).toBeGreaterThanOrEqual(saidFrom))

  it.each([
    ['What is the capital of France?'],
    ['Explain how a bicycle stays upright'],
    ["When is Oskar's birthday?"],
    ['Where is the accordion?'],
    ['自行车为什么不会倒？'],
    ['陈静的生日是哪天？'],
  ])('is low for what was never said: %s', query => expect(best(query)).toBeLessThan(saidFrom))

  it('counts no question as an answer, but what stands behind it', () => {
    const coverage = coverageOf(corpus, 'When is the boiler serviced?')
    const question = 'When should the boiler be serviced?'
    expect(coverage({ text: question, before: '', after: '' })).toBe(0)
    expect(coverage({ text: 'In September.', before: question, after: '' })).toBeGreaterThan(saidFrom)
  })

  it('is what it is told to be where the question names nothing', () => {
    const found = { text: 'We went to the lake.', before: '', after: '' }
    expect(coverageOf(corpus, 'What did you do?')(found)).toBe(0)
    expect(coverageOf(corpus, 'What did you do?', 1)(found)).toBe(1)
  })

  it('takes any text', () => {
    for (const text of ['', '\ud800', '?'.repeat(10_000), '的'.repeat(3_000), '\u0000'])
      for (const query of ['', '?', text]) {
        const value = coverageOf(corpus, query)({ text, before: text, after: text })
        expect(value).toBeGreaterThanOrEqual(0)
        expect(value).toBeLessThanOrEqual(1)
      }
  })
})
