/** Invisible characters: they take no space, or only change the direction of the text around them. Pure. */

/**
 * Inside of a class of a pattern with the flag `u`: format characters (joiners, bidi marks, soft hyphens), fillers,
 * selectors of a variant.
 */
export const invisibleClass = '\\p{Cf}\\p{Default_Ignorable_Code_Point}'

const ink = new RegExp(`(?![${invisibleClass}\\u2800])[\\p{L}\\p{N}\\p{P}\\p{S}\\p{Co}]`, 'u')

/**
 * Whether a text has anything visible: not if it is blank, or has only invisible characters and accents without a
 * letter.
 */
export function hasVisibleText(text: string): boolean {
  return ink.test(text)
}
