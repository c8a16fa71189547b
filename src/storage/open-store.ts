/** Opens the store: the database, or, if the browser blocks it, memory. */
import type { StorageState } from '../core/agent/api/api.ts'
import { codeOf } from '../core/errors.ts'
import { attempt } from '../core/attempt.ts'
import type { LogStore } from '../core/ports/ports.ts'
import { Connection } from './indexeddb/connection.ts'
import type { IndexedDb } from './indexeddb/database.ts'
import { DexieStore } from './indexeddb/dexie-store.ts'
import { storageMarker, type StorageMarker } from './storage-marker.ts'
import { whyNotOpened } from './indexeddb/store-errors.ts'
import { isPrivateWindow } from './private-window.ts'

/** What the platform offers; tests hand in their own. */
export type StoragePlatform = {
  from: IndexedDb
  marker: StorageMarker
  /** Missing on plain http. */
  manager?: Pick<StorageManager, 'estimate' | 'persisted'>
  isPrivate?: () => Promise<boolean>
  name?: string
  blockedAfterMs?: number
}

export type OpenedStore = { store: LogStore; state(): Promise<StorageState> }

/** Under this key lies, until the next thing is stored, that an earlier database had vanished. */
const evictedKey = 'storage.evicted'

/**
 * Opens the best available store; `onState` is called each time the state changes. Never throws: in the worst case
 * nothing is persisted, and the state says so.
 */
export async function openStore({
  onState,
  platform = thisPlatform(),
}: {
  onState: (storage: StorageState) => void
  platform?: StoragePlatform
}): Promise<OpenedStore> {
  let now: Pick<StorageState, 'state' | 'reason' | 'why'> = { state: 'kept' }
  let inPrivate: Promise<boolean> | undefined // a window stays what it is
  const state = async (): Promise<StorageState> => {
    const [space, isPrivate] = await Promise.all([
      room(platform),
      (inPrivate ??= platform.isPrivate?.() ?? Promise.resolve(false)),
    ])
    return { ...now, ...space, ...(isPrivate && { private: true }) }
  }
  const become = (next: typeof now): void => {
    now = next
    void state().then(onState)
  }

  const connection = new Connection({
    ...platform,
    // The message about an eviction stays while all is well; a stronger message hides it.
    onState: (next, reason = next === 'kept' && now.reason === 'evicted' ? 'evicted' : undefined) =>
      become({ state: next, ...(reason && { reason }) }),
  })
  try {
    await connection.open(platform.blockedAfterMs)
  } catch (thrown) {
    const why = whyNotOpened(thrown)
    become({ state: 'memory', reason: thrown instanceof Error ? thrown.message : codeOf(thrown), ...(why && { why }) })
    // Needed in private windows only, so the others need not load it.
    const { MemoryStore } = await import('./memory-store.ts')
    return { store: new MemoryStore(), state }
  }

  let marked = false
  const store = new DexieStore(connection, () => {
    if (marked) return
    marked = true
    void platform.marker.set()
    if (now.reason !== 'evicted') return
    become({ state: now.state })
    void forget(store)
  })
  if (now.state === 'kept' && (await wasEvicted(store, connection, platform.marker)))
    become({ state: 'kept', reason: 'evicted' })
  return { store, state }
}

async function wasEvicted(store: LogStore, connection: Connection, marker: StorageMarker): Promise<boolean> {
  try {
    if (!connection.created) return (await store.setting(evictedKey)) === true
    if (!(await marker.isSet())) return false
    await store.saveSetting(evictedKey, true)
    return true
  } catch {
    return false // the connection has reported its state already
  }
}

async function forget(store: LogStore): Promise<void> {
  try {
    await store.saveSetting(evictedKey, undefined)
  } catch {
    // Then the message comes once more at the next start.
  }
}

/** Coarse, and padded by the browser; absent where it tells nothing. */
async function room({ manager }: StoragePlatform): Promise<{ persisted?: boolean; usage?: number; quota?: number }> {
  if (!manager) return {}
  try {
    const [persisted, { usage, quota }] = await Promise.all([manager.persisted(), manager.estimate()])
    return { persisted, ...(usage !== undefined && { usage }), ...(quota !== undefined && { quota }) }
  } catch {
    return {} // refused in some private windows
  }
}

function thisPlatform(): StoragePlatform {
  const manager = attempt(() => navigator.storage)
  return {
    from: { indexedDB: attempt(() => indexedDB), IDBKeyRange: attempt(() => IDBKeyRange) },
    marker: storageMarker(
      attempt(() => caches),
      attempt(() => location.origin) ?? '',
    ),
    ...(manager && { manager, isPrivate: () => isPrivateWindow(manager) }),
  }
}
