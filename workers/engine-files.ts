/**
 * Files of engines: megabytes that most people never need. They are kept once an engine was used, and from then on for
 * every version.
 */
import { engineCache } from '../src/core/ports/local-engine.ts'

export type Listed = { url: string; revision: string | null }

/** Scripts and programs of engines. Their names tell; the hash of their content is in them. */
const engineFileName =
  /(?:^|\/)(webllm-engine|wllama-(?:engine|usual-thread|usual-helper|usual|older-thread|older-helper|older))-[^/]*(\.js|\.wasm)$/

export function isEngineFile({ url }: Listed): boolean {
  return engineFileName.test(url)
}

/** Which of them a file is, whatever the version: its name without the hash. */
const familyOf = (path: string): string => engineFileName.exec(path)?.slice(1).join('') ?? ''

/**
 * Before a new version takes over: of every engine that was used here, the files of the new version are fetched, so
 * that a model that works offline goes on to. Rejects when that fails: then the old version stays, whole, and it is
 * tried again later.
 */
export async function keepEngines(listed: readonly Listed[], base: string, caches: CacheStorage): Promise<void> {
  if (!(await caches.has(engineCache))) return
  const cache = await caches.open(engineCache)
  const used = new Set((await cache.keys()).map(({ url }) => familyOf(new URL(url).pathname)))
  const missing: string[] = []
  for (const { url } of listed) {
    const address = new URL(url, base).href
    if (used.has(familyOf(url)) && !(await cache.match(address))) missing.push(address)
  }
  await cache.addAll(missing)
}

/** Once the new version is in charge: the files of older ones go. */
export async function dropOldEngines(listed: readonly Listed[], base: string, caches: CacheStorage): Promise<void> {
  if (!(await caches.has(engineCache))) return
  const wanted = new Set(listed.map(({ url }) => new URL(url, base).href))
  const cache = await caches.open(engineCache)
  for (const request of await cache.keys()) if (!wanted.has(request.url)) await cache.delete(request)
}

/** From here if it was used before, else from the network, and then kept. */
export async function engineFile(request: Request, caches: CacheStorage): Promise<Response> {
  const cache = await caches.open(engineCache)
  const known = await cache.match(request.url)
  if (known) return known
  const response = await fetch(request)
  // a full disk must not keep the engine from running
  if (response.ok) await cache.put(request.url, response.clone()).catch(() => {})
  return response
}
