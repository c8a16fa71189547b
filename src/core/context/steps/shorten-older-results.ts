/** Older results are shortened in one batch, late and only if it is worth the changed prefix (C7.5 b). */
import { sizeWith } from '../behind.ts'
import { resultsInView, turnsInView } from '../in-view.ts'
import { requestSize } from '../measure.ts'
import { shortenText } from '../shorten.ts'
import type { Step, StepEnv } from '../strategy.ts'

export type ShortenOlderResults = {
  from: (env: StepEnv) => number  // tokens of the request
  gain: (env: StepEnv) => number  // tokens that it has to save
  keep: number                    // bytes
  turns: number                   // newest turns that are left alone
}

/** From `from` tokens on, answered results outside the newest turns show `keep` bytes, if all together save `gain`. */
export function shortenOlderResults({ from, gain, keep, turns }: ShortenOlderResults): Step {
  return (log, env) => {
    const { total } = requestSize(log, env)
    if (total < from(env)) return []
    const spared = turnsInView(log).at(-turns) ?? null
    const start = spared === null ? 0 : log.findIndex(entry => entry.id === spared)
    const newer = new Set(log.slice(start).map(entry => entry.id))
    const drafts = resultsInView(log, env)
      .filter(({ fact, answered }) => answered && !newer.has(fact.id))
      .flatMap(({ fact }) => shortenText(log, env, fact, { limit: keep, unit: 'bytes', headShare: 70 }) ?? [])
      .toReversed()
    return drafts.length > 0 && total - sizeWith(log, drafts, env) >= gain(env) ? drafts : []
  }
}
