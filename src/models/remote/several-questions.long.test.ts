/**
 * Talks of several questions with a reload between, through the whole agent: what a provider refuses must not end a
 * chat.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startFakeServer, type FakeServer } from '../../../e2e/servers/fake-server.ts'
import { testAgent, sendAndSettle, stillWorld, type TestAgent } from '../../core/agent/agent.fixture.ts'
import type { Entry, SessionId } from '../../core/log/entry.ts'
import type { LogStore, Models, Server } from '../../core/ports/ports.ts'
import { createAllowedFetch } from '../../net/allowed-fetch.ts'
import { locksOf } from '../../bridge/worker/web-locks.ts'
import { keyVault } from '../../storage/key-vault.ts'
import { MemoryStore } from '../../storage/memory-store.ts'
import { createModels } from '../registry.ts'
import { resetRemoteState } from './model-knowledge.ts'

let fake: FakeServer
beforeAll(async () => {
  fake = await startFakeServer()
})
afterAll(() => fake.stop())
beforeEach(() => {
  fake.requests.length = 0
})

type Sent = { messages: Record<string, unknown>[]; [field: string]: unknown }
const scenarios = ['deepseek', 'kimi', 'gateway', 'openrouter', 'gemini', 'strict', 'toolless']

/** The app as it starts: what it learnt before is only in the store. */
async function opened(
  store: LogStore,
  changes: Partial<Server> = {},
  prefix = 'a',
): Promise<{ app: TestAgent; models: Models }> {
  resetRemoteState()
  const net = createAllowedFetch({ store, now: () => 1 })
  const models = createModels({
    store,
    secrets: keyVault({ store, locks: locksOf(undefined), crypto: globalThis.crypto }),
    fetch: net.model,
    allow: net.allow,
  })
  await models.saveServer({ id: 'one', name: 'Fake', baseUrl: fake.url, models: [...scenarios, 'limited'], ...changes })
  return { app: testAgent([], { store, models, world: stillWorld(prefix) }), models }
}

async function chat(app: TestAgent, model: string): Promise<SessionId> {
  const { id } = await app.agent.create()
  await app.agent.choose(id, { model })
  return id
}
const answersOf = async (app: TestAgent, id: SessionId): Promise<string[]> =>
  (await app.log(id)).flatMap(entry => (entry.type === 'assistant' && entry.text !== '' ? [entry.text] : []))
const faultsOf = async (app: TestAgent, id: SessionId): Promise<Entry[]> =>
  (await app.log(id)).filter(entry => entry.type === 'note' && entry.code.startsWith('model_'))
const asked = (): Sent[] => fake.requests.splice(0).flatMap(({ body }) => (body ? [body as Sent] : []))

/** Four questions, of which two call a tool; before the third the app is loaded anew. */
async function talk(app: TestAgent, id: SessionId, from: number): Promise<void> {
  for (const n of [from, from + 1])
    expect(await sendAndSettle(app, id, `Question ${n}${n % 2 === 1 ? ': look' : ''}`)).toMatchObject({ state: 'idle' })
}

describe('a chat of several questions', () => {
  // Requests for the last two questions: the call, its answer, the plain answer; those that want all of it learn so at
  // the end of the first plain turn.
  const requests: Record<string, number> = {
    deepseek: 3,
    kimi: 3,
    gateway: 4,
    openrouter: 3,
    gemini: 3,
    strict: 4,
    toolless: 2,
  }
  it.each(scenarios)('%s: is answered each time, and after a reload nothing is learnt twice', async name => {
    const store = new MemoryStore()
    const { app } = await opened(store)
    const id = await chat(app, `one/${name}`)
    await talk(app, id, 1)
    const again = (await opened(store, {}, 'b')).app
    asked()
    await talk(again, id, 3)
    expect(await answersOf(again, id)).toEqual(['Answer 1.', 'Answer 2.', 'Answer 3.', 'Answer 4.'])
    expect(await faultsOf(again, id)).toEqual([])
    expect(asked()).toHaveLength(requests[name]!)
  })

  it('limited: the last answer of a turn that called too often, twice', async () => {
    const store = new MemoryStore()
    let { app } = await opened(store)
    const id = await chat(app, 'one/limited')
    await app.agent.choose(id, { strategy: 'cowagent' })
    await app.agent.setConfig(id, { agent_max_steps: 2 })
    for (const n of [1, 2]) {
      expect(await sendAndSettle(app, id, `Question ${n}: look`)).toMatchObject({ state: 'idle' })
      app = (await opened(store, {}, `b${n}`)).app
    }
    expect(await answersOf(app, id)).toEqual(['Answer 1.', 'Answer 2.'])
    expect(await faultsOf(app, id)).toEqual([])
  })

  it('goes on after it was asked anew in another chat, with one request for each step', async () => {
    const { app } = await opened(new MemoryStore())
    await talk(app, await chat(app, 'one/deepseek'), 1)
    asked()
    await talk(app, await chat(app, 'one/deepseek'), 1)
    expect(asked()).toHaveLength(3)
  })

  it('that changes models answers with each of them, and gives nobody what another one sealed', async () => {
    const store = new MemoryStore()
    let { app } = await opened(store)
    const id = await chat(app, 'one/openrouter')
    let n = 0
    for (const round of [1, 2]) {
      for (const name of ['openrouter', 'deepseek', 'gemini', 'gateway', 'strict', 'kimi']) {
        await app.agent.choose(id, { model: `one/${name}` })
        for (const what of [': look', '']) {
          expect([name, await sendAndSettle(app, id, `Question ${++n}${what}`)]).toMatchObject([
            name,
            { state: 'idle' },
          ])
          expect((await answersOf(app, id)).at(-1)).toBe(`Answer ${n}.`)
        }
        const last = JSON.stringify(asked().at(-1)?.messages)
        expect([name, last.includes('b3BlbnJvdXRlcg==')]).toEqual([name, name === 'openrouter'])
        if (name !== 'gemini') expect(last).not.toContain('signed step')
      }
      app = (await opened(store, {}, `r${round}`)).app
    }
    expect(await faultsOf(app, id)).toEqual([])
  })

  it('that is imported elsewhere goes on too, with what was kept of its reasoning', async () => {
    for (const name of scenarios) {
      const { app } = await opened(new MemoryStore())
      const id = await chat(app, `one/${name}`)
      await talk(app, id, 1)
      const lines = await linesOf(app, id)
      // Another device names the server in its own way.
      const there = (await opened(new MemoryStore(), { id: 'two' }, 'c')).app
      const importing = await there.agent.importStart({ asCopy: false })
      await there.agent.importLines(importing, lines)
      await there.agent.importEnd(importing)
      const [found] = await there.agent.sessions()
      await there.agent.choose(found!.id, { model: `two/${name}` })
      asked()
      await talk(there, found!.id, 3)
      expect((await answersOf(there, found!.id)).slice(-2)).toEqual(['Answer 3.', 'Answer 4.'])
      if (name === 'openrouter' || name === 'gemini')
        expect(JSON.stringify(asked().at(-1)?.messages)).toContain(
          name === 'gemini' ? '"signed step 1"' : 'signed Thought 1.',
        )
    }
  })

  it('of before this was kept is answered with empty ones', async () => {
    for (const name of scenarios) {
      const store = new MemoryStore()
      const { app } = await opened(store)
      const id = await chat(app, `one/${name}`)
      const call = { id: 'call_1', name: 'get_time', arguments: '{}' }
      const old = { parent: null, at: 1 }
      await store.append(id, [
        { ...old, id: 'e1', type: 'user', text: 'Question 1: look' },
        {
          ...old,
          id: 'e2',
          parent: 'e1',
          type: 'assistant',
          text: '',
          calls: [call],
          model: `one/${name}`,
          local: true,
          stop: 'calls',
        },
        {
          ...old,
          id: 'e3',
          parent: 'e2',
          type: 'result',
          callId: 'call_1',
          tool: 'get_time',
          text: 'noon',
          isError: false,
        },
        {
          ...old,
          id: 'e4',
          parent: 'e3',
          type: 'assistant',
          text: 'Answer 1.',
          calls: [],
          model: `one/${name}`,
          local: true,
          stop: 'stop',
        },
      ])
      const { app: again } = await opened(store, {}, 'b')
      await talk(again, id, 2)
      expect(await answersOf(again, id)).toEqual(['Answer 1.', 'Answer 2.', 'Answer 3.'])
    }
  })
})

describe('Retry', () => {
  it('wakes a chat that a refusal had ended under an earlier version', async () => {
    const store = new MemoryStore()
    const { app } = await opened(store)
    const id = await chat(app, 'one/deepseek')
    const old = { at: 1 }
    await store.append(id, [
      { ...old, id: 'e1', parent: null, type: 'user', text: 'Question 1: look' },
      {
        ...old,
        id: 'e2',
        parent: 'e1',
        type: 'assistant',
        text: '',
        reasoning: 'I look.',
        calls: [{ id: 'call_1', name: 'get_time', arguments: '{}' }],
        model: 'one/deepseek',
        local: true,
        stop: 'calls',
      },
      {
        ...old,
        id: 'e3',
        parent: 'e2',
        type: 'result',
        callId: 'call_1',
        tool: 'get_time',
        text: 'noon',
        isError: false,
      },
      {
        ...old,
        id: 'e4',
        parent: 'e3',
        type: 'assistant',
        text: 'Answer 1.',
        reasoning: 'Noon.',
        calls: [],
        model: 'one/deepseek',
        local: true,
        stop: 'stop',
      },
      { ...old, id: 'e5', parent: 'e4', type: 'user', text: 'Question 2' },
      {
        ...old,
        id: 'e6',
        parent: 'e5',
        type: 'note',
        code: 'model_refused',
        text: 'The model did not answer: refused.',
      },
    ])
    const { app: again } = await opened(store, {}, 'b')
    await again.agent.open(id)
    again.events.length = 0
    await again.agent.resume(id)
    expect(await again.settled(id)).toMatchObject({ state: 'idle' })
    expect(await answersOf(again, id)).toEqual(['Answer 1.', 'Answer 2.'])
    expect(
      asked()
        .at(-1)
        ?.messages.flatMap(message => (message['role'] === 'assistant' ? [message['reasoning_content']] : [])),
    ).toEqual(['I look.', 'Noon.'])
  })
})

describe('with Anthropic’s API', () => {
  const anthropic: Partial<Server> = { dialect: 'anthropic', models: ['thinks', 'thinks-bound'] }
  const thoughtsIn = (sent: Sent | undefined): string[] =>
    (sent?.messages ?? []).flatMap(({ content }) =>
      Array.isArray(content)
        ? content.flatMap((block: Record<string, unknown>) =>
            block['type'] === 'thinking' ? [String(block['thinking'])] : [],
          )
        : [],
    )

  it('all thinking goes back as it came, also what was not shown, also after a reload and an import', async () => {
    const store = new MemoryStore()
    const { app } = await opened(store, anthropic)
    const id = await chat(app, 'one/thinks')
    await talk(app, id, 1)
    const { app: again } = await opened(store, anthropic, 'b')
    asked()
    await talk(again, id, 3)
    const sent = asked()
    expect(sent).toHaveLength(3)
    expect(thoughtsIn(sent.at(-1))).toEqual(['Thought 1.', '', 'Thought 3.', '', 'Thought 5.'])
    const { app: there } = await opened(new MemoryStore(), { ...anthropic, id: 'two' }, 'c')
    const importing = await there.agent.importStart({ asCopy: false })
    await there.agent.importLines(importing, await linesOf(again, id))
    const {
      sessions: [copy],
    } = await there.agent.importEnd(importing)
    await there.agent.choose(copy!, { model: 'two/thinks' })
    asked()
    expect(await sendAndSettle(there, copy!, 'Question 5')).toMatchObject({ state: 'idle' })
    expect(thoughtsIn(asked().at(-1))).toHaveLength(6)
    expect((await answersOf(there, copy!)).at(-1)).toBe('Answer 5.')
  })

  it('thinking that no longer fits what stands before it is left out, and the talk goes on', async () => {
    const store = new MemoryStore()
    const { app } = await opened(store, anthropic)
    const id = await chat(app, 'one/thinks-bound')
    await talk(app, id, 1)
    await talk(app, id, 3)
    const second = (await app.log(id)).find(entry => entry.type === 'user' && entry.text === 'Question 2')!
    await store.append(id, [
      {
        id: 'cut',
        parent: (await store.session(id))!.leaf,
        at: 1,
        type: 'cut',
        before: second.id,
        reason: 'open',
        group: 'g',
      },
    ])
    const { app: again } = await opened(store, anthropic, 'b')
    await talk(again, id, 5)
    expect((await answersOf(again, id)).filter(text => text.startsWith('Answer')).slice(-2)).toEqual([
      'Answer 4.',
      'Answer 5.',
    ]) // the first question is out of the window
    expect(await faultsOf(again, id)).toEqual([])
    asked()
    await talk(again, id, 7)
    const sent = asked()
    expect(sent).toHaveLength(3) // nothing is refused any more
    expect(thoughtsIn(sent.at(-1)).length).toBeGreaterThan(0)
  })
})

async function linesOf(app: TestAgent, id: SessionId): Promise<string[]> {
  const lines: string[] = []
  for (let cursor: string | undefined; ;) {
    const page = await app.agent.exportLines({ kind: 'session', session: id }, cursor)
    lines.push(...page.lines)
    if (page.next === undefined) return lines
    cursor = page.next
  }
}
