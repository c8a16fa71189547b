/** What an answer costs. Pure. */
import type { Usage } from '../../core/log/message.ts'
import type { Price } from '../../core/ports/ports.ts'
import type { ListedModel } from './model-list.ts'

/** The prices that a list of models tells, by model: OpenRouter's, in US$ a token, written as text. */
export function pricesInList(listed: readonly ListedModel[]): Record<string, Price> {
  return Object.fromEntries(
    listed.flatMap(({ id, row }): [string, Price][] => {
      const told =
        typeof row['pricing'] === 'object' && row['pricing'] !== null ? (row['pricing'] as Record<string, unknown>) : {}
      const million = (name: string): number | undefined => {
        const value = typeof told[name] === 'string' || typeof told[name] === 'number' ? Number(told[name]) * 1e6 : NaN
        return value >= 0 ? Number(value.toPrecision(12)) : undefined // a negative price stands for "depends"
      }
      const [input, output, cacheRead, cacheWrite] = [
        'prompt',
        'completion',
        'input_cache_read',
        'input_cache_write',
      ].map(million)
      return input === undefined || output === undefined
        ? []
        : [
            [
              id,
              {
                input,
                output,
                ...(cacheRead === undefined ? {} : { cacheRead }),
                ...(cacheWrite === undefined ? {} : { cacheWrite }),
              },
            ],
          ]
    }),
  )
}

/** US$ for this usage; undefined without a price. */
export function costOf(
  { input, cacheRead = 0, cacheWrite = 0, output = 0 }: Usage,
  price: Price | undefined,
): number | undefined {
  if (!price) return undefined
  return (
    (input * price.input +
      cacheRead * (price.cacheRead ?? price.input) +
      cacheWrite * (price.cacheWrite ?? price.input) +
      output * price.output) /
    1e6
  )
}
