/** A stream of text cut into lines, so that a file of any size is read in flat memory. */

/** Lines without their ends (LF or CRLF), in batches of about `batch`; a last line without end counts. Bad UTF-8 becomes U+FFFD. */
export async function* linesOf(stream: ReadableStream<Uint8Array>, batch = 500): AsyncGenerator<string[]> {
  const reader = stream.getReader() // Safari has no `for await` over streams
  const decoder = new TextDecoder()
  let pieces: string[] = []         // of the line that is not over; joined once, so that a line of 50 MB costs its length
  let lines: string[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true })
      const parts = text.split('\n')
      for (const part of parts.slice(0, -1)) {
        lines.push(withoutReturn(pieces.length === 0 ? part : pieces.join('') + part))
        pieces = []
      }
      pieces.push(parts.at(-1) ?? '')
      if (lines.length >= batch) { yield lines; lines = [] }
      if (done) break
    }
    const last = withoutReturn(pieces.join(''))
    if (last !== '') lines.push(last)
    if (lines.length > 0) yield lines
  } finally {
    await reader.cancel().catch(() => undefined) // already closed or broken: nothing to give back
  }
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
