/** What was typed is connected, and a key gets to one host only: over the real registry, with every request seen. */
import { describe, expect, it } from 'vitest'
import type { AgentApi } from '../../core/agent/api/api.ts'
import { readAccess } from '../../models/catalogue/address-or-key.ts'
import { presets } from '../../models/catalogue/catalog.ts'
import { keyServices } from '../../models/catalogue/key-forms.ts'
import { createModels } from '../../models/registry.ts'
import { vaultOf } from '../../models/registry.fixture.ts'
import { createAllowedFetch } from '../../net/allowed-fetch.ts'
import { MemoryStore } from '../../storage/memory-store.ts'
import type { PageSettings } from '../state/page-settings.ts'
import { Settings } from '../state/settings.svelte.ts'
import { connectAddress, connectKey, lookHere } from './connect-access.ts'

type Answer = (url: URL) => Response | undefined
const list = (...models: string[]): Response => Response.json({ data: models.map(id => ({ id })) })

/** Settings over a registry; where `answer` has none, nobody is there. */
function world(answer: Answer) {
  const asked: { url: URL; sent: string }[] = []
  const store = new MemoryStore()
  const net = createAllowedFetch({
    store,
    now: () => 1,
    fetch: (input, init) => {
      const url = new URL(input as string)
      asked.push({ url, sent: JSON.stringify([input, [...new Headers(init?.headers)], init?.body ?? null]) })
      const response = answer(url)
      return response ? Promise.resolve(response) : Promise.reject(new TypeError('Failed to fetch'))
    },
  })
  const models = createModels({ store, secrets: vaultOf(store), fetch: net.model, allow: net.allow })
  const stop = new AbortController().signal
  const api = {
    models: () => models.list(),
    servers: () => models.servers(),
    defaults: () => Promise.resolve({ strategy: 'balanced', config: {} }),
    probe: server => models.probe(server, stop),
    saveServer: server => models.saveServer(server),
    diagnose: server => models.diagnose(server, stop),
  } as Partial<AgentApi> as AgentApi
  return { asked, settings: new Settings(api, {} as PageSettings) }
}

const key = 'sk-0123456789abcdef0123456789abcdef'

describe('an address', () => {
  it('is tried with the other scheme where nobody answers, and its /v1 is found', async () => {
    const { settings, asked } = world(({ protocol, pathname }) =>
      protocol !== 'https:' ? undefined : pathname === '/v1/models' ? list('one') : new Response('', { status: 404 }),
    )
    const read = readAccess('nas.local:8443', 'http:')
    const result = await connectAddress(settings, read.type === 'address' ? read.baseUrls : [])
    expect(result).toMatchObject({
      type: 'connected',
      server: { name: 'nas.local:8443', baseUrl: 'https://nas.local:8443/v1', models: ['one'] },
    })
    expect(asked[0]!.url.href).toBe('http://nas.local:8443/models')
    expect(settings.models.map(({ name }) => name)).toContain('one')
  })

  it('is not tried in another way once somebody answers, if only with a no', async () => {
    const { settings, asked } = world(() => new Response('{}', { status: 401 }))
    const result = await connectAddress(settings, ['http://nas.local', 'https://nas.local'])
    expect(result).toMatchObject({ type: 'failed', failure: { code: 'model_auth' } })
    expect(asked.map(({ url }) => url.protocol)).toEqual(['http:'])
    expect(settings.servers).toEqual([])
  })

  it('fails as its likelier form did', async () => {
    const { settings } = world(() => undefined)
    const result = await connectAddress(settings, ['http://nas.local', 'https://nas.local'])
    expect(result).toMatchObject({
      type: 'failed',
      server: { baseUrl: 'http://nas.local' },
      failure: { code: 'network' },
    })
  })

  it('that was named before is the same server, with its name', async () => {
    const { settings } = world(() => list('one'))
    const first = await connectAddress(settings, ['http://localhost:8080'])
    await settings.saveServer({ ...settings.servers[0]!, name: 'Mine' })
    const again = await connectAddress(settings, ['http://localhost:8080/v1'])
    expect(settings.servers).toHaveLength(1)
    expect([first, again].map(result => result.type)).toEqual(['connected', 'connected'])
    expect(again).toMatchObject({ server: { name: 'Mine' } })
  })

  it('of this machine is called by its kind, where the server tells it', async () => {
    const { settings } = world(() => Response.json({ data: [{ id: 'one', owned_by: 'llamacpp' }] }))
    const result = await connectAddress(settings, ['http://localhost:9999'])
    expect(result).toMatchObject({ server: { name: 'llama.cpp' } })
  })
})

describe('a key', () => {
  const answers: Record<string, Answer> = {
    'it is taken': () => list('one', 'two'),
    'it is refused': () => new Response('{"error":{"message":"no"}}', { status: 401 }),
    'the path is wrong': () => new Response('', { status: 404 }),
    'a page answers': () => new Response('<html></html>'),
    'it is sent elsewhere': () =>
      new Response('', { status: 302, headers: { location: 'https://elsewhere.example/' } }),
    'nobody is there': () => undefined,
  }
  const hosts = [
    ...keyServices.map(({ baseUrl, dialect }) => ({ baseUrl, dialect })),
    { baseUrl: 'http://localhost:8080', dialect: undefined },
    { baseUrl: 'https://llm.example.com', dialect: undefined },
  ]

  it.each(Object.keys(answers))('goes to the host that was confirmed and to no other, also when %s', async name => {
    for (const { baseUrl, dialect } of hosts) {
      const { settings, asked } = world(answers[name]!)
      const result = await connectKey(settings, { key, baseUrl, dialect })
      if (result.type === 'failed') await settings.diagnose(result.server)
      const told = asked.filter(({ sent }) => sent.includes(key))
      expect(told.length, baseUrl).toBeGreaterThan(0)
      expect([...new Set(told.map(({ url }) => url.origin))], baseUrl).toEqual([new URL(baseUrl).origin])
    }
  })

  it('that is read asks nobody, whatever its form', () => {
    const { asked, settings } = world(() => list('one'))
    for (const text of [key, `sk-ant-api03-${key}`, `AIzaSy${'a1'.repeat(17)}`, 'a1b2'.repeat(8)])
      expect(readAccess(text, 'https:').type).toBe('key')
    expect(asked).toEqual([])
    expect(settings.servers).toEqual([])
  })

  it('kept for one server is not sent to another address', async () => {
    const { settings, asked } = world(() => list('one'))
    await connectKey(settings, { key, baseUrl: 'https://api.openai.com/v1', name: 'OpenAI' })
    asked.length = 0
    await connectAddress(settings, ['https://llm.example.com', 'http://llm.example.com'])
    await lookHere(settings)
    expect(asked.length).toBeGreaterThan(5)
    expect(asked.filter(({ sent }) => sent.includes(key))).toEqual([])
  })
})

describe('a look at this device', () => {
  it('asks the usual addresses, keeps nothing, and tells who is there', async () => {
    const { settings, asked } = world(({ port, pathname }) =>
      port === '11434' ? list('a', 'b') : port === '8080' ? new Response(pathname, { status: 503 }) : undefined,
    )
    const found = await lookHere(settings)
    expect(found).toContainEqual({ name: 'Ollama', baseUrl: 'http://localhost:11434/v1', models: ['a', 'b'] })
    expect(new Set(asked.map(({ url }) => url.hostname))).toEqual(new Set(['localhost']))
    const ports = asked.map(({ url }) => url.port)
    for (const { baseUrl } of presets.filter(({ local }) => local)) expect(ports).toContain(new URL(baseUrl).port)
    expect(settings.servers).toEqual([])
  })
})
