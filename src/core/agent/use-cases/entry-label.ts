/** What a message is called in a few words. Pure. */
import type { Entry } from '../../log/entry.ts'
import { clip } from '../../text/display/graphemes.ts'
import { visibleLine } from '../../text/display/title.ts'

/** Longest label. Unit: UTF-16 units. */
const longestLabel = 80

/** A short label of a message. */
export function entryLabel(entry: Entry): string {
  switch (entry.type) {
    case 'user':
    case 'summary':
      return firstWords(entry.text)
    case 'assistant':
      return firstWords(entry.text) || entry.calls.map(call => call.name).join(', ')
    case 'result':
      return entry.tool
    default:
      return ''
  }
}

function firstWords(text: string): string {
  const line = visibleLine(text.slice(0, 4 * longestLabel))
  return line.length <= longestLabel ? line : `${clip(line, longestLabel - 1)}…`
}
