import { describe, expect, it } from 'vitest'
import { Corpus } from './corpus.ts'
import { rankPassages, type RankOptions } from './rank-passages.ts'
import type { Voice } from './text-features.ts'

type Given = { group?: string; text: string; at?: number; voice?: Voice; piece?: number }

function corpusOf(texts: readonly (string | Given)[]): Corpus {
  const corpus = new Corpus()
  for (const [seq, one] of texts.entries()) {
    const { group = 'chat', text, at = 0, voice = 'other', piece = 0 } = typeof one === 'string' ? { text: one } : one
    corpus.add({ session: group, seq, piece, tail: false, kind: 0, at, group, text, voice })
  }
  return corpus
}

const found = (texts: readonly (string | Given)[], query: string, options: Partial<RankOptions> = {}): number[] =>
  rankPassages(corpusOf(texts), query, { limit: 9, ...options }).map(hit => hit.passage)

describe('search', () => {
  it('puts the text with the rare words of the question first', () => {
    expect(
      found(
        ['The garden is green.', 'Roses grow by the amber wall of the garden.', 'It rained.'],
        'Where do roses grow in the garden?',
      )[0],
    ).toBe(1)
  })

  it('lifts an answer that stands behind the words of its question, within one chat only', () => {
    expect(
      found(
        [
          { group: 'one', text: 'What is the name of your dog?' },
          { group: 'one', text: 'Bailey.' },
          { group: 'two', text: 'Nothing.' },
        ],
        'dog name',
      ).toSorted(),
    ).toEqual([0, 1])
  })

  it('knows no neighbour beyond an hour', () => {
    expect(
      found(
        [
          { text: 'What is the name of your dog?', at: 0 },
          { text: 'Bailey.', at: 3_600_001 },
        ],
        'dog name',
      ),
    ).toEqual([0])
  })

  it('gives a long text once, by the passage that has the words, and its next one where that must not come', () => {
    const texts = [
      { group: 'a', text: 'Some notes on the harbour.' },
      { group: 'a', text: 'The amber lamp of the harbour is lit.', piece: 1 },
      { group: 'a', text: 'The harbour has one more lamp.', piece: 2 },
      { group: 'b', text: 'A lamp is lit.' },
    ]
    expect(found(texts, 'amber lamp harbour')).toEqual([1, 3])
    expect(found(texts, 'amber lamp harbour', { accept: passage => passage !== 1 }).toSorted()).toEqual([2, 3])
  })

  it('prefers what the person said where the answers are long, and neither side in talk', () => {
    const said = (answer: string): number[] =>
      found(
        Array.from({ length: 12 }, (_, n) => [
          { text: `My boat number ${n} is painted green.`, voice: 'person' as const },
          { text: `Boat number ${n} was painted green. ${answer}`, voice: 'assistant' as const },
        ]).flat(),
        'Which boats are painted?',
        { limit: 12 },
      ).filter(passage => passage % 2 === 0)
    expect(said('Paint it again before the winter comes. '.repeat(60))).toHaveLength(12)
    expect(said('Nice.').length).toBeLessThan(12)
  })

  it('prefers the answer where a question is about what was answered', () => {
    const texts: Given[] = Array.from({ length: 12 }, (_, n) => [
      { text: `I paint boat ${n} and ask myself what is best for it.`, voice: 'person' as const },
      { text: `Norway varnish for boat ${n}. ${'Sand it before winter. '.repeat(80)}`, voice: 'assistant' as const },
    ]).flat()
    const answers = (query: string): number[] => found(texts, query, { limit: 24 }).filter(passage => passage % 2 === 1)
    const place = (query: string): number => found(texts, query, { limit: 24 }).indexOf(answers(query)[0]!)
    expect(place('Which varnish did you recommend?')).toBe(0)
    expect(place('Which varnish did I want?')).toBeGreaterThan(0)
  })

  it('looks for the subject of a question, and for the words of the asking where they are all there is', () => {
    const texts = [
      { group: 'a', text: 'You recommended a list, and mentioned the order of different items.' },
      { group: 'b', text: 'The varnish is from Norway.' },
    ]
    expect(found(texts, 'Can you list what you recommended about the varnish?')[0]).toBe(1)
    expect(found(texts, 'list order')[0]).toBe(0)
    expect(found(texts, 'What did you recommend?')[0]).toBe(0)
  })

  it('puts a text with all words that were typed before one that has some of them often', () => {
    expect(
      found(
        [
          { group: 'a', text: 'Varnish, varnish, varnish: the best varnish is varnish.' },
          { group: 'b', text: `${'We talked of many other things that day. '.repeat(8)} Norway sells varnish.` },
        ],
        'norway varnish',
      )[0],
    ).toBe(1)
  })

  it('finds Chinese words inside a sentence', () => {
    expect(found(['我们昨天讨论了上下文压缩的方案。', '今天天气很好。'], '压缩方案', { limit: 1 })).toEqual([0])
  })

  it('finds an identifier by a part of it, and whole', () => {
    const texts = [
      { group: 'a', text: 'error in fetchUserProfile()' },
      { group: 'b', text: 'all is well' },
      { group: 'c', text: 'see src/auth.ts' },
      { group: 'd', text: 'got ERR_CONN_RESET' },
    ]
    expect([
      found(texts, 'user profile')[0],
      found(texts, 'src/auth.ts')[0],
      found(texts, 'auth')[0],
      found(texts, 'err_conn_reset')[0],
      found(texts, 'reset')[0],
    ]).toEqual([0, 2, 2, 3, 3])
  })

  it('forgets what was removed, and asks who may be shown', () => {
    const corpus = corpusOf(['amber', 'amber', 'amber'])
    corpus.remove(1)
    expect(
      rankPassages(corpus, 'amber', { limit: 9 })
        .map(hit => hit.passage)
        .toSorted(),
    ).toEqual([0, 2])
    expect(
      rankPassages(corpus, 'amber', { limit: 9, accept: passage => passage === 2 }).map(hit => hit.passage),
    ).toEqual([2])
  })

  it('prefers the newer of two equal ones', () => {
    expect(
      found(
        [
          { group: 'a', text: 'same words' },
          { group: 'b', text: 'same words' },
        ],
        'words',
      ),
    ).toEqual([1, 0])
  })

  it('prefers what was said at the time of the question, and lists that time where there are no other words', () => {
    const texts = [
      { group: 'a', text: 'The harbour was full of boats.', at: 1_000 },
      { group: 'b', text: 'The harbour was full of boats.', at: 900_000_000 },
    ]
    const times = [{ from: 0, to: 5_000 }]
    expect(found(texts, 'harbour boats', { times })[0]).toBe(0)
    expect(found(texts, 'what was there', { times })).toEqual([0])
  })

  it('answers nothing to a question without words', () => {
    expect([found(['x'], ''), found(['x'], '?!…'), found([], 'x')]).toEqual([[], [], []])
  })

  it('answers to stop words, ten thousand letters and broken letters', () => {
    const texts = ['to be or not to be', 'broken \ud83d letter']
    expect(found(texts, 'to be or not to be')[0]).toBe(0)
    expect(found(texts, 'letter \udc00\ud83d')[0]).toBe(1)
    const started = performance.now()
    found(texts, 'word'.repeat(2_500))
    found(texts, Array.from({ length: 2_000 }, (_, i) => `w${i}`).join(' '))
    expect(performance.now() - started).toBeLessThan(10_000)
  })

  it('adds and finds among 20 000 texts quickly', () => {
    const corpus = corpusOf(
      Array.from({ length: 20_000 }, (_, i) => ({
        group: `g${i % 40}`,
        text: `turn ${i} about topic${i % 977} and word${i % 31} in the garden`,
      })),
    )
    const started = performance.now()
    expect(rankPassages(corpus, 'topic500 garden', { limit: 10 })).toHaveLength(10)
    expect(performance.now() - started).toBeLessThan(15_000)
  })
})
