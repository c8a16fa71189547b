/** Where TeX stands in a text: $…$, $$…$$, \(…\), \[…\]; and where a dollar is money or a variable of a shell. Pure. */

export type MathSpan = { raw: string; tex: string; display: boolean }

/** TeX longer than this is shown as it was written, UTF-16 units. */
const longest = 2_000

const cjk = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}'
/** A letter or digit of a script with blanks between words. */
const inWord = new RegExp(`^(?![${cjk}])[\\p{L}\\p{N}_]`, 'u')
/** What may follow a formula without a blank: the nth, two xs. */
const ending = /^(?:th|st|nd|rd|s|D)(?![\p{L}\p{N}_])/u

/**
 * The formula that begins at the start of `text`; `before` is the character in front of it. A block may not hold a
 * blank line, so that a text which is still growing never joins paragraphs that were shown apart. A single $ needs ink
 * on its inner sides, stands in no word and beside no number (5$, US$, $HOME), and what it holds reads as a formula.
 */
export function findMath(text: string, level: 'block' | 'inline', before = ''): MathSpan | undefined {
  const opening = /^ {0,3}(\$\$|\\\[|\$|\\\()/.exec(text)
  if (opening === null || (level === 'inline' && text.startsWith(' '))) return undefined
  const sign = opening[1]!
  if (level === 'block' && sign !== '$$' && sign !== '\\[') return undefined
  const from = opening[0].length
  const closing = { $$: '$$', '\\[': '\\]', $: '$', '\\(': '\\)' }[sign]!
  const to = closingAt(text, from, closing)
  if (to === undefined) return undefined
  const tex = text.slice(from, to)
  const end = to + closing.length
  if (tex.trim() === '' || /\n[ \t]*\n/.test(tex)) return undefined
  const after = text.slice(end, end + 4)
  // a row of three or more: how dear a place is
  if (sign.startsWith('$') && (before === '$' || after.startsWith('$') || tex.startsWith('$'))) return undefined
  if (sign === '$' && (/^\s|\s$|\n/.test(tex) || isInWord(tex, before, after) || !readsAsMath(tex))) return undefined
  if (sign === '$$' && level === 'inline' && !readsAsMath(tex.trim())) return undefined
  if (level === 'inline') return { raw: text.slice(0, end), tex: tex.trim(), display: sign === '$$' || sign === '\\[' }
  const rest = /^[ \t]*(?:\n|$)/.exec(text.slice(end))
  return rest === null ? undefined : { raw: text.slice(0, end), tex: tex.trim(), display: true }
}

/** A formula stands beside letters only as a part of a word (nth), or where it is TeX for certain (10$\mu$m). */
function isInWord(tex: string, before: string, after: string): boolean {
  return (
    (inWord.test(before) && !/^\\[a-zA-Z]/.test(tex)) ||
    /^[\d{]/.test(after) ||
    (inWord.test(after) && !ending.test(after) && !surely.test(tex))
  )
}

/** Words that stand in formulas without a backslash. */
const functions =
  /^(?:sin|cos|tan|cot|sec|csc|arcsin|arccos|arctan|sinh|cosh|tanh|log|ln|lg|exp|max|min|sup|inf|lim|mod|gcd|lcm|det|dim|ker|rank|deg|arg|argmax|argmin|softmax|dx|dy|dt|du|dv)$/
/** What only TeX and formulas have; signs of currencies, paths and shells do not count. */
const proof = /\\[a-zA-Z]+|\^|(?<![A-Za-z0-9_])[A-Za-z]_(?:[A-Za-z0-9](?![A-Za-z0-9_])|\{|\\)|_\{|[=≈≠≤≥<>∈∑∏∫√×÷±→]/
/** The same without signs that prose has too. */
const surely = /\\[a-zA-Z]+|\^|_\{/

/**
 * Whether this reads as a formula: not as prices with words between them, or as names of variables with what joins
 * them.
 */
function readsAsMath(tex: string): boolean {
  const bare = tex.replace(
    /\\(?:text|textbf|textit|mathrm|mathbf|mathit|mathsf|mathcal|mathbb|operatorname|mbox|label|tag|begin|end)\*?\s*\{[^{}]*\}/g,
    ' ',
  )
  if (!areEven(bare, tex)) return false
  if (
    /[。，、；：！？“”「」《》–—]/u.test(bare) ||
    (/(?<!\\)[:/\-+,;.(&@"_\\=<>*]$/.test(tex) && tex.length > 1 && !surely.test(tex))
  )
    return false
  if (tex.endsWith('|') && tex.length > 1 && tex.split('|').length % 2 === 0) return false
  const hasProof = proof.test(bare)
  if (/(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Common}])\p{L}/u.test(bare)) return hasProof
  if (surely.test(bare)) return true
  const words = bare.replace(/\\[a-zA-Z]+/g, ' ').match(/[\p{L}\p{M}]+/gu) ?? []
  const prose = words.filter(word => word.length > 1 && !functions.test(word))
  // Letters side by side are factors or the names of points (ABC); with a blank beside them they are words of a
  // sentence.
  return prose.length === 0 || (!/\s/.test(bare) && !/[/:]/.test(bare)) || (hasProof && prose.length === 1)
}

/** Whether each bracket has another: half of a pair closes outside. Intervals such as [0, 1) are pairs. */
function areEven(bare: string, tex: string): boolean {
  if (surely.test(tex)) return true
  const of = (pattern: RegExp): number => bare.match(pattern)?.length ?? 0
  return of(/[([]/g) === of(/[)\]]/g) && of(/\{/g) === of(/\}/g) && !bare.includes('"')
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
