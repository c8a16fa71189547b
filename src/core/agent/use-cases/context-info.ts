/** What the context pane shows: the request that would be sent now, with the numbers that decide. Reads only. */
import { dialogGuide } from '../../context/compaction/guide.ts'
import { isMatched } from '../../context/view/matched.ts'
import { measure, type MeasuredItem } from '../../context/size/measure.ts'
import { utf8Bytes } from '../../text/bytes.ts'
import { clip } from '../../text/display/graphemes.ts'
import { visibleLine } from '../../text/display/title.ts'
import type { EditEntry, Entry, FactEntry, Id, Log, ArchivePlace } from '../../log/entry.ts'
import {
  boundaryOf,
  isFact,
  redoTarget,
  effectiveEdits,
  effectiveSummary,
  storedSummary,
  undoTarget,
} from '../../log/query.ts'
import { removedCountsByEdit } from '../../log/model-view/removed-counts.ts'
import type { Message, Usage } from '../../log/message.ts'
import { pathOf } from '../../log/paths.ts'
import { shownBytes } from '../../text/excerpt.ts'
import { excerptOfFact, limitsOf, textPath, type ViewMessage } from '../../log/model-view/view-message.ts'
import { isOneMessage, oneMessage } from '../../log/model-view/whole-answers.ts'
import type { AgentApi } from '../api/api.ts'
import type { ContextInfo, Forecast, RemovedItem, Tile, ViewedMessage } from '../api/context-api.ts'
import { readDraft, negligibleDraftLength } from '../request/drafts.ts'
import { forecast } from '../request/forecast.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import type { IdleTrims } from '../lifecycle/idle-trim.ts'
import { setUpRequest, type RequestSetup } from '../request/request-setup.ts'
import { tilesToShow } from './tiles.ts'

/** Longest label of a tile. Unit: UTF-16 units. */
const longestLabel = 80

export function contextInfo(runtime: AgentRuntime, idleTrims: IdleTrims): Pick<AgentApi, 'context' | 'view'> {
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
    tiles: tilesToShow(tiles),
    largest: tiles.toSorted((a, b) => b.tokens - a.tokens).slice(0, 3),
    ...waiting(log),
    next,
    ...(setup.strategy.onlyMatched && !isMatched(log, boundaryOf(log).from) ? { unmatched: true as const } : {}),
    removedByEdit: Object.fromEntries(removedCountsByEdit(log)),
    removed: removedItems(log, env.place),
    ...spentIn(log),
    canUndo: undoTarget(log) !== null,
    canRedo: redoTarget(log) !== null,
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
  }
}

/** A short label of a message. */
export function entryLabel(entry: Entry): string {
  switch (entry.type) {
    case 'user':
    case 'summary':
      return firstWords(entry.text)
    case 'assistant':
      return firstWords(entry.text) || entry.calls.map(call => call.name).join(', ')
    case 'result':
      return entry.tool
    default:
      return ''
  }
}

function firstWords(text: string): string {
  const line = visibleLine(text.slice(0, 4 * longestLabel))
  return line.length <= longestLabel ? line : `${clip(line, longestLabel - 1)}…`
}

/**
 * What edits have removed from the window, newest first, and where it can be read: messages of cuts, turns of strips.
 */
export function removedItems(log: Log, place: (fact: Id) => ArchivePlace | undefined): RemovedItem[] {
  const at = new Map(log.map((entry, index) => [entry.id, index]))
  const out: RemovedItem[] = []
  const took = removedCountsByEdit(log)
  const standing = effectiveEdits(log)
  const newest = new Map<Id, Id>() // of several shortenings of one text the newest is the one that shows
  for (const edit of standing) if (edit.type === 'shorten') newest.set(edit.target, edit.id)
  const liesAt = (facts: readonly FactEntry[]): Pick<RemovedItem, 'path' | 'line'> => {
    const [first] = dialogGuide(facts, place)
    return first === undefined ? {} : { path: first.path, line: first.from }
  }
  let cutBefore = 0 // entries before this are out by the cuts so far
  for (const edit of standing) {
    const since = at.get(edit.id) ?? log.length
    if (edit.type === 'shorten' && newest.get(edit.target) === edit.id) {
      const target = log[at.get(edit.target) ?? -1]
      if (target && isFact(target)) out.push(shortenedOf(edit, target))
    } else if (edit.type === 'cut') {
      const border = edit.before === null ? since : Math.min(since, at.get(edit.before) ?? 0)
      const messages = took.get(edit.id)?.messages ?? 0
      if (messages > 0)
        out.push({
          group: edit.group,
          kind: 'cut',
          entry: edit.id,
          label: edit.reason,
          count: messages,
          at: edit.at,
          ...liesAt(log.slice(cutBefore, border).filter(isFact)),
        })
      cutBefore = Math.max(cutBefore, border)
    } else if (edit.type === 'strip') {
      const border = edit.before === null ? since : Math.min(since, at.get(edit.before) ?? 0)
      const { from } = boundaryOf(log, standing)
      const { messages, turns } = took.get(edit.id) ?? { messages: 0, turns: 0 }
      if (messages > 0)
        out.push({
          group: edit.group,
          kind: 'stripped',
          entry: edit.id,
          label: '',
          count: turns,
          at: edit.at,
          ...liesAt(log.slice(from, border).filter(isFact)),
        })
    }
  }
  return out.toReversed()
}

function shortenedOf(edit: EditEntry & { type: 'shorten' }, target: FactEntry): RemovedItem {
  const inCall = edit.part === 'arguments'
  const cut = excerptOfFact(target, limitsOf(edit))
  const whole = target.rest?.bytes ?? utf8Bytes(target.text)
  return {
    group: edit.group,
    kind: 'shortened',
    entry: target.id,
    label: entryLabel(target),
    count: 1,
    at: edit.at,
    ...(edit.reason !== undefined && { reason: edit.reason }),
    path: inCall ? pathOf({ kind: 'call', id: target.id }) : textPath(target),
    ...(inCall ? {} : { bytes: whole, shown: cut.whole ? whole : shownBytes(cut, whole) }),
  }
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
