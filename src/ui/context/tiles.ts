/** Which things in the window get a tile. Pure. */
import type { Tile } from '../../core/agent/api.ts'

/** More tiles than this are too small to read or to hit. */
const mostTiles = 24
/** A smaller share of the shown tokens gives no readable tile, 0…1. */
const leastShare = 0.006

/** The largest ones, largest first, and how many were left out. Nothing that weighs nothing gets a tile. */
export function tilesToShow(tiles: readonly Tile[]): { tiles: Tile[]; rest: number } {
  const heavy = tiles.filter(({ tokens }) => tokens > 0).toSorted((a, b) => b.tokens - a.tokens)
  const total = heavy.reduce((sum, { tokens }) => sum + tokens, 0)
  const shown = heavy.slice(0, mostTiles).filter(({ tokens, pinned }) => pinned || tokens / total >= leastShare)
  return { tiles: shown, rest: heavy.length - shown.length }
}
