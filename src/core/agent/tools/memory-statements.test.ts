/** What memory_search tells of statements: which replaces which, which wishes hold, in which order things came up. */
import { describe, expect, it } from 'vitest'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { AgentError } from '../../errors.ts'
import type { Entry } from '../../log/entry.ts'
import { bytesTokens } from '../../text/tokens.ts'
import { fullArchive } from '../archive/readable-archive.ts'
import { SearchIndex } from '../search/search-index.ts'
import { memorySearch } from './memory-search.ts'
import { linearPattern } from '../../../net/linear-pattern.ts'

const start = new Date(2026, 2, 1, 9).getTime()
const day = 86_400_000

/** A chat in which the person says one of these a day, each with an answer; what a search for `query` gives. */
async function found(said: readonly string[], query: string, maxSearchTokens = 2_000): Promise<string> {
  const store = new MemoryStore()
  await store.createSession({ id: 'a', title: '', createdAt: 0, updatedAt: 0, leaf: null })
  const entries = said.flatMap((text, n): Entry[] => [
    { id: `u${n}`, parent: null, at: start + n * day, type: 'user', text },
    {
      id: `a${n}`,
      parent: `u${n}`,
      at: start + n * day + 60_000,
      type: 'assistant',
      text: `Noted, number ${n}.`,
      calls: [],
      model: 'm',
      local: true,
      stop: 'stop',
    },
  ])
  await store.append('a', entries)
  const now = start + said.length * day
  return memorySearch.run(
    { query },
    {
      session: 'b',
      archive: fullArchive(store),
      search: new SearchIndex(store),
      signal: new AbortController().signal,
      givenPassages: new Set(),
      maxBytes: 50_000,
      maxSearchTokens,
      world: { now: () => now, newId: () => 'x', sleep: () => Promise.resolve() },
      compilePattern: linearPattern,
      readPage: () => Promise.reject(new AgentError('tool_failed', 'no network')),
    },
  )
}

/** The texts of the passages, in order. */
const textsIn = (answer: string): string[] =>
  [...answer.matchAll(/^\d+\. .*\n((?:\[.*\n)*)(.*)$/gm)].map(match => match[2] ?? '')
const heads = (answer: string): string[] => [...answer.matchAll(/^\d+\. .*$/gm)].map(([head]) => head)
const holding = (answer: string): string[] =>
  [...answer.matchAll(/^\[still holds\] (.*)$/gm)].map(([, one]) => one ?? '')

const talk = [
  'The garden needs water again.',
  'I read a book about whales.',
  'We had soup for lunch and talked about the roof.',
  'The train was late because of snow.',
  'My bicycle has a flat tyre.',
  'A neighbour plays the cello all evening.',
  'I bought apples and bread.',
  'The lamp in the hall flickers.',
  'We watched a film about mountains.',
  'It is very quiet here in the morning.',
  'I found my old camera.',
  'The cat sleeps on the sofa.',
]

describe('of two statements about the same thing', () => {
  it.each([
    [
      'The dentist appointment is on Tuesday at 3.',
      'My dentist appointment was moved to Thursday at 5.',
      'When is my dentist appointment?',
    ],
    [
      'The monthly budget for the shop is 500 euros.',
      'The monthly budget for the shop is now 800 euros.',
      'What is the monthly budget for the shop?',
    ],
    ['部门会议定在周三下午两点。', '部门会议改到周五上午十点了。', '部门会议是什么时候？'],
    ['服务器的端口是8080。', '服务器的端口改成了9443。', '服务器的端口是多少？'],
  ])('both come, the newer first, and each names the other with its day: %s', async (older, newer, query) => {
    const answer = await found([older, ...talk, newer, 'Thanks!'], query)
    const texts = textsIn(answer)
    const [at, before] = [texts.indexOf(newer), texts.indexOf(older)]
    expect(at).toBeGreaterThanOrEqual(0)
    expect(before).toBeGreaterThan(at)
    expect(heads(answer)[at]).toContain('2026-03-14')
    expect(heads(answer)[before]).toContain('2026-03-01')
    expect(answer).toContain(`[newer] replaces ${before + 1} (2026-03-01)\n`)
    expect(answer).toContain(`[older] replaced by ${at + 1} (2026-03-14)\n`)
  })

  it('the other one comes too where ten hits have more of the words', async () => {
    const many = Array.from({ length: 9 }, (_, n) => `Number ${n}: a lemon tree near a wall.`)
    const older = 'The lemon tree stands in the greenhouse by the door.'
    const newer = 'The lemon tree in the greenhouse has moved from the door to the wall.'
    const answer = await found([older, ...many, newer], 'lemon tree wall')
    expect(textsIn(answer)).toEqual(expect.arrayContaining([older, newer]))
    expect(heads(answer).length).toBe(10)
  })

  it.each([
    [
      'I ran 5 kilometres in the park on Monday.',
      'I ran 8 kilometres in the park on Friday.',
      'How many kilometres in the park?',
    ],
    ['Ada likes green tea.', 'Actually Olsen bought the ferry tickets.', 'What does Ada like, what did Olsen buy?'],
    ['Is the office meeting on Tuesday?', 'Was the office meeting moved to Thursday?', 'When is the office meeting?'],
    ['我周一在公园跑了五公里。', '我周五在公园跑了八公里。', '我跑了多少公里？'],
  ])('nothing is claimed where none plainly replaces the other: %s', async (older, newer, query) => {
    const answer = await found([older, ...talk, newer], query)
    expect(answer).toContain(older)
    expect(answer).toContain(newer)
    expect(answer).not.toMatch(/^\[(?:newer|older)\]/m)
  })
})

describe('standing wishes', () => {
  it.each([
    ['Always add type hints when I ask about Python code.', 'How can I write a function in Python?'],
    ['Never use semicolons in my JavaScript.', 'Could you write a sort in JavaScript?'],
    ['From now on please answer questions about cooking with metric units.', 'How do I start cooking risotto?'],
    ['以后写代码都要加中文注释。', '请帮我写代码读取文件'],
    ['每次我问菜谱的时候，请用克做单位。', '有什么简单的菜谱推荐？'],
  ])('are told with their day where one bears on what is asked: %s', async (wish, query) => {
    const answer = await found([wish, ...talk], query)
    expect(holding(answer)).toHaveLength(1)
    expect(holding(answer)[0]).toMatch(/\(the person, 2026-03-01, passage \d+\)$/)
    expect(answer).toContain(wish)
  })

  it.each([
    ['Always add type hints when I ask about Python code.', 'You don’t need to add type hints any more.'],
    ['Always use tabs in Python code.', 'Always use spaces in Python code from now on.'],
    ['以后写代码都要加中文注释。', '不用再加中文注释了。'],
  ])('that were taken back or replaced are not told: %s', async (wish, later) => {
    const query = /\p{Script=Han}/u.test(wish) ? '请帮我写代码读取文件' : 'How can I write a function in Python code?'
    const answer = await found([wish, ...talk, later], query)
    expect(answer).not.toMatch(/^\[still holds\] .*2026-03-01/m)
  })

  it('nothing is told where none bears on it, for a few words, or where only the assistant says so', async () => {
    const wish = 'Always add type hints when I ask about Python code.'
    expect(holding(await found([wish, ...talk], 'What did we have for lunch?'))).toEqual([])
    expect(holding(await found([wish, ...talk], 'python hints'))).toEqual([])
    expect(holding(await found(['I always wanted to cook in Python shape.', ...talk], 'How do I cook?'))).toEqual([])
  })

  it('stay within ten passages and the budget', async () => {
    const wishes = Array.from({ length: 12 }, (_, n) => `Always mention tool number ${n} when I ask about Python code.`)
    for (const budget of [2_000, 700, 200]) {
      const answer = await found([...wishes, ...talk], 'How can I write Python code?', budget)
      expect(heads(answer).length).toBeLessThanOrEqual(10)
      expect(holding(answer).length).toBeLessThanOrEqual(2)
      expect(bytesTokens(answer, 4)).toBeLessThanOrEqual(budget)
    }
  })
})

describe('questions that name no word of the answer', () => {
  it.each(['In which order did I bring up the harbour?', 'What order did the harbour things come in?'])(
    'the order of the chat for %s',
    async query => {
      const said = [
        'The harbour has a crane.',
        ...talk,
        'The harbour needs paint.',
        'The harbour opens in May, the harbour!',
      ]
      const harbour = textsIn(await found(said, query)).filter(text => text.includes('harbour'))
      expect(harbour).toEqual(said.filter(text => text.includes('harbour')))
    },
  )

  it('in Chinese too', async () => {
    const said = ['码头有一台吊车。', ...talk, '码头要刷油漆。', '码头五月开放，码头很大。']
    const texts = textsIn(await found(said, '我是按什么顺序提到码头的？')).filter(text => text.includes('码头'))
    expect(texts).toEqual(said.filter(text => text.includes('码头')))
  })

  it.each([
    ['Summarise what I told you about the harbour.', (n: number) => `The harbour has crane ${n}.`],
    ['总结一下我说过的码头的事', (n: number) => `码头有第${n}台吊车。`],
  ])('a summary has hits of the whole chat, not of one place: %s', async (query, line) => {
    // One day has twelve lines of it, others one each.
    const said = Array.from({ length: 6 }, (_, n) => line(n))
    const store = new MemoryStore()
    await store.createSession({ id: 'a', title: '', createdAt: 0, updatedAt: 0, leaf: null })
    const crowd = Array.from({ length: 12 }, (_, n): Entry => {
      const text = `${line(90 + n)} ${line(70 + n)}`
      return { id: `c${n}`, parent: null, at: start + 10 * day + n * 1_000, type: 'user', text }
    })
    await store.append('a', [
      ...said.map((text, n): Entry => ({ id: `u${n}`, parent: null, at: start + n * day, type: 'user', text })),
      ...crowd,
    ])
    const hits = await new SearchIndex(store).find(query, { limit: 10, maxLength: 200 })
    expect(hits.filter(({ text }) => said.includes(text)).length).toBe(6)
  })
})
