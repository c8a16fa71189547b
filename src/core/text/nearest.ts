/** The names that someone may have meant. Pure. */

/** Longer names are compared by their first letters only, so that a hostile name costs little. */
const COMPARED = 80 // UTF-16 units

/** Up to `most` of the names that resemble `wanted`, the nearest first; none that shares nothing with it. */
export function nearest(wanted: string, names: Iterable<string>, most = 3): string[] {
  const target = wanted.slice(0, COMPARED).toLowerCase()
  const found: { name: string; distance: number }[] = []
  for (const name of names) {
    const other = name.slice(0, COMPARED).toLowerCase()
    const inside = target.length >= 2 && (other.includes(target) || (other.length >= 2 && target.includes(other)))
    const distance = inside ? 1 : editDistance(target, other)
    if (distance <= Math.max(2, Math.floor(Math.max(target.length, other.length) * 0.4))) found.push({ name, distance })
  }
  return found
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name)
}

/** Insertions, removals, replacements and swaps of neighbours that turn one text into the other. */
export function editDistance(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let best = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1)
      row.push(best)
    }
    before = above
    above = row
  }
  return above[b.length] ?? 0
}
