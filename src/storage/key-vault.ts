/**
 * API keys of servers, encrypted at rest: with a key of this device that no script can export, or with the person's
 * passphrase.
 */
import { AgentError } from '../core/errors.ts'
import type { Locks, LogStore, Secrets, SecretsState } from '../core/ports/ports.ts'
import { isUncopied } from './indexeddb/store-errors.ts'

export type VaultDeps = {
  store: Pick<LogStore, 'setting' | 'saveSetting'>
  locks: Locks
  /** Undefined on plain http: then nothing is written at all. */
  crypto: Pick<Crypto, 'subtle' | 'getRandomValues'> | undefined
}

/**
 * One row for all of them: it changes as a whole, or not at all. `names` tells without a passphrase which there are.
 */
type Row = { names: string[]; iv: Uint8Array<ArrayBuffer>; bytes: Uint8Array<ArrayBuffer> } & (
  | { by: 'device'; key: CryptoKey }
  | { by: 'passphrase'; salt: Uint8Array<ArrayBuffer>; rounds: number }
)
type Sealing =
  | { by: 'device'; key: CryptoKey }
  | { by: 'passphrase'; salt: Uint8Array<ArrayBuffer>; rounds: number; key: CryptoKey }

const rowKey = 'keys'
const lock = 'keys'
/** Of PBKDF2 with SHA-256. Source: OWASP's advice for it since 2023. */
const rounds = 600_000
/** Bound to each sealing, so that no other row of the database can be put in its place. */
const label = new TextEncoder().encode('haversack keys 1')
const shortest = 8 // characters of a passphrase

/** The vault over the settings. */
export function keyVault({ store, locks, crypto }: VaultDeps): Secrets {
  const subtle = crypto?.subtle as SubtleCrypto | undefined // the types have it always, plain http never
  if (!crypto || !subtle) return memoryOnly()
  /** What the passphrase opened, as long as this thread lives. */
  let opened: { salt: string; key: CryptoKey } | undefined
  /** The keys where this browser cannot store the key that seals them: until the tab closes, or a passphrase is set. */
  let unsealed: Map<string, string> | undefined

  const read = async (): Promise<Row | undefined> => {
    const value = await store.setting(rowKey)
    return isRow(value) ? value : undefined
  }
  const sealingOf = (row: Row): Sealing | undefined => {
    if (row.by === 'device') return row
    return opened?.salt === String(row.salt)
      ? { by: 'passphrase', salt: row.salt, rounds: row.rounds, key: opened.key }
      : undefined
  }
  const contents = async (row: Row | undefined): Promise<Map<string, string>> => {
    if (unsealed) return new Map(unsealed)
    if (!row) return new Map()
    const sealing = sealingOf(row)
    if (!sealing) throw locked()
    try {
      const plain = await subtle.decrypt({ name: 'AES-GCM', iv: row.iv, additionalData: label }, sealing.key, row.bytes)
      return new Map(Object.entries(JSON.parse(new TextDecoder().decode(plain)) as Record<string, string>))
    } catch (thrown) {
      if (row.by === 'device') return new Map() // the row was damaged: the keys are lost, and are asked for again
      throw new AgentError('bad_input', 'The passphrase is not the right one.', { cause: thrown })
    }
  }
  const write = async (all: ReadonlyMap<string, string>, sealing: Sealing): Promise<void> => {
    const iv = crypto.getRandomValues(new Uint8Array(12))
    const plain = new TextEncoder().encode(JSON.stringify(Object.fromEntries(all)))
    const bytes = new Uint8Array(
      await subtle.encrypt({ name: 'AES-GCM', iv, additionalData: label }, sealing.key, plain),
    )
    const how =
      sealing.by === 'device'
        ? { by: sealing.by, key: sealing.key }
        : { by: sealing.by, salt: sealing.salt, rounds: sealing.rounds }
    try {
      await store.saveSetting(rowKey, { ...how, names: [...all.keys()], iv, bytes } satisfies Row)
      unsealed = undefined
    } catch (thrown) {
      if (sealing.by !== 'device' || !isUncopied(thrown)) throw thrown
      unsealed = new Map(all)
    }
  }
  const byDevice = async (): Promise<Sealing> => ({
    by: 'device',
    key: await subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']),
  })
  const derived = async (passphrase: string, salt: Uint8Array<ArrayBuffer>, times: number): Promise<CryptoKey> => {
    const base = await subtle.importKey(
      'raw',
      new TextEncoder().encode(passphrase.normalize('NFKC')),
      'PBKDF2',
      false,
      ['deriveKey'],
    )
    return subtle.deriveKey(
      { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: times },
      base,
      { name: 'AES-GCM', length: 256 },
      false,
      ['encrypt', 'decrypt'],
    )
  }
  /** Tabs change the same row: one after the other. */
  const alone = <T>(task: () => Promise<T>): Promise<T> => locks.run(lock, {}, task)

  return {
    async state() {
      if (unsealed) return inMemory
      const row = await read()
      return { kept: 'sealed', by: row?.by ?? 'device', locked: row !== undefined && sealingOf(row) === undefined }
    },
    async get(name) {
      if (unsealed) return unsealed.get(name)
      const row = await read()
      return row?.names.includes(name) ? (await contents(row)).get(name) : undefined
    },
    async has(name) {
      return unsealed?.has(name) ?? (await read())?.names.includes(name) ?? false
    },
    set: changes =>
      alone(async () => {
        const row = await read()
        const all = await contents(row)
        for (const [name, value] of Object.entries(changes)) {
          if (value === undefined) all.delete(name)
          else all.set(name, value)
        }
        if (row || all.size > 0) await write(all, (row && sealingOf(row)) || (await byDevice()))
      }),
    setPassphrase: passphrase =>
      alone(async () => {
        const all = await contents(await read())
        if (passphrase === undefined) {
          await write(all, await byDevice())
          opened = undefined
          return
        }
        if (passphrase.length < shortest)
          throw new AgentError('bad_input', `A passphrase needs at least ${shortest} characters.`)
        const salt = crypto.getRandomValues(new Uint8Array(16))
        const key = await derived(passphrase, salt, rounds)
        await write(all, { by: 'passphrase', salt, rounds, key })
        opened = { salt: String(salt), key }
      }),
    async unlock(passphrase) {
      const row = await read()
      if (row?.by !== 'passphrase') return
      const before = opened
      opened = { salt: String(row.salt), key: await derived(passphrase, row.salt, row.rounds) }
      try {
        await contents(row)
      } catch (thrown) {
        opened = before
        throw thrown
      }
    },
    forgetAll: () =>
      alone(async () => {
        opened = undefined
        unsealed = undefined
        await store.saveSetting(rowKey, undefined)
      }),
  }
}

const inMemory: SecretsState = { kept: 'memory', by: 'device', locked: false }

/** Where the browser cannot seal, nothing is written: the keys are gone when the tab closes. */
function memoryOnly(): Secrets {
  const all = new Map<string, string>()
  return {
    state: async () => inMemory,
    get: async name => all.get(name),
    has: async name => all.has(name),
    async set(changes) {
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined) all.delete(name)
        else all.set(name, value)
      }
    },
    setPassphrase: () =>
      Promise.reject(
        new AgentError(
          'bad_input',
          'Over plain http keys are in memory only, so there is nothing to lock. Open this page by https or on localhost.',
        ),
      ),
    unlock: async () => undefined,
    forgetAll: async () => {
      all.clear()
    },
  }
}

function locked(): AgentError {
  return new AgentError('model_auth', 'The keys are locked with your passphrase. Unlock them in Settings, Servers.', {
    data: { why: 'locked' },
  })
}

function isRow(value: unknown): value is Row {
  if (typeof value !== 'object' || value === null) return false
  const row = value as Partial<Row & { key: unknown; salt: unknown; rounds: unknown }>
  return (
    Array.isArray(row.names) &&
    row.iv instanceof Uint8Array &&
    row.bytes instanceof Uint8Array &&
    (row.by === 'device'
      ? typeof row.key === 'object'
      : row.by === 'passphrase' && row.salt instanceof Uint8Array && typeof row.rounds === 'number')
  )
}
