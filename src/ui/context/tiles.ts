/** What of the window gets a tile of its own, and what shares one. Pure. */
import type { TakenOut, Tile, Zone } from '../../core/agent/api.ts'
import type { Entry } from '../../core/log/entry.ts'

/** A thing in the window, or `count` small ones of a zone that follow each other; activating those shows the first of them. */
export type ShownTile = Tile & { count: number }

/** More tiles than this are too small to read or to hit. */
const mostTiles = 20
/** A smaller share of all tokens gives no readable tile, 0…1; from the other one on small things have enough of them together. */
const leastShare = 0.008
const groupShare = 0.05
/** As much of a message as the card below the tiles shows. Unit: UTF-16 units. */
const longestWords = 400

/** Tiles that weigh, together, all that is in the window, in order of the request; a group stands where the first of it does. */
export function tilesToShow(tiles: readonly Tile[]): ShownTile[] {
  const heavy = tiles.filter(({ tokens }) => tokens > 0)
  const total = heavy.reduce((sum, { tokens }) => sum + tokens, 0)
  const bySize = heavy.toSorted((a, b) => b.tokens - a.tokens)
  const own = new Set(bySize.filter(({ tokens, pinned }, place) => pinned || place < mostTiles && tokens / total >= leastShare))
  const groups = new Map<Zone, ShownTile>()
  const shown: ShownTile[] = []
  for (const tile of heavy) {
    const group = groups.get(tile.zone)
    if (!own.has(tile) && group !== undefined && group.tokens < groupShare * total) {
      group.tokens += tile.tokens
      group.count++
      continue
    }
    const one = { ...tile, count: 1 }
    if (!own.has(tile)) groups.set(tile.zone, one)
    shown.push(one)
  }
  return shown
}

/** The beginning of what a tile stands for, as the log has it; empty where there is nothing to read. */
export function wordsOf(entry: Entry | undefined): string {
  switch (entry?.type) {
    case 'user': case 'result': case 'summary': return entry.text.slice(0, longestWords).trim()
    case 'assistant': return (entry.text.trim() === '' ? entry.calls.map(call => `${call.name} ${call.arguments}`).join('\n') : entry.text).slice(0, longestWords).trim()
    default: return ''
  }
}

/** Where the whole text of a shortened thing lies. */
export function pathOfTile(tile: Tile, takenOut: readonly TakenOut[]): string | undefined {
  return tile.shortened ? takenOut.find(({ kind, entry }) => kind === 'shortened' && entry === tile.entry)?.path : undefined
}
