/** The page's side of the thread that reads other apps' exports. It lives as long as one reading. */
import { proxy, releaseProxy, wrap } from 'comlink'
import type { ExportLook } from '../../core/imports/look.ts'
import type { ExportChoice, ExportReading } from '../shared/export-reading.ts'

export type Exports = ExportReading & {
  /** Ends the thread, also in the middle of reading. */
  end(): void
}

/** Starts the thread. */
export function connectExports(): Exports {
  const worker = new Worker(new URL('../../../workers/import.worker.ts', import.meta.url), {
    type: 'module',
    name: 'import',
  })
  const reading = wrap<ExportReading>(worker)
  const failed = new Promise<never>((_, reject) => {
    worker.addEventListener('error', event => {
      reject(new Error(event.message || 'The part that reads exports could not be started. Reload the page.'))
    })
  })
  failed.catch(() => undefined) // told by what waits for an answer
  const orFails = <T>(answer: Promise<T>): Promise<T> => Promise.race([answer, failed])
  return {
    look: (files, told): Promise<ExportLook[]> => orFails(reading.look([...files], proxy(told))),
    begin: choice => orFails(reading.begin(choice)),
    next: () => orFails(reading.next()),
    end() {
      reading[releaseProxy]()
      worker.terminate()
    },
  }
}

/**
 * What was chosen of these files, as a file of our own lines, which can be read more than once. `looked`: a thread that
 * has looked into them already; it ends with the first reading.
 */
export function chosenFile(
  files: readonly File[],
  choice: ExportChoice,
  looked?: Exports,
): { stream(): ReadableStream<Uint8Array<ArrayBuffer>> } {
  let ready = looked
  return {
    stream() {
      const known = ready
      ready = undefined
      const exports = known ?? connectExports()
      const begin = async (): Promise<void> => {
        if (known === undefined) await exports.look(files, () => undefined)
        await exports.begin(choice)
      }
      const text = new TextEncoder()
      let begun: Promise<void> | undefined
      return new ReadableStream({
        async pull(controller) {
          try {
            await (begun ??= begin())
            const lines = await exports.next()
            if (lines !== undefined) return controller.enqueue(text.encode(`${lines.join('\n')}\n`))
          } catch (error) {
            exports.end()
            throw error
          }
          exports.end()
          controller.close()
        },
        cancel() {
          exports.end()
        },
      })
    },
  }
}
