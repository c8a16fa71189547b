/** A store that is opened over a fake database, and what its work comes to. */
import { IDBKeyRange } from 'fake-indexeddb'
import type { StorageState } from '../core/agent/api/api.ts'
import { codeOf } from '../core/errors.ts'
import { databaseName } from './indexeddb/database.ts'
import { storageMarker } from './storage-marker.ts'
import { openStore, type StoragePlatform } from './open-store.ts'

const noMarker = storageMarker(undefined, 'http://localhost')

/** Opens on a factory and writes down every state that was told. */
export async function openedStore(indexedDB: IDBFactory | undefined, more: Partial<StoragePlatform> = {}) {
  const told: StorageState[] = []
  const platform: StoragePlatform = {
    from: { indexedDB, IDBKeyRange },
    marker: noMarker,
    blockedAfterMs: 60_000,
    ...more,
  }
  const { store, state } = await openStore({ onState: storage => told.push(storage), platform })
  return { store, state, told, states: () => told.map(storage => storage.state) }
}

export const code = (work: Promise<unknown>) => work.then(() => 'succeeded', codeOf)
export const lost = () =>
  Object.assign(new Error('Connection to Indexed Database server lost. Refresh the page to try again'), {
    name: 'UnknownError',
  })

export function openRaw(
  factory: IDBFactory,
  version?: number,
): { request: IDBOpenDBRequest; opened: Promise<IDBDatabase> } {
  const request = factory.open(databaseName, version)
  return {
    request,
    opened: new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error!)
    }),
  }
}
