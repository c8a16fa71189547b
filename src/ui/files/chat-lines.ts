/** The lines of a chat in a file: of an export all of them, of one that was shared those that it carries. */
import { CarriedLines } from '../../core/log/file-format/carried-lines.ts'
import { lineBatches } from './line-batches.ts'

/** In batches, as the import takes them. Throws `NotText`. */
export async function* chatLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string[]> {
  const carried = new CarriedLines()
  for await (const lines of lineBatches(stream)) {
    const found = carried.take(lines)
    if (found.length > 0) yield found
  }
  const rest = carried.end()
  if (rest.length > 0) yield rest
}
