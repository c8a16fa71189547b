/** Our own: exact counts, few and large edits, so that what was sent before can be reused. */
import type { ShortenReason } from '../../log/entry.ts'
import type { Config } from '../config/config.ts'
import type { Step, StepEnv, Strategy } from '../strategy.ts'
import { capPins } from '../steps/cap-pins.ts'
import { compact, type Compact } from '../steps/compact.ts'
import { overflowSteps } from '../steps/overflow-steps.ts'
import { shortenArrivals } from '../steps/shorten-arrivals.ts'
import { shortenOlderResults } from '../steps/shorten-older-results.ts'
import { bytesPerToken } from '../view/facts-in-view.ts'
import { inputBudget } from '../size/input-budget.ts'

/** What can be tuned; shares are of the usable window. */
export type BalancedNumbers = {
  arrivalAbove: number // share: a larger result is shortened on arrival …
  arrivalKeep: number // … to this share
  olderFrom: number // share of the request from which on older results are shortened …
  olderGain: number // … if this share is gained …
  olderWhole: number // … behind the newest messages, which are this share together …
  /** … to so many bytes … */
  olderKeep: Readonly<Record<ShortenReason, number>>
  olderMost: number // … and at most to this share, 4 bytes a token
  compactAt: number // share of the request that compacts
  reserve: number // share that stays as it is
  target: number // share that the request may have afterwards
}

/**
 * C7.5, tuned by `npm run bench -- strategies` and `-- traces`: what each number brings and costs, and the losers,
 * stand in docs/decisions/balanced-numbers.md.
 */
export const tuned: BalancedNumbers = {
  arrivalAbove: 0.2,
  arrivalKeep: 0.1,
  olderFrom: 0.7,
  olderGain: 0.05,
  olderWhole: 0.2,
  olderKeep: { repeated: 300, edited: 1_000, unused: 3_000, used: 9_000 },
  olderMost: 0.1,
  compactAt: 0.85,
  reserve: 0.35,
  target: 0.6,
}

/** For a model on this device, from which share of the request on it compacts at rest. Source: C7.5. */
export const localAt = 0.7

export function balanced(config: Config, numbers = tuned): Strategy {
  const share = (part: number) => (env: Pick<StepEnv, 'contextWindow'>) =>
    Math.floor(part * inputBudget(env.contextWindow))
  const older = shortenOlderResults({
    from: share(numbers.olderFrom),
    gain: share(numbers.olderGain),
    whole: share(numbers.olderWhole),
    keep: env => {
      const most = share(numbers.olderMost)(env) * bytesPerToken
      const { repeated, edited, unused, used } = numbers.olderKeep
      return {
        repeated: Math.min(repeated, most),
        edited: Math.min(edited, most),
        unused: Math.min(unused, most),
        used: Math.min(used, most),
      }
    },
  })
  const compacting: Omit<Compact, 'threshold'> = {
    reserve: share(numbers.reserve),
    target: share(numbers.target),
    place: 'own message',
    notes: config.memory_notes,
  }
  const atRest = compact({ ...compacting, threshold: share(localAt) })
  return {
    name: 'balanced',
    maxSteps: config.agent_max_steps,
    calibrated: true,
    counter: config.token_counter === 'script' || config.token_counter === 'bytes' ? config.token_counter : 'bpe',
    divisor: 4,
    threshold: (window, local) => share(local ? localAt : numbers.compactAt)({ contextWindow: window }),
    actsFrom: window => share(numbers.olderFrom)({ contextWindow: window }),
    reserve: window => share(numbers.reserve)({ contextWindow: window }),
    summaryPlace: 'own message',
    memoryNotes: config.memory_notes,
    onResult: [shortenArrivals({ above: share(numbers.arrivalAbove), keep: share(numbers.arrivalKeep) })],
    onCall: [capPins, older, compact({ ...compacting, threshold: share(numbers.compactAt) })],
    // A model on this device can do one thing at a time: it summarises when the person reads, not when they wait.
    onAnswer: [whenLocal(older), whenLocal(atRest)],
    onOverflow: overflowSteps,
  }
}

function whenLocal(step: Step): Step {
  return (log, env) => (env.local ? step(log, env) : [])
}
