/** Downloads or copies a GGUF file to this device; can be stopped and resumed, and checks the file. */
import { AgentError } from '../../../core/errors.ts'
import type { LocalModel, Mirrors, DiskState } from '../../../core/ports/local-engine.ts'
import { engineError } from '../shared/engine-errors.ts'
import {
  checkStorageWorks,
  checkFreeSpace,
  isQuota,
  noStorage,
  type EstimateStorage,
} from '../shared/engine-storage.ts'
import type { FileStore } from '../shared/opfs-files.ts'
import { stoppedError, throwIfStopped } from '../../shared/pause.ts'
import { mirrored } from '../shared/mirrors.ts'

export type GgufDeps = {
  files: FileStore
  fetch: (url: string, signal: AbortSignal, from?: number) => Promise<Response>
  estimate: EstimateStorage
  /** Resolves after so many ms; throws `stopped`. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  progress: (done: number, total: number) => void
}
type Source = NonNullable<LocalModel['cpu']>
/** The record of an incomplete file: its final length, and the server's etag. */
type Unfinished = { total: number /* bytes; 0: the server did not tell */; etag?: string }

/** Beside a file that is not whole. It is written before the file's first byte and goes after its last. */
const noteOf = (file: string): string => `${file}.unfinished`
/** Bytes of a file from the disk that are copied at once. */
const pieceBytes = 4_194_304
/** Neither program reads a single file above this. Bytes. */
const largest = 2 ** 31 - 1
/** Pauses before a broken download is resumed, ms; after progress they start from the first again. */
const pauses = [1_000, 4_000]

/** What of it is here. Looks at the disk only. */
export async function ggufOnDisk({ file }: Source, files: FileStore): Promise<DiskState> {
  const bytes = await files.size(file)
  if (bytes === undefined) return { bytes: 0, missing: ['weights'] }
  const note = await unfinished(file, files)
  return note
    ? { bytes, ...(note.total > 0 ? { total: note.total } : {}), missing: ['weights'] }
    : { bytes, total: bytes, missing: [] }
}

/**
 * How large the file at its address is, bytes; undefined where the server does not tell. Reads the first bytes only.
 */
export async function probeSize(
  { url, file }: Source,
  mirrors: Mirrors,
  parts: Pick<GgufDeps, 'fetch'>,
  signal: AbortSignal,
): Promise<number | undefined> {
  const enough = new AbortController()
  const response = await parts.fetch(mirrored(needed(url, file), mirrors), AbortSignal.any([signal, enough.signal]))
  try {
    const first = (await response.body?.getReader().read())?.value
    if (first && first.length >= 4 && !isGguf(first)) throw engineError('damaged', 'That is no GGUF file.')
    return Number(response.headers.get('content-length') ?? 0) || undefined
  } finally {
    enough.abort() // the rest is not wanted
  }
}

/**
 * Downloads the missing part of the file. Throws AgentError with `data.reason`; what was downloaded by then stays, to
 * be resumed.
 */
export async function downloadGguf(
  { url, file }: Source,
  mirrors: Mirrors,
  parts: GgufDeps,
  signal: AbortSignal,
): Promise<void> {
  const address = mirrored(needed(url, file), mirrors)
  await checkStorageWorks(parts.files.look)
  for (let attempt = 0; ;) {
    const before = (await parts.files.size(file)) ?? 0
    try {
      return await fetchRest(address, file, parts, signal)
    } catch (thrown) {
      if (signal.aborted) throw stoppedError()
      const came = (await parts.files.size(file)) ?? 0
      attempt = came > before ? 0 : attempt
      const pause = pauses[attempt++]
      const mayPass = thrown instanceof AgentError && thrown.data['reason'] === 'blocked'
      if (pause === undefined || !mayPass) throw thrown
      await parts.wait(pause, signal)
    }
  }
}

/** Copies a local file; after a stop or a failure nothing of it stays, because copying again is cheap. */
export async function copyGguf({ file }: Source, blob: Blob, parts: GgufDeps, signal: AbortSignal): Promise<void> {
  await checkStorageWorks(parts.files.look)
  let at = 0
  const pieces = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (at >= blob.size) return controller.close()
        controller.enqueue(new Uint8Array(await blob.slice(at, at + pieceBytes).arrayBuffer()))
        at += pieceBytes
      },
    },
    { highWaterMark: 0 },
  )
  try {
    await write(file, 0, { total: blob.size }, pieces, parts, signal)
  } catch (thrown) {
    // one of this name that was whole before stays
    if (await unfinished(file, parts.files)) await removeGguf(file, parts.files)
    throw thrown
  }
}

/** The file and its note. */
export async function removeGguf(file: string, files: FileStore): Promise<void> {
  await files.remove(file)
  await files.remove(noteOf(file))
}

/** Throws `damaged` for a file that does not begin as every GGUF file does. */
export async function checkGguf(blob: Blob): Promise<void> {
  if (!isGguf(new Uint8Array(await blob.slice(0, 4).arrayBuffer())))
    throw engineError('damaged', 'The file of the model is no GGUF file.')
}

async function fetchRest(address: string, file: string, parts: GgufDeps, signal: AbortSignal): Promise<void> {
  const note = await unfinished(file, parts.files)
  const here = await parts.files.size(file)
  if (here !== undefined && !note) return // whole
  // whole too: the tab died between its last byte and this
  if (note && note.total > 0 && here === note.total) return parts.files.remove(noteOf(file))
  const from = here ?? 0
  let response = await parts.fetch(address, signal, from).catch((thrown: unknown) => {
    // there is nothing behind what we have: another file
    if (from > 0 && thrown instanceof AgentError && thrown.data['status'] === 416) return undefined
    throw thrown
  })
  let start = response?.status === 206 ? from : 0
  const told = (answer: Response): Unfinished => {
    const length = Number(answer.headers.get('content-length') ?? 0)
    const etag = answer.headers.get('etag')
    return { total: length > 0 ? start + length : 0, ...(etag === null ? {} : { etag }) }
  }
  // The rest of another file would make a file that nobody wrote.
  if (!response || (start > 0 && !isSame(note, told(response)))) {
    await response?.body?.cancel().catch(() => {})
    response = await parts.fetch(address, signal)
    start = 0
  }
  await write(file, start, told(response), response.body, parts, signal)
}

async function write(
  file: string,
  from: number,
  note: Unfinished,
  body: ReadableStream<Uint8Array> | null,
  parts: GgufDeps,
  signal: AbortSignal,
): Promise<void> {
  const { total } = note
  if (total > largest)
    throw engineError(
      'too-large',
      `This file has ${(total / 1e9).toFixed(1)} GB; the processor's engine takes files up to 2 GB.`,
    )
  await checkFreeSpace(total - from, parts.estimate)
  parts.progress(from, total)
  let done = from
  let out: Awaited<ReturnType<FileStore['open']>> | undefined
  const reader = body?.getReader()
  try {
    const next = async () =>
      reader?.read().catch((thrown: unknown) => {
        throw engineError('blocked', brokenOff, thrown)
      })
    for (let piece = await next(); piece && !piece.done; piece = await next()) {
      throwIfStopped(signal)
      if (done === 0 && piece.value.length >= 4 && !isGguf(piece.value))
        throw engineError('damaged', 'That is no GGUF file. Nothing of it was kept.')
      out ??= await begin()
      out.write(piece.value, done)
      done += piece.value.length
      if (done > largest)
        throw engineError('too-large', "This file has more than 2 GB, which the processor's engine does not take.")
      parts.progress(done, Math.max(total, done))
    }
    if (total > 0 && done !== total) throw engineError('blocked', brokenOff)
    const whole = out
    out = undefined
    whole?.close() // the last bytes reach the disk here, or do not
  } catch (thrown) {
    if (signal.aborted) throw stoppedError()
    throw ofDisk(thrown)
  } finally {
    closeQuietly(out)
    void reader?.cancel().catch(() => {}) // what else would come is not wanted
  }
  if (done === 0) throw engineError('damaged', 'The file is empty.')
  await parts.files.remove(noteOf(file))

  /** The note first: bytes without one would count as whole. */
  async function begin(): Promise<Awaited<ReturnType<FileStore['open']>>> {
    const beside = await parts.files.open(noteOf(file), 0)
    beside.write(new TextEncoder().encode(JSON.stringify(note)), 0)
    beside.close()
    return parts.files.open(file, from)
  }
}

/** After a failure: what the file could not take does not hide what went wrong. */
function closeQuietly(out: Awaited<ReturnType<FileStore['open']>> | undefined): void {
  try {
    out?.close()
  } catch {
    /* told already */
  }
}

const brokenOff = 'The connection broke in the middle of the file. What came is kept.'

/** What the browser's file system throws, with a reason. */
function ofDisk(thrown: unknown): AgentError {
  if (thrown instanceof AgentError) return thrown
  if (isQuota(thrown)) return engineError('quota', 'There is no room left on this device for this model.', thrown)
  const name = thrown instanceof Error ? thrown.name : ''
  if (name === 'NoModificationAllowedError') return engineError('busy', 'Another tab is writing this file.', thrown)
  return noStorage(thrown)
}

async function unfinished(file: string, files: FileStore): Promise<Unfinished | undefined> {
  if ((await files.size(noteOf(file))) === undefined) return undefined
  try {
    const note = JSON.parse(await (await files.read(noteOf(file))).text()) as Partial<Unfinished>
    return {
      total: typeof note.total === 'number' ? note.total : 0,
      ...(typeof note.etag === 'string' ? { etag: note.etag } : {}),
    }
  } catch {
    return { total: 0 } // cut off while it was written: nothing is known but that the file is not whole
  }
}

/** Servers name a state of a file by its etag, where their page lets us read it; its length must agree in any case. */
function isSame(before: Unfinished | undefined, now: Unfinished): boolean {
  return (
    before !== undefined &&
    before.total > 0 &&
    before.total === now.total &&
    (before.etag === undefined || now.etag === undefined || before.etag === now.etag)
  )
}

function needed(url: string | undefined, file: string): string {
  if (url === undefined)
    throw engineError('not-downloaded', `${file} came from a file of the disk. Choose that file again.`)
  return url
}

const isGguf = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x47 && bytes[1] === 0x47 && bytes[2] === 0x55 && bytes[3] === 0x46
