/** Splits a passage at its marks, so that the found words can be highlighted. Pure. */

/**
 * Pieces in order; together they are the text. Marks are UTF-16 offsets, `to` exclusive; ones out of range are cut to
 * it.
 */
export function markedPieces(
  text: string,
  marks: readonly (readonly [number, number])[],
): { text: string; marked: boolean }[] {
  const found: { text: string; marked: boolean }[] = []
  let at = 0
  for (const [from, to] of marks.toSorted((a, b) => a[0] - b[0])) {
    const start = Math.max(at, from)
    const end = Math.min(text.length, to)
    if (end <= start) continue
    if (start > at) found.push({ text: text.slice(at, start), marked: false })
    found.push({ text: text.slice(start, end), marked: true })
    at = end
  }
  if (at < text.length) found.push({ text: text.slice(at), marked: false })
  return found
}

/** The part of a passage around its first mark, at most `length` characters, with dots where something was left out. */
export function excerptAround(
  text: string,
  marks: readonly (readonly [number, number])[],
  length: number,
): { text: string; marks: [number, number][] } {
  const first = marks.reduce((least, [from]) => Math.min(least, from), text.length)
  const start = text.length <= length ? 0 : Math.max(0, Math.min(first - Math.floor(length / 4), text.length - length))
  const end = Math.min(text.length, start + length)
  const lead = start > 0 ? '…' : ''
  const shift = lead.length - start
  const cut = `${lead}${text.slice(start, end)}${end < text.length ? '…' : ''}`
  return {
    text: cut,
    marks: marks
      .filter(([from, to]) => to > start && from < end)
      .map(([from, to]) => [Math.max(from, start) + shift, Math.min(to, end) + shift]),
  }
}
