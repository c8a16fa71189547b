import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AgentEvent } from '../../core/agent/api/api.ts'
import { eventBatch } from './event-batch.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const text = (session: string, text: string): AgentEvent => ({
  type: 'delta',
  session,
  part: { type: 'text', text },
  at: 0,
})
const writing = (session: string, chars: number): AgentEvent => ({
  type: 'status',
  session,
  status: { state: 'writing', chars },
})
const leaf = (session: string): AgentEvent => ({ type: 'leaf', session, leaf: null })

function batched() {
  const sent: AgentEvent[][] = []
  return {
    sent,
    tell: eventBatch(events => {
      sent.push(events)
    }),
  }
}

describe('a batch of events', () => {
  it('sends at once after a silence, and then at most each 33 ms', () => {
    const { sent, tell } = batched()
    tell(leaf('a'))
    expect(sent).toEqual([[leaf('a')]])
    tell(leaf('b'))
    tell(leaf('c'))
    vi.advanceTimersByTime(32)
    expect(sent.length).toBe(1)
    vi.advanceTimersByTime(1)
    expect(sent[1]).toEqual([leaf('b'), leaf('c')])
    vi.advanceTimersByTime(100)
    tell(leaf('d'))
    expect(sent[2]).toEqual([leaf('d')])
  })

  it('makes 200 tokens a second 31 messages a second, and loses no character', () => {
    const { sent, tell } = batched()
    for (let token = 0; token < 200; token++) {
      tell(text('a', `${token} `))
      tell(writing('a', token))
      vi.advanceTimersByTime(5)
    }
    vi.advanceTimersByTime(33)
    expect(sent.length).toBeLessThanOrEqual(32)
    const parts = sent
      .flat()
      .flatMap(event => (event.type === 'delta' && event.part.type === 'text' ? event.part.text : []))
    expect(parts.join('')).toBe(Array.from({ length: 200 }, (_, token) => `${token} `).join(''))
    expect(sent.every(events => events.length <= 2)).toBe(true)
    expect(
      sent
        .flat()
        .filter(({ type }) => type === 'status')
        .at(-1),
    ).toEqual(writing('a', 199))
  })

  it('joins only pieces of one text of one chat, and never past another event of that chat', () => {
    const { sent, tell } = batched()
    tell(leaf('first'))
    tell(text('a', '1'))
    tell(text('b', 'x'))
    tell(text('a', '2'))
    tell({ type: 'delta', session: 'a', part: { type: 'reasoning', text: 'r' }, at: 0 })
    tell(text('a', '3'))
    tell(leaf('a'))
    tell(text('a', '4'))
    tell({ type: 'sessions' })
    tell(text('a', '5'))
    vi.advanceTimersByTime(33)
    expect(sent[1]).toEqual([
      text('a', '12'),
      text('b', 'x'),
      { type: 'delta', session: 'a', part: { type: 'reasoning', text: 'r' }, at: 0 },
      text('a', '3'),
      leaf('a'),
      text('a', '45'),
      { type: 'sessions' },
    ])
  })

  it('keeps other statuses, and counters on their side of them', () => {
    const { sent, tell } = batched()
    tell(leaf('first'))
    const idle: AgentEvent = { type: 'status', session: 'a', status: { state: 'idle' } }
    for (const event of [writing('a', 1), idle, writing('a', 2), writing('a', 3), idle]) tell(event)
    vi.advanceTimersByTime(33)
    expect(sent[1]).toEqual([writing('a', 1), idle, writing('a', 3), idle])
  })
})
