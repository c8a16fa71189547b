/**
 * A text normalized for search: without invisible characters, in one width, accents and marks joined with their
 * letters. Pure.
 */
import { invisibleClass } from '../display/invisible.ts'

/**
 * `text` with the places that its UTF-16 units come from: `starts` and `ends` (exclusive), absent where nothing was
 * changed.
 */
export type FoldedText = { text: string; starts?: number[]; ends?: number[] }

const unseen = new RegExp(`[${invisibleClass}]+`, 'gu')
/**
 * What has another form that means the same: letters and digits of full width and what joins them, letters of half
 * width, radicals and squared words, parts of a Hangul syllable, a letter with the marks that follow it.
 */
const foldable = new RegExp(
  [
    '[\\u1100-\\u115e\\ua960-\\ua97c][\\u1161-\\u11a7\\ud7b0-\\ud7c6]*[\\u11a8-\\u11ff\\ud7cb-\\ud7fb]*',
    '(?<=[\\uff10-\\uff19\\uff21-\\uff3a\\uff41-\\uff5a])[\\uff07\\uff0d-\\uff0f\\uff1a\\uff20\\uff3f](?=[\\uff10-\\uff19\\uff21-\\uff3a\\uff41-\\uff5a])',
    '\\P{M}[\\u0300-\\u036f\\u0653-\\u0655\\u3099\\u309a\\uff9e\\uff9f]+',
    '[\\u2e80-\\u2fd5\\u3300-\\u33ff\\uf900-\\ufaff\\uff10-\\uff19\\uff21-\\uff3a\\uff41-\\uff5a\\uff66-\\uff9f\\u{2f800}-\\u{2fa1d}]',
  ].join('|'),
  'gu',
)

/** The text folded. Folding twice changes nothing more. Costs O(text). Never throws. */
export function foldText(text: string): FoldedText {
  if (!/[^\0-\x7f]/.test(text)) return { text } // nothing of ASCII is folded, and most of what is indexed is ASCII
  return rewritten(
    rewritten({ text }, unseen, () => ''),
    foldable,
    found => found.normalize('NFKC'),
  )
}

/** Where units `from` to `to` (exclusive) of the folded text come from. */
export function sourceRange({ starts, ends }: FoldedText, from: number, to: number): { from: number; to: number } {
  return starts && ends ? { from: starts[from] ?? 0, to: ends[to - 1] ?? 0 } : { from, to }
}

function rewritten(before: FoldedText, pattern: RegExp, rewrite: (found: string) => string): FoldedText {
  let text = ''
  const [starts, ends]: [number[], number[]] = [[], []]
  let done = 0
  const keep = (to: number): void => {
    text += before.text.slice(done, to)
    for (let at = done; at < to; at++) {
      const place = sourceRange(before, at, at + 1)
      starts.push(place.from)
      ends.push(place.to)
    }
  }
  for (const { 0: found, index } of before.text.matchAll(pattern)) {
    const other = rewrite(found)
    if (other === found) continue
    keep(index)
    text += other
    const place = sourceRange(before, index, index + found.length)
    for (let n = 0; n < other.length; n++) {
      starts.push(place.from)
      ends.push(place.to)
    }
    done = index + found.length
  }
  if (done === 0) return before
  keep(before.text.length)
  return { text, starts, ends }
}
