/** What random tests share: how often they run, and texts of every nasty kind. */
import fc from 'fast-check'

declare const process: { env: Record<string, string | undefined> }

/** `npm run check` sets it: random tests run a quarter as often as usual, and long ones not at all. */
const usually = (usual: number): number => (process.env['HAVERSACK_QUICK'] ? Math.ceil(usual / 4) : usual)

/** How often a random test runs: HAVERSACK_RUNS, else `usual`. */
export function runs(usual = 100): { numRuns: number } {
  return { numRuns: Number(process.env['HAVERSACK_RUNS'] ?? usually(usual)) }
}

/**
 * The same for laws that live through a whole agent each time, which takes a hundred times as long: HAVERSACK_LIVES,
 * where it is set.
 */
export function lives(usual = 60): { numRuns: number } {
  return { numRuns: Number(process.env['HAVERSACK_LIVES'] ?? process.env['HAVERSACK_RUNS'] ?? usually(usual)) }
}

const letters = fc.constantFrom(
  'a',
  'b',
  ' ',
  '\n',
  '\n',
  '\r\n',
  '\t',
  '"',
  '\\',
  '{',
  '}',
  '\u0000',
  'é',
  '你',
  '🎒',
  '\ud83c',
  '\udf92',
  '\u2028',
  '\ufeff',
  '<|endoftext|>',
  '[12 bytes omitted]',
)

/** Text with newlines, CJK, emoji, lone surrogates, NUL, and what looks like a notice or a special token. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.array(letters, { maxLength: 60 }).map(parts => parts.join('')) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(letters, fc.nat(600), letters, fc.nat(300))
      .map(([a, n, b, m]) => a.repeat(n) + b + a.repeat(m)),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 80 }) },
)
