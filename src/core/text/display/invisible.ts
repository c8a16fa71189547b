/** Signs that nobody sees: they take no room, or only turn what stands around them. Pure. */

/**
 * Inside of a class of a pattern with the flag `u`: format characters (joiners, bidi marks, soft hyphens), fillers,
 * selectors of a variant.
 */
export const invisibleClass = '\\p{Cf}\\p{Default_Ignorable_Code_Point}'

const ink = new RegExp(`(?![${invisibleClass}\\u2800])[\\p{L}\\p{N}\\p{P}\\p{S}\\p{Co}]`, 'u')

/**
 * Whether anybody can see something of a text: not where it is blank, or holds only unseen signs and accents without a
 * letter.
 */
export function hasVisibleText(text: string): boolean {
  return ink.test(text)
}
