/** Use cases of compaction by hand: do it, and see beforehand what it would do. */
import { measure, requestSize } from '../context/measure.ts'
import { prepare } from '../context/prepare.ts'
import { compactNow } from '../context/steps/compact.ts'
import type { StrategyName } from '../context/strategy.ts'
import type { Entry, Log } from '../log/entry.ts'
import { leftBy } from '../log/took.ts'
import type { AgentApi, Preview } from './api.ts'
import { progressOf } from './fitting-call.ts'
import { withNext } from './forecast.ts'
import type { Kit } from './kit.ts'
import { restingStatus } from './resting.ts'
import type { Session } from './session.ts'
import { setUp, type Setup } from './setup.ts'
import { spoken } from './step-notes.ts'
import type { Work } from './work.ts'

/** `nothing`: why there was nothing to do. */
export type Compacted = { messages: number; before: number; after: number; nothing?: string }

/** Notes of a step that found nothing to compact. */
const nothingCodes: ReadonlySet<string> = new Set(['compact_nothing', 'compact_no_gain'])

export function compacting(kit: Kit, work: Work): Pick<AgentApi, 'compact' | 'preview'> {
  return {
    compact: (id, instruction) => work.start(id, async (session, signal) => {
      const done = await compact(kit, session, signal, instruction)
      if (done.nothing !== undefined) await session.append([{ type: 'note', code: 'compacted', text: done.nothing, data: done }])
      return restingStatus(kit, session)
    }, { alone: true }),
    preview: async (id, strategy) => preview(kit, await kit.session(id), strategy),
  }
}

/** Compacts now, whatever the size: all but the last step leaves the view. Answers with what it did, or why there was nothing to do. */
export async function compact(kit: Kit, session: Session, signal: AbortSignal, instruction?: string): Promise<Compacted> {
  const setup = await setUp(kit, session)
  kit.tellStatus(session.id, { state: 'compacting', share: 0 })
  const env = setup.env('onCall', { signal, forced: true, progress: progressOf(kit, session), ...(instruction?.trim() ? { instruction: instruction.trim() } : {}) })
  const added = spoken(await prepare(session.log, [compactNow(setup.strategy)], env), kit.language)
  const summary = added.find(entry => entry.type === 'summary')
  const why = summary ? undefined : added.find(entry => entry.type === 'note' && nothingCodes.has(entry.code))
  await session.append(added.filter(entry => entry !== why))   // that is said once, by who asked
  if (summary) return { messages: summary.stats.entries, before: summary.stats.before, after: summary.stats.after }
  const { total } = requestSize(session.log, env)
  return { messages: 0, before: total, after: total, nothing: why?.type === 'note' ? why.text : kit.words.nothingToCompact }
}

/** The same functions without the append. With another strategy: what its steps would do with the next message. */
async function preview(kit: Kit, session: Session, other: StrategyName | undefined): Promise<Preview> {
  const setup = await setUp(kit, session, { strategy: other })
  const env = setup.env('onCall', { forced: true })
  const { asked: log, added } = other === undefined
    ? { asked: session.log, added: await prepare(session.log, [compactNow(setup.strategy)], env) }
    : await withNext(session.log, setup)
  return {
    strategy: setup.strategy.name, before: requestSize(log, env).total, after: requestSize([...log, ...added], env).total,
    entries: leftBy(log, added).length,
    shortened: added.filter(entry => entry.type === 'shorten').length,
    ...summaryOf(added), ...nothingOf(kit, setup, added, other === undefined ? undefined : session.log),
  }
}

function summaryOf(added: readonly Entry[]): Pick<Preview, 'summary'> {
  const summary = added.findLast(entry => entry.type === 'summary')
  return summary?.type === 'summary' ? { summary: summary.text } : {}
}

/** `log`: where the strategy was to decide by itself. */
function nothingOf(kit: Kit, setup: Setup, added: readonly Entry[], log: Log | undefined): Pick<Preview, 'nothing'> {
  if (added.some(entry => entry.type !== 'note')) return {}
  const note = spoken(added, kit.language).findLast(entry => entry.type === 'note')
  if (note?.type === 'note') return { nothing: note.text }
  if (log === undefined) return { nothing: kit.words.nothingToCompact }
  const { turns, size } = measure(log, setup.env('onCall'), setup.strategy)
  return { nothing: kit.words.notYet({ total: size.total, threshold: setup.strategy.threshold(setup.window, setup.model.local), turns, turnLimit: setup.strategy.turnLimit }) }
}
