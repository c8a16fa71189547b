/** Where TeX stands in a text: $…$, $$…$$, \(…\), \[…\]. Pure. */

export type MathSpan = { raw: string; tex: string; display: boolean }

/** TeX longer than this is shown as it was written, UTF-16 units. */
const longest = 2_000

/**
 * The formula that begins at the start of `text`. A block may not hold a blank line, so that a text which is still
 * growing never joins paragraphs that were shown apart. A single $ needs ink on its inner sides and no digit behind
 * it: prices are no formulas.
 */
export function findMath(text: string, level: 'block' | 'inline'): MathSpan | undefined {
  const opening = /^ {0,3}(\$\$|\\\[|\$|\\\()/.exec(text)
  if (opening === null || level === 'inline' && text.startsWith(' ')) return undefined
  const sign = opening[1]!
  if (level === 'block' && sign !== '$$' && sign !== '\\[') return undefined
  const from = opening[0].length
  const closing = { '$$': '$$', '\\[': '\\]', '$': '$', '\\(': '\\)' }[sign]!
  const to = closingAt(text, from, closing)
  if (to === undefined) return undefined
  const tex = text.slice(from, to)
  const end = to + closing.length
  if (tex.trim() === '' || /\n[ \t]*\n/.test(tex)) return undefined
  if (sign === '$' && (/^\s|\s$|\n/.test(tex) || /^[\d$]/.test(text.slice(end)))) return undefined
  if (level === 'inline') return { raw: text.slice(0, end), tex: tex.trim(), display: sign === '$$' || sign === '\\[' }
  const rest = /^[ \t]*(?:\n|$)/.exec(text.slice(end))
  return rest === null ? undefined : { raw: text.slice(0, end), tex: tex.trim(), display: true }
}

/** The place of the first closing sign that no backslash hides. */
function closingAt(text: string, from: number, closing: string): number | undefined {
  const until = Math.min(text.length, from + longest)
  for (let at = from; at < until; at++) {
    if (text.startsWith(closing, at)) return at
    if (text[at] === '\\') at++
  }
  return undefined
}
