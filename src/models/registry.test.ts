import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startFakeServer, type FakeServer } from '../../e2e/servers/fake-server.ts'
import type { AgentError } from '../core/errors.ts'
import type { Models, Secrets, Server } from '../core/ports/ports.ts'
import { createAllowedFetch } from '../net/allowed-fetch.ts'
import { locksOf } from '../bridge/worker/web-locks.ts'
import { keyVault } from '../storage/key-vault.ts'
import { MemoryStore } from '../storage/memory-store.ts'
import { defaultWindow, isLocalAddress, presets } from './catalogue/catalog.ts'
import { collectParts, plainRequest } from './model.laws.ts'
import { createModels } from './registry.ts'
import { createTokenizer } from './tokenizer.ts'

let fake: FakeServer
let store: MemoryStore
let models: Models
const signal = new AbortController().signal
const secret = 'sk-very-secret-key-0001'
beforeAll(async () => {
  fake = await startFakeServer({ models: ['chat', 'family/model:7b'], contextWindow: 16_384 })
})
afterAll(() => fake.stop())
beforeEach(() => {
  store = new MemoryStore()
  const net = createAllowedFetch({ store, now: () => 1 })
  models = createModels({ store, secrets: vault(), fetch: net.model, allow: net.allow })
  fake.switches.key = undefined
  fake.switches.v1 = true
})
const vault = (): Secrets => keyVault({ store, locks: locksOf(undefined), crypto: globalThis.crypto })
const server = (changes: Partial<Server> = {}): Server => ({
  id: 'one',
  name: 'Fake',
  baseUrl: fake.url,
  models: ['chat', 'family/model:7b'],
  ...changes,
})
const failure = (promise: Promise<unknown>): Promise<AgentError> =>
  promise.then(
    () => {
      throw new Error('it did not fail')
    },
    (thrown: unknown) => thrown as AgentError,
  )

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

  it('keeps the key apart and never gives it out', async () => {
    fake.switches.key = secret
    await models.saveServer(server({ key: ` ${secret}\n` }))
    expect(await models.servers()).toEqual([{ ...server(), hasKey: true }])
    expect(
      JSON.stringify([await store.setting('models.servers'), await models.list(), await models.servers()]),
    ).not.toContain(secret)
    expect((await models.probe(server(), signal)).models).toContain('chat')
    await models.saveServer(server({ name: 'Renamed', hasKey: true }))
    expect((await models.probe(server(), signal)).models).toContain('chat')
    await models.saveServer(server({ key: '' }))
    expect((await models.servers())[0]?.hasKey).toBe(false)
  })

  it('never sends a key to a host that it was not typed for', async () => {
    const other = await startFakeServer()
    await models.saveServer(server({ key: secret }))
    await models.probe(server({ baseUrl: other.url }), signal)
    await models.saveServer(server({ baseUrl: other.url }))
    expect((await models.servers())[0]?.hasKey).toBe(false)
    await collectParts(await models.get('one/chat'))
    expect(JSON.stringify(other.requests)).not.toContain(secret)
    await other.stop()
  })

  it('refuses a server that is none', async () => {
    for (const bad of [{ baseUrl: 'ftp://x' }, { baseUrl: 'localhost:11434' }, { id: 'a/b' }, { id: '' }]) {
      expect((await failure(models.saveServer(server(bad)))).code).toBe('bad_input')
    }
  })

  it('forgets everything of a removed server', async () => {
    await models.probe(server(), signal)
    await models.saveServer(server({ key: secret }))
    await models.removeServer('one')
    expect(await models.servers()).toEqual([])
    expect(await vault().has('key one')).toBe(false)
    expect((await failure(models.get('one/chat'))).code).toBe('model_unavailable')
  })

  it('seals keys and headers that lie there in the open, once, and uses them as before', async () => {
    await store.saveSetting('models.servers', [
      server({ headers: { 'x-team': 'team-token-77' } }),
      server({ id: 'two' }),
    ])
    await store.saveSetting('models.key.one', secret)
    fake.switches.key = secret
    expect(await models.servers()).toMatchObject([
      { id: 'one', hasKey: true, headers: { 'x-team': 'team-token-77' } },
      { id: 'two', hasKey: false },
    ])
    const kept = async (key: string) =>
      JSON.stringify((await store.setting(key)) ?? null, (_, value: unknown) =>
        value instanceof Uint8Array ? new TextDecoder('latin1').decode(value) : value,
      )
    for (const key of ['models.servers', 'models.key.one', 'keys'])
      expect(await kept(key), key).not.toMatch(/very-secret|team-token/)
    expect(await store.setting('models.key.one')).toBeUndefined()
    expect((await collectParts(await models.get('one/chat'))).at(-1)?.type).toBe('finish')
    expect(fake.requests.at(-1)!.headers).toMatchObject({
      authorization: `Bearer ${secret}`,
      'x-team': 'team-token-77',
    })
    await models.saveServer(server({ headers: { 'x-team': 'other' } }))
    expect((await models.servers())[0]).toMatchObject({ hasKey: true, headers: { 'x-team': 'other' } })
    await models.saveServer(server())
    expect((await models.servers())[0]!.headers).toBeUndefined()
  })

  it('says whose key is to be typed again where the kept ones were damaged, and goes on with the others', async () => {
    await models.saveServer(server({ key: secret }))
    await models.saveServer(server({ id: 'two', name: 'Open' }))
    const kept = (await store.setting('keys')) as { bytes: Uint8Array }
    await store.saveSetting('keys', { ...kept, bytes: kept.bytes.map(byte => byte ^ 1) })
    expect((await models.list()).map(info => info.id)).toContain('one/chat')
    expect((await models.servers()).map(({ hasKey }) => hasKey)).toEqual([false, false])
    expect(await failure(models.get('one/chat'))).toMatchObject({
      code: 'model_auth',
      message: expect.stringContaining('The key of Fake'),
      data: { server: 'Fake', why: 'damaged' },
    })
    expect((await collectParts(await models.get('two/chat'))).at(-1)?.type).toBe('finish')
    await models.saveServer(server({ key: secret }))
    expect((await collectParts(await models.get('one/chat'))).at(-1)?.type).toBe('finish')
  })

  it('lists what is there while what lies in the open cannot be sealed, and seals it later', async () => {
    await store.saveSetting('models.servers', [server()])
    await store.saveSetting('models.key.one', secret)
    let isFull = true
    const keys = vault()
    const secrets: Secrets = {
      ...keys,
      set: changes => (isFull ? Promise.reject(new Error('full')) : keys.set(changes)),
    }
    const full = createModels({
      store,
      secrets,
      allow: () => undefined,
      fetch: () => Promise.reject(new Error('nothing may be asked')),
    })
    expect((await full.list()).map(info => info.id)).toContain('one/chat')
    expect(await store.setting('models.key.one')).toBe(secret)
    isFull = false
    expect(await full.servers()).toMatchObject([{ id: 'one', hasKey: true }])
    expect(await store.setting('models.key.one')).toBeUndefined()
  })

  it('lists servers while the keys are locked, and says so when one is wanted', async () => {
    await models.saveServer(server({ key: secret, headers: { 'x-team': 'team-token-77' } }))
    await models.keys!.setPassphrase('correct horse')
    const elsewhere = createModels({
      store,
      secrets: vault(),
      allow: () => undefined,
      fetch: () => Promise.reject(new Error('nothing may be asked')),
    })
    expect((await elsewhere.list()).map(info => info.id)).toContain('one/chat')
    expect(await elsewhere.servers()).toEqual([{ ...server(), hasKey: true }])
    expect(await failure(elsewhere.get('one/chat'))).toMatchObject({ code: 'model_auth', data: { why: 'locked' } })
    await elsewhere.keys!.unlock('correct horse')
    expect((await elsewhere.servers())[0]!.headers).toEqual({ 'x-team': 'team-token-77' })
    expect((await elsewhere.get('one/chat')).id).toBe('one/chat')
  })

  it('survives a damaged row', async () => {
    await store.saveSetting('models.servers', [null, 5, { id: 'x' }, server()])
    expect((await models.servers()).map(row => row.id)).toEqual(['one'])
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
    fake.switches.key = secret
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
    fake.switches.key = secret
    await models.saveServer(server({ key: secret }))
    expect(await models.diagnose(server(), signal, 'chat')).toEqual({ fault: null, host: `127.0.0.1:${fake.port}` })
    const other = await startFakeServer()
    await models.diagnose(server({ baseUrl: other.url }), signal)
    expect(other.requests.length).toBeGreaterThan(0)
    expect(JSON.stringify(other.requests)).not.toContain(secret)
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
        secrets: vault(),
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
        secrets: vault(),
        allow: () => undefined,
        fetch: async () => new Response(body),
      })
      expect((await failure(other.probe(server(), signal))).code).toBe('model_protocol')
    }
  })
})

describe('the catalogue', () => {
  it('has addresses that parse, words in both languages, and the windows of known servers', () => {
    for (const preset of presets) {
      expect(URL.canParse(preset.baseUrl)).toBe(true)
      expect(preset.hint.en && preset.hint.zh).toBeTruthy()
      expect(isLocalAddress(preset.baseUrl)).toBe(preset.local)
    }
    expect(defaultWindow('http://127.0.0.1:11434/v1')).toBe(4_096)
    expect(defaultWindow('https://api.openai.com/v1')).toBe(128_000)
    expect(defaultWindow('https://unknown.example/v1')).toBe(32_768)
    expect(isLocalAddress('http://127.0.0.1.evil.example/')).toBe(false)
  })
})

describe('the tokenizer', () => {
  it('is absent until it is loaded, then counts special tokens as text', async () => {
    const tokenizer = createTokenizer()
    expect(tokenizer.count).toBeUndefined()
    await tokenizer.load()
    expect(tokenizer.count?.('hello world')).toBe(2)
    expect(tokenizer.count?.('<|endoftext|>')).toBeGreaterThan(1)
    expect(tokenizer.count?.('\ud800')).toBeGreaterThan(0)
  })
})
