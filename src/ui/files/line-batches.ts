/** A stream of text cut into lines, so that a file of any size is read in flat memory. */
import { encodingOf } from './encoding.ts'

/**
 * Lines without their ends (LF, CRLF or CR), in batches of about `batch`; a last line without end counts. UTF-8 or
 * UTF-16, as the first bytes say; what is damaged becomes U+FFFD. Throws `NotText` for a file that is packed or written
 * otherwise.
 */
export async function* lineBatches(stream: ReadableStream<Uint8Array>, batch = 500): AsyncGenerator<string[]> {
  const reader = stream.getReader() // Safari has no `for await` over streams
  const splitter = new Splitter()
  let lines: string[] = []
  try {
    const first = await firstBytes(reader)
    const decoder = new TextDecoder(encodingOf(first))
    for (
      let next: { done: boolean; value?: Uint8Array | undefined } = { done: false, value: first };
      ;
      next = await reader.read()
    ) {
      const { done, value } = next
      splitter.take(done ? decoder.decode() : decoder.decode(value, { stream: true }), lines)
      if (lines.length >= batch) {
        yield lines
        lines = []
      }
      if (done) break
    }
    splitter.end(lines)
    if (lines.length > 0) yield lines
  } finally {
    await reader.cancel().catch(() => undefined) // already closed or broken: nothing to give back
  }
}

/** The beginning of the file, long enough to tell its kind. */
async function firstBytes(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array> {
  let bytes = new Uint8Array()
  while (bytes.length < 4) {
    const { done, value } = await reader.read()
    if (done) break
    const longer = new Uint8Array(bytes.length + value.length)
    longer.set(bytes)
    longer.set(value, bytes.length)
    bytes = longer
  }
  return bytes
}

class Splitter {
  #pieces: string[] = [] // of the line that is not over; joined once, so that a line of 50 MB costs its length
  #afterReturn = false // a newline that comes now belongs to the end before it

  take(text: string, lines: string[]): void {
    if (text === '') return
    const parts = (this.#afterReturn && text.startsWith('\n') ? text.slice(1) : text).split(/\r\n|\r|\n/)
    this.#afterReturn = text.endsWith('\r')
    for (const part of parts.slice(0, -1)) {
      lines.push(this.#pieces.length === 0 ? part : this.#pieces.join('') + part)
      this.#pieces = []
    }
    this.#pieces.push(parts.at(-1) ?? '')
  }

  end(lines: string[]): void {
    const last = this.#pieces.join('')
    if (last !== '') lines.push(last)
  }
}
