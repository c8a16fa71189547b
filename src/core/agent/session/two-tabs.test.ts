/** Two tabs, each with an agent of its own, on one store: one answers, the other looks on. */
import { describe, expect, it, vi } from 'vitest'
import { MemoryStore } from '../../../storage/memory-store.ts'
import type { Tokenizer } from '../../ports/ports.ts'
import { testAgent, logSummary, processLocks, until } from '../agent.fixture.ts'
import type { AgentEvent } from '../api/api.ts'

describe('two tabs on one store', () => {
  it('the second waits, sees what the first does, and then works on the whole log', async () => {
    const store = new MemoryStore()
    const locks = processLocks()
    const pair: { second?: ReturnType<typeof testAgent> } = {}
    const first = testAgent([{ text: ['one ', 'two ', 'three'], delayMs: 5 }], {
      store,
      locks,
      prefix: 'a',
      broadcast: event => {
        pair.second?.agent.onPeerEvent(event)
      },
    })
    const second = testAgent(['After you.'], {
      store,
      locks,
      prefix: 'b',
      broadcast: event => {
        first.agent.onPeerEvent(event)
      },
    })
    pair.second = second
    const { id } = await first.agent.create()
    await second.agent.open(id)
    await second.settled(id)
    await first.agent.send(id, 'From the first')
    second.events.length = 0
    const sent = second.agent.send(id, 'From the second')
    await until(() => second.events.some(event => event.type === 'status' && event.status.state === 'waiting'))
    await sent
    await until(async () => (await second.log(id)).length === 4)
    expect(logSummary(await second.log(id))).toEqual([
      'user: From the first',
      'assistant: one two three',
      'user: From the second',
      'assistant: After you.',
    ])
    expect(second.model.requests[0]?.messages.map(message => message.content)).toEqual([
      'From the first',
      'one two three',
      'From the second',
    ])
    expect(second.events.some(event => event.type === 'delta')).toBe(true)
    expect(first.events.filter(event => event.type === 'status' && event.status.state === 'waiting')).toEqual([])
    await until(async () => (await first.agent.view(id)).length === 6)
  })

  it('a stop in the waiting tab gives up waiting and leaves the other alone', async () => {
    const store = new MemoryStore()
    const locks = processLocks()
    const first = testAgent([{ text: ['one ', 'two ', 'three'], delayMs: 10 }], { store, locks, prefix: 'a' })
    const second = testAgent([], { store, locks, prefix: 'b' })
    const { id } = await first.agent.create()
    await first.agent.send(id, 'From the first')
    const sent = second.agent.send(id, 'From the second')
    await until(() => second.events.some(event => event.type === 'status' && event.status.state === 'waiting'))
    void second.agent.stop(id)
    await expect(sent).rejects.toMatchObject({ code: 'stopped' })
    await first.settled(id)
    expect(logSummary(await first.log(id))).toEqual(['user: From the first', 'assistant: one two three'])
  })

  it('a tab that looks on can stop what another one answers, and only that', async () => {
    const store = new MemoryStore()
    const locks = processLocks()
    const pair: { second?: ReturnType<typeof testAgent> } = {}
    const seen = (event: AgentEvent): AgentEvent =>
      // as the channel between tabs does
      event.type === 'status' && event.status.state !== 'idle' ? { ...event, status: { state: 'waiting' } } : event
    const first = testAgent([{ text: Array.from({ length: 200 }, (_, at) => `${at} `), delayMs: 5 }], {
      store,
      locks,
      prefix: 'a',
      broadcast: event => {
        pair.second?.agent.onPeerEvent(seen(event))
      },
    })
    const second = testAgent([], {
      store,
      locks,
      prefix: 'b',
      broadcast: event => {
        first.agent.onPeerEvent(event)
      },
    })
    pair.second = second
    const { id } = await first.agent.create()
    await second.agent.open(id)
    await first.agent.send(id, 'Count')
    await until(() => second.events.some(event => event.type === 'delta'))
    await second.agent.stop(id)
    await first.settled(id)
    const log = await first.log(id)
    expect(log.find(({ type }) => type === 'assistant')).toMatchObject({ stop: 'stopped' })
    await until(() => second.events.some(event => event.type === 'status' && event.status.state === 'idle'))
    expect(second.events.some(event => event.type === 'stop')).toBe(false)
    second.agent.onPeerEvent({ type: 'stop', session: id }) // nothing runs here: nothing happens
    expect((await second.log(id)).length).toBe(log.length)
  })

  it('a second message into a running turn is refused', async () => {
    const b = testAgent([{ text: ['one ', 'two '], delayMs: 5 }])
    const { id } = await b.agent.create()
    await b.agent.send(id, 'Hi')
    await expect(b.agent.send(id, 'Again')).rejects.toMatchObject({ code: 'busy' })
    await b.settled(id)
  })
})

describe('the exact counter', () => {
  it('tells every chat that waits for it when it is there, not only the first one', async () => {
    let arrived = (): void => undefined
    const tokenizer: Tokenizer = {
      load: () =>
        new Promise<void>(resolve => {
          arrived = () => {
            tokenizer.count = text => text.length
            resolve()
          }
        }),
      count: undefined,
    }
    const b = testAgent([], { tokenizer })
    const first = await b.agent.create('One')
    const second = await b.agent.create('Two')
    expect((await b.agent.context(first.id)).counter).toBe('bytes/4')
    expect((await b.agent.context(second.id)).counter).toBe('bytes/4')
    b.events.length = 0
    arrived()
    await vi.waitFor(() => {
      expect(b.events.flatMap(event => (event.type === 'context' ? [event.session] : []))).toEqual([
        first.id,
        second.id,
      ])
    })
    expect((await b.agent.context(second.id)).counter).toBe('bpe')
  })
})
