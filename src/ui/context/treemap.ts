/** Tiles whose areas are as their weights, read like a text: a treemap in strips. Pure. */

/** In shares of the whole area, 0…1. */
export type TilePlace = { x: number; y: number; width: number; height: number }

/** No strip is lower: words in it can be read, and it can be hit. A share of the height. */
const leastHeight = 0.11

/** A tile that is higher than wide has no room for words: it counts as this many times less square than it is. */
const tallness = 1.7

/**
 * Places for the weights, in their order: from left to right in strips from the top. `aspect` is width / height of the
 * area. Of all ways to break the weights into strips it takes the one whose tiles are the squarest. Strips too light to
 * be read get the least height, at the cost of the others: there alone areas are larger than their weights.
 */
export function treemap(weights: readonly number[], aspect: number): TilePlace[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total <= 0) return weights.map(() => ({ x: 0, y: 0, width: 0, height: 0 }))
  const shares = weights.map(weight => weight / total)
  const places: TilePlace[] = []
  let y = 0
  const found = strips(shares, aspect)
  const sums = found.map(([from, to]) => shares.slice(from, to).reduce((sum, share) => sum + share, 0))
  for (const [i, height] of heightsOf(sums).entries()) {
    const [from, to] = found[i]!
    let x = 0
    for (const share of shares.slice(from, to)) {
      const width = sums[i] === 0 ? 0 : share / sums[i]!
      places.push({ x, y, width, height })
      x += width
    }
    y += height
  }
  return places
}

/** The heights of strips with these sums of shares: as the sums, but none below the least. */
function heightsOf(sums: readonly number[]): number[] {
  const least = Math.min(leastHeight, 1 / sums.length)
  const low = new Set<number>()
  for (;;) {
    // what the low ones take may make others low
    const rest = sums.reduce((sum, share, i) => (low.has(i) ? sum : sum + share), 0)
    const scale = (1 - low.size * least) / rest
    const lower = sums.findIndex((share, i) => !low.has(i) && share * scale < least)
    if (lower === -1) return sums.map((share, i) => (low.has(i) ? least : share * scale))
    low.add(lower)
  }
}

/** Where the strips begin and end: the cheapest breaks, found from the front, each prefix once. */
function strips(shares: readonly number[], aspect: number): [number, number][] {
  const cheapest: { cost: number; from: number }[] = [{ cost: 0, from: 0 }] // of the first n tiles
  for (let to = 1; to <= shares.length; to++) {
    let best = { cost: Infinity, from: to - 1 }
    for (let from = to - 1; from >= 0; from--) {
      const cost = cheapest[from]!.cost + costOf(shares, from, to, aspect)
      if (cost < best.cost) best = { cost, from }
    }
    cheapest.push(best)
  }
  const found: [number, number][] = []
  for (let to = shares.length; to > 0; to = cheapest[to]!.from) found.push([cheapest[to]!.from, to])
  return found.toReversed()
}

/** How far from square the tiles of a strip are, squared, so that one sliver weighs more than many near squares. */
function costOf(shares: readonly number[], from: number, to: number, aspect: number): number {
  let sum = 0
  for (let i = from; i < to; i++) sum += shares[i]!
  const height = Math.max(sum, leastHeight)
  let cost = 0
  for (let i = from; i < to; i++) {
    const wide = ((shares[i]! / sum) * aspect) / height // width / height
    cost += wide === 0 ? 0 : Math.max(wide, tallness / wide) ** 2
  }
  return cost
}

/**
 * The tile that an arrow key leads to: left and right in order, up and down to the nearest one of the strip there; -1
 * for none.
 */
export function neighbour(places: readonly TilePlace[], at: number, key: string): number {
  const here = places[at]
  if (key === 'Home') return places.length > 0 ? 0 : -1
  if (key === 'End') return places.length - 1
  if (here === undefined) return -1
  if (key === 'ArrowRight') return at + 1 < places.length ? at + 1 : -1
  if (key === 'ArrowLeft') return at - 1
  const down = key === 'ArrowDown'
  if (!down && key !== 'ArrowUp') return -1
  const rows = places.map(({ y }) => y).filter(y => (down ? y > here.y : y < here.y))
  const row = down ? Math.min(...rows) : Math.max(...rows)
  const middle = ({ x, width }: TilePlace) => x + width / 2
  let nearest = -1
  for (const [i, place] of places.entries()) {
    if (
      place.y === row &&
      (nearest === -1 || Math.abs(middle(place) - middle(here)) < Math.abs(middle(places[nearest]!) - middle(here)))
    )
      nearest = i
  }
  return nearest
}
