/** The pending summary of a cut: made when there is time, in order, and not lost by a reload (C6.6). */
import { failureNotes, logBefore, summaryDraft, factsHiddenBy, summarizeFacts, type SummaryPlace } from './cut-range.ts'
import { requestSize } from '../size/measure.ts'
import { memoryDraft } from './memory-draft.ts'
import { pendingSummaries } from './pending-summaries.ts'
import { sentTokens } from '../size/sent-tokens.ts'
import type { EntryDraft, Step } from '../strategy.ts'
import { breakerIsOpen } from './compaction-backoff.ts'

/** The summary of the oldest cut without one, and a memory with the same text (C6.7); nothing if none is pending. The
 * job is the cut itself: run it until nothing comes, also after a reload.
 */
export function lateSummary(place: SummaryPlace): Step {
  return async (log, env) => {
    const [cut] = pendingSummaries(log)
    if (cut === undefined) return []
    const facts = factsHiddenBy(log, cut)
    const useModel = env.forced === true || !breakerIsOpen(log, env.askModel)
    const replaces = sentTokens(facts, env.counter) + requestSize(log, env).summary
    const told = await summarizeFacts(log, facts, useModel, replaces, env, true)
    const drafts: EntryDraft[] = [
      summaryDraft(told, { log: logBefore(log, cut), with: [], cut, facts }, place, env),
      ...failureNotes(told.summary, env),
    ]
    const isKnown = log.some(entry => entry.type === 'memory' && entry.cut === cut.id)
    if (!isKnown && told.summary.nothing !== true)
      drafts.push(memoryDraft(logBefore(log, cut), told.summary.text, { cut: cut.id }))
    return drafts
  }
}
