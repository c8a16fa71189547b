/** Our own: exact counts, few and large edits, so that what was sent before can be reused. */
import type { Config } from '../config.ts'
import type { Step, StepEnv, Strategy } from '../strategy.ts'
import { capPins } from '../steps/cap-pins.ts'
import { compact, type Compact } from '../steps/compact.ts'
import { rungs } from '../steps/ladder.ts'
import { shortenArrivals } from '../steps/shorten-arrivals.ts'
import { shortenOlderResults } from '../steps/shorten-older-results.ts'
import { usable } from '../usable.ts'

/** Numbers: C7.5, as shares of the usable window. */
export function balanced(config: Config): Strategy {
  const share = (part: number) => (env: Pick<StepEnv, 'contextWindow'>) => Math.floor(part * usable(env.contextWindow))
  const older = shortenOlderResults({ from: share(0.7), gain: share(0.05), keep: 3_000, turns: 2 })
  const numbers: Omit<Compact, 'threshold'> = { reserve: share(0.2), target: share(0.6), place: 'own message' }
  const atRest = compact({ ...numbers, threshold: share(0.7) })
  return {
    name: 'balanced',
    source: 'Haversack',
    maxSteps: config.agent_max_steps,
    calibrated: true,
    counter: config.token_counter === 'script' || config.token_counter === 'bytes' ? config.token_counter : 'bpe',
    divisor: 4,
    threshold: (window, local) => share(local ? 0.7 : 0.85)({ contextWindow: window }),
    reserve: window => share(0.2)({ contextWindow: window }),
    summaryPlace: 'own message',
    onResult: [shortenArrivals({ above: share(0.3), keep: share(0.15) })],
    onCall: [capPins, older, compact({ ...numbers, threshold: share(0.85) })],
    // A model on this device can do one thing at a time: it summarises when the person reads, not when they wait.
    onAnswer: [whenLocal(older), whenLocal(atRest)],
    onOverflow: rungs('own message'),
  }
}

function whenLocal(step: Step): Step {
  return (log, env) => env.local ? step(log, env) : []
}
