/** Chance from a seed, for corpora that are the same each time and stand nowhere in the repository. */

/** Numbers in [0, 1) that follow from the seed. */
export type Chance = () => number

export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const digits = '0123456789'
export const hex = '0123456789abcdef'
export const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
export const lower = 'abcdefghijklmnopqrstuvwxyz'
export const alnum = upper + lower + digits
export const urlSafe = `${alnum}-_`

/** One of a list. */
export const oneOf = <T>(chance: Chance, list: readonly T[]): T => list[Math.floor(chance() * list.length)]!

/** A whole number from `from` to `to`, both included. */
export const between = (chance: Chance, from: number, to: number): number =>
  from + Math.floor(chance() * (to - from + 1))

/** So many signs of an alphabet. */
export const signs = (chance: Chance, alphabet: string, count: number): string =>
  Array.from({ length: count }, () => alphabet[Math.floor(chance() * alphabet.length)]!).join('')

/** The digits with the one behind them that makes them pass the check of cards. */
export function withLuhn(body: string): string {
  const sum = [...body].toReversed().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return body + String((10 - (sum % 10)) % 10)
}

/** An account number with the check digits of its country. */
export function ibanOf(country: string, account: string): string {
  const rearranged = [...`${account}${country}00`].map(sign => parseInt(sign, 36)).join('')
  let rest = 0
  for (const digit of rearranged) rest = (rest * 10 + Number(digit)) % 97
  return country + String(98 - rest).padStart(2, '0') + account
}
