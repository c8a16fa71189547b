/** The answers of providers as they were seen, each with the verdict that it should get. */
import cases from './overflow.cases.json' with { type: 'json' }
import more from './overflow.more.cases.json' with { type: 'json' }
import type { ProviderRefusal, Verdict } from './verdict.ts'

export type SeenRefusal = {
  provider: string
  status: number | null
  body: string
  overflow: boolean
  kind: string
  limit?: number
  actual?: number
  maxOutput?: number
  bytes?: number
  characters?: number
  images?: number
}
export const seenRefusals: readonly SeenRefusal[] = [...cases, ...more]

/** A body that is an object with `name` and `message` stands for a thrown error. */
export function thrownOf(body: string): { name: string; message: string } | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && 'name' in value && 'message' in value
      ? (value as { name: string; message: string })
      : undefined
  } catch {
    return undefined
  }
}

export function refusalOf({ provider, status, body }: SeenRefusal): ProviderRefusal {
  const thrown = thrownOf(body)
  return thrown ? { provider, status, thrown } : { provider, status, body }
}

export const numbersOf = ({ limit, actual, maxOutput }: Pick<Verdict, 'limit' | 'actual' | 'maxOutput'>) => ({
  limit,
  actual,
  maxOutput,
})
