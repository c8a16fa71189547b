import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startFakeServer, type FakeServer } from '../../e2e/servers/fake-server.ts'
import { locksOf } from '../bridge/worker/web-locks.ts'
import { processLocks, stillWorld } from '../core/agent/agent.fixture.ts'
import { createAgent } from '../core/agent/agent.ts'
import type { AgentEvent } from '../core/agent/api/api.ts'
import { createAllowedFetch } from '../net/allowed-fetch.ts'
import { keyVault } from '../storage/key-vault.ts'
import { MemoryStore } from '../storage/memory-store.ts'
import type { ModelFetch } from './shared/model-fetch.ts'
import { createModels } from './registry.ts'
import { linearPattern } from '../net/linear-pattern.ts'

const key = 'sk-live-4f7c2b9e-never-to-be-seen'
const header = 'team-token-88-never-to-be-seen'
const secrets = [key, header, btoa(key), encodeURIComponent(key)]
let fake: FakeServer
beforeAll(async () => {
  fake = await startFakeServer({ key })
})
afterAll(() => fake.stop())

/** Texts of everything, also of bytes. */
const told = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part instanceof Uint8Array
      ? new TextDecoder('latin1').decode(part)
      : part instanceof Error
        ? `${part.name} ${part.message} ${part.stack}`
        : part,
  ) ?? ''

it(
  'a key is in no export, note, event, log line or setting, whatever the server answers',
  { timeout: 30_000 },
  async () => {
    const store = new MemoryStore()
    const written: unknown[] = []
    const save = store.saveSetting.bind(store)
    store.saveSetting = async (name, value) => {
      written.push([name, value])
      await save(name, value)
    }
    const logged: unknown[] = []
    for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const)
      vi.spyOn(console, method).mockImplementation((...parts) => {
        logged.push(parts)
      })
    const world = stillWorld()
    const net = createAllowedFetch({ store, now: world.now })
    const events: AgentEvent[] = []
    /** A server that quotes back what it was sent, as some do in their refusals. */
    const asked: ModelFetch = async (url, init, options) =>
      String(init.body).includes('"model":"echo"')
        ? Response.json({ error: { message: `Not accepted: ${JSON.stringify(init.headers)}` } }, { status: 401 })
        : net.model(url, init, options)
    const agent = createAgent({
      store,
      world,
      locks: processLocks(),
      models: createModels({
        store,
        secrets: keyVault({ store, locks: locksOf(undefined), crypto: globalThis.crypto }),
        fetch: asked,
        allow: net.allow,
      }),
      tokenizer: { load: async () => undefined, count: undefined },
      compilePattern: linearPattern,
      diffLines: async () => [],
      readPage: async url => ({ title: '', markdown: '', url }),
      contacted: net.contacted,
      storage: async () => ({ state: 'memory' }),
    })
    void agent.subscribe(batch => {
      events.push(...batch)
    })
    const server = {
      id: 'one',
      name: 'Fake',
      baseUrl: fake.url,
      key,
      headers: { 'x-team': header },
      models: ['chat', 'unauthorised', 'echo'],
    }
    await agent.saveServer(server)
    const { id } = await agent.create('Keys')
    for (const model of ['one/chat', 'one/unauthorised', 'one/echo']) {
      await agent.choose(id, { model })
      const from = events.length
      await agent.send(id, `Hello ${model}`)
      await vi.waitFor(() => {
        expect(
          events
            .slice(from)
            .some(event => event.type === 'status' && ['idle', 'interrupted'].includes(event.status.state)),
        ).toBe(true)
      }, 10_000)
    }
    await agent.saveServer({ ...server, key: `${key}-wrong` })
    await agent.probe(await agent.servers().then(([found]) => found!)).catch((thrown: unknown) => {
      logged.push(thrown)
    })
    await agent.diagnose(server, 'chat').then(found => {
      logged.push(found)
    })
    await net.flush()

    const lines: string[] = []
    for (let cursor: string | undefined; ;) {
      const page = await agent.exportLines({ kind: 'all' }, cursor)
      lines.push(...page.lines)
      if ((cursor = page.next) === undefined) break
    }
    expect(lines.length).toBeGreaterThan(4)
    expect(lines.join()).toContain('Not accepted: ')
    expect(fake.requests.some(({ headers }) => headers['authorization'] === `Bearer ${key}`)).toBe(true)
    const everything: Record<string, unknown> = {
      lines,
      events,
      logged,
      written,
      entries: await store.read(id),
      contacted: await agent.networkLedger(),
      models: await agent.models(),
      servers: (await agent.servers()).map(({ headers: _headers, ...row }) => row),
      defaults: await agent.defaults(),
      context: await agent.view(id),
    }
    for (const [where, what] of Object.entries(everything))
      for (const secret of secrets) expect(told(what), where).not.toContain(secret)
    // Headers are shown where they are edited, and nowhere else.
    expect((await agent.servers())[0]!.headers).toEqual({ 'x-team': header })
  },
)
