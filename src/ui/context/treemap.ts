/** Tiles whose areas are as their weights: a squarified treemap. Pure. */

/** In shares of the whole area, 0…1. */
export type Place = { x: number; y: number; width: number; height: number }

/**
 * Places for the weights, in their order (largest first gives the squarest tiles). `aspect` is width / height of the area.
 * Rows are laid along the shorter side, each as long as adding a weight makes its tiles squarer.
 */
export function treemap(weights: readonly number[], aspect: number): Place[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  if (total <= 0) return weights.map(() => ({ x: 0, y: 0, width: 0, height: 0 }))
  const places: Place[] = []
  const area = weights.map(weight => weight / total * aspect) // the area is `aspect` wide and 1 high
  let rest = { x: 0, y: 0, width: aspect, height: 1 }
  let start = 0
  while (start < area.length) {
    const side = Math.min(rest.width, rest.height)
    let end = start + 1
    while (end < area.length && worst(area, start, end + 1, side) <= worst(area, start, end, side)) end++
    const depth = sum(area, start, end) / side
    let along = 0
    for (let i = start; i < end; i++) {
      const length = depth === 0 ? 0 : area[i]! / depth
      places.push(rest.width >= rest.height
        ? { x: rest.x, y: rest.y + along, width: depth, height: length }
        : { x: rest.x + along, y: rest.y, width: length, height: depth })
      along += length
    }
    rest = rest.width >= rest.height
      ? { ...rest, x: rest.x + depth, width: Math.max(0, rest.width - depth) }
      : { ...rest, y: rest.y + depth, height: Math.max(0, rest.height - depth) }
    start = end
  }
  return places.map(({ x, y, width, height }) => ({ x: x / aspect, y, width: width / aspect, height }))
}

/** The least square tile of a row: its longer side over its shorter one. */
function worst(area: readonly number[], start: number, end: number, side: number): number {
  const depth = sum(area, start, end) / side
  let most = 0
  for (let i = start; i < end; i++) {
    const length = area[i]! / depth
    most = Math.max(most, length / depth, depth / length)
  }
  return most
}

function sum(numbers: readonly number[], start: number, end: number): number {
  let total = 0
  for (let i = start; i < end; i++) total += numbers[i]!
  return total
}
