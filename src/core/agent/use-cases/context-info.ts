/** What the context pane shows: the request that would be sent now, with the numbers that decide. Reads only. */
import { isMatched } from '../../context/view/matched.ts'
import { measure, type MeasuredItem } from '../../context/size/measure.ts'
import { callSubject } from '../../text/display/call-subject.ts'
import type { Entry, Id, Log } from '../../log/entry.ts'
import { logIndex } from '../../log/log-index.ts'
import { boundaryOf, effectiveSummary, storedSummary } from '../../log/query.ts'
import { removedCountsByEdit } from '../../log/model-view/removed-counts.ts'
import type { Message, Usage } from '../../log/message.ts'
import type { ViewMessage } from '../../log/model-view/view-message.ts'
import { isOneMessage, oneMessage } from '../../log/model-view/whole-answers.ts'
import type { AgentApi } from '../api/api.ts'
import type { ContextInfo, Forecast, Tile, ViewedMessage } from '../api/context-api.ts'
import { readDraft, negligibleDraftLength } from '../request/drafts.ts'
import { forecast } from '../request/forecast.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import type { IdleTrims } from '../lifecycle/idle-trim.ts'
import { setUpRequest, type RequestSetup } from '../request/request-setup.ts'
import { entryLabel } from './entry-label.ts'
import { happenedActs, nextActs } from './history.ts'
import { removedItems } from './removed-items.ts'
import { tilesToShow } from './tiles.ts'

export function contextInfo(
  runtime: AgentRuntime,
  idleTrims: IdleTrims,
): Pick<AgentApi, 'context' | 'view' | 'happened'> {
  return {
    context: async id => {
      const session = await runtime.session(id)
      const [setup, draft] = [await setUpRequest(runtime, session), await readDraft(runtime, id)]
      runtime.drafts.set(id, { draft, unseen: negligibleDraftLength(session.log, setup) })
      return describeContext(
        session.log,
        setup,
        await forecast(session.log, setup, { first: await idleTrims.forecast(session), draft }),
      )
    },
    happened: async id => {
      const session = await runtime.session(id)
      return happenedActs(session.log, fact => session.place(fact))
    },
    view: async id => {
      const session = await runtime.session(id)
      return viewed(session.log, await setUpRequest(runtime, session))
    },
  }
}

/** All numbers of the request that this log would make. */
export function describeContext(log: Log, setup: RequestSetup, next: Forecast): ContextInfo {
  const env = setup.env('onCall')
  const measured = measure(log, env, setup.strategy)
  const took = removedCountsByEdit(log)
  const facts = new Map<Id, Entry>(log.map(entry => [entry.id, entry]))
  const tiles = measured.items.filter(item => item.tokens > 0).map(item => tileOf(item, facts))
  return {
    window: setup.window,
    ...(setup.window < setup.configuredWindow ? { configuredWindow: setup.configuredWindow } : {}),
    ...reportedWindowOf(setup),
    ...(setup.requestWindow < setup.window ? { ceiling: setup.requestWindow } : {}),
    total: measured.size.total,
    ...(measured.threshold === undefined ? {} : { threshold: measured.threshold }),
    outputReserve: setup.outputReserve,
    zones: measured.zones,
    reserve: measured.reserve,
    counter: setup.counter.name,
    factor: setup.factor,
    messages: measured.messages,
    roles: measured.roles,
    turns: measured.turns,
    ...(setup.strategy.turnLimit === undefined ? {} : { turnLimit: setup.strategy.turnLimit }),
    characters: measured.characters,
    tiles: tilesToShow(tiles).map(tile => withSubject(tile, log)),
    largest: tiles.toSorted((a, b) => b.tokens - a.tokens).slice(0, 3),
    ...waiting(log),
    next,
    ...(setup.strategy.onlyMatched && !isMatched(log, boundaryOf(log).from) ? { unmatched: true as const } : {}),
    removedByEdit: Object.fromEntries(took),
    removed: removedItems(log, env.place),
    ...spentIn(log),
    ...nextActs(log, took),
    ...(setup.instructionsCut > 0 ? { instructionsCut: setup.instructionsCut } : {}),
    ...(setup.toolsReduced ? { toolsReduced: setup.toolsReduced } : {}),
  }
}

function waiting(log: Log): Pick<ContextInfo, 'pendingSummary'> {
  const stored = storedSummary(log)
  return stored === null || stored.id === effectiveSummary(log)?.id ? {} : { pendingSummary: stored.id }
}

function reportedWindowOf({ windowTyped, calibration, window }: RequestSetup): Pick<ContextInfo, 'reportedWindow'> {
  return windowTyped && calibration.window !== undefined && calibration.window < window
    ? { reportedWindow: calibration.window }
    : {}
}

/** Total usage of the answers in this log; with a cost only if one is known. */
function spentIn(log: Log): { spent?: Usage } {
  const all = log.flatMap(entry => (entry.type === 'assistant' && entry.usage ? [entry.usage] : []))
  if (all.length === 0) return {}
  const sum = (name: keyof Usage): number => all.reduce((total, usage) => total + (usage[name] ?? 0), 0)
  const some = (name: 'cacheRead' | 'cacheWrite' | 'output' | 'cost'): Partial<Usage> =>
    all.some(usage => usage[name] !== undefined) ? { [name]: sum(name) } : {}
  return {
    spent: { input: sum('input'), ...some('cacheRead'), ...some('cacheWrite'), ...some('output'), ...some('cost') },
  }
}

function tileOf(item: MeasuredItem, entries: ReadonlyMap<Id, Entry>): Tile {
  const entry = item.entry === null ? undefined : entries.get(item.entry)
  return {
    entry: item.entry,
    kind: item.kind,
    tokens: item.tokens,
    count: 1,
    zone: item.zone,
    pinned: item.view?.pinned ?? false,
    shortened: item.view?.shortened !== undefined,
    label: entry ? entryLabel(entry) : '',
    ...(entry === undefined ? {} : { at: entry.at }),
  }
}

/** A result by what its call was about: of the nearest call with its id before it (C2.2). */
function withSubject(tile: Tile, log: Log): Tile {
  if (tile.kind !== 'result' || tile.entry === null || tile.count > 1) return tile
  const at = logIndex(log).positions.get(tile.entry) ?? -1
  const result = log[at]
  if (result?.type !== 'result') return tile
  for (let i = at - 1; i >= 0; i--) {
    const before = log[i]
    const call = before?.type === 'assistant' ? before.calls.findLast(({ id }) => id === result.callId) : undefined
    if (call === undefined) continue
    const about = callSubject(call.arguments)
    return about === '' ? tile : { ...tile, about }
  }
  return tile
}

/** The exact request, as it can be read. */
function viewed(log: Log, setup: RequestSetup): ViewedMessage[] {
  const { size } = measure(log, setup.env('onCall'), setup.strategy)
  const system: ViewedMessage = { entry: null, role: 'system', content: setup.system, tokens: size.system }
  const tools: ViewedMessage[] =
    setup.schemas.length === 0
      ? []
      : [{ entry: null, role: 'tools', content: JSON.stringify(setup.schemas, null, 1), tokens: size.tools }]
  const whole: { view: ViewMessage; tokens: number }[] = []
  for (const { view, tokens } of size.parts) {
    const before = whole.at(-1)
    if (before !== undefined && isOneMessage(before.view, view))
      whole[whole.length - 1] = { view: oneMessage(before.view, view), tokens: before.tokens + tokens }
    else whole.push({ view, tokens })
  }
  return [
    system,
    ...tools,
    ...whole.map(({ view, tokens }): ViewedMessage => {
      const { message } = view
      return {
        entry: view.entry,
        role: message.role,
        content: message.content,
        tokens,
        ...(message.role === 'assistant' && message.toolCalls ? { toolCalls: message.toolCalls } : {}),
        ...(message.role === 'assistant' ? reasoningShown(message) : {}),
        ...(message.role === 'tool' ? { name: message.name } : {}),
        ...(view.shortened ? { shortened: view.shortened } : {}),
      }
    }),
  ]
}

/** What goes back of the reasoning: its text, and the provider's own details as JSON. */
function reasoningShown({ reasoning, details }: Message & { role: 'assistant' }): Pick<ViewedMessage, 'reasoning'> {
  const shown = [reasoning ?? '', details === undefined ? '' : JSON.stringify(details.value)]
    .filter(text => text !== '')
    .join('\n\n')
  return shown === '' ? {} : { reasoning: shown }
}
