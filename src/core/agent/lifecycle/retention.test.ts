import { describe, expect, it } from 'vitest'
import { MemoryStore } from '../../../storage/memory-store.ts'
import type { Entry } from '../../log/entry.ts'
import { testAgent, sendAndSettle, until, type TestAgent } from '../agent.fixture.ts'

const day = 24 * 60 * 60 * 1000
const noon = Date.UTC(2026, 0, 31, 12) // what the clock of the tests shows
const text = 'a row of the table\n'.repeat(100)

/** A chat with two old results; a cut before the second question hides the first one. */
async function old(store: MemoryStore, id: string, info: object = {}, more: Entry[] = []): Promise<void> {
  const at = noon - 40 * day
  await store.createSession({ id, title: id, createdAt: at, updatedAt: at, leaf: null, strategy: 'qwenpaw', ...info })
  const call = (n: number) => ({ id: `call_${n}`, name: 'read_file', arguments: '{}' })
  await store.append(id, [
    { type: 'user', text: 'First', id: `${id}u0`, parent: null, at },
    {
      type: 'assistant',
      text: '',
      calls: [call(0)],
      model: 'm',
      local: true,
      stop: 'calls',
      id: `${id}a0`,
      parent: `${id}u0`,
      at,
    },
    { type: 'result', callId: 'call_0', tool: 'read_file', text, isError: false, id: `${id}r0`, parent: `${id}a0`, at },
    { type: 'user', text: 'Second', id: `${id}u1`, parent: `${id}r0`, at },
    {
      type: 'assistant',
      text: '',
      calls: [call(1)],
      model: 'm',
      local: true,
      stop: 'calls',
      id: `${id}a1`,
      parent: `${id}u1`,
      at,
    },
    { type: 'result', callId: 'call_1', tool: 'read_file', text, isError: false, id: `${id}r1`, parent: `${id}a1`, at },
    {
      type: 'assistant',
      text: 'Done',
      calls: [],
      model: 'm',
      local: true,
      stop: 'stop',
      id: `${id}b1`,
      parent: `${id}r1`,
      at,
    },
    { type: 'cut', before: `${id}u1`, reason: 'clear', group: `${id}g`, id: `${id}c`, parent: `${id}b1`, at },
    { type: 'memory', text: 'It was about tables', id: `${id}m`, parent: `${id}c`, at },
    ...more.map((entry, n): Entry => ({ ...entry, parent: n === 0 ? `${id}m` : more[n - 1]!.id, at })),
  ])
}

const gone = async (b: TestAgent, id: string): Promise<string[]> =>
  (await b.log(id)).filter(entry => entry.gone).map(entry => entry.id)

describe('retention', () => {
  it('removes nothing before the person has said yes, and says what it would remove', async () => {
    const store = new MemoryStore()
    await old(store, 's')
    await old(store, 't', { strategy: 'cowagent' })
    await old(store, 'v', { strategy: 'balanced' })
    const b = testAgent([], { store, idleAfter: 5 })
    expect(await b.agent.retention()).toEqual({
      rules: expect.arrayContaining([
        { of: 'results', days: 5, chats: 1 },
        { of: 'sessions', days: 30, chats: 1 },
      ]),
      sessions: 1,
      results: 1,
      bytes: text.length,
    })
    await new Promise(resolve => {
      setTimeout(resolve, 40)
    })
    await b.agent.setRetentionConsent(false)
    expect(await gone(b, 's')).toEqual([])
    expect(await b.agent.sessions()).toHaveLength(3)
    expect((await b.agent.retention()).agreed).toBe(false)
  })

  it('after the yes old results that no view shows become tombstones, and idle chats leave the list; words said stay', async () => {
    const store = new MemoryStore()
    await old(store, 's')
    await old(store, 't', { strategy: 'cowagent' })
    const b = testAgent([], { store })
    await b.agent.setRetentionConsent(true)
    expect(await gone(b, 's')).toEqual(['sr0'])
    expect(await b.agent.readPath('tool_result/sr0.txt')).toMatchObject({
      text: '',
      gone: { day: '2026-01-31', why: 'by the 5-day rule', bytes: text.length },
    })
    expect((await b.agent.readPath('tool_result/sr1.txt')).text).toBe(text)
    expect((await b.agent.sessions()).map(info => info.id)).toEqual(['s'])
    const days = await b.agent.days()
    expect((await b.agent.readPath(`dialog/t/${days[0]!.day}.jsonl`)).text).toContain('"First"')
    expect(await gone(b, 't')).toEqual([])
    expect(await b.agent.retention()).toMatchObject({ agreed: true, sessions: 0, results: 0 })
  })

  it('spares what is pinned, what is open, what is young, memory, and chats whose setting says 0', async () => {
    const store = new MemoryStore()
    await old(store, 'pinned', {}, [
      { type: 'pin', target: 'pinnedr0', on: true, group: 'p', id: 'pin', parent: null, at: 0 },
    ])
    await old(store, 'kept', { strategy: 'cowagent' }, [
      { type: 'pin', target: 'keptu0', on: true, group: 'p', id: 'pin2', parent: null, at: 0 },
    ])
    await old(store, 'top', { strategy: 'cowagent', pinned: true })
    await old(store, 'open')
    await old(store, 'zero', { config: { offload_retention_days: 0 } })
    await old(store, 'long', { config: { offload_retention_days: 41 } })
    await old(store, 'own', { strategy: 'balanced', config: { offload_retention_days: 39 } })
    const b = testAgent([], { store })
    await b.agent.open('open')
    await b.settled('open')
    await b.agent.setRetentionConsent(true)
    for (const id of ['pinned', 'kept', 'open', 'zero', 'long']) expect(await gone(b, id)).toEqual([])
    expect(await gone(b, 'own')).toEqual(['ownr0'])
    expect((await b.agent.sessions()).map(info => info.id)).toEqual(expect.arrayContaining(['kept', 'top']))
  })

  it('tells of what it will do, and of nothing that it spares: open chats, and the rule of the list for chats that left it', async () => {
    const store = new MemoryStore()
    await old(store, 'open')
    await old(store, 's')
    await old(store, 't', { strategy: 'cowagent' })
    const b = testAgent([], { store })
    await b.agent.open('open')
    await b.settled('open')
    const told = await b.agent.retention()
    expect(told).toMatchObject({ sessions: 1, results: 1, bytes: text.length })
    await b.agent.setRetentionConsent(true)
    const removed = [...(await gone(b, 's')), ...(await gone(b, 't')), ...(await gone(b, 'open'))]
    expect([removed.length, 3 - (await b.agent.sessions()).length]).toEqual([told.results, told.sessions])
    expect(await b.agent.retention()).toMatchObject({
      rules: [{ of: 'results', days: 5, chats: 2 }],
      sessions: 0,
      results: 0,
      bytes: 0,
    })
  })

  it('runs by itself at the start and when nothing was done for a while', async () => {
    const store = new MemoryStore()
    await old(store, 's')
    await store.saveSetting('retention', { agreed: true, at: 0 })
    const b = testAgent([], { store, idleAfter: 5 })
    await until(async () => (await gone(b, 's')).length > 0)
  })

  it('a chat that left the list comes back with a new message', async () => {
    const store = new MemoryStore()
    await old(store, 't', { strategy: 'cowagent' })
    const b = testAgent(['Here.'], { store })
    await b.agent.setRetentionConsent(true)
    expect(await b.agent.sessions()).toEqual([])
    await sendAndSettle(b, 't', 'Are you there?')
    expect(await b.agent.sessions()).toHaveLength(1)
  })
})
