/** Servers that the person named: what is kept of them, and where their keys may go. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startFakeServer, type FakeServer } from '../../e2e/servers/fake-server.ts'
import type { Models, Secrets, Server } from '../core/ports/ports.ts'
import type { MemoryStore } from '../storage/memory-store.ts'
import { collectParts } from './model.laws.ts'
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

describe('a server that was named', () => {
  it('keeps the key apart and never gives it out', async () => {
    fake.switches.key = serverKey
    await models.saveServer(server({ key: ` ${serverKey}\n` }))
    expect(await models.servers()).toEqual([{ ...server(), hasKey: true }])
    expect(
      JSON.stringify([await store.setting('models.servers'), await models.list(), await models.servers()]),
    ).not.toContain(serverKey)
    expect((await models.probe(server(), signal)).models).toContain('chat')
    await models.saveServer(server({ name: 'Renamed', hasKey: true }))
    expect((await models.probe(server(), signal)).models).toContain('chat')
    await models.saveServer(server({ key: '' }))
    expect((await models.servers())[0]?.hasKey).toBe(false)
  })

  it('never sends a key to a host that it was not typed for', async () => {
    const other = await startFakeServer()
    await models.saveServer(server({ key: serverKey }))
    await models.probe(server({ baseUrl: other.url }), signal)
    await models.saveServer(server({ baseUrl: other.url }))
    expect((await models.servers())[0]?.hasKey).toBe(false)
    await collectParts(await models.get('one/chat'))
    expect(JSON.stringify(other.requests)).not.toContain(serverKey)
    await other.stop()
  })

  it('refuses a server that is none', async () => {
    for (const bad of [{ baseUrl: 'ftp://x' }, { baseUrl: 'localhost:11434' }, { id: 'a/b' }, { id: '' }]) {
      expect((await failure(models.saveServer(server(bad)))).code).toBe('bad_input')
    }
  })

  it('forgets everything of a removed server', async () => {
    await models.probe(server(), signal)
    await models.saveServer(server({ key: serverKey }))
    await models.removeServer('one')
    expect(await models.servers()).toEqual([])
    expect(await vaultOf(store).has('key one')).toBe(false)
    expect((await failure(models.get('one/chat'))).code).toBe('model_unavailable')
  })

  it('seals keys and headers that lie there in the open, once, and uses them as before', async () => {
    await store.saveSetting('models.servers', [
      server({ headers: { 'x-team': 'team-token-77' } }),
      server({ id: 'two' }),
    ])
    await store.saveSetting('models.key.one', serverKey)
    fake.switches.key = serverKey
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
      authorization: `Bearer ${serverKey}`,
      'x-team': 'team-token-77',
    })
    await models.saveServer(server({ headers: { 'x-team': 'other' } }))
    expect((await models.servers())[0]).toMatchObject({ hasKey: true, headers: { 'x-team': 'other' } })
    await models.saveServer(server())
    expect((await models.servers())[0]!.headers).toBeUndefined()
  })

  it('says whose key is to be typed again where the kept ones were damaged, and goes on with the others', async () => {
    await models.saveServer(server({ key: serverKey }))
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
    await models.saveServer(server({ key: serverKey }))
    expect((await collectParts(await models.get('one/chat'))).at(-1)?.type).toBe('finish')
  })

  it('lists what is there while what lies in the open cannot be sealed, and seals it later', async () => {
    await store.saveSetting('models.servers', [server()])
    await store.saveSetting('models.key.one', serverKey)
    let isFull = true
    const keys = vaultOf(store)
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
    expect(await store.setting('models.key.one')).toBe(serverKey)
    isFull = false
    expect(await full.servers()).toMatchObject([{ id: 'one', hasKey: true }])
    expect(await store.setting('models.key.one')).toBeUndefined()
  })

  it('lists servers while the keys are locked, and says so when one is wanted', async () => {
    await models.saveServer(server({ key: serverKey, headers: { 'x-team': 'team-token-77' } }))
    await models.keys!.setPassphrase('correct horse')
    const elsewhere = createModels({
      store,
      secrets: vaultOf(store),
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
