/** What a tool answers for a range that was read: the text, and how to read on. Pure. */
import type { PathText } from '../api/api.ts'

/** How the line begins that tells a model how to read on; who only wants the text passes over it. */
export const readOnLine = /^\[(?:lines \d+ to \d+ of )?\d+ lines; to read on: /

export function readResultText(read: PathText): string {
  if (read.gone)
    return `[${read.path} was removed on ${read.gone.day} (${read.gone.why}); it had ${read.gone.bytes} bytes.]`
  if (read.lines === 0) return `[${read.path} is empty.]`
  if (!read.more) return read.text
  const on = read.nextByte === undefined ? `start_line ${read.nextLine}` : `start_byte ${read.nextByte}`
  return `${read.text}${read.text.endsWith('\n') ? '' : '\n'}[${read.from === 0 ? '' : `lines ${read.from} to ${read.to} of `}${read.lines} lines; to read on: read_file ${read.path} ${on}]`
}
