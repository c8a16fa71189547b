/** The facts that stand behind no cut, by kind: what steps work on. Pure; kept per log. */
import type { FactEntry, Id, Log } from '../log/entry.ts'
import { boundaryOf, isFact, unansweredResults } from '../log/query.ts'
import { requestSize, type RequestEnv } from './measure.ts'
import { standing } from './standing.ts'

/** For limits in bytes that are shares of a window in tokens. Source: C5.1. */
export const bytesPerToken = 4

export type ResultInView = { fact: FactEntry & { type: 'result' }; answered: boolean }

/** Results that are sent, newest first; an orphan is not sent, a fact behind a cut is not asked about. */
export function resultsInView(log: Log, env: RequestEnv): ResultInView[] {
  const { parts } = requestSize(log, env)
  const open = unansweredResults(log)
  const found: ResultInView[] = []
  for (let at = parts.length - 1; at >= 0; at--) {
    const part = parts[at]
    if (part?.fact?.type === 'result' && part.view.behindCut !== true) found.push({ fact: part.fact, answered: !open.has(part.fact.id) })
  }
  return found
}

/** Facts behind no cut, oldest first. */
export function active(log: Log): FactEntry[] {
  const { from } = boundaryOf(log, standing(log).edits)
  return (from === 0 ? log : log.slice(from)).filter(isFact)
}

/** The questions of the turns in view, oldest first; null for steps that a cut left of an older turn. */
export function turnsInView(log: Log): (Id | null)[] {
  const turns: (Id | null)[] = []
  for (const fact of active(log)) {
    if (fact.type === 'user') turns.push(fact.id)
    else if (turns.length === 0) turns.push(null)
  }
  return turns
}
