/** QwenPaw's LightContextManager: results get shorter with age, a summary at four fifths of the window. */
import type { Config } from '../config/config.ts'
import type { Strategy } from '../strategy.ts'
import { capPins } from '../steps/cap-pins.ts'
import { compact } from '../steps/compact.ts'
import { overflowSteps } from '../steps/overflow-steps.ts'
import { offloadResults } from '../steps/offload-results.ts'

/** Most of a small window that a recent and an older result may have. Source: C5.1. */
export const resultShares = { recent: 0.3, old: 0.05 } as const

/** Numbers: QwenPaw's published text on context management; the shares of the window are ours (C5.1, C7). */
export function qwenpaw(config: Config): Strategy {
  const threshold = (window: number) => Math.floor(window * config.compact_threshold_ratio)
  const reserve = (window: number) => Math.floor(window * config.reserve_threshold_ratio)
  const compacts = config['context_compact_config.enabled']
  return {
    name: 'qwenpaw',
    publishedIn: 'QwenPaw, LightContextManager',
    maxSteps: config.agent_max_steps,
    calibrated: false,
    counter: 'bytes',
    divisor: config.token_count_estimate_divisor,
    threshold: window => (compacts ? threshold(window) : undefined),
    reserve,
    summaryPlace: 'own message',
    memoryNotes: config.memory_notes,
    ...(config.offload_retention_days > 0 && { retention: { of: 'results', days: config.offload_retention_days } }),
    onCall: [
      capPins,
      ...(config['tool_result_pruning_config.enabled']
        ? [
            offloadResults({
              recent: config.pruning_recent_n,
              recentMax: config.pruning_recent_msg_max_bytes,
              oldMax: config.pruning_old_msg_max_bytes,
              unit: 'bytes',
              headShare: 70,
              recentShare: resultShares.recent,
              oldShare: resultShares.old,
            }),
          ]
        : []),
      ...(compacts
        ? [
            compact({
              threshold: env => threshold(env.contextWindow),
              reserve: env => reserve(env.contextWindow),
              place: 'own message',
              notes: config.memory_notes,
            }),
          ]
        : []),
    ],
    onOverflow: overflowSteps,
  }
}
