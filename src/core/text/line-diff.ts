/** How one text becomes another, line by line. Pure. */

export type DiffLine = { kind: 'same' | 'gone' | 'new'; text: string }

/**
 * Most cells of the table that finds the longest common lines: 4 million are about 30 ms. Above, what differs is shown
 * as one block.
 */
const mostCells = 4_000_000

/** The lines of both texts in order; as many as possible are the same. Never throws. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let end = 0
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end++
  return [
    ...old.slice(0, start).map((text): DiffLine => ({ kind: 'same', text })),
    ...middle(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...old.slice(old.length - end).map((text): DiffLine => ({ kind: 'same', text })),
  ]
}

function middle(old: readonly string[], now: readonly string[]): DiffLine[] {
  const gone = (text: string): DiffLine => ({ kind: 'gone', text })
  const fresh = (text: string): DiffLine => ({ kind: 'new', text })
  if (old.length * now.length > mostCells) return [...old.map(gone), ...now.map(fresh)]
  const width = now.length + 1
  const common = new Uint32Array((old.length + 1) * width) // of what begins at (i, j)
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      common[i * width + j] =
        old[i] === now[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
    }
  }
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push({ kind: 'same', text: old[i++]! })
      j++
    } else if (i < old.length && (j === now.length || common[(i + 1) * width + j]! >= common[i * width + j + 1]!))
      lines.push(gone(old[i++]!))
    else lines.push(fresh(now[j++]!))
  }
  return lines
}

/** A newline at the end begins no line. */
function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}
