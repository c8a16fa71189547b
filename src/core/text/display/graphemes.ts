/** Cutting a text between what a reader takes for letters: an emoji, a letter with its marks, a flag. Pure. */

/** As far as one grapheme may reach, UTF-16 units: a family of emoji has 25. A longer one is cut like text. */
const longest = 64
/** As far as a row of flags is followed back, UTF-16 units. */
const mostFlags = 2_000
let segmenter: Intl.Segmenter | undefined

/**
 * The longest beginning of whole graphemes with at most `most` UTF-16 units; of a grapheme that alone is longer as much
 * as fits. Never empty where the text is not and `most` is 2 or more.
 */
export function clip(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, borderAt(text, most))
}

/**
 * The last place up to `at` (UTF-16 units) where the text can be cut. Costs the same whatever the length of the text.
 */
export function borderAt(text: string, at: number): number {
  if (at <= 0 || at >= text.length) return Math.max(0, Math.min(at, text.length))
  let from = wholeAt(text, Math.max(0, at - longest))
  // which two letters of many make a flag is told by the first
  while (from > 1 && at - from < mostFlags && isFlagPart(text, from - 2)) from -= 2
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  let border = from
  for (const { index } of segmenter.segment(text.slice(from, at + longest))) {
    if (from + index > at) break
    border = from + index
  }
  return border > from ? border : wholeAt(text, at)
}

/** The place itself, or the one before where it would part two halves of a character. */
function wholeAt(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return at > 0 && unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at
}

function isFlagPart(text: string, at: number): boolean {
  const letter = text.codePointAt(at) ?? 0
  return letter >= 0x1f1e6 && letter <= 0x1f1ff
}
