/**
 * A compaction that the agent asks for in its turn (C5.8): the same as `/compact`, but not again before much more was
 * said, and the model learns what came of it.
 */
import { breakerIsOpen, tokensSinceRefusal } from '../../context/compaction/compaction-backoff.ts'
import { cutPoint } from '../../context/size/cut-point.ts'
import { requestSize, weighedFacts } from '../../context/size/measure.ts'
import type { StepEnv } from '../../context/strategy.ts'
import type { Log } from '../../log/entry.ts'
import { isEdit, isFact } from '../../log/query.ts'
import { clip } from '../../text/display/graphemes.ts'
import { runCompaction } from '../request/compaction-run.ts'
import { progressReporter } from '../request/progress-reporter.ts'
import { viewInTurn, type RequestSetup } from '../request/request-setup.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import type { EntryToAppend, Session } from '../session/session.ts'

/**
 * Share of the window that has to leave, and that has to be new after a compaction was undone or gained nothing: each
 * costs a call of the summariser and the prompt cache. Source: C5.8, the same as the least gain of C5.4.
 */
const leastShare = 0.05
/** Longest wish for the summary, graphemes: it names what matters and is no second prompt. Source: C5.8. */
const longestWish = 500

type TurnToCompact = { runtime: AgentRuntime; session: Session; setup: RequestSetup; signal: AbortSignal }

/**
 * What to tell the model, and the entries to append with its result in one transaction. Asks no model where too little
 * would leave. Appends nothing. Throws `stopped`.
 */
export async function compactForAgent(
  { runtime, session, setup, signal }: TurnToCompact,
  keep: string,
): Promise<{ text: string; added: readonly EntryToAppend[] }> {
  const log = session.log
  const wish = clip(keep.replaceAll(/\s+/g, ' ').trim(), longestWish)
  const { ask, ...env } = setup.env('onCall', {
    signal,
    forced: true,
    asked: 'agent',
    view: viewInTurn(setup.model),
    progress: progressReporter(runtime, session),
    ...(wish === '' ? {} : { instruction: wishFor[runtime.language](wish) }),
  })
  const least = Math.max(1, Math.floor(leastShare * env.contextWindow))
  if (tokensThatWouldLeave(log, env) < least) return { text: texts.little(least), added: [] }
  const since = tokensSinceRefusal(log, env)
  if (since !== undefined && since < least) return { text: texts.refused(least), added: [] }

  const { added, summary, why } = await runCompaction(
    log,
    // In the midst of a turn no question follows that it could stand in front of (C2.4).
    { summaryPlace: 'own message', memoryNotes: setup.strategy.memoryNotes },
    // Only a person's run asks a summariser again that has failed three times.
    ask && !breakerIsOpen(log, env.askModel) ? { ...env, ask } : env,
  )
  if (hasChanged(session.log, log)) return { text: texts.changed, added: [] }
  if (summary) return { text: texts.done(summary), added }
  // The note of a run in vain stays: the next one waits because of it.
  return why?.code === 'compact_no_gain'
    ? { text: texts.noGain, added }
    : { text: texts.little(least), added: added.filter(entry => entry !== why) }
}

/** Tokens before the last step, without what stays: its question, and a summary. */
function tokensThatWouldLeave(log: Log, env: StepEnv): number {
  const { facts } = weighedFacts(requestSize(log, env))
  const point = cutPoint(facts, 0)
  return facts.slice(0, point?.before ?? 0).reduce((sum, fact, at) => (at === point?.pin ? sum : sum + fact.tokens), 0)
}

/** The person may undo, clear or pin while the summary is written: then it was made of another view. */
function hasChanged(now: Log, seen: Log): boolean {
  return now[seen.length - 1] !== seen.at(-1) || now.slice(seen.length).some(entry => isFact(entry) || isEdit(entry))
}

/** In the prompt it stands under "the person asks for this": these are not a person's words. */
const wishFor = {
  en: (wish: string) => `Keep in particular what the assistant named for its next steps: "${wish}"`,
  zh: (wish: string) => `请特别保留助手为后续步骤点名的内容：“${wish}”`,
}

/** What the model reads; English like all results. None names a number that changes: a repeated answer is noticed. */
const texts = {
  done: ({
    by,
    stats: { entries, before, after },
  }: {
    by: string
    stats: Record<'entries' | 'before' | 'after', number>
  }) =>
    `Compacted: ${entries} earlier messages are now a summary, ${before} → ${after} tokens. The whole can be read at the paths that it names.` +
    (by === 'extractive' ? ' No model wrote it, so look up what you miss.' : ''),
  little: (least: number) =>
    `Nothing to compact: fewer than ${least} tokens could leave. Go on, and ask again only when much more was said.`,
  refused: (least: number) =>
    `Not compacted: the last compaction was undone by the user or gained nothing, and fewer than ${least} tokens came since. Go on without.`,
  noGain: 'Not compacted: a summary would not have been smaller. Go on without.',
  changed: 'Not compacted: the user changed what is in view meanwhile.',
}
