/** The facts that no cut hides, by kind: what steps work on. Pure; cached per log. */
import type { FactEntry, Id, Log } from '../../log/entry.ts'
import { activeFacts, unansweredResults } from '../../log/query.ts'
import { requestSize, type RequestEnv } from '../size/measure.ts'
import { editState } from './edit-state.ts'

/** For limits in bytes that are shares of a window in tokens. Source: C5.1. */
export const bytesPerToken = 4

export type ResultInView = { fact: FactEntry & { type: 'result' }; answered: boolean; age: number /* 0: the newest */ }

/**
 * Results that are sent and have more than `above` code units, newest first; an orphan is not sent, a fact behind a cut
 * is not asked about. Most results of a long chat are short: those are passed over without being looked at.
 */
export function resultsInView(log: Log, env: RequestEnv, above = -1): ResultInView[] {
  const { results } = requestSize(log, env)
  const open = unansweredResults(log)
  const found: ResultInView[] = []
  for (let at = results.length - 1; at >= 0; at--) {
    const part = results[at]
    if (part === undefined || part.length <= above || part.fact?.type !== 'result') continue
    found.push({ fact: part.fact, answered: !open.has(part.fact.id), age: results.length - 1 - at })
  }
  return found
}

/** Facts that no cut hides, oldest first. */
export function factsInView(log: Log): FactEntry[] {
  return activeFacts(log, editState(log).edits)
}

/** The questions of the turns in view, oldest first; null for steps that a cut left of an older turn. */
export function turnsInView(log: Log): (Id | null)[] {
  const turns: (Id | null)[] = []
  for (const fact of factsInView(log)) {
    if (fact.type === 'user') turns.push(fact.id)
    else if (turns.length === 0) turns.push(null)
  }
  return turns
}
