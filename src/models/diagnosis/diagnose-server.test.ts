import { createServer } from 'node:http'
import { createServer as createSocket, type AddressInfo, type Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startFakeServer, type FakeServer } from '../../../e2e/servers/fake-server.ts'
import type { Server } from '../../core/ports/ports.ts'
import type { Diagnosis } from '../../core/ports/server-diagnosis.ts'
import { createAllowedFetch, type AllowedFetchOptions } from '../../net/allowed-fetch.ts'
import { diagnoseServer } from './diagnose-server.ts'
import type { BrowserScope } from './local-network.ts'

const signal = new AbortController().signal
const secret = 'sk-very-secret-key-0001'
let fake: FakeServer
beforeAll(async () => {
  fake = await startFakeServer({ models: ['chat'] })
})
afterAll(() => fake.stop())
beforeEach(() => {
  Object.assign(fake.switches, { key: undefined, v1: true, models: ['chat'] })
  fake.requests.length = 0
})

const here: BrowserScope = { location: { protocol: 'http:', hostname: 'localhost' }, navigator: { onLine: true } }
const examined = (
  changes: Partial<Server> = {},
  options: { model?: string; here?: BrowserScope; fetch?: AllowedFetchOptions['fetch'] } = {},
): Promise<Diagnosis> => {
  const net = createAllowedFetch({
    store: { setting: async () => undefined, saveSetting: async () => undefined },
    now: () => 0,
    ...(options.fetch ? { fetch: options.fetch } : {}),
  })
  const server: Server = { id: 'one', name: 'Fake', baseUrl: fake.url, models: [], ...changes }
  return diagnoseServer(server, options.model, { fetch: net.model, here: options.here ?? here, patience: 400 }, signal)
}

/** As a browser does: an answer that does not allow the page is a failure, and so is a preflight that does not. */
const asBrowser =
  (page: string): AllowedFetchOptions['fetch'] =>
  async (input, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('origin', page)
    if (init.mode === 'no-cors') return fetch(input, init).then(() => new Response(null))
    const simple =
      (init.method ?? 'GET') === 'GET' && [...headers.keys()].every(name => ['accept', 'origin'].includes(name))
    const allows = (response: Response): boolean =>
      ['*', page].includes(response.headers.get('access-control-allow-origin') ?? '')
    if (!simple) {
      const asked = await fetch(input, { method: 'OPTIONS', headers: { origin: page } })
      const allowed = (asked.headers.get('access-control-allow-headers') ?? '').split(/,\s*/)
      if (!allows(asked) || [...headers.keys()].some(name => !['accept', 'origin', ...allowed].includes(name)))
        throw new TypeError('Failed to fetch')
    }
    const response = await fetch(input, { ...init, headers })
    if (!allows(response)) throw new TypeError('Failed to fetch')
    return response
  }

describe('an examination of a real server', () => {
  it('finds nothing where nothing is wrong, and costs no answer of a model', async () => {
    expect(await examined({}, { model: 'chat' })).toEqual({ fault: null, host: `127.0.0.1:${fake.port}` })
    expect(fake.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /v1/models',
      'POST /v1/chat/completions',
    ])
    expect(fake.requests.at(-1)?.body).toEqual({})
  })

  it('finds the path', async () => {
    expect(await examined({ baseUrl: fake.origin })).toMatchObject({ fault: 'path', status: 404, baseUrl: fake.url })
    expect(await examined({ baseUrl: `${fake.origin}/api` })).toMatchObject({ fault: 'path', baseUrl: fake.url })
  })

  it('finds the key, and never tells it', async () => {
    fake.switches.key = secret
    expect(await examined()).toMatchObject({ fault: 'key missing', status: 401 })
    const wrong = await examined({ key: 'sk-wrong-000000000000' })
    expect(wrong).toMatchObject({ fault: 'key wrong' })
    expect(JSON.stringify(wrong)).not.toContain('sk-wrong')
    expect(await examined({ key: secret })).toMatchObject({ fault: null })
  })

  it('finds that there is no model, or not this one', async () => {
    expect(await examined({}, { model: 'gone' })).toMatchObject({ fault: 'model', model: 'gone' })
    fake.switches.models = []
    expect(await examined()).toMatchObject({ fault: 'no models' })
  })

  it('finds that nobody is there', async () => {
    const gone = await startFakeServer()
    await gone.stop()
    const verdict = await examined({ baseUrl: gone.url })
    // what else runs on the machine of this test is not known
    expect(['off', 'port', 'scheme']).toContain(verdict.fault)
    expect(verdict.host).toBe(`127.0.0.1:${gone.port}`)
  })

  it('finds http where https was typed', async () => {
    expect(await examined({ baseUrl: `https://127.0.0.1:${fake.port}/v1` })).toMatchObject({
      fault: expect.stringMatching(/scheme|port/) as string,
    })
  })

  it('finds a server that takes the connection and says nothing', async () => {
    const sockets: Socket[] = []
    const silent = createSocket(socket => {
      sockets.push(socket)
    })
    await new Promise<void>(resolve => {
      silent.listen(0, '127.0.0.1', resolve)
    })
    expect(await examined({ baseUrl: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1` })).toMatchObject({
      fault: 'silent',
    })
    for (const socket of sockets) socket.destroy()
    silent.close()
  })

  it('finds pages, proxies, a service that is down, one that loads, and one that sends elsewhere', async () => {
    const answers: [number, string, Record<string, string>, string][] = [
      [200, '<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' }, 'page'],
      [403, '<html><title>Blocked by policy</title></html>', { 'content-type': 'text/html' }, 'page'],
      [511, '', {}, 'page'],
      [502, '<html><center>nginx</center></html>', { 'content-type': 'text/html' }, 'down'],
      [503, '{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}', {}, 'loading'],
      [402, '{"error":"no credit"}', {}, 'credit'],
      [429, '{"error":"slow down"}', {}, 'wait'],
      [302, '', { location: 'https://login.example/' }, 'redirect'],
    ]
    for (const [status, body, headers, fault] of answers) {
      const other = createServer((_, response) => {
        response.writeHead(status, headers).end(body)
      })
      await new Promise<void>(resolve => {
        other.listen(0, '127.0.0.1', resolve)
      })
      expect(await examined({ baseUrl: `http://127.0.0.1:${(other.address() as AddressInfo).port}/v1` })).toMatchObject(
        { fault },
      )
      other.close()
    }
  })

  it('finds what a page may not: to read, to ask, to send a header', async () => {
    const fetch = asBrowser('https://app.example')
    expect(await examined({}, { fetch })).toMatchObject({ fault: null })
    expect(await examined({ headers: { 'x-title': 'Haversack' } }, { fetch })).toMatchObject({
      fault: 'headers',
      headers: ['x-title'],
    })
    fake.switches.cors = 'no-preflight'
    expect(await examined({}, { fetch })).toMatchObject({ fault: 'preflight' })
    expect(await examined({ key: secret }, { fetch })).toMatchObject({ fault: 'preflight' })
    fake.switches.cors = false
    expect(await examined({}, { fetch })).toMatchObject({ fault: 'cors' })
    expect(await examined({ key: secret }, { fetch })).toMatchObject({ fault: 'cors' })
    fake.switches.cors = true
  })

  it('asks the browser for its permission only where it was not reached', async () => {
    const asked: string[] = []
    const withPermission = (states: Record<string, string>): BrowserScope => ({
      location: { protocol: 'https:', hostname: 'app.example' },
      navigator: {
        onLine: true,
        permissions: {
          query: async ({ name }) => {
            asked.push(name)
            const state = states[name]
            if (state === undefined) throw new TypeError('unknown name')
            return { state }
          },
        },
      },
    })
    expect(await examined({}, { here: withPermission({ 'loopback-network': 'denied' }) })).toMatchObject({
      fault: null,
    })
    expect(asked).toEqual([])
    const fetch: AllowedFetchOptions['fetch'] = async () => {
      throw new TypeError('Failed to fetch')
    }
    expect(await examined({}, { fetch, here: withPermission({ 'loopback-network': 'denied' }) })).toMatchObject({
      fault: 'network refused',
    })
    expect(await examined({}, { fetch, here: withPermission({ 'local-network-access': 'prompt' }) })).toMatchObject({
      fault: 'network not asked',
    })
    expect(await examined({ baseUrl: 'http://10.0.0.7:8080' }, { fetch, here: withPermission({}) })).toMatchObject({
      fault: 'mixed content',
    })
    expect(asked).toEqual([
      'loopback-network',
      'loopback-network',
      'local-network-access',
      'local-network',
      'local-network-access',
    ])
  })

  it('ends when it is stopped', async () => {
    const control = new AbortController()
    control.abort()
    const net = createAllowedFetch({
      store: { setting: async () => undefined, saveSetting: async () => undefined },
      now: () => 0,
    })
    await expect(
      diagnoseServer(
        { id: 'one', name: 'x', baseUrl: fake.url, models: [] },
        undefined,
        { fetch: net.model, here },
        control.signal,
      ),
    ).rejects.toMatchObject({ code: 'stopped' })
  })
})
