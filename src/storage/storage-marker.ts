/**
 * A marker outside the database that says that chats were stored here, so that an evicted database is not taken for a
 * first visit.
 */

export type StorageMarker = { isSet(): Promise<boolean>; set(): Promise<void> }

const cacheName = 'haversack-kept'

/**
 * The mark lies in the Cache API, the only other storage that a worker can reach: a browser that drops a damaged
 * database drops all databases of the site, so a second database would go with it. Missing on plain http; never throws.
 */
export function storageMarker(caches: CacheStorage | undefined, origin: string): StorageMarker {
  const address = `${origin}/kept-marker` // a key only, nothing is ever fetched from there
  return {
    async isSet() {
      try {
        return (await caches?.match(address, { cacheName })) !== undefined
      } catch {
        return false // an opaque origin or blocked storage: then nothing can be known, and nothing was kept either
      }
    },
    async set() {
      try {
        await (await caches?.open(cacheName))?.put(address, new Response('kept'))
      } catch {
        // The mark only sharpens a message; chats are stored without it.
      }
    },
  }
}
