import { IDBKeyRange, indexedDB } from 'fake-indexeddb'
import { describe, expect, it } from 'vitest'
import { locksOf } from '../bridge/worker/web-locks.ts'
import { AgentError } from '../core/errors.ts'
import type { LogStore, Secrets } from '../core/ports/ports.ts'
import { keyVault } from './key-vault.ts'
import { storageMarker } from './storage-marker.ts'
import { MemoryStore } from './memory-store.ts'
import { openStore } from './open-store.ts'

const secret = 'sk-live-0123456789'
const locks = locksOf(undefined)
type Store = Pick<LogStore, 'setting' | 'saveSetting'>
/**
 * As the real one, but a passphrase costs a thousandth: hundreds of thousands of rounds are what makes it slow to
 * guess, and to test.
 */
const quick: Pick<Crypto, 'subtle' | 'getRandomValues'> = {
  getRandomValues: array => crypto.getRandomValues(array),
  subtle: new Proxy(crypto.subtle, {
    get(subtle, name) {
      if (name === 'deriveKey')
        return (how: Pbkdf2Params, ...rest: [CryptoKey, AesKeyGenParams, boolean, KeyUsage[]]) =>
          subtle.deriveKey({ ...how, iterations: how.iterations / 1_000 }, ...rest)
      const value: unknown = Reflect.get(subtle, name)
      return typeof value === 'function' ? (value.bind(subtle) as unknown) : value
    },
  }),
}
const vault = (store: Store, by: Pick<Crypto, 'subtle' | 'getRandomValues'> = quick): Secrets =>
  keyVault({ store, locks, crypto: by })
let databases = 0
const opened = async (name = `vault${++databases}`): Promise<Store> =>
  (
    await openStore({
      onState: () => {},
      platform: { from: { indexedDB, IDBKeyRange }, marker: storageMarker(undefined, ''), name },
    })
  ).store

for (const [name, make] of [
  ['in memory', async () => new MemoryStore()],
  ['in a database', opened],
] as [string, () => Promise<Store>][]) {
  describe(`keys ${name}`, () => {
    it('are sealed by a key that nobody can read out, and are there for the next thread', async () => {
      const store = await make()
      await vault(store).set({ 'key one': secret, 'key two': 'x' })
      const row = (await store.setting('keys')) as { key: CryptoKey; bytes: Uint8Array; names: string[] }
      expect(row.key.extractable).toBe(false)
      await expect(crypto.subtle.exportKey('raw', row.key)).rejects.toThrow()
      expect(new TextDecoder('latin1').decode(row.bytes)).not.toContain('sk-live')
      expect(row.names).toEqual(['key one', 'key two'])
      const next = vault(store)
      expect([
        await next.get('key one'),
        await next.get('key two'),
        await next.get('key three'),
        await next.has('key one'),
      ]).toEqual([secret, 'x', undefined, true])
      expect(await next.state()).toEqual({ kept: 'sealed', by: 'device', locked: false })
      await next.set({ 'key one': undefined })
      expect([await next.get('key one'), await next.has('key one'), await next.get('key two')]).toEqual([
        undefined,
        false,
        'x',
      ])
    })

    it(
      'stay in memory where the browser cannot store a key object, and say so, until a passphrase seals them',
      { timeout: 20_000 },
      async () => {
        const store = await make()
        const refusing: Store = {
          setting: key => store.setting(key),
          saveSetting: (key, value) =>
            typeof value === 'object' && value !== null && 'key' in value
              ? Promise.reject(
                  new AgentError('storage_unavailable', 'no', { cause: new DOMException('no', 'DataCloneError') }),
                )
              : store.saveSetting(key, value),
        }
        const one = vault(refusing)
        await one.set({ a: secret })
        await one.set({ b: 'x' })
        expect([await one.get('a'), await one.has('b'), await one.has('c'), await one.state()]).toEqual([
          secret,
          true,
          false,
          { kept: 'memory', by: 'device', locked: false },
        ])
        expect(await store.setting('keys')).toBeUndefined()
        await one.setPassphrase('correct horse')
        expect([await one.get('a'), (await one.state()).kept]).toEqual([secret, 'sealed'])
        await one.forgetAll()
        expect(await one.has('a')).toBe(false)
      },
    )

    it('never use one sealing twice', async () => {
      const store = await make()
      await vault(store).set({ a: secret })
      const first = (await store.setting('keys')) as { iv: Uint8Array }
      await vault(store).set({ a: secret })
      expect(((await store.setting('keys')) as { iv: Uint8Array }).iv).not.toEqual(first.iv)
    })

    it('are locked by a passphrase in every thread that does not know it', { timeout: 20_000 }, async () => {
      const store = await make()
      const as = name === 'in memory' ? crypto : quick
      const one = vault(store, as)
      await one.set({ a: secret })
      await expect(one.setPassphrase('short')).rejects.toMatchObject({ code: 'bad_input' })
      await one.setPassphrase('correct horse')
      expect(await one.get('a')).toBe(secret)
      const row = (await store.setting('keys')) as Record<string, unknown>
      expect([row['key'], row['rounds']]).toEqual([undefined, 600_000])

      const two = vault(store, as)
      expect(await two.state()).toEqual({ kept: 'sealed', by: 'passphrase', locked: true })
      expect(await two.has('a')).toBe(true)
      for (const locked of [two.get('a'), two.set({ b: 'x' }), two.setPassphrase(undefined)])
        await expect(locked).rejects.toMatchObject({ code: 'model_auth', data: { why: 'locked' } })
      await expect(two.unlock('wrong horse')).rejects.toMatchObject({ code: 'bad_input' })
      expect((await two.state()).locked).toBe(true)
      await two.unlock('correct horse')
      await two.set({ b: 'y' })
      expect([await two.get('a'), await one.get('b')]).toEqual([secret, 'y'])

      await two.setPassphrase(undefined)
      expect([await vault(store).get('a'), (await one.state()).by]).toEqual([secret, 'device'])
    })

    it(
      'can be forgotten without the passphrase, and cannot be read when the row was tampered with',
      { timeout: 20_000 },
      async () => {
        const store = await make()
        await vault(store).set({ a: secret })
        const row = (await store.setting('keys')) as { bytes: Uint8Array }
        await store.saveSetting('keys', { ...row, bytes: row.bytes.map((byte, at) => (at === 3 ? byte ^ 1 : byte)) })
        expect(await vault(store).get('a')).toBeUndefined()
        await vault(store).set({ a: 'again' })
        expect(await vault(store).get('a')).toBe('again')
        await vault(store).setPassphrase('correct horse')
        await vault(store).forgetAll()
        expect([await vault(store).state(), await vault(store).has('a')]).toEqual([
          { kept: 'sealed', by: 'device', locked: false },
          false,
        ])
      },
    )
  })
}

it('keeps the one of two changes at once, whichever tab makes it', async () => {
  const store = new MemoryStore()
  await Promise.all(Array.from({ length: 10 }, (_, n) => vault(store).set({ [`key ${n}`]: `${n}` })))
  expect(await Promise.all(Array.from({ length: 10 }, (_, n) => vault(store).get(`key ${n}`)))).toEqual(
    Array.from({ length: 10 }, (_, n) => `${n}`),
  )
})

it('writes nothing at all where the browser cannot seal, and says that', async () => {
  const store = new MemoryStore()
  const plain = { getRandomValues: crypto.getRandomValues } as unknown as Crypto // as on plain http
  for (const without of [plain, undefined]) {
    const keys = keyVault({ store, locks, crypto: without })
    await keys.set({ a: secret, b: 'x' })
    await keys.set({ b: undefined })
    expect([await keys.get('a'), await keys.has('b'), await keys.state()]).toEqual([
      secret,
      false,
      { kept: 'memory', by: 'device', locked: false },
    ])
    await expect(keys.setPassphrase('correct horse')).rejects.toMatchObject({ code: 'bad_input' })
    expect(await store.setting('keys')).toBeUndefined()
    await keys.forgetAll()
    expect(await keys.get('a')).toBeUndefined()
  }
})
