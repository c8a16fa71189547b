/**
 * Records which model was being loaded when the tab died, and whether an engine's script is stored. Kept in Cache
 * Storage, which threads can write and which survives a crash.
 */
import { engineCache } from '../../../core/ports/local-engine.ts'

const cacheName = 'haversack-engines'

/** One marker for each engine. Where storage fails there is none, and nothing is ever unfinished. */
export function loadingMarker(
  caches: CacheStorage,
  engine: string,
): { read(): Promise<string | undefined>; write(model: string | undefined): Promise<void> } {
  const address = `https://haversack.invalid/loading/${engine}` // never asked: only a key
  return {
    read: async () => {
      try {
        return await (await (await caches.open(cacheName)).match(address))?.text()
      } catch {
        return undefined
      }
    },
    write: async model => {
      try {
        const cache = await caches.open(cacheName)
        if (model === undefined) await cache.delete(address)
        else await cache.put(address, new Response(model))
      } catch {
        // A full or forbidden storage must not keep a model from being loaded.
      }
    },
  }
}

/**
 * Whether the service worker keeps a file of each of these names (workers/engine-files.ts). Without one nothing starts
 * offline.
 */
export async function isEngineStored(caches: CacheStorage, ...names: readonly RegExp[]): Promise<boolean> {
  try {
    const kept = await (await caches.open(engineCache)).keys()
    return names.every(name => kept.some(({ url }) => name.test(url)))
  } catch {
    return false
  }
}
