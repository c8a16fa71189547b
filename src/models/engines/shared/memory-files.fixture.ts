/** A file system in a Map, and a server of one file that knows ranges. */
import { AgentError } from '../../../core/errors.ts'
import type { FileStore } from './opfs-files.ts'

/** So many bytes that begin like a GGUF file. */
export function gguf(bytes: number, fill = 0): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(bytes).fill(fill)
  out.set([0x47, 0x47, 0x55, 0x46])
  return out
}

/** `room`: bytes that one file may have. `refused`: what the browser throws at whoever looks. */
export function memoryFiles(
  room = Infinity,
  refused?: DOMException,
): FileStore & { names(): string[]; bytes(name: string): Uint8Array | undefined } {
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  return {
    names: () => [...files.keys()],
    bytes: name => files.get(name),
    look: async () => {
      if (refused) throw refused
    },
    size: async name => files.get(name)?.length,
    open: async (name, from) => {
      files.set(name, new Uint8Array(files.get(name)?.slice(0, from) ?? []))
      return {
        write(bytes, at) {
          if (at + bytes.length > room) throw new DOMException('full', 'QuotaExceededError')
          const before = files.get(name)!
          const grown = new Uint8Array(Math.max(before.length, at + bytes.length))
          grown.set(before)
          grown.set(bytes, at)
          files.set(name, grown)
        },
        close() {},
      }
    },
    read: async name => new Blob([files.get(name)!]),
    remove: async name => {
      files.delete(name)
    },
  }
}

type Way = {
  whole?: boolean /* does not know ranges */
  etag?: string
  breakAfter?: number /* bytes of one answer */
  silent?: boolean /* does not tell the length */
}

/** Serves `file`, as `way` says at each asking. `asked`: the first bytes that were wanted. */
export function rangeServer(
  file: Uint8Array<ArrayBuffer>,
  way: () => Way = () => ({}),
): {
  asked: number[]
  fetch(url: string, signal: AbortSignal, from?: number): Promise<Response>
  file: Uint8Array<ArrayBuffer>
} {
  const server = {
    asked: [] as number[],
    file,
    async fetch(_: string, signal: AbortSignal, from = 0): Promise<Response> {
      server.asked.push(from)
      const { whole = false, etag, breakAfter = Infinity, silent = false } = way()
      if (from >= server.file.length)
        throw new AgentError('network', 'The server answers 416.', { data: { reason: 'refused', status: 416 } })
      const body = whole ? server.file : server.file.slice(from)
      let at = 0
      const stream = new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            await new Promise(resolve => {
              setTimeout(resolve, 0)
            })
            if (signal.aborted) return controller.error(new DOMException('gone', 'AbortError'))
            if (at >= breakAfter) return controller.error(new TypeError('network error'))
            if (at >= body.length) return controller.close()
            controller.enqueue(body.slice(at, (at += 1_000)))
          },
        },
        { highWaterMark: 0 },
      )
      return new Response(stream, {
        status: from > 0 && !whole ? 206 : 200,
        headers: {
          ...(silent ? {} : { 'content-length': String(body.length) }),
          ...(etag === undefined ? {} : { etag }),
        },
      })
    },
  }
  return server
}
