/** From a row that became no item to the one above it that did. Pure. */

/**
 * Finds the row that stands for one: what it is a part of, or what a row that is passed through follows. Null where
 * that is none. Each row is walked once, loops end.
 */
export function standingRow(
  passed: ReadonlyMap<string, string | null>,
  partOf: ReadonlyMap<string, string>,
): (row: string | null) => string | null {
  const found = new Map<string, string | null>()
  return row => {
    const way: string[] = []
    let at = row === null ? null : (partOf.get(row) ?? row)
    while (at !== null && passed.has(at) && !found.has(at)) {
      found.set(at, null) // a loop ends here
      way.push(at)
      const up: string | null = passed.get(at) ?? null
      at = up === null ? null : (partOf.get(up) ?? up)
    }
    const standing = at === null ? null : found.has(at) ? found.get(at)! : at
    for (const one of way) found.set(one, standing)
    return standing
  }
}
