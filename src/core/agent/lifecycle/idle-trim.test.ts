import { describe, expect, it } from 'vitest'
import { MemoryStore } from '../../../storage/memory-store.ts'
import type { LogStore } from '../../ports/ports.ts'
import type { Entry } from '../../log/entry.ts'
import {
  testAgent,
  logSummary,
  processLocks,
  sendAndSettle,
  stillWorld,
  until,
  type TestAgent,
  type TestAgentOptions,
} from '../agent.fixture.ts'

const hour = 3_600_000
const question = 'user: And now?'
const answered = 'assistant: Yes.'

/**
 * Six turns, each with a call and its result, in a chat under CowAgent; the newest message is `hours` old for a world
 * that begins now.
 */
async function rested(
  hours: number,
  config: Record<string, number> = {},
): Promise<{ store: LogStore; world: ReturnType<typeof stillWorld> }> {
  const store = new MemoryStore()
  const world = stillWorld('n')
  await store.createSession({
    id: 's',
    title: 'x',
    createdAt: 0,
    updatedAt: 0,
    leaf: null,
    strategy: 'cowagent',
    config,
  })
  const entries: Entry[] = []
  const at = world.now() - hours * hour
  for (let n = 0; n < 6; n++)
    entries.push(
      { type: 'user', text: `Question ${n}`, id: `u${n}`, parent: n === 0 ? null : `b${n - 1}`, at },
      {
        type: 'assistant',
        text: '',
        calls: [{ id: 'c', name: 'get_time', arguments: '{}' }],
        model: 'm',
        local: true,
        stop: 'calls',
        id: `a${n}`,
        parent: `u${n}`,
        at,
      },
      {
        type: 'result',
        callId: 'c',
        tool: 'get_time',
        text: `Noon ${n}`,
        isError: false,
        id: `r${n}`,
        parent: `a${n}`,
        at,
      },
      {
        type: 'assistant',
        text: `Answer ${n}`,
        calls: [],
        model: 'm',
        local: true,
        stop: 'stop',
        id: `b${n}`,
        parent: `r${n}`,
        at,
      },
    )
  await store.append('s', entries)
  return { store, world }
}

/** The app is loaded and the chat opened in it. */
async function load(options: TestAgentOptions, answer = 'Yes.'): Promise<TestAgent> {
  const b = testAgent(() => answer, options)
  await b.agent.open('s')
  await b.settled('s')
  return b
}

const news = async (b: TestAgent): Promise<string[]> => logSummary((await b.log('s')).slice(24))
const sent = (b: TestAgent): string[] => b.model.requests.at(-1)!.messages.map(message => message.content)

describe('a chat that has rested', () => {
  it('is told what the next message takes out, is not touched by reading, and begins anew when the person writes; one Undo lifts it', async () => {
    const b = await load(await rested(7))
    const told = await b.agent.idleTrim('s')
    expect(told).toMatchObject({ turns: 3, messages: 18 })
    const { total, next } = await b.agent.context('s')
    expect(told!.before).toBe(total)
    expect(next).toMatchObject({ messages: 18, turns: 3, why: 'open' })
    await b.agent.view('s')
    b.events.length = 0
    await b.agent.open('s')
    await b.settled('s')
    expect(await news(b)).toEqual([])
    await sendAndSettle(b, 's', 'And now?')
    expect(await news(b)).toEqual(['cut open', 'strip', question, answered])
    expect(sent(b)).toEqual(['Question 3', 'Answer 3', 'Question 4', 'Answer 4', 'Question 5', 'Answer 5', 'And now?'])
    expect(await b.agent.idleTrim('s')).toBeNull()
    await b.agent.undo('s')
    expect((await b.agent.view('s')).filter(({ role }) => role !== 'system' && role !== 'tools')).toHaveLength(26)
    await sendAndSettle(b, 's', 'And now?')
    expect((await news(b)).slice(4)).toEqual(['undo', question, answered])
  })

  it('is foretold by Preview too, for a strategy that is not chosen yet', async () => {
    const b = await load(await rested(7))
    await b.agent.choose('s', { strategy: 'qwenpaw' })
    const seen = await b.agent.preview('s', { strategy: 'cowagent' })
    expect(seen).toMatchObject({ strategy: 'cowagent', entries: 18, idleTrimTurns: 3, why: 'open' })
    expect(seen.after).toBeLessThan(seen.before)
    expect(await b.agent.preview('s', { strategy: 'copaw' })).toMatchObject({ entries: 0 })
    await b.agent.choose('s', { strategy: 'cowagent' })
    expect((await b.agent.context('s')).next).toMatchObject({ messages: 18, before: seen.before, after: seen.after })
    await b.agent.skipIdleTrim('s')
    expect(await b.agent.preview('s', { strategy: 'cowagent' })).not.toHaveProperty('idleTrimTurns')
  })

  it.each([
    [6, 3],
    [24, 4],
    [30, 5],
    [120, 6],
  ])('with at most %i turns goes on with %i of six, and pane, note and log say the same', async (most, stay) => {
    const b = await load(await rested(7, { agent_max_context_turns: most }))
    const told = await b.agent.idleTrim('s')
    const messages = 24 - 2 * stay
    expect(told).toMatchObject({ turns: stay, messages })
    expect((await b.agent.context('s')).next.messages).toBe(messages)
    await sendAndSettle(b, 's', 'And now?')
    expect(sent(b)).toHaveLength(2 * stay + 1)
    const { removedByEdit, removed } = await b.agent.context('s')
    expect(Object.values(removedByEdit).reduce((sum, { messages }) => sum + messages, 0)).toBe(messages)
    expect(removed.find(({ kind }) => kind === 'stripped')).toMatchObject({ count: stay })
  })

  it('says after how many tokens it goes on: those of the request that is made', async () => {
    const b = await load(await rested(7))
    const { after } = (await b.agent.idleTrim('s'))!
    await sendAndSettle(b, 's', 'And now?')
    await b.agent.deleteMessage('s', (await b.log('s')).at(-2)!.id)
    await b.agent.deleteMessage('s', (await b.log('s')).at(-1)!.id)
    const old = (await b.agent.view('s')).filter(
      ({ role, entry }) => role === 'system' || role === 'tools' || /^[ub]\d$/.test(entry ?? ''),
    )
    expect(old.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(after)
  })

  it.each([
    ['an hour ago', 1, {}, false],
    ['seven hours ago', 7, {}, true],
    ['an hour ago, each load', 1, { restore_after: 0 }, true],
    ['seven hours ago, a day set', 7, { restore_after: 24 }, false],
    ['half an hour ago, a quarter set', 0.5, { restore_after: 0.25 }, true],
  ])('%s: a reload counts only after the rest that is set', async (_, hours, config, begins) => {
    const b = await load(await rested(hours, config))
    expect((await b.agent.idleTrim('s')) !== null).toBe(begins)
    await sendAndSettle(b, 's', 'And now?')
    expect(await news(b)).toEqual([...(begins ? ['cut open', 'strip'] : []), question, answered])
  })

  it('goes on whole where the person says so, for this opening', async () => {
    const parts = await rested(7)
    const b = await load(parts)
    await b.agent.idleTrim('s')
    await b.agent.skipIdleTrim('s')
    expect(await b.agent.idleTrim('s')).toBeNull()
    await sendAndSettle(b, 's', 'And now?')
    expect(await news(b)).toEqual([question, answered])
    await parts.world.sleep(7 * hour, new AbortController().signal)
    expect(await (await load(parts)).agent.idleTrim('s')).toMatchObject({ turns: 3 })
  })

  it('loses nothing that was not told: a message before anybody looked goes on whole', async () => {
    const b = await load(await rested(7))
    await sendAndSettle(b, 's', 'And now?')
    expect(await news(b)).toEqual([question, answered])
    await b.agent.idleTrim('s')
    await sendAndSettle(b, 's', 'And now?')
    expect((await news(b)).slice(2)).toEqual([question, answered])
  })

  it('is measured when it is opened: a tab that stays open for days was not started anew', async () => {
    const parts = await rested(1)
    const b = await load(parts)
    await parts.world.sleep(48 * hour, new AbortController().signal)
    b.events.length = 0
    await b.agent.open('s')
    await b.settled('s')
    expect(await b.agent.idleTrim('s')).toBeNull()
  })

  it('is none that began after the app was loaded, also where each load counts', async () => {
    const b = testAgent(() => 'Yes.')
    const { id } = await b.agent.create()
    await b.agent.choose(id, { strategy: 'cowagent' })
    await b.agent.setConfig(id, { restore_after: 0 })
    for (let n = 0; n < 5; n++) await sendAndSettle(b, id, 'And now?')
    b.events.length = 0
    await b.agent.open(id)
    await b.settled(id)
    expect(await b.agent.idleTrim(id)).toBeNull()
  })

  it('of two tabs begins anew in the one that opened it first, and not when the other has written meanwhile', async () => {
    const parts = { ...(await rested(7)), locks: processLocks() }
    const pair: { second?: TestAgent } = {}
    const first = await load({
      ...parts,
      prefix: 'a',
      broadcast: event => {
        pair.second?.agent.onPeerEvent(event)
      },
    })
    const second = (pair.second = await load({
      ...parts,
      prefix: 'b',
      broadcast: event => {
        first.agent.onPeerEvent(event)
      },
    }))
    expect(await second.agent.idleTrim('s')).toBeNull()
    expect(await first.agent.idleTrim('s')).not.toBeNull()
    await sendAndSettle(second, 's', 'And now?')
    await until(async () => (await first.agent.idleTrim('s')) === null)
    await sendAndSettle(first, 's', 'And now?')
    expect(await news(first)).toEqual([question, answered, question, answered])
  })

  it.each(['regenerate', 'editMessage'] as const)(
    '%s goes on in the midst of the talk: the rest is over',
    async verb => {
      const b = await load(await rested(7))
      await b.agent.idleTrim('s')
      b.events.length = 0
      if (verb === 'regenerate') await b.agent.regenerate('s', 'b5')
      else await b.agent.editMessage('s', 'u5', 'Or now?')
      await b.settled('s')
      expect(await b.agent.idleTrim('s')).toBeNull()
      expect((await b.log('s')).some(entry => entry.type === 'cut' || entry.type === 'strip')).toBe(false)
    },
  )

  it('with a turn left open, or an import that waits for its end, begins nothing anew', async () => {
    const open = await rested(7)
    await open.store.append('s', [{ type: 'user', text: 'Unanswered', id: 'u6', parent: 'b5', at: 1 }])
    const b = await load(open)
    expect(await b.agent.idleTrim('s')).toBeNull()
    await sendAndSettle(b, 's', 'And now?')
    expect((await news(b)).slice(1)).toEqual([question, answered])

    const cut = await rested(7)
    await cut.store.updateSession('s', { unfinishedImport: 'b5' })
    expect(await (await load(cut)).agent.idleTrim('s')).toBeNull()
  })

  it('follows what is chosen: under a strategy without it there is none', async () => {
    const b = await load(await rested(7))
    await b.agent.choose('s', { strategy: 'qwenpaw' })
    expect(await b.agent.idleTrim('s')).toBeNull()
    await b.agent.choose('s', { strategy: 'cowagent' })
    expect(await b.agent.idleTrim('s')).not.toBeNull()
    await b.agent.setConfig('s', { agent_max_context_turns: 24 })
    expect(await b.agent.idleTrim('s')).toMatchObject({ turns: 4, messages: 16 })
  })

  it('of short plain turns loses nothing, so nothing is told and nothing is appended', async () => {
    const { store, world } = await rested(7)
    await store.append('s', [
      { type: 'cut', before: 'u5', reason: 'turns', group: 'g', id: 'x', parent: 'b5', at: 1 },
      { type: 'strip', before: null, group: 'h', id: 'y', parent: 'x', at: 1 },
    ])
    const b = await load({ store, world })
    expect(await b.agent.idleTrim('s')).toBeNull()
  })

  it('keeps the last summary in view', async () => {
    const { store, world } = await rested(7)
    const stats = { entries: 8, before: 100, after: 50, ms: 0 }
    await store.append('s', [
      { type: 'cut', before: 'u2', reason: 'turns', group: 'g', id: 'x', parent: 'b5', at: 1 },
      {
        type: 'summary',
        of: 'x',
        text: '## Goal\nTell the time',
        by: 'person',
        place: 'first question',
        guide: [],
        covers: { first: 'u0', last: 'b1' },
        stats,
        group: 'g',
        id: 'y',
        parent: 'x',
        at: 1,
      },
    ])
    const b = await load({ store, world })
    await b.agent.idleTrim('s')
    await sendAndSettle(b, 's', 'And now?')
    expect(sent(b)[0]).toMatch(/Tell the time[^]*Question 3$/)
  })
})
