/** A registry over a fake server and a store in memory. */
import { startFakeServer, type FakeServer } from '../../e2e/servers/fake-server.ts'
import { locksOf } from '../bridge/worker/web-locks.ts'
import type { AgentError } from '../core/errors.ts'
import type { Models, Secrets, Server } from '../core/ports/ports.ts'
import { createAllowedFetch } from '../net/allowed-fetch.ts'
import { keyVault } from '../storage/key-vault.ts'
import { MemoryStore } from '../storage/memory-store.ts'
import { createModels } from './registry.ts'

export const serverKey = 'sk-very-secret-key-0001'

export const startTwoModels = (): Promise<FakeServer> =>
  startFakeServer({ models: ['chat', 'family/model:7b'], contextWindow: 16_384 })

/** With an empty store; the server wants no key and answers under /v1. */
export function emptyRegistry(fake: FakeServer): { store: MemoryStore; models: Models } {
  const store = new MemoryStore()
  const net = createAllowedFetch({ store, now: () => 1 })
  fake.switches.key = undefined
  fake.switches.v1 = true
  return { store, models: createModels({ store, secrets: vaultOf(store), fetch: net.model, allow: net.allow }) }
}

export const vaultOf = (store: MemoryStore): Secrets =>
  keyVault({ store, locks: locksOf(undefined), crypto: globalThis.crypto })

export const serverAt = (fake: FakeServer, changes: Partial<Server> = {}): Server => ({
  id: 'one',
  name: 'Fake',
  baseUrl: fake.url,
  models: ['chat', 'family/model:7b'],
  ...changes,
})

export const failure = (promise: Promise<unknown>): Promise<AgentError> =>
  promise.then(
    () => {
      throw new Error('it did not fail')
    },
    (thrown: unknown) => thrown as AgentError,
  )
