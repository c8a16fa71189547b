/** How one text becomes another, line by line: for the page, and for the agent in its worker. Pure. */
import { diffArrays } from 'diff'
import type { DiffLine } from '../../core/ports/ports.ts'

/**
 * Most lines that go and come before the search for common ones is given up: it grows with their square, and 2 000 take
 * about 0.2 s. Above, what differs is shown as one block.
 */
const mostChanges = 2_000

/** The lines of both texts in order; as many as possible are the same. Never throws. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  const runs = diffArrays(old, now, { maxEditLength: mostChanges }) ?? [
    { value: old, removed: true, added: false },
    { value: now, removed: false, added: true },
  ]
  return runs.flatMap(({ value, removed, added }) => {
    const kind = removed ? 'gone' : added ? 'new' : 'same'
    return value.map((text): DiffLine => ({ kind, text }))
  })
}

/** A newline at the end begins no line. */
function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}
