/**
 * A model of the graphics card out of a folder of this device: no host is asked, and it lies where a download would
 * have put it.
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
 * Answers as the model's hosts would, out of these files; what is not among them is asked of `elsewhere`, if the
 * network can have it.
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
