/** Use cases of manual compaction: run it, and preview what it would do. */
import { turnsInView } from '../../context/view/facts-in-view.ts'
import { measure, requestSize, type RequestEnv } from '../../context/size/measure.ts'
import { runPipeline } from '../../context/run-pipeline.ts'
import { compactNow } from '../../context/steps/compact.ts'
import type { StrategyName } from '../../context/strategy.ts'
import { AgentError } from '../../errors.ts'
import type { Entry, Id, Log } from '../../log/entry.ts'
import { factsRemovedBy } from '../../log/model-view/removed-counts.ts'
import type { AgentApi } from '../api/api.ts'
import type { CompactOptions, Preview, PreviewItem } from '../api/context-api.ts'
import { readDraft } from '../request/drafts.ts'
import { progressReporter } from '../request/progress-reporter.ts'
import { forecastOf, simulateNext } from '../request/forecast.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import { statusFromLog } from '../lifecycle/status-from-log.ts'
import type { IdleTrims } from '../lifecycle/idle-trim.ts'
import type { Session } from '../session/session.ts'
import { runCompaction } from '../request/compaction-run.ts'
import { setUpRequest } from '../request/request-setup.ts'
import { localizeNotes } from '../i18n/localize-notes.ts'
import type { SessionTasks } from '../lifecycle/session-tasks.ts'
import { noteTexts } from '../i18n/note-texts.ts'

/** `nothing`: why there was nothing to do. */
export type CompactionResult = { messages: number; before: number; after: number; nothing?: string }

export function compacting(
  runtime: AgentRuntime,
  tasks: SessionTasks,
  idleTrims: IdleTrims,
): Pick<AgentApi, 'compact' | 'preview'> {
  return {
    compact: (id, how) =>
      tasks.runTask(
        id,
        async (session, signal) => {
          const done = await compactSession(runtime, session, signal, how)
          if (done.nothing !== undefined)
            await session.append([{ type: 'note', code: 'compacted', text: done.nothing, data: done }])
          return statusFromLog(runtime, session)
        },
        { alone: true },
      ),
    preview: async (id, { strategy, keep } = {}) =>
      strategy === undefined
        ? preview(runtime, await runtime.session(id), keptTokens(keep))
        : previewWith(runtime, idleTrims, await runtime.session(id), strategy),
  }
}

/** Tokens of the newest messages that stay; 0 where nothing was said of it (C5.4). Throws `bad_input`. */
function keptTokens(keep = 0): number {
  if (!Number.isFinite(keep) || keep < 0) throw new AgentError('bad_input', `${keep} is no number of tokens to keep`)
  return Math.floor(keep)
}

/**
 * Compacts now, whatever the size: all but the last step leaves the view, or all but the newest `keep` tokens. Answers
 * with what it did, or why there was nothing to do.
 */
export async function compactSession(
  runtime: AgentRuntime,
  session: Session,
  signal: AbortSignal,
  { instruction, keep }: CompactOptions = {},
): Promise<CompactionResult> {
  const kept = keptTokens(keep)
  const setup = await setUpRequest(runtime, session)
  runtime.setStatus(session.id, { state: 'compacting', share: 0 })
  const env = setup.env('onCall', {
    signal,
    forced: true,
    progress: progressReporter(runtime, session),
    ...(instruction?.trim() ? { instruction: instruction.trim() } : {}),
  })
  const { added, summary, why } = await runCompaction(session.log, setup.strategy, env, kept)
  await session.append(added.filter(entry => entry !== why)) // that is said once, by who asked
  if (summary) return { messages: summary.stats.entries, before: summary.stats.before, after: summary.stats.after }
  const { total } = requestSize(session.log, env)
  return {
    messages: 0,
    before: total,
    after: total,
    nothing: why?.text ?? noteTexts(runtime).nothingToCompact,
  }
}

/**
 * The same without the append, and with summaries by rule: a preview asks no model, so it costs nothing and nothing
 * leaves the device.
 */
async function preview(runtime: AgentRuntime, session: Session, keep: number): Promise<Preview> {
  const setup = await setUpRequest(runtime, session)
  const { log } = session
  const { ask: _, ...env } = setup.env('onCall', { forced: true })
  const added = await runPipeline(log, [compactNow(setup.strategy, keep)], env)
  return {
    strategy: setup.strategy.name,
    before: requestSize(log, env).total,
    after: requestSize([...log, ...added], env).total,
    entries: factsRemovedBy(log, added).length,
    shortened: added.filter(entry => entry.type === 'shorten').length,
    items: itemsOf(log, [...log, ...added], env),
    ...summaryOf(added),
    ...nothingOf(runtime, added, () => noteTexts(runtime).nothingToCompact),
  }
}

/** What another strategy would do with the next message, as it stands in the message box. */
async function previewWith(
  runtime: AgentRuntime,
  idleTrims: IdleTrims,
  session: Session,
  strategy: StrategyName,
): Promise<Preview> {
  const setup = await setUpRequest(runtime, session, { strategy })
  const { log } = session
  const next = await simulateNext(log, setup, {
    first: await idleTrims.forecast(session, strategy),
    draft: await readDraft(runtime, session.id),
  })
  const { messages, turns: _, ...told } = forecastOf(log, setup, next)
  const { turns, size } = measure(log, setup.env('onCall'), setup.strategy)
  return {
    strategy,
    ...told,
    entries: messages,
    ...(next.first.length > 0 && { idleTrimTurns: turnsInView([...log, ...next.first]).length }),
    items: itemsOf(log, [...next.asked, ...next.added], setup.env('onCall')),
    ...summaryOf(next.added),
    ...nothingOf(runtime, [...next.first, ...next.added], () =>
      noteTexts(runtime).notYet({
        total: size.total,
        threshold: setup.strategy.threshold(setup.window, setup.model.local),
        turns,
        turnLimit: setup.strategy.turnLimit,
      }),
    ),
  }
}

/** What becomes of each message in view; of a summary in front of a question only the question's own tokens count. */
function itemsOf(before: Log, after: Log, env: RequestEnv): PreviewItem[] {
  const then = new Map<Id, number>()
  for (const { entry, tokens, summary } of requestSize(after, env).parts)
    if (entry !== null) then.set(entry, tokens - summary)
  return requestSize(before, env).parts.flatMap(({ view, entry, tokens, summary }) =>
    view.kind !== 'fact' || entry === null
      ? []
      : [
          {
            entry,
            tokens: tokens - summary,
            after: then.get(entry) ?? 0,
            ...(view.pinned && { pinned: true as const }),
          },
        ],
  )
}

function summaryOf(added: readonly Entry[]): Pick<Preview, 'summary'> {
  const summary = added.findLast(entry => entry.type === 'summary')
  return summary?.type === 'summary' ? { summary: summary.text } : {}
}

function nothingOf(runtime: AgentRuntime, added: readonly Entry[], otherwise: () => string): Pick<Preview, 'nothing'> {
  if (added.some(entry => entry.type !== 'note')) return {}
  const note = localizeNotes(added, runtime.language).findLast(entry => entry.type === 'note')
  return { nothing: note?.type === 'note' ? note.text : otherwise() }
}
