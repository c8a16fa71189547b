/**
 * Fetches a model of the graphics card file by file, so that it can be stopped, resumed, checked and mended. Into the
 * places where WebLLM looks.
 */
import { AgentError } from '../../../core/errors.ts'
import type { Mirrors } from '../../../core/ports/local-engine.ts'
import { engineError } from '../shared/engine-errors.ts'
import { checkStorageWorks, checkFreeSpace, isQuota, type EstimateStorage } from '../shared/engine-storage.ts'
import { md5 } from '../../shared/md5.ts'
import { stoppedError, throwIfStopped } from '../../shared/pause.ts'
import {
  modelFiles,
  firstFiles,
  cachedUrls,
  sizeHeader,
  tokenizerFile,
  weightFiles,
  type ModelFile,
  type WebllmSource,
} from './webllm-files.ts'
import { mirrored } from '../shared/mirrors.ts'

export type DownloadDeps = {
  caches: CacheStorage
  fetch: (url: string, signal: AbortSignal) => Promise<Response>
  estimate: EstimateStorage
  /** Resolves after so many ms; throws `stopped`. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Called as bytes arrive: bytes done, and the total. */
  progress: (done: number, total: number) => void
}

/** Files fetched side by side: more gains little on one line, and each holds a piece in memory. */
const lanes = 3
/** Attempts for one file, and the pause before the second and third, ms. */
const pauses = [1_000, 4_000]

/**
 * Downloads what is missing. Throws AgentError with `data.reason`; whatever was complete by then is kept. The order is
 * settings, tokenizer and program first, for they are small and tell early whether the place is right.
 */
export async function downloadWebllm(
  model: WebllmSource,
  mirrors: Mirrors,
  parts: DownloadDeps,
  signal: AbortSignal,
): Promise<void> {
  throwIfStopped(signal)
  await checkStorageWorks(() => parts.caches.keys())
  const failed = new AbortController()
  const first = firstFiles(model)
  const settings = JSON.parse(await text(first.settings, isJson))
  const list = weightFiles(model, JSON.parse(await text(first.list, isJson)))
  if (first.manifest) await text(first.manifest, isJson)
  const tokenizer = tokenizerFile(model, settings)
  const here = await cachedUrls(parts.caches)
  const total = list.reduce((sum, { bytes }) => sum + bytes!, 0)
  let done = list.reduce((sum, file) => (here.has(file.url) ? sum + file.bytes! : sum), 0)
  parts.progress(done, total)
  await checkFreeSpace(total - done, parts.estimate)
  await small(first.program, isWasm)
  await small(tokenizer, tokenizer.url.endsWith('.json') ? isJson : isAnything)

  const waiting = list.filter(file => !here.has(file.url))
  const either = AbortSignal.any([signal, failed.signal])
  const lane = async (): Promise<void> => {
    for (let file = waiting.shift(); file; file = waiting.shift()) {
      const one = file
      await again(async () => {
        let came = 0
        const count = (bytes: number): void => {
          came += bytes
          done += bytes
          parts.progress(done, total)
        }
        try {
          await store(one, await parts.fetch(mirrored(one.url, mirrors), either), count)
        } catch (thrown) {
          done -= came // it begins anew
          parts.progress(done, total)
          throw thrown
        }
      })
    }
  }
  const results = await Promise.allSettled(
    Array.from({ length: lanes }, () =>
      lane().catch((thrown: unknown) => {
        failed.abort() // one file that cannot be had ends all lanes; the first reason is the true one
        throw thrown
      }),
    ),
  )
  throwIfStopped(signal)
  const reasons = results.flatMap(result => (result.status === 'rejected' ? [result.reason as unknown] : []))
  if (reasons.length > 0)
    throw reasons.find(reason => !(reason instanceof AgentError && reason.code === 'stopped')) ?? reasons[0]

  /** A small file: whole in memory, checked, kept. Answers with its text; from the disk if it is there. */
  async function text(file: ModelFile, right: (bytes: Uint8Array) => boolean): Promise<string> {
    return new TextDecoder().decode(await small(file, right))
  }
  async function small(file: ModelFile, right: (bytes: Uint8Array) => boolean): Promise<Uint8Array> {
    const cache = await parts.caches.open(file.scope)
    const known = await cache.match(file.url)
    if (known) {
      const bytes = new Uint8Array(await known.arrayBuffer())
      if (right(bytes)) return bytes
      await cache.delete(file.url) // kept by another hand, or by an older version
    }
    return again(async () => {
      const response = await parts.fetch(mirrored(file.url, mirrors), signal)
      const bytes = await read(response)
      if (!right(bytes)) throw damaged(file)
      await put(file, new Response(bytes.slice().buffer, { headers: { [sizeHeader]: String(bytes.length) } }))
      return bytes
    })
  }

  async function read(response: Response): Promise<Uint8Array> {
    try {
      return new Uint8Array(await response.arrayBuffer())
    } catch (thrown) {
      throw brokenOff(thrown)
    }
  }

  /**
   * Straight to the disk, counted and summed on the way; a file that is not right is never kept, because its stream
   * fails at the end.
   */
  async function store(file: ModelFile, response: Response, count: (bytes: number) => void): Promise<void> {
    const sum = file.md5 === undefined ? undefined : md5()
    let length = 0
    let broken: unknown
    const check = new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        length += bytes.length
        count(bytes.length)
        sum?.add(bytes)
        if (length > file.bytes!) controller.error((broken = damaged(file)))
        else controller.enqueue(bytes)
      },
      flush(controller) {
        if (length !== file.bytes || (sum && sum.hex() !== file.md5)) controller.error((broken = damaged(file)))
      },
    })
    if (!response.body) throw damaged(file)
    try {
      await put(file, new Response(response.body.pipeThrough(check), { headers: { [sizeHeader]: String(file.bytes) } }))
    } catch (thrown) {
      throw broken ?? thrown
    }
  }

  async function put(file: ModelFile, response: Response): Promise<void> {
    try {
      await (await parts.caches.open(file.scope)).put(file.url, response)
    } catch (thrown) {
      if (signal.aborted) throw stoppedError()
      if (isQuota(thrown))
        throw engineError(
          'quota',
          'There is no room left on this device for the rest of the model. What came is kept: free space or delete another model, then go on.',
          thrown,
        )
      if (thrown instanceof AgentError) throw thrown
      throw brokenOff(thrown)
    }
  }

  function brokenOff(thrown: unknown): AgentError {
    return signal.aborted || failed.signal.aborted
      ? stoppedError()
      : engineError('blocked', 'The connection broke in the middle of a file.', thrown)
  }

  /**
   * Retries temporary failures: a broken connection, a busy server, a damaged file. Not permanent ones: no space, not
   * found, not allowed.
   */
  async function again<T>(task: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      throwIfStopped(signal)
      try {
        return await task()
      } catch (thrown) {
        if (signal.aborted) throw stoppedError()
        const pause = pauses[attempt]
        if (pause === undefined || !mayPass(thrown)) throw thrown
        await parts.wait(pause, signal)
      }
    }
  }
}

/** Reads every file that is here and removes what is not right. Answers with the addresses that were removed. */
export async function verifyWebllm(
  model: WebllmSource,
  parts: Pick<DownloadDeps, 'caches' | 'progress'>,
  signal: AbortSignal,
): Promise<string[]> {
  const { files } = await modelFiles(model, parts.caches)
  const wrong: string[] = []
  const total = files.reduce((sum, { bytes = 0 }) => sum + bytes, 0)
  let done = 0
  for (const file of files) {
    const cache = await parts.caches.open(file.scope)
    const kept = await cache.match(file.url)
    if (
      kept &&
      !(await isRight(
        file,
        kept,
        bytes => {
          done += bytes
          parts.progress(Math.min(done, total), total)
        },
        signal,
      ))
    ) {
      await cache.delete(file.url)
      wrong.push(file.url)
    }
  }
  return wrong
}

async function isRight(
  file: ModelFile,
  kept: Response,
  count: (bytes: number) => void,
  signal: AbortSignal,
): Promise<boolean> {
  if (file.bytes === undefined) {
    const bytes = new Uint8Array(await kept.arrayBuffer())
    return file.kind === 'program' ? isWasm(bytes) : file.url.endsWith('.json') ? isJson(bytes) : isAnything(bytes)
  }
  const sum = file.md5 === undefined ? undefined : md5()
  let length = 0
  const reader = kept.body?.getReader()
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    throwIfStopped(signal)
    length += piece.value.length
    count(piece.value.length)
    sum?.add(piece.value)
  }
  return length === file.bytes && (!sum || sum.hex() === file.md5)
}

const isJson = (bytes: Uint8Array): boolean => {
  try {
    return typeof JSON.parse(new TextDecoder().decode(bytes)) === 'object'
  } catch {
    return false
  }
}
const isWasm = (bytes: Uint8Array): boolean =>
  bytes.length > 8 && bytes[0] === 0 && bytes[1] === 0x61 && bytes[2] === 0x73 && bytes[3] === 0x6d
const isAnything = (bytes: Uint8Array): boolean => bytes.length > 0

function damaged(file: ModelFile): AgentError {
  return engineError(
    'damaged',
    `${new URL(file.url).pathname.split('/').at(-1)} came damaged or as something else. It was not kept.`,
  )
}

function mayPass(thrown: unknown): boolean {
  if (!(thrown instanceof AgentError)) return false
  const { reason, status } = thrown.data
  return (
    reason === 'blocked' ||
    reason === 'damaged' ||
    (reason === 'refused' && typeof status === 'number' && (status >= 500 || status === 429 || status === 408))
  )
}
