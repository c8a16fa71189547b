/** Converts an answer's usage to our type. Pure. */
import type { Usage } from '../../core/log/message.ts'
import type { Price } from '../../core/ports/ports.ts'
import { costOf } from '../catalogue/prices.ts'

type SdkUsage = {
  inputTokens: { total: number | undefined; cacheRead: number | undefined }
  outputTokens: { total: number | undefined }
  raw?: unknown
}

/**
 * prompt_tokens hold the cached ones; DeepSeek counts those under a name of its own. A cost that the server tells wins
 * over the price.
 */
export function usageOf({ inputTokens, outputTokens, raw }: SdkUsage, price: Price | undefined): Usage | undefined {
  if (!inputTokens.total) return undefined
  const {
    prompt_cache_hit_tokens: hit,
    cache_creation_input_tokens: written,
    cost: told,
  } = (typeof raw === 'object' && raw !== null ? raw : {}) as Record<string, unknown>
  const cacheRead = inputTokens.cacheRead || (typeof hit === 'number' ? hit : 0)
  const cacheWrite = typeof written === 'number' ? written : 0
  const usage: Usage = {
    input: Math.max(0, inputTokens.total - cacheRead - cacheWrite),
    ...(cacheRead > 0 ? { cacheRead } : {}),
    ...(cacheWrite > 0 ? { cacheWrite } : {}),
    ...(outputTokens.total !== undefined ? { output: outputTokens.total } : {}),
  }
  const cost = typeof told === 'number' ? told : costOf(usage, price)
  return { ...usage, ...(cost === undefined ? {} : { cost }) }
}
