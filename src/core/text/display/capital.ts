/** Words as the beginning of a sentence. Pure. */

/** With a capital first letter, where it has one. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
