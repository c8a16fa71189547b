/** What a message is called in a few words. Pure. */
import type { Entry } from '../../log/entry.ts'
import { clip } from '../../text/display/graphemes.ts'
import { visibleLine } from '../../text/display/title.ts'

/** Longest label. Unit: UTF-16 units. */
const longestLabel = 80

/** A short label of a message, at most this long. Unit: UTF-16 units. */
export function entryLabel(entry: Entry, most = longestLabel): string {
  switch (entry.type) {
    case 'user':
    case 'summary':
      return firstWords(entry.text, most)
    case 'assistant':
      return firstWords(entry.text, most) || entry.calls.map(call => call.name).join(', ')
    case 'result':
      return entry.tool
    default:
      return ''
  }
}

/** The first words of a text in one line, at most this long. Unit: UTF-16 units. */
export function firstWords(text: string, most: number): string {
  const line = visibleLine(text.slice(0, 4 * most))
  return line.length <= most ? line : `${clip(line, most - 1)}…`
}
