/** What the card of a tile tells. Pure. */
import type { RemovedItem, Tile } from '../../core/agent/api/context-api.ts'
import type { Entry } from '../../core/log/entry.ts'
import { clip } from '../../core/text/display/graphemes.ts'

/** As much of a message as the card below the tiles shows. Unit: UTF-16 units. */
const longestWords = 400

/** The beginning of what a tile stands for, as the log has it; empty where there is nothing to read. */
export function tileText(entry: Entry | undefined): string {
  switch (entry?.type) {
    case 'user':
    case 'result':
    case 'summary':
      return clip(entry.text, longestWords).trim()
    case 'assistant':
      return clip(
        entry.text.trim() === '' ? entry.calls.map(call => `${call.name} ${call.arguments}`).join('\n') : entry.text,
        longestWords,
      ).trim()
    default:
      return ''
  }
}

/** Where the whole text of a shortened thing lies. */
export function pathOfTile(tile: Tile, takenOut: readonly RemovedItem[]): string | undefined {
  return tile.shortened
    ? takenOut.find(({ kind, entry }) => kind === 'shortened' && entry === tile.entry)?.path
    : undefined
}
