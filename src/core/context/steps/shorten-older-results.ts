/** Older results are shortened in one batch, late and only if it is worth the changed prefix (C7.5 b). */
import type { Id, Log } from '../../log/entry.ts'
import { boundaryOf } from '../../log/query.ts'
import { sizeWithDrafts } from '../compaction/cut-range.ts'
import { resultsInView } from '../view/facts-in-view.ts'
import { requestSize } from '../size/measure.ts'
import { shortenText } from '../view/shorten.ts'
import { editState } from '../view/edit-state.ts'
import type { Step, StepEnv } from '../strategy.ts'

export type ShortenOlderResults = {
  from: (env: StepEnv) => number // tokens of the request
  gain: (env: StepEnv) => number // tokens that it has to save
  keep: number // bytes
  turns: number // newest turns that are left alone
}

/** From `from` tokens on, answered results outside the newest turns show `keep` bytes, if all together save `gain`. */
export function shortenOlderResults({ from, gain, keep, turns }: ShortenOlderResults): Step {
  return (log, env) => {
    const { total } = requestSize(log, env)
    if (total < from(env)) return []
    const newer = newestTurns(log, turns)
    if (newer === undefined) return []
    const drafts = resultsInView(log, env, Math.floor(keep / 3)) // a unit has at most three bytes
      .filter(({ fact, answered }) => answered && !newer.has(fact.id))
      .flatMap(({ fact }) => shortenText(log, env, fact, { limit: keep, unit: 'bytes', headShare: 70 }) ?? [])
      .toReversed()
    return drafts.length > 0 && total - sizeWithDrafts(log, drafts, env) >= gain(env) ? drafts : []
  }
}

/**
 * Ids of all entries from the question of the newest so many turns in view on; undefined where there are not so many.
 */
function newestTurns(log: Log, turns: number): Set<Id> | undefined {
  const { from } = boundaryOf(log, editState(log).edits)
  const newer = new Set<Id>()
  let questions = 0
  for (let at = log.length - 1; at >= from; at--) {
    const entry = log[at]
    if (entry === undefined) continue
    newer.add(entry.id)
    if (entry.type === 'user' && ++questions === turns) return newer
  }
  return undefined
}
