/** Which parts of the window get their own tile, and which share one. Pure. */
import type { Zone } from '../../context/size/measure.ts'
import type { Tile } from '../api/context-api.ts'

/** More tiles than this are too small to read or to hit. */
const mostTiles = 20
/**
 * A smaller share of all tokens gives no tile that its name fits into, 0…1; from the other one on small things have
 * enough of them together.
 */
const leastShare = 0.03
const groupShare = 0.12

/**
 * Tiles that weigh, together, all that is in the window, in order of the request; a group stands where the first of it
 * does. A chat of ten thousand messages has some twenty: as many as it has messages would take the page 15 ms to unpack
 * (2026-11).
 */
export function tilesToShow(tiles: readonly Tile[]): Tile[] {
  const heavy = tiles.filter(({ tokens }) => tokens > 0)
  const total = heavy.reduce((sum, { tokens }) => sum + tokens, 0)
  const bySize = heavy.toSorted((a, b) => b.tokens - a.tokens)
  const own = new Set(
    bySize.filter(({ tokens, pinned }, place) => pinned || (place < mostTiles && tokens / total >= leastShare)),
  )
  const groups = new Map<Zone, Tile>()
  const shown: Tile[] = []
  for (const tile of heavy) {
    const group = groups.get(tile.zone)
    if (!own.has(tile) && group !== undefined && group.tokens < groupShare * total) {
      group.tokens += tile.tokens
      group.count += tile.count
      if (tile.at !== undefined) group.until = tile.at
      continue
    }
    const one = { ...tile }
    if (!own.has(tile)) groups.set(tile.zone, one)
    shown.push(one)
  }
  return shown
}
