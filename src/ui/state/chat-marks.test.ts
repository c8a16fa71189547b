import { expect, it } from 'vitest'
import type { AgentEvent, Status } from '../../core/agent/api/api.ts'
import { ChatMarks, type StoredMarks } from './chat-marks.svelte.ts'

const status = (session: string, state: Status['state']): AgentEvent => ({
  type: 'status',
  session,
  status: { state } as Status,
})
const answer = (session: string): AgentEvent => ({
  type: 'appended',
  session,
  entries: [
    { type: 'assistant', id: 'a', parent: null, at: 0, text: '', calls: [], model: '', local: true, stop: 'stop' },
  ],
  from: 0,
  leaf: 'a',
})
function made(stored: StoredMarks = {}): { marks: ChatMarks; kept: () => StoredMarks } {
  let kept = stored
  return {
    marks: new ChatMarks(stored, next => {
      kept = next
    }),
    kept: () => kept,
  }
}

it('marks a chat that runs, and one whose answer came while another was open, until it is looked at', () => {
  const { marks, kept } = made()
  marks.receive([status('a', 'thinking'), status('b', 'writing')], 'b')
  expect([marks.of('a'), marks.of('b')]).toEqual(['runs', 'runs'])
  marks.receive([answer('a'), status('a', 'idle'), answer('b'), status('b', 'idle')], 'b')
  expect([marks.of('a'), marks.of('b')]).toEqual(['done', undefined])
  marks.receive([status('a', 'compacting'), status('a', 'idle')], 'b')
  expect(marks.of('a')).toBe('done')
  expect(kept()).toEqual({ a: 'done' })
  marks.seen('a')
  expect([marks.of('a'), kept()]).toEqual([undefined, {}])
})

it('says where the person is waited for, also in the open chat', () => {
  const { marks } = made()
  marks.receive([status('a', 'asking'), status('b', 'interrupted')], 'a')
  expect([marks.of('a'), marks.of('b')]).toEqual(['asks', 'stands'])
  marks.receive([status('a', 'waiting')], 'a')
  expect(marks.of('a')).toBe('asks')
  marks.receive([status('a', 'idle'), status('b', 'idle')], 'a')
  expect([marks.of('a'), marks.of('b')]).toEqual([undefined, undefined])
})

it('outlives the page: what ran was broken off, what is new stays new, what is deleted is forgotten', () => {
  const { marks, kept } = made({ a: 'runs', b: 'done', c: 'asks' })
  expect([marks.of('a'), marks.of('b'), marks.of('c')]).toEqual(['stands', 'done', 'asks'])
  marks.receive([status('b', 'compacting'), status('b', 'idle')], undefined)
  expect(marks.of('b')).toBe('done')
  marks.keepOnly([{ id: 'b' }])
  expect(kept()).toEqual({ b: 'done' })
})
