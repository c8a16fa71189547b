import { expect, it } from 'vitest'
import type { AgentEvent, Status } from '../../core/agent/api/api.ts'
import { ReadyChats } from './ready-chats.svelte.ts'

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

it('counts a chat once its answer is whole, until it is looked at', () => {
  const ready = new ReadyChats()
  ready.receive([status('a', 'thinking'), answer('a')], 'b')
  expect(ready.count).toBe(0)
  ready.receive([status('a', 'idle')], 'b')
  expect(ready.count).toBe(1)
  ready.seen('a')
  expect(ready.count).toBe(0)
})

it('never counts the chat that the person looks at, nor one that ended without an answer', () => {
  const ready = new ReadyChats()
  ready.receive([answer('a'), status('a', 'idle'), status('b', 'thinking'), status('b', 'idle')], 'a')
  expect(ready.count).toBe(0)
})

it('counts a question of a tool until it is answered, and a chat once', () => {
  const ready = new ReadyChats()
  ready.receive([answer('a'), status('a', 'asking'), status('a', 'asking')], undefined)
  expect(ready.count).toBe(1)
  ready.receive([status('a', 'running')], undefined)
  expect(ready.count).toBe(0)
  ready.receive([status('a', 'idle')], undefined)
  expect(ready.count).toBe(1)
})

it('forgets a chat that is deleted', () => {
  const ready = new ReadyChats()
  ready.receive([answer('a'), status('a', 'idle'), answer('b'), status('b', 'idle')], undefined)
  ready.keepOnly([{ id: 'b' }])
  expect(ready.count).toBe(1)
})
