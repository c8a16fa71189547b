/**
 * A WebLLM model from a folder on this device: no host is contacted, and its files are stored as a download would have
 * stored them.
 */
import type { FolderFile, LocalModel } from '../../../core/ports/local-engine.ts'
import { engineError } from '../shared/engine-errors.ts'
import type { WebllmSource } from './webllm-files.ts'
import { nowhere } from './webllm-hosts.ts'

/** Whether the network has nothing to give for this model. */
export function isFromFolder(model: Pick<LocalModel, 'webllm'>): boolean {
  return model.webllm?.weights.startsWith(nowhere) === true
}

/**
 * Responds like the model's hosts, from these files; other files are fetched by `elsewhere`, if they exist on the
 * network.
 */
export function folderFetch(
  model: WebllmSource,
  files: readonly FolderFile[],
  elsewhere: (url: string, signal: AbortSignal) => Promise<Response>,
): (url: string, signal: AbortSignal) => Promise<Response> {
  return async (url, signal) => {
    const path = url.startsWith(model.weights) ? plainPath(url.slice(model.weights.length)) : undefined
    const file = files.find(one => (url === model.program ? one.path.endsWith('.wasm') : one.path === path))
    if (file)
      return new Response((file.bytes as Blob).stream(), { headers: { 'content-length': String(file.bytes.size) } })
    if (url.startsWith(nowhere))
      throw engineError('not-downloaded', `The folder has no ${url === model.program ? 'program (.wasm)' : path}.`)
    return elsewhere(url, signal)
  }
}

/** A list of files may name one with a stray percent sign: that is its name then. */
function plainPath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
