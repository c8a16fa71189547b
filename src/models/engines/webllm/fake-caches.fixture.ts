/** Cache Storage in a Map, for tests: an entry is kept only when its whole body came, as in browsers. */

export type FakeCaches = CacheStorage & {
  /** The n-th put from now on (1: the next) fails as a full disk does. */
  fullAt(put: number): void
  urls(scope: string): string[]
}

/** Makes an empty one. */
export function fakeCaches(): FakeCaches {
  const scopes = new Map<string, Map<string, { bytes: ArrayBuffer; headers: Headers }>>()
  let puts = 0
  let full = Infinity
  const urlOf = (key: RequestInfo | URL): string => (typeof key === 'string' ? key : 'url' in key ? key.url : key.href)
  const cacheOf = (name: string): Pick<Cache, 'match' | 'put' | 'delete' | 'keys'> => {
    const rows = scopes.get(name) ?? new Map<string, { bytes: ArrayBuffer; headers: Headers }>()
    scopes.set(name, rows)
    return {
      match: async key => {
        const row = rows.get(urlOf(key))
        return row && new Response(row.bytes.slice(), { headers: row.headers })
      },
      put: async (key, response) => {
        if (++puts >= full) {
          await response.body?.cancel()
          throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
        }
        rows.set(urlOf(key), { bytes: await response.arrayBuffer(), headers: response.headers })
      },
      delete: async key => rows.delete(urlOf(key)),
      keys: async () => [...rows.keys()].map(url => new Request(url)),
    }
  }
  return {
    open: async (name: string) => cacheOf(name) as Cache,
    has: async (name: string) => scopes.has(name),
    delete: async (name: string) => scopes.delete(name),
    keys: async () => [...scopes.keys()],
    match: async () => undefined,
    fullAt(put) {
      full = puts + put
    },
    urls: scope => [...(scopes.get(scope)?.keys() ?? [])],
  }
}
