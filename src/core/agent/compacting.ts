/** Use cases of compaction by hand: do it, and see beforehand what it would do. */
import { requestSize } from '../context/measure.ts'
import { prepare } from '../context/prepare.ts'
import { compactNow } from '../context/steps/compact.ts'
import type { Step, StrategyName } from '../context/strategy.ts'
import type { Entry } from '../log/entry.ts'
import type { AgentApi, Preview } from './api.ts'
import { progressOf } from './fitting-call.ts'
import type { Kit } from './kit.ts'
import { restingStatus } from './resting.ts'
import type { Session } from './session.ts'
import { setUp, type Setup } from './setup.ts'
import { spoken } from './step-notes.ts'
import type { Work } from './work.ts'

export type Compacted = { messages: number; before: number; after: number }

export function compacting(kit: Kit, work: Work): Pick<AgentApi, 'compact' | 'preview'> {
  return {
    compact: (id, instruction) => work.start(id, async (session, signal) => {
      const done = await compact(kit, session, signal, instruction)
      if (done.messages === 0) await session.append([{ type: 'note', code: 'compacted', text: kit.words.nothingToCompact, data: done }])
      return restingStatus(kit, session)
    }, { alone: true }),
    preview: async (id, strategy) => preview(kit, await kit.session(id), strategy),
  }
}

/** Compacts now, whatever the size: all but the last step leaves the view. Answers with what it did; 0 messages is nothing. */
export async function compact(kit: Kit, session: Session, signal: AbortSignal, instruction?: string): Promise<Compacted> {
  const setup = await setUp(kit, session)
  kit.tellStatus(session.id, { state: 'compacting', share: 0 })
  const env = setup.env('onCall', { signal, forced: true, progress: progressOf(kit, session), ...(instruction?.trim() ? { instruction: instruction.trim() } : {}) })
  const before = requestSize(session.log, env)
  const added = await session.append(spoken(await prepare(session.log, [compactNow(setup.strategy)], env), kit.language))
  const after = requestSize(session.log, env)
  return {
    messages: added.some(entry => entry.type === 'cut') ? countFacts(before) - countFacts(after) : 0,
    before: before.total, after: after.total,
  }
}

/** The same functions without the append. With another strategy: what its steps would do before the next call. */
async function preview(kit: Kit, session: Session, other: StrategyName | undefined): Promise<Preview> {
  const setup = await setUp(kit, session, other)
  const steps: readonly Step[] = other === undefined ? [compactNow(setup.strategy)] : [...setup.strategy.onTurn ?? [], ...setup.strategy.onCall ?? []]
  const env = setup.env('onCall', other === undefined ? { forced: true } : {})
  const log = session.log
  const added = await prepare(log, steps, env)
  const before = requestSize(log, env)
  const after = requestSize([...log, ...added], env)
  return {
    strategy: setup.strategy.name, before: before.total, after: after.total,
    entries: Math.max(0, countFacts(before) - countFacts(after)),
    shortened: added.filter(entry => entry.type === 'shorten').length,
    ...summaryOf(added), ...nothingOf(kit, setup, added, other === undefined ? undefined : before.total),
  }
}

function summaryOf(added: readonly Entry[]): Pick<Preview, 'summary'> {
  const summary = added.findLast(entry => entry.type === 'summary')
  return summary?.type === 'summary' ? { summary: summary.text } : {}
}

/** `total`: tokens of the request, where the strategy was to decide by itself. */
function nothingOf(kit: Kit, setup: Setup, added: readonly Entry[], total: number | undefined): Pick<Preview, 'nothing'> {
  if (added.some(entry => entry.type !== 'note')) return {}
  const note = added.findLast(entry => entry.type === 'note')
  if (note?.type === 'note') return { nothing: note.text }
  const threshold = setup.strategy.threshold(setup.window, setup.model.local)
  return { nothing: total === undefined || threshold === undefined || total >= threshold ? kit.words.nothingToCompact : kit.words.belowThreshold(total, threshold) }
}

function countFacts(size: ReturnType<typeof requestSize>): number {
  return size.parts.filter(({ view }) => view.kind === 'fact').length
}
