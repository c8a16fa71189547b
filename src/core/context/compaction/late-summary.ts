/** The summary that a cut still owes: made when there is time, in order, and never lost by a reload (C6.6). */
import { failedNotes, logBefore, summaryDraft, takenBy, tell, type SummaryPlace } from './cut-range.ts'
import { requestSize } from '../size/measure.ts'
import { memoryDraft } from './memory-draft.ts'
import { owed } from './pending-summaries.ts'
import { sentTokens } from '../size/sent-tokens.ts'
import type { Draft, Step } from '../strategy.ts'
import { breakerIsOpen } from './compaction-backoff.ts'

/**
 * The summary of the oldest cut that owes one, and a memory with the same text (C6.7); nothing where none is owed. The
 * job is the cut itself: run it until nothing comes, also after a reload.
 */
export function lateSummary(place: SummaryPlace): Step {
  return async (log, env) => {
    const [cut] = owed(log)
    if (cut === undefined) return []
    const facts = takenBy(log, cut)
    const useModel = env.forced === true || !breakerIsOpen(log, env.askModel)
    const replaces = sentTokens(facts, env.counter) + requestSize(log, env).summary
    const told = await tell(log, facts, useModel, replaces, env, true)
    const drafts: Draft[] = [
      summaryDraft(told, { log: logBefore(log, cut), with: [], cut, facts }, place, env),
      ...failedNotes(told.summary, env),
    ]
    const isKnown = log.some(entry => entry.type === 'memory' && entry.cut === cut.id)
    if (!isKnown && told.summary.nothing !== true)
      drafts.push(memoryDraft(logBefore(log, cut), told.summary.text, { cut: cut.id }))
    return drafts
  }
}
