/** A text of bounded length that ends between items or words. Pure. */

/** Marks between the items of a dense line. */
const marks = ['; ', '；', ' · ', ' | ', ';']

/**
 * Text of at most `limit` UTF-16 units: a dense line ends between two items, any other at a blank where there is one,
 * never inside a pair of surrogates.
 */
export function clipped(text: string, limit: number): string {
  if (text.length <= limit) return text
  for (const mark of marks) {
    if (text.split(mark, 4).length < 4) continue
    const border = text.lastIndexOf(mark, limit - 1)
    if (border > limit * 0.3) return `${text.slice(0, border)}…`
  }
  const blank = text.lastIndexOf(' ', limit)
  const end = blank > limit * 0.7 ? blank : limit - 1
  const unit = text.charCodeAt(end - 1)
  return `${text.slice(0, unit >= 0xd800 && unit <= 0xdbff ? end - 1 : end)}…`
}
