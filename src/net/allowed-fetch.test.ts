import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startFakeServer, type FakeServer } from '../../e2e/servers/fake-server.ts'
import type { AgentError } from '../core/errors.ts'
import { MemoryStore } from '../storage/memory-store.ts'
import { createAllowedFetch, type AllowedFetch } from './allowed-fetch.ts'
import { unreachable } from './unreachable.ts'

let fake: FakeServer
let now = 1_000
const signal = new AbortController().signal
beforeAll(async () => {
  fake = await startFakeServer()
})
afterAll(() => fake.stop())
const make = (store = new MemoryStore()): AllowedFetch => createAllowedFetch({ store, now: () => now++ })
const failure = (promise: Promise<unknown>): Promise<AgentError> =>
  promise.then(
    () => {
      throw new Error('it did not fail')
    },
    (thrown: unknown) => thrown as AgentError,
  )
const post = (url: string, model: string, net: AllowedFetch): Promise<Response> =>
  net.model(`${url}/chat/completions`, {
    method: 'POST',
    signal,
    headers: { 'content-type': 'application/json', 'User-Agent': 'ai-sdk/1' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'é' }] }),
  })

describe('who may be asked', () => {
  it('nobody, until named; one address with a grant', async () => {
    const net = make()
    fake.requests.length = 0
    expect((await failure(net.model(`${fake.url}/models`, { signal }))).code).toBe('blocked_address')
    expect(fake.requests).toHaveLength(0)
    expect((await net.model(`${fake.url}/models`, { signal }, { grant: true })).status).toBe(200)
    expect((await failure(net.model(`${fake.url}/models`, { signal }))).code).toBe('blocked_address')
    net.allow([fake.url, 'nonsense'])
    expect((await net.model(`${fake.url}/models`, { signal })).status).toBe(200)
    net.allow([])
    expect((await failure(net.model(`${fake.url}/models`, { signal }))).code).toBe('blocked_address')
  })

  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://x.example/',
    'http://user:pass@x.example/',
    'nonsense',
    'blob:http://x/1',
  ])('never %s', async url => {
    const code = (await failure(make().page(url, signal))).code
    expect(['blocked_address', 'bad_input']).toContain(code)
  })

  it('not by port or scheme of a named host', async () => {
    const net = make()
    net.allow(['https://api.example/v1'])
    for (const url of ['http://api.example/v1', 'https://api.example:8443/', 'https://api.example.evil.example/'])
      expect((await failure(net.model(url, { signal }))).code).toBe('blocked_address')
  })

  it('nobody whom a server sends on to', async () => {
    const net = make()
    net.allow([fake.url])
    const thrown = await failure(post(fake.url, 'redirect', net))
    expect(thrown.code).toBe('blocked_address')
    expect(thrown.message).toContain('elsewhere.example')
    const opaque = createAllowedFetch({
      store: new MemoryStore(),
      now: () => 1,
      fetch: async () =>
        ({ type: 'opaqueredirect', status: 0, ok: false, body: null, headers: new Headers() }) as unknown as Response,
    })
    expect((await failure(opaque.page('https://a.example/', signal))).message).toContain('final address')
  })
})

describe('how it asks', () => {
  it('without cookies, referrer, cache, redirects, or a User-Agent of the SDK', async () => {
    const inits: RequestInit[] = []
    const net = createAllowedFetch({
      store: new MemoryStore(),
      now: () => 1,
      fetch: async (_, init) => {
        inits.push(init ?? {})
        return new Response('data: [DONE]\n\n')
      },
    })
    net.allow(['https://a.example'])
    await post('https://a.example', 'x', net)
    await net.page('https://b.example/', signal)
    for (const init of inits) {
      expect(init).toMatchObject({
        credentials: 'omit',
        referrerPolicy: 'no-referrer',
        cache: 'no-store',
        redirect: 'manual',
      })
      expect(new Headers(init.headers).has('user-agent')).toBe(false)
    }
  })

  it('throws `stopped` when stopped, and a reason when nobody is there', async () => {
    const control = new AbortController()
    control.abort()
    expect((await failure(make().page(fake.origin, control.signal))).code).toBe('stopped')
    expect(await failure(make().page('http://127.0.0.1:9/secret?token=abc', signal))).toMatchObject({
      code: 'network',
      message: expect.not.stringContaining('abc') as string,
    })
  })

  it('reads no more than 64 KiB of a refusal', async () => {
    const net = createAllowedFetch({
      store: new MemoryStore(),
      now: () => 1,
      fetch: async () => new Response('x'.repeat(1_000_000), { status: 500 }),
    })
    expect((await (await net.model('https://a.example', { signal }, { grant: true })).text()).length).toBe(65_536)
  })
})

describe('the ledger', () => {
  it('tells host, why, how often, how many bytes; and keeps it', async () => {
    const store = new MemoryStore()
    const net = make(store)
    net.allow([fake.url])
    const text = await (await post(fake.url, 'chat', net)).text()
    await (await net.model(`${fake.url}/models`, { signal })).text()
    expect(text).toContain('[DONE]')
    const [row] = await net.contacted()
    expect(row).toMatchObject({ host: `127.0.0.1:${fake.port}`, why: 'model', requests: 2 })
    expect(row?.sent).toBe(
      new TextEncoder().encode(JSON.stringify({ model: 'chat', messages: [{ role: 'user', content: 'é' }] })).length,
    )
    expect(row?.received).toBeGreaterThan(200)
    await net.flush()
    const other = make(store)
    expect(await other.contacted()).toEqual([row])
    await other.model(`${fake.url}/models`, { signal }, { grant: true })
    await other.flush()
    expect((await net.contacted())[0]?.requests).toBe(3)
  })

  it('survives a store that fails, and brings the numbers later', async () => {
    const store = new MemoryStore()
    let away = true
    const net = createAllowedFetch({
      now: () => 1,
      store: {
        setting: key => store.setting(key),
        saveSetting: (key, value) => (away ? Promise.reject(new Error('away')) : store.saveSetting(key, value)),
      },
    })
    await net.model(`${fake.url}/models`, { signal }, { grant: true })
    await net.flush()
    away = false
    await net.flush()
    expect(await store.setting('net.contacted')).toMatchObject([{ requests: 1 }])
  })
})

describe('why nobody could be reached', () => {
  const url = new URL('http://lan.example:1234/v1?key=secret')
  it.each([
    [{ navigator: { onLine: false } }, 'offline'],
    [{ location: { protocol: 'https:' } }, 'mixed content'],
    [{}, undefined],
  ])('%j', (here, why) => {
    const error = unreachable(url, new TypeError('Failed to fetch'), here)
    expect(error.data['why']).toBe(why)
    expect(error.message).not.toContain('secret')
  })
  it('a server on this machine is neither', () => {
    expect(
      unreachable(new URL('http://localhost:11434'), new TypeError('x'), {
        navigator: { onLine: false },
        location: { protocol: 'https:' },
      }).data['why'],
    ).toBeUndefined()
  })
})

it('a body that breaks off in the middle is no silent end', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('half')
    setTimeout(() => response.destroy(), 20)
  })
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const response = await make().page(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, signal)
  await expect(response.text()).rejects.toThrow()
  server.close()
})

it('a page over https says beforehand which http server it takes for one of its own network', async () => {
  const spaces = async (page: string, address: string): Promise<unknown> => {
    let said: unknown
    const net = createAllowedFetch({
      store: { setting: async () => undefined, saveSetting: async () => undefined },
      now: () => 1,
      fetch: async (_, init) => {
        said = (init as { targetAddressSpace?: string }).targetAddressSpace
        return new Response('{}')
      },
    })
    Object.defineProperty(globalThis, 'location', { value: { protocol: page }, configurable: true })
    try {
      await net.model(address, { signal }, { grant: true })
    } finally {
      Reflect.deleteProperty(globalThis, 'location')
    }
    return said
  }
  for (const name of ['nas', 'box.lan', 'gpu.internal', 'x.home.arpa'])
    expect(await spaces('https:', `http://${name}:11434/v1`)).toBe('local')
  // What the browser knows by itself, what is public, and where no permission is needed, is left to the browser.
  for (const name of ['localhost', '127.0.0.1', '192.168.1.5', 'box.local', 'example.org'])
    expect(await spaces('https:', `http://${name}/v1`)).toBeUndefined()
  expect(await spaces('https:', 'https://nas/v1')).toBeUndefined()
  expect(await spaces('http:', 'http://nas/v1')).toBeUndefined()
})
