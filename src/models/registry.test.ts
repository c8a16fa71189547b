/** The registry of models: what it lists and makes, and what a probe finds. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startFakeServer, type FakeServer } from '../../e2e/servers/fake-server.ts'
import type { Models, Server } from '../core/ports/ports.ts'
import type { MemoryStore } from '../storage/memory-store.ts'
import { collectParts, plainRequest } from './model.laws.ts'
import { emptyRegistry, failure, serverKey, serverAt, startTwoModels, vaultOf } from './registry.fixture.ts'
import { createModels } from './registry.ts'

let fake: FakeServer
let store: MemoryStore
let models: Models
beforeAll(async () => {
  fake = await startTwoModels()
})
afterAll(() => fake.stop())
beforeEach(() => {
  ;({ store, models } = emptyRegistry(fake))
})
const signal = new AbortController().signal
const server = (changes: Partial<Server> = {}): Server => serverAt(fake, changes)

describe('the registry', () => {
  it('has Recall from the first moment', async () => {
    expect((await models.list()).map(info => info.id)).toEqual(['recall'])
    const { id, name, contextWindow, local, can } = await models.get('recall')
    expect(await models.list()).toEqual([
      { id, name, kind: 'recall', contextWindow, local, tools: can.tools, toolUse: 'good' },
    ])
  })

  it('lists and makes the models of a server, also with slashes in their names', async () => {
    await models.probe(server(), signal)
    await models.saveServer(server())
    expect(await models.list()).toContainEqual({
      id: 'one/family/model:7b',
      name: 'family/model:7b',
      kind: 'remote',
      server: 'one',
      serverName: 'Fake',
      contextWindow: 16_384,
      windowFrom: { by: 'server', place: '/models' },
      local: true,
      tools: true,
      toolUse: 'so-so',
    })
    const model = await models.get('one/chat')
    expect(model.contextWindow).toBe(16_384)
    expect((await collectParts(model)).at(-1)?.type).toBe('finish')
  })

  it('lets the typed window win', async () => {
    await models.probe(server(), signal)
    await models.saveServer(server({ contextWindow: 9_000 }))
    expect((await models.get('one/chat')).contextWindow).toBe(9_000)
  })

  it('says where a window comes from, and looks again once a model has answered', async () => {
    Object.assign(fake.switches, {
      contextWindow: undefined,
      row: { owned_by: 'library' },
      native: { '/api/ps': { models: [] } },
    })
    const info = async () => (await models.list()).find(({ name }) => name === 'chat')
    await models.probe(server(), signal)
    await models.saveServer(server())
    // Ollama's, though at a port of its own
    expect(await info()).toMatchObject({ contextWindow: 4_096, windowFrom: { by: 'default' } })
    // loaded by the first question
    fake.switches.native = { '/api/ps': { models: [{ model: 'chat', context_length: 12_288 }] } }
    await collectParts(await models.get('one/chat'))
    await expect.poll(info).toMatchObject({ contextWindow: 12_288, windowFrom: { by: 'server', place: '/api/ps' } })
    const asked = fake.requests.length
    await collectParts(await models.get('one/chat'))
    expect(fake.requests.slice(asked).map(({ path }) => path)).toEqual(['/v1/chat/completions'])
    // It was away, and came back with another window: the next answer has it looked at again, and only that one.
    for (const [says, tokens] of [
      ['down', 8_192],
      ['broken-off', 24_576],
    ] as const) {
      await expect(
        collectParts(await models.get('one/chat'), {
          ...plainRequest,
          messages: [{ role: 'user', content: `[[${says}]]` }],
        }),
      ).rejects.toThrow()
      fake.switches.native = { '/api/ps': { models: [{ model: 'chat', context_length: tokens }] } }
      await collectParts(await models.get('one/chat'))
      await expect.poll(info).toMatchObject({ contextWindow: tokens })
    }
    await models.saveServer(server({ contextWindow: 9_000 }))
    expect(await info()).toMatchObject({ contextWindow: 9_000, windowFrom: { by: 'person' } })
    Object.assign(fake.switches, { contextWindow: 16_384, row: undefined, native: undefined })
  })

  it('forgets what another host had told under the same name', async () => {
    await models.probe(server(), signal)
    await models.saveServer(server({ baseUrl: 'http://127.0.0.1:9/v1' }))
    expect((await models.list()).find(({ name }) => name === 'chat')).toMatchObject({ windowFrom: { by: 'guess' } })
  })

  it('tells what an answer costs, where it knows a price', async () => {
    await models.saveServer(server({ prices: { chat: { input: 1, output: 10 } } }))
    const usage = async (name: string) =>
      (await collectParts(await models.get(`one/${name}`))).flatMap(part =>
        part.type === 'finish' ? [part.usage] : [],
      )[0]
    const known = await usage('chat')
    expect(known?.cost).toBeCloseTo(((known?.input ?? 0) + 10 * (known?.output ?? 0)) / 1e6, 12)
    expect((await usage('family/model:7b'))?.cost).toBeUndefined()
  })
})

describe('a probe', () => {
  it('finds the list, the window, and the missing /v1', async () => {
    expect(await models.probe(server(), signal)).toMatchObject({
      models: ['chat', 'family/model:7b'],
      contextWindow: 16_384,
      windows: { chat: { tokens: 16_384, place: '/models' } },
    })
    expect(await models.probe(server({ baseUrl: fake.origin }), signal)).toMatchObject({
      models: ['chat', 'family/model:7b'],
      baseUrl: fake.url,
    })
    expect(await models.probe(server({ baseUrl: `${fake.url}/chat/completions/` }), signal)).toMatchObject({
      baseUrl: fake.url,
    })
  })

  it('tells key, path, and off apart', async () => {
    fake.switches.key = serverKey
    expect(await failure(models.probe(server(), signal))).toMatchObject({
      code: 'model_auth',
      message: expect.stringContaining('wants a key') as string,
    })
    const wrong = await failure(models.probe(server({ key: 'sk-wrong-0000000000000' }), signal))
    expect(wrong).toMatchObject({
      code: 'model_auth',
      message: expect.stringContaining('did not accept the key') as string,
    })
    expect(wrong.message).not.toContain('sk-wrong')
    fake.switches.key = undefined
    expect((await failure(models.probe(server({ baseUrl: `${fake.origin}/nowhere/v1` }), signal))).code).toBe(
      'model_not_found',
    )
    const gone = await startFakeServer()
    await gone.stop()
    expect(await failure(models.probe(server({ baseUrl: gone.url }), signal))).toMatchObject({
      code: 'network',
      message: expect.stringContaining(String(gone.port)) as string,
    })
  })

  it('leaves the cause to the doctor, who gets the kept key for its own host only', async () => {
    fake.switches.key = serverKey
    await models.saveServer(server({ key: serverKey }))
    expect(await models.diagnose(server(), signal, 'chat')).toEqual({ fault: null, host: `127.0.0.1:${fake.port}` })
    const other = await startFakeServer()
    await models.diagnose(server({ baseUrl: other.url }), signal)
    expect(other.requests.length).toBeGreaterThan(0)
    expect(JSON.stringify(other.requests)).not.toContain(serverKey)
    await other.stop()
  })

  it('reads the lists of many servers', async () => {
    const lists: [unknown, string[], number | undefined][] = [
      [{ data: [{ id: 'a', max_model_len: 8_192 }] }, ['a'], 8_192],
      [{ data: [{ id: 'a', context_length: 200_000, top_provider: { context_length: 128_000 } }] }, ['a'], 128_000],
      [{ models: [{ name: 'a' }, { name: 'a' }, { model: 'b' }, null, 'x', {}] }, ['a', 'b'], undefined],
      [
        [
          { id: '__proto__', context_window: 4_096 },
          { id: 'b', context_window: 8_192 },
        ],
        ['__proto__', 'b'],
        undefined,
      ],
      [{ data: [{ id: 'a', meta: { n_ctx_train: 131_072 } }] }, ['a'], undefined],
    ]
    for (const [body, names, window] of lists) {
      const other = createModels({
        store,
        secrets: vaultOf(store),
        allow: () => undefined,
        fetch: async () => Response.json(body),
      })
      const { models: found, contextWindow } = await other.probe(server(), signal)
      expect(found).toEqual(names)
      expect(contextWindow).toBe(window)
    }
    for (const body of ['<!doctype html><title>Router</title>', '{"object":"list"}', 'null', '']) {
      const other = createModels({
        store,
        secrets: vaultOf(store),
        allow: () => undefined,
        fetch: async () => new Response(body),
      })
      expect((await failure(other.probe(server(), signal))).code).toBe('model_protocol')
    }
  })
})
