/** Entries derived from a message (summaries and memories), which are removed together with it (C9.1). */
import { factsBefore, logBefore, summaryDraft } from '../../context/compaction/cut-range.ts'
import { parseSections } from '../../context/summary/sections.ts'
import { sentTokens } from '../../context/size/sent-tokens.ts'
import { summarize } from '../../context/summary/summarize.ts'
import { AgentError, codeOf } from '../../errors.ts'
import { answerParts } from '../../log/answer-parts.ts'
import type { Id } from '../../log/entry.ts'
import { isFact, type SummaryEntry } from '../../log/query.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import type { Session } from '../session/session.ts'
import { setUpRequest } from '../request/request-setup.ts'

/**
 * The message with all its parts, and the summaries and memories that were made from a part of the log that held it
 * (C9.1), on whatever branch.
 */
export function withDerived(session: Session, id: Id): Id[] {
  const fact = session.find(id)
  if (!fact || !isFact(fact)) throw new AgentError('not_found', 'There is no such message in this chat')
  const at = new Map(session.rows.map(({ entry, seq }) => [entry.id, seq]))
  const parts = answerParts(session.log, id)
  const own = at.get(parts[0]!) ?? 0
  const isBehind = (cutId: Id): boolean => {
    const cut = session.find(cutId)
    if (cut?.type !== 'cut') return false
    // an emergency tells also what it keeps (C5.6)
    const told = cut.reason === 'overflow' ? cut.id : (cut.before ?? cut.id)
    return own < (at.get(told) ?? 0)
  }
  const ids = [...parts]
  for (const { entry, seq } of session.rows) {
    if (entry.gone !== undefined) continue
    if (entry.type === 'summary' && isBehind(entry.of)) ids.push(entry.id)
    // One of an emergency tells all that was in view then; of an older version it has no reason, and what the person
    // typed has no headings.
    if (
      entry.type === 'memory' &&
      (entry.cut === undefined ? own < seq && parseSections(entry.text).found.size >= 2 : isBehind(entry.cut))
    )
      ids.push(entry.id)
  }
  return ids
}

/** The summary in view was made from the removed message: replaces it with a summary by rule of what is left. */
export async function resummarize(runtime: AgentRuntime, session: Session, { of, place }: SummaryEntry): Promise<void> {
  const cut = session.find(of)
  if (cut?.type !== 'cut') return
  try {
    const env = (await setUpRequest(runtime, session)).env('onAnswer')
    const facts = factsBefore(session.log, cut.before ?? cut.id)
    const started = env.now()
    const summary = await summarize({ facts, replaces: sentTokens(facts, env.counter), useModel: false }, env)
    await session.append([
      summaryDraft(
        { summary, ms: env.now() - started },
        { log: logBefore(session.log, cut), with: [], cut, facts },
        place,
        env,
      ),
    ])
  } catch (thrown) {
    // Without a model there is no window to write for; the words are gone, which is what was asked.
    if (codeOf(thrown) !== 'model_unavailable') throw thrown
  }
}
