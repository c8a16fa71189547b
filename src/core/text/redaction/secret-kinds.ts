/** What kinds of secrets and personal data are looked for. Types only, and their order. */

/** From the gravest to the mildest: of two that overlap the first counts. */
export const secretKinds = [
  'private key',
  'key',
  'password',
  'card',
  'account',
  'mail',
  'phone',
  'host',
  'user',
] as const

export type SecretKind = (typeof secretKinds)[number]

/**
 * Where one stands in a text, UTF-16 offsets. `value`: what it is, without what it is written with; equal values are
 * one finding. `of`: the provider whose key it is. `fixed`: its length tells its end. `word`: only whole words are
 * the same value.
 */
export type SecretMatch = {
  kind: SecretKind
  from: number
  to: number
  value: string
  of?: string
  fixed?: true
  word?: true
}

/** Finds all of some kinds in a text. Time is linear in its length, whatever it holds. */
export type Finder = (text: string) => SecretMatch[]

/** Left of it stands no letter, digit, dash or underscore: a longer word is another one. */
export function beginsWord(text: string, at: number): boolean {
  return at === 0 || !/[\w-]/.test(text[at - 1]!)
}

/** Letters and digits, and more than one kind of letters or many digits: no word of a language. */
export function looksRandom(text: string): boolean {
  const digitCount = text.match(/\d/g)?.length ?? 0
  return (digitCount > 0 && /[A-Za-z]/.test(text)) || /[a-z][A-Z]{1,3}[a-z]/.test(text)
}
