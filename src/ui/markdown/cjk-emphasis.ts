/**
 * Emphasis in Chinese, Japanese and Korean, which put no blank between words. CommonMark opens and closes a run of
 * stars by the blank or the punctuation beside it, so `**注意：**正文` keeps its stars. Here a sign of these scripts
 * counts as a letter where that helps, and as a border where the other side is Latin punctuation or a quotation mark.
 * Pure.
 */

const letter =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Bopomofo}\\u30fc\\uff70'
const punctuation =
  '\\u3001-\\u303f\\u30fb\\ufe10-\\ufe19\\ufe30-\\ufe4f\\uff01-\\uff0f\\uff1a-\\uff20\\uff3b-\\uff40\\uff5b-\\uff65\\uffe0-\\uffee'
const isCjk = new RegExp(`^[${letter}${punctuation}]`, 'u')
const isCjkPunctuation = new RegExp(`^[${punctuation}]`, 'u')
const isPunctuation = /^[\p{P}\p{S}]/u
const anyCjk = new RegExp(`[${letter}${punctuation}]`, 'u')

/** Runs of signs of emphasis with the characters beside them; a variant of the letter before belongs to it. */
const runs = /([^*~\s]?)[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]?(?:\*+|~~)(?=([^*~\s]?))/gu

/**
 * A text in which the parser looks for the ends of emphasis, with other characters beside the runs: as long as it was,
 * so that places stay. The same text where nothing is to be done.
 */
export function withSoftBorders(text: string): string {
  if (!anyCjk.test(text)) return text
  const units = text.split('')
  const put = (at: number, character: string, sign: '.' | 'x'): void => {
    if (units[at] !== '.' || sign === '.') units.fill(sign, at, at + character.length)
  }
  for (const match of text.matchAll(runs)) {
    const [whole, before = '', after = ''] = match
    const end = match.index + whole.length
    const start = match.index
    if (before !== '' && isCjk.test(before)) {
      if (isLatinPunctuation(after)) put(start, before, '.')
      else if (isCjkPunctuation.test(before)) put(start, before, 'x')
    }
    if (after !== '' && isCjk.test(after)) {
      if (isLatinPunctuation(before) && !/^[\p{Ps}\p{Pi}]/u.test(before)) put(end, after, '.')
      else if (isCjkPunctuation.test(after)) put(end, after, 'x')
    }
  }
  return units.join('')
}

/**
 * The character before a run that opens, as the parser shall see it: '' where the run opens whatever stands before it.
 */
export function softBefore(before: string, after: string): string {
  return isCjkPunctuation.test(after) || (isCjk.test(before) && isPunctuation.test(after)) ? '' : before
}

function isLatinPunctuation(character: string): boolean {
  return isPunctuation.test(character) && !isCjkPunctuation.test(character)
}
