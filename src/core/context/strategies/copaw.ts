/** CoPaw with ReMe: a summary at three quarters of the window. */
import type { Config } from '../config/config.ts'
import type { Strategy } from '../strategy.ts'
import { allButNewestResults } from '../steps/all-but-newest-results.ts'
import { capPins } from '../steps/cap-pins.ts'
import { compact } from '../steps/compact.ts'
import { overflowSteps } from '../steps/overflow-steps.ts'

/**
 * Numbers: CoPaw's published text on context compaction; C7. A log whose calls and results do not match is left alone
 * (C7.4).
 */
export function copaw(config: Config): Strategy {
  const threshold = (window: number) => Math.floor(window * config.memory_compact_ratio)
  const reserve = (window: number) => Math.floor(window * config.memory_reserve_ratio)
  return {
    name: 'copaw',
    publishedIn: 'CoPaw, context compaction with ReMe',
    maxSteps: config.agent_max_steps,
    calibrated: false,
    counter: 'bytes',
    divisor: 4,
    threshold,
    reserve,
    onlyMatched: true,
    summaryPlace: 'own message',
    memoryNotes: config.memory_notes,
    ...(config.offload_retention_days > 0 && { retention: { of: 'results', days: config.offload_retention_days } }),
    onCall: [
      capPins,
      ...(config.enable_tool_result_compact
        ? [allButNewestResults({ keep: config.tool_result_compact_keep_n, max: config.tool_result_compact_max_chars })]
        : []),
      compact({
        threshold: env => threshold(env.contextWindow),
        reserve: env => reserve(env.contextWindow),
        place: 'own message',
        notes: config.memory_notes,
        onlyMatched: true,
      }),
    ],
    onOverflow: overflowSteps,
  }
}
