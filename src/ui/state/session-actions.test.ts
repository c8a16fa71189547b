/** What a person does in the open chat, and what is said when it fails. */
import { expect, it } from 'vitest'
import type { AgentApi } from '../../core/agent/api/api.ts'
import { AgentError } from '../../core/errors.ts'
import { OpenSession } from './session.svelte.ts'
import { run, worker, opened } from './session.fixture.ts'

it('has what waits in its order, from the row and as it changes, and sends it at once where nothing is being answered', async () => {
  const { api } = worker(run(0, 1))
  const asked: string[] = []
  api.enqueue = async (_, text) => {
    asked.push(`enqueue ${text}`)
  }
  api.sendQueued = async () => {
    asked.push('send')
  }
  api.withdrawQueued = async (_, id) => {
    if (id !== 'q1') throw new AgentError('not_found', 'gone')
    return { id, text: 'whole' }
  }
  const { session } = await opened(api)
  expect(session.queued).toEqual([])
  session.receive([{ type: 'status', session: 's', status: { state: 'thinking' } }])
  expect(await session.enqueue('Two?')).toBe(true)
  session.receive([
    { type: 'queued', session: 's', queued: [{ id: 'q1', text: 'Two?' }] },
    { type: 'queued', session: 'other', queued: [] },
  ])
  expect(session.queued).toMatchObject([{ text: 'Two?' }])
  session.receive([{ type: 'status', session: 's', status: { state: 'interrupted' } }])
  await session.enqueue('Three?')
  expect(asked).toEqual(['enqueue Two?', 'enqueue Three?', 'send'])
  expect(await session.withdrawQueued('q1')).toEqual({ id: 'q1', text: 'whole' })
  expect(await session.withdrawQueued('q2')).toBeUndefined()
  expect(session.failure).toMatchObject({ code: 'not_found' })
})

it('removes what waits and puts it back without sending anything, and sends a named one after the answer is stopped', async () => {
  const { api } = worker(run(0, 1))
  const asked: string[] = []
  api.withdrawQueued = async (_, id) => ({ id, text: 'whole' })
  api.enqueue = async (_, text) => {
    asked.push(`enqueue ${text}`)
    if (asked.length === 1) throw new AgentError('storage_full', 'No room')
  }
  api.stop = async () => {
    asked.push('stop')
  }
  api.sendQueued = async (_, id) => {
    asked.push(`send ${id}`)
  }
  const { session } = await opened(api)
  await session.removeQueued('q1')
  expect(session.removedQueued).toMatchObject({ text: 'whole' })
  await session.putBackQueued()
  expect(session.removedQueued).toMatchObject({ text: 'whole' }) // it did not go, so it is not lost
  await session.putBackQueued()
  expect(session.removedQueued).toBeNull()
  expect(asked).toEqual(['enqueue whole', 'enqueue whole'])
  await session.sendQueuedNow('q1')
  session.receive([{ type: 'status', session: 's', status: { state: 'writing', chars: 1 } }])
  await session.sendQueuedNow('q2')
  expect(asked.slice(2)).toEqual(['send q1', 'stop', 'send q2'])
})

it('says a failure until the next attempt, and a stop is none', async () => {
  const { api } = worker(run(0, 1))
  api.send = async () => {
    throw new AgentError('storage_full', 'No room for 12 bytes')
  }
  api.stop = async () => {
    throw new AgentError('stopped', 'Stopped')
  }
  api.resume = async () => undefined
  const { session } = await opened(api)
  expect(await session.send('x')).toBe(false)
  expect(session.failure).toEqual({ code: 'storage_full', message: 'No room for 12 bytes' })
  expect(await session.resume()).toBe(true)
  expect(session.failure).toBeNull()
  await session.stop()
  expect(session.failure).toBeNull()
})

it('hands what a command wants of the page to the page, but not a refusal', async () => {
  const { api } = worker(run(0, 1))
  const replies: unknown[] = []
  api.command = async (_, line) =>
    line === '/new' ? { open: 'n' } : { error: { code: 'bad_input', message: 'no such command', sendAsText: line } }
  const { session } = await opened(api, {
    onReply: reply => {
      replies.push(reply)
    },
  })
  await session.command('/new')
  expect((await session.command('/nwe'))?.error?.sendAsText).toBe('/nwe')
  expect(replies).toEqual([{ open: 'n' }])
})

it('brings another version into view before it jumps into it', async () => {
  const { api } = worker(run(0, 3))
  const switched: string[] = []
  const { session } = await opened(api)
  api.switchLeaf = async (_, entry) => {
    switched.push(entry)
    session.receive([{ type: 'leaf', session: 's', leaf: 'e2' }])
  }
  await session.jumpTo('e2')
  expect([switched, session.jump]).toEqual([[], { entry: 'e2' }])
  session.receive([{ type: 'leaf', session: 's', leaf: 'e1' }]) // e2 is another version now
  await session.jumpTo('e2')
  expect([switched, session.jump]).toEqual([['e2'], { entry: 'e2' }])
})

it('waits for an older entry before it jumps there', async () => {
  const { api } = worker(run(0, 300), { newest: 10 })
  const session = new OpenSession(api as AgentApi, 's', {
    nextFrame: task => {
      task()
    },
    yieldToMain: () =>
      new Promise(resolve => {
        setTimeout(resolve, 1)
      }),
  })
  void session.open()
  await session.jumpTo('e3')
  expect(session.jump).toEqual({ entry: 'e3' })
  expect(session.entries.some(({ id }) => id === 'e3')).toBe(true)
})
