/** Untrusted text, made so that it cannot hide or reorder anything where it is shown. Pure. */
import { clip } from './graphemes.ts'
import { invisibleClass } from './invisible.ts'

/**
 * What takes no room or moves what stands around it: control and format characters, fillers, separators, halves of a
 * pair.
 */
const unseen = new RegExp(`[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}${invisibleClass}\\u2800]`, 'gu')
/** Joiners between letters that need them (Arabic, Indic) and inside of emoji; a variant of the sign before it. */
const needed = [
  /(?<=[\p{Script=Arabic}\p{M}])[\u200c\u200d](?=[\p{L}\p{M}])/uy,
  /(?<=\p{Emoji}\ufe0f?)\u200d(?=\p{Extended_Pictographic})/uy,
  /(?<=\p{Emoji})[\ufe0e\ufe0f]/uy,
]

/**
 * The text with its unseen characters as codes, such as ‹U+202E›; line breaks and tabs stay, and so does what a script
 * or an emoji needs. Never throws.
 */
export function visible(text: string): string {
  return rewritten(text, sign => `‹U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`)
}

/** The same with nothing in their place: for a name, where a code would be longer than what it says. Never throws. */
export function withoutInvisible(text: string): string {
  return rewritten(text, () => '')
}

function rewritten(text: string, rewrite: (sign: string) => string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(unseen, (sign, at: number, whole: string) =>
      sign === '\n' || sign === '\t' || needed.some(pattern => holds(pattern, whole, at)) ? sign : rewrite(sign),
    )
}

/**
 * A name from outside as it may stand inside of the app's own words: visible, in one line, no longer than 100
 * characters. Never throws.
 */
export function shownName(name: string): string {
  const line = visible(name.slice(0, 400).replace(/\s+/g, ' ').trim())
  return line.length <= 100 ? line : `${clip(line, 99)}…`
}

function holds(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}
