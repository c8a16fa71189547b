/** What can be wrong with a setting. Pure. */
import type { Config, ConfigName } from './config.ts'

/** `value`: as it was given, shortened. */
export type ConfigFault =
  | { wrong: 'unknown'; key: string; nearest: readonly ConfigName[] }
  | { wrong: 'boolean' | 'number' | 'whole'; key: ConfigName; value: string }
  | { wrong: 'choice'; key: ConfigName; choices: readonly string[]; value: string }
  | { wrong: 'range'; key: ConfigName; min: number; max: number; value: string }
  | { wrong: 'pair'; low: ConfigName; high: ConfigName; values: Pick<Config, ConfigName>; equal: boolean }
  | { wrong: 'no object' }

/** Settings that cannot hold together. */
export function contradictions(config: Config): (ConfigFault & { wrong: 'pair' })[] {
  const pairs = [
    { low: 'reserve_threshold_ratio', high: 'compact_threshold_ratio', equal: false },
    { low: 'memory_reserve_ratio', high: 'memory_compact_ratio', equal: false },
    { low: 'pruning_old_msg_max_bytes', high: 'pruning_recent_msg_max_bytes', equal: true },
  ] as const
  return pairs
    .filter(({ low, high, equal }) => (equal ? config[low] > config[high] : config[low] >= config[high]))
    .map(({ low, high, equal }) => ({ wrong: 'pair', low, high, equal, values: config }))
}
