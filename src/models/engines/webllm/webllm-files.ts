/** Which files a model of the graphics card consists of, where WebLLM looks for each, and which of them are here. */
import type { LocalModel, DiskState } from '../../../core/ports/local-engine.ts'
import { engineError } from '../shared/engine-errors.ts'

export type CacheScope = 'webllm/model' | 'webllm/config' | 'webllm/wasm'
export type ModelFile = {
  url: string
  scope: CacheScope
  kind: DiskState['missing'][number]
  bytes?: number
  md5?: string
}
export type WebllmSource = NonNullable<LocalModel['webllm']>

/** The header under which we keep a file's size: Cache Storage does not tell it. */
export const sizeHeader = 'x-haversack-bytes'

/** Its settings, which name the tokenizer; its list of weights; its program; and, of some, a manifest. */
export function firstFiles(model: WebllmSource): {
  settings: ModelFile
  list: ModelFile
  program: ModelFile
  manifest?: ModelFile
} {
  return {
    settings: { url: new URL('mlc-chat-config.json', model.weights).href, scope: 'webllm/config', kind: 'settings' },
    list: { url: new URL('tensor-cache.json', model.weights).href, scope: 'webllm/model', kind: 'weights' },
    program: { url: model.program, scope: 'webllm/wasm', kind: 'program' },
    ...(model.manifest === undefined
      ? {}
      : { manifest: { url: new URL(model.manifest, model.weights).href, scope: 'webllm/config', kind: 'settings' } }),
  }
}

/** The tokenizer that the engine will take. Throws `damaged` where the settings name none. */
export function tokenizerFile(model: WebllmSource, settings: unknown): ModelFile {
  const names = (settings as { tokenizer_files?: unknown }).tokenizer_files
  const name = ['tokenizer.json', 'tokenizer.model'].find(known => Array.isArray(names) && names.includes(known))
  if (name === undefined)
    throw engineError(
      'damaged',
      'The settings of the model name no tokenizer that the engine can read. Is the address an MLC folder?',
    )
  return { url: new URL(name, model.weights).href, scope: 'webllm/model', kind: 'tokenizer' }
}

/**
 * The files of weights, with their sizes. Throws `damaged` for a list that is none, or that leads out of the model's
 * folder.
 */
export function weightFiles(model: WebllmSource, list: unknown): ModelFile[] {
  const records = (list as { records?: unknown } | null)?.records
  if (!Array.isArray(records) || records.length === 0)
    throw engineError('damaged', 'The list of weights is no such list. Is the address an MLC folder?')
  return records.map((record: { dataPath?: unknown; nbytes?: unknown; md5sum?: unknown }) => {
    const url =
      typeof record.dataPath === 'string' && URL.canParse(record.dataPath, model.weights)
        ? new URL(record.dataPath, model.weights).href
        : ''
    if (!url.startsWith(model.weights) || !Number.isSafeInteger(record.nbytes) || (record.nbytes as number) <= 0)
      throw engineError('damaged', 'The list of weights names a file outside of the model, or one without a size.')
    return {
      url,
      scope: 'webllm/model',
      kind: 'weights',
      bytes: record.nbytes as number,
      ...(typeof record.md5sum === 'string' && /^[0-9a-f]{32}$/.test(record.md5sum) ? { md5: record.md5sum } : {}),
    }
  })
}

/** All files, as far as what is here tells; what cannot be known yet is missing from `files` and named in `unknown`. */
export async function modelFiles(
  model: WebllmSource,
  caches: CacheStorage,
): Promise<{ files: ModelFile[]; unknown: DiskState['missing'] }> {
  const { settings, list, program, manifest } = firstFiles(model)
  const files = [settings, program, list, ...(manifest ? [manifest] : [])]
  const unknown: DiskState['missing'] = []
  const known = async (file: ModelFile, more: (value: unknown) => ModelFile[]): Promise<void> => {
    try {
      files.push(...more(JSON.parse(await (await (await caches.open(file.scope)).match(file.url))!.text())))
    } catch {
      unknown.push(file === settings ? 'tokenizer' : 'weights') // not here, or unreadable: downloading puts it right
    }
  }
  await known(settings, value => [tokenizerFile(model, value)])
  await known(list, value => weightFiles(model, value))
  return { files, unknown }
}

/** What of a model is on this device. Looks at cache keys only: the content was checked when it was stored. */
export async function webllmOnDisk(model: WebllmSource, caches: CacheStorage): Promise<DiskState> {
  const { files, unknown } = await modelFiles(model, caches)
  const here = await cachedUrls(caches)
  const missing = new Set(unknown)
  let bytes = 0
  let total: number | undefined = unknown.includes('weights') ? undefined : 0
  for (const file of files) {
    const size = file.bytes ?? (here.has(file.url) ? await keptSize(file, caches) : 0)
    if (total !== undefined) total += size
    if (here.has(file.url)) bytes += size
    else missing.add(file.kind)
  }
  return { bytes, ...(total === undefined ? {} : { total }), missing: [...missing] }
}

/** Removes all files of a model but those that another one shares. Answers how many. */
export async function deleteFiles(
  model: WebllmSource,
  others: readonly WebllmSource[],
  caches: CacheStorage,
): Promise<number> {
  let gone = 0
  for (const scope of ['webllm/model', 'webllm/config'] as const) {
    if (others.some(other => other.weights === model.weights)) break
    const cache = await caches.open(scope)
    // By folder, not by list: an unfinished download may have no list.
    for (const request of await cache.keys())
      if (request.url.startsWith(model.weights) && (await cache.delete(request))) gone++
  }
  if (
    !others.some(other => other.program === model.program) &&
    (await (await caches.open('webllm/wasm')).delete(model.program))
  )
    gone++
  return gone
}

/** Addresses of everything in the three scopes; none where the browser refuses its caches. */
export async function cachedUrls(caches: CacheStorage): Promise<Set<string>> {
  const all = await Promise.all(
    (['webllm/model', 'webllm/config', 'webllm/wasm'] as const).map(async scope => (await caches.open(scope)).keys()),
  ).catch((): Request[][] => [])
  return new Set(all.flat().map(({ url }) => url))
}

async function keptSize(file: ModelFile, caches: CacheStorage): Promise<number> {
  return Number((await (await caches.open(file.scope)).match(file.url))?.headers.get(sizeHeader) ?? 0)
}
