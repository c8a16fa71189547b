/** Answers are read out in pieces: whole, in order, each once, and not too fast. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SpokenPieces, spokenText } from './spoken-pieces.ts'
import { spokenEachMs, SpokenQueue } from './spoken-queue.ts'

const answer = [
  'The key lies under the third stone, as you said on Monday.',
  'It was moved once. Nobody has told why, but **the note** of [that day](https://a.example/x) says where.',
  '- one thing\n- another thing that is a little longer',
  '第一句话在这里，说得足够长，可以单独读出来。第二句也在这里，同样足够长，可以单独读出来。',
].join('\n\n')

describe('pieces', () => {
  it('end at sentences and paragraphs, and add up to the whole, however it comes', () => {
    for (const step of [1, 7, 50, answer.length]) {
      const pieces = new SpokenPieces()
      const said: string[] = []
      for (let length = step; length < answer.length; length += step) said.push(...pieces.grow(answer.slice(0, length)))
      said.push(...pieces.end(answer))
      expect(said.join(' ').replace(/\s+/g, ''), `by ${step}`).toBe(spokenText(answer).replace(/\s+/g, ''))
      expect(said[0]).toBe('The key lies under the third stone, as you said on Monday.')
      for (const piece of said.slice(0, -1)) expect(piece, `by ${step}`).toMatch(/[.。]$|thing$|longer$/)
    }
  })

  it('never says a piece twice, also where the end brings the same text once more', () => {
    const pieces = new SpokenPieces()
    const first = pieces.grow('One sentence that is long enough to be said. ')
    expect(first).toEqual(['One sentence that is long enough to be said.'])
    expect(pieces.grow('One sentence that is long enough to be said. ')).toEqual([])
    expect(pieces.end('One sentence that is long enough to be said. And the rest.')).toEqual(['And the rest.'])
  })

  it('begins anew with another answer', () => {
    const pieces = new SpokenPieces()
    pieces.grow('One sentence that is long enough to be said. ')
    expect(pieces.end('Something else.')).toEqual(['Something else.'])
  })

  it('cuts a text without any border, and no pair of one sign', () => {
    const pieces = new SpokenPieces()
    const said = [...pieces.grow('😀'.repeat(900)), ...pieces.end('😀'.repeat(900))]
    expect(said.join('')).toBe('😀'.repeat(900))
    expect(said.every(piece => piece.length <= 281 && !/[\uD800-\uDBFF]$/.test(piece))).toBe(true)
  })

  it('says words, not marks', () => {
    expect(spokenText('## A **bold** `word`\n```ts\nconst a = 1\n```\n| a | b |\n|---|---|\n| 1 | 2 |')).toBe(
      'A bold word const a = 1, a, b, 1, 2',
    )
  })
})

describe('the queue', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('says one after the other, at least 400 ms apart, and stops when it is told to', () => {
    const said: { text: string; at: number }[] = []
    const queue = new SpokenQueue(text => said.push({ text, at: Date.now() }))
    queue.add('one', 'two')
    queue.add('three', '', 'four')
    vi.advanceTimersByTime(2 * spokenEachMs)
    expect(said.map(({ text }) => text)).toEqual(['one', 'two', 'three'])
    for (const [n, { at }] of said.entries()) if (n > 0) expect(at - said[n - 1]!.at).toBeGreaterThanOrEqual(400)
    queue.clear()
    vi.advanceTimersByTime(5_000)
    expect(said).toHaveLength(3)
    queue.add('five')
    expect(said.at(-1)?.text).toBe('five')
  })
})
