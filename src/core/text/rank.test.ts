import { describe, expect, it } from 'vitest'
import { createRank } from './rank.ts'

function rankOf(texts: Record<string, string>, group = 'chat'): ReturnType<typeof createRank> {
  const rank = createRank()
  for (const [id, text] of Object.entries(texts)) rank.addFact({ id, group, text })
  return rank
}

describe('rank', () => {
  it('puts the text with the rare words of the question first', () => {
    const rank = rankOf({ a: 'The garden is green.', b: 'Roses grow by the amber wall of the garden.', c: 'It rained.' })
    expect(rank.search('Where do roses grow in the garden?', { most: 5 })[0]?.id).toBe('b')
  })

  it('lifts an answer that stands beside the words of its question, within one chat only', () => {
    const rank = createRank()
    rank.addFact({ id: 'q', group: 'one', text: 'What is the name of your dog?' })
    rank.addFact({ id: 'answer', group: 'one', text: 'Bailey.' })
    rank.addFact({ id: 'other', group: 'two', text: 'Nothing.' })
    expect(rank.search('dog name', { most: 5 }).map(({ id }) => id)).toEqual(['q', 'answer'])
  })

  it('finds Chinese words inside a sentence', () => {
    const rank = rankOf({ a: '我们昨天讨论了上下文压缩的方案。', b: '今天天气很好。' })
    expect(rank.search('压缩方案', { most: 1 })).toMatchObject([{ id: 'a' }])
  })

  it('finds an identifier by a part of it', () => {
    expect(rankOf({ a: 'error in fetchUserProfile()', b: 'all is well' }).search('user profile', { most: 3 }).map(({ id }) => id)[0]).toBe('a')
  })

  it('forgets what was removed, and asks who may be shown', () => {
    const rank = rankOf({ a: 'amber', b: 'amber', c: 'amber' })
    rank.remove('b')
    expect(rank.search('amber', { most: 9 }).map(({ id }) => id).toSorted()).toEqual(['a', 'c'])
    expect(rank.search('amber', { most: 9, accept: id => id === 'c' }).map(({ id }) => id)).toEqual(['c'])
    expect([rank.size, rank.has('b'), rank.has('a')]).toEqual([2, false, true])
  })

  it('adds a text once, and prefers the newer of two equal ones', () => {
    const rank = createRank()
    for (const id of ['a', 'b', 'a']) rank.addFact({ id, group: id, text: 'same words' })
    expect(rank.search('words', { most: 9 }).map(({ id }) => id)).toEqual(['b', 'a'])
  })

  it('answers nothing to a question without words', () => {
    const rank = rankOf({ a: 'x' })
    expect([rank.search('', { most: 3 }), rank.search('?!…', { most: 3 }), createRank().search('x', { most: 3 })]).toEqual([[], [], []])
  })

  it('adds and finds among 20 000 texts quickly', () => {
    const rank = createRank()
    for (let i = 0; i < 20_000; i++) rank.addFact({ id: `f${i}`, group: `g${i % 40}`, text: `turn ${i} about topic${i % 977} and word${i % 31} in the garden` })
    const started = performance.now()
    expect(rank.search('topic500 garden', { most: 10 })).toHaveLength(10)
    expect(performance.now() - started).toBeLessThan(3_000)
  })
})
