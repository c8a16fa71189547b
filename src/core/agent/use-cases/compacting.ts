/** Use cases of compaction by hand: do it, and see beforehand what it would do. */
import { turnsInView } from '../../context/view/facts-in-view.ts'
import { measure, requestSize } from '../../context/size/measure.ts'
import { prepare } from '../../context/run-pipeline.ts'
import { compactNow } from '../../context/steps/compact.ts'
import type { StrategyName } from '../../context/strategy.ts'
import type { Entry } from '../../log/entry.ts'
import { leftBy } from '../../log/model-view/removed-counts.ts'
import type { AgentApi, Preview } from '../api/api.ts'
import { draftOf } from '../request/drafts.ts'
import { progressOf } from '../model-call/overflow-safe-call.ts'
import { forecastOf, withNext } from '../request/forecast.ts'
import type { Kit } from '../session/agent-runtime.ts'
import { restingStatus } from '../lifecycle/status-from-log.ts'
import type { Restarts } from '../lifecycle/idle-trim.ts'
import type { Session } from '../session/session.ts'
import { setUp } from '../request/request-setup.ts'
import { spoken } from '../i18n/localize-notes.ts'
import type { Work } from '../lifecycle/session-tasks.ts'
import { wordsOf } from '../i18n/note-texts.ts'

/** `nothing`: why there was nothing to do. */
export type Compacted = { messages: number; before: number; after: number; nothing?: string }

/** Notes of a step that found nothing to compact. */
const nothingCodes: ReadonlySet<string> = new Set(['compact_nothing', 'compact_no_gain'])

export function compacting(kit: Kit, work: Work, restarts: Restarts): Pick<AgentApi, 'compact' | 'preview'> {
  return {
    compact: (id, instruction) =>
      work.start(
        id,
        async (session, signal) => {
          const done = await compact(kit, session, signal, instruction)
          if (done.nothing !== undefined)
            await session.append([{ type: 'note', code: 'compacted', text: done.nothing, data: done }])
          return restingStatus(kit, session)
        },
        { alone: true },
      ),
    preview: async (id, strategy) =>
      strategy === undefined
        ? preview(kit, await kit.session(id))
        : previewWith(kit, restarts, await kit.session(id), strategy),
  }
}

/**
 * Compacts now, whatever the size: all but the last step leaves the view. Answers with what it did, or why there was
 * nothing to do.
 */
export async function compact(
  kit: Kit,
  session: Session,
  signal: AbortSignal,
  instruction?: string,
): Promise<Compacted> {
  const setup = await setUp(kit, session)
  kit.tellStatus(session.id, { state: 'compacting', share: 0 })
  const env = setup.env('onCall', {
    signal,
    forced: true,
    progress: progressOf(kit, session),
    ...(instruction?.trim() ? { instruction: instruction.trim() } : {}),
  })
  const added = spoken(await prepare(session.log, [compactNow(setup.strategy)], env), kit.language)
  const summary = added.find(entry => entry.type === 'summary')
  const why = summary ? undefined : added.find(entry => entry.type === 'note' && nothingCodes.has(entry.code))
  await session.append(added.filter(entry => entry !== why)) // that is said once, by who asked
  if (summary) return { messages: summary.stats.entries, before: summary.stats.before, after: summary.stats.after }
  const { total } = requestSize(session.log, env)
  return {
    messages: 0,
    before: total,
    after: total,
    nothing: why?.type === 'note' ? why.text : wordsOf(kit).nothingToCompact,
  }
}

/**
 * The same function without the append, and by rule: looking asks no model, so it costs nothing and nothing leaves the
 * device.
 */
async function preview(kit: Kit, session: Session): Promise<Preview> {
  const setup = await setUp(kit, session)
  const { log } = session
  const { ask: _, ...env } = setup.env('onCall', { forced: true })
  const added = await prepare(log, [compactNow(setup.strategy)], env)
  return {
    strategy: setup.strategy.name,
    before: requestSize(log, env).total,
    after: requestSize([...log, ...added], env).total,
    entries: leftBy(log, added).length,
    shortened: added.filter(entry => entry.type === 'shorten').length,
    ...summaryOf(added),
    ...nothingOf(kit, added, () => wordsOf(kit).nothingToCompact),
  }
}

/** What another strategy would do with the next message, as it stands in the message box. */
async function previewWith(kit: Kit, restarts: Restarts, session: Session, strategy: StrategyName): Promise<Preview> {
  const setup = await setUp(kit, session, { strategy })
  const { log } = session
  const next = await withNext(log, setup, {
    first: await restarts.foretold(session, strategy),
    draft: await draftOf(kit, session.id),
  })
  const { messages, turns: _, ...told } = forecastOf(log, setup, next)
  const { turns, size } = measure(log, setup.env('onCall'), setup.strategy)
  return {
    strategy,
    ...told,
    entries: messages,
    ...(next.first.length > 0 && { restart: turnsInView([...log, ...next.first]).length }),
    ...summaryOf(next.added),
    ...nothingOf(kit, [...next.first, ...next.added], () =>
      wordsOf(kit).notYet({
        total: size.total,
        threshold: setup.strategy.threshold(setup.window, setup.model.local),
        turns,
        turnLimit: setup.strategy.turnLimit,
      }),
    ),
  }
}

function summaryOf(added: readonly Entry[]): Pick<Preview, 'summary'> {
  const summary = added.findLast(entry => entry.type === 'summary')
  return summary?.type === 'summary' ? { summary: summary.text } : {}
}

function nothingOf(kit: Kit, added: readonly Entry[], otherwise: () => string): Pick<Preview, 'nothing'> {
  if (added.some(entry => entry.type !== 'note')) return {}
  const note = spoken(added, kit.language).findLast(entry => entry.type === 'note')
  return { nothing: note?.type === 'note' ? note.text : otherwise() }
}
