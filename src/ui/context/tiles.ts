/** What of the window gets a tile of its own, and what shares one. Pure. */
import type { Tile, Zone } from '../../core/agent/api.ts'

/** A thing in the window, or `count` small ones of a zone together; activating those shows the first of them. */
export type ShownTile = Tile & { count: number }

/** More tiles than this are too small to read or to hit. */
const mostTiles = 20
/** A smaller share of all tokens gives no readable tile, 0…1. */
const leastShare = 0.008

/** Tiles that weigh, together, all that is in the window: largest first. Nothing that weighs nothing gets one. */
export function tilesToShow(tiles: readonly Tile[]): ShownTile[] {
  const heavy = tiles.filter(({ tokens }) => tokens > 0).toSorted((a, b) => b.tokens - a.tokens)
  const total = heavy.reduce((sum, { tokens }) => sum + tokens, 0)
  const own = new Set(heavy.filter(({ tokens, pinned }, place) => pinned || place < mostTiles && tokens / total >= leastShare))
  const groups = new Map<Zone, ShownTile>()
  for (const tile of tiles) { // in order of the request, so that a group begins with its oldest
    if (own.has(tile) || tile.tokens <= 0) continue
    const group = groups.get(tile.zone)
    if (group === undefined) groups.set(tile.zone, { ...tile, count: 1 })
    else { group.tokens += tile.tokens; group.count++ }
  }
  return [...[...own].map(tile => ({ ...tile, count: 1 })), ...groups.values()].sort((a, b) => b.tokens - a.tokens)
}
