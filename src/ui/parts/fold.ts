/** Which part of a long text or list is shown before it is expanded. Pure. */
import type { DiffLine } from '../../core/ports/ports.ts'

/** Fewer than this are never worth a fold, lines. */
const leastLines = 4

/**
 * Beginning and end of a text and how many characters lie between; null where it is shown whole, because there are
 * fewer than `least`. Units: UTF-16. Never splits a character.
 */
export function foldedText(
  text: string,
  begin: number,
  end: number,
  least = 200,
): { begin: string; between: number; end: string } | null {
  if (text.length < begin + end + least) return null
  const whole = (at: number): number => (isSecondHalf(text.charCodeAt(at)) ? at - 1 : at)
  const [from, to] = [whole(begin), whole(text.length - end)]
  return { begin: text.slice(0, from), between: to - from, end: text.slice(to) }
}

/** Lines that are shown, and in place of others their number. */
export type FoldedLines = (DiffLine | { between: number })[]

/** A difference without what stays the same far from a change, and at most `most` lines of it. */
export function foldedLines(
  lines: readonly DiffLine[],
  { around, most }: { around: number; most: number },
): FoldedLines {
  const near = new Set(
    lines.flatMap((line, at) =>
      line.kind === 'same' ? [] : Array.from({ length: 2 * around + 1 }, (_, n) => at - around + n),
    ),
  )
  const shown: FoldedLines = []
  let [away, taken] = [0, 0]
  const close = (): void => {
    if (away > 0) shown.push({ between: away })
    away = 0
  }
  for (const [at, line] of lines.entries()) {
    const last = lines.length - at <= Math.floor(most / 4)
    if (
      !(near.has(at) || runIsShort(lines, at, near)) ||
      (taken >= Math.ceil((most * 3) / 4) && !last && lines.length > most)
    )
      away++
    else {
      close()
      shown.push(line)
      taken++
    }
  }
  close()
  return shown
}

/** Whether so few lines lie between two shown ones that a fold would save nothing. */
function runIsShort(lines: readonly DiffLine[], at: number, near: ReadonlySet<number>): boolean {
  let [from, to] = [at, at]
  while (from > 0 && !near.has(from - 1) && at - from < leastLines) from--
  while (to < lines.length - 1 && !near.has(to + 1) && to - at < leastLines) to++
  return to - from + 1 < leastLines
}

function isSecondHalf(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
