/** Cached state of a view, so that for a log that grew only the new entries cost time. For the newest logs only. */
import { logIndex } from '../log-index.ts'
import { isEdit, isFact, effectiveEdits, effectiveSummary, type CutEntry, type SummaryEntry } from '../query.ts'
import { missingResult, repair } from './repair.ts'
import { effectOn, editEffects, sentFacts, type EditEffects, type ViewOptions } from './sent-facts.ts'
import { limitsOf, viewMessage, withoutDetails, type ViewMessage } from './view-message.ts'
import type { EditEntry, FactEntry, Id, Log } from '../entry.ts'
import type { ToolCall } from '../message.ts'

/**
 * Messages of turns that are over: `items` from `from` up to `to`. A later state may share `items` and add to it behind
 * `to`.
 */
export type MessageSpan = { readonly items: readonly ViewMessage[]; readonly from: number; readonly to: number }

/**
 * `front`: the question that a cut inside its turn left; `closed`: repaired messages of the turns before the newest
 * one; `open`: those of the newest turn, not repaired yet.
 */
export type ViewState = {
  log: Log
  length: number // of the log then: a caller may push to the array it showed
  options: ViewOptions
  effectiveEdits: readonly EditEntry[]
  effects: EditEffects
  front: readonly ViewMessage[]
  closed: MessageSpan
  missing: ReadonlySet<string> // calls in `closed` without a result: one that comes late has to move there
  open: readonly ViewMessage[]
  extendable: boolean
  /** The summary that is shown; undefined: it depends on what comes after it. */
  fixedSummary: SummaryEntry | null | undefined
}

/** How repair changes messages of a view: the same objects each time. */
export const remake = { withCalls: withFirstCalls, missing: missingMessage }

/** What is known of the view of this log, from a log that it grew from where there is one. */
export function viewState(log: Log, options: ViewOptions): ViewState {
  const state = grown(log, options) ?? fresh(log, options)
  const at = states.indexOf(state)
  if (at >= 0) states.splice(at, 1)
  states.unshift(state)
  if (states.length > STATES) states.pop()
  return state
}

const noStretch: MessageSpan = { items: [], from: 0, to: 0 }

/** Newer messages follow `to`: if nobody else has added to the list, it grows in place. */
function extended({ items, from, to }: MessageSpan, more: readonly ViewMessage[]): MessageSpan {
  const own = to > from && items.length === to ? (items as ViewMessage[]) : items.slice(0, to)
  for (const message of more) own.push(message)
  return { items: own, from, to: own.length }
}

/** The newest states; a session has its log, and while steps run its grown forms. */
const states: ViewState[] = []
const STATES = 4

function fresh(log: Log, options: ViewOptions): ViewState {
  const standing = effectiveEdits(log)
  const { kept, extendable } = sentFacts(log, standing, options)
  const effects = editEffects(standing)
  const messages: ViewMessage[] = []
  for (const { fact, behindCut, calls } of kept) {
    const message = viewMessage(fact, effectOn(fact, effects, options, behindCut, calls))
    if (message) messages.push(message)
  }
  return closeTurns({
    log,
    length: log.length,
    options,
    effectiveEdits: standing,
    effects,
    front: [],
    closed: noStretch,
    missing: new Set(),
    open: messages,
    extendable,
    fixedSummary: shownSummary(log, standing),
  })
}

/** The state of a log that is a known one and more; undefined where the new entries change more than they name. */
function grown(log: Log, options: ViewOptions): ViewState | undefined {
  const known = states.find(it => isSameView(it.options, options) && startsWith(log, it.log, it.length))
  if (!known || known.length === log.length) return known
  if (!known.extendable) return undefined
  const added = log.slice(known.length)
  if (added.some(entry => entry.type === 'strip' || entry.type === 'pin' || entry.type === 'undo')) return undefined
  const shortens = added.filter(entry => entry.type === 'shorten')
  let state: ViewState | undefined = shortens.length === 0 ? known : shortened(known, log, shortens, options)
  let edited = false // by more than shortenings
  const facts: FactEntry[] = []
  for (const entry of added) {
    if (!state) return undefined
    if (isFact(entry)) facts.push(entry)
    else if (entry.type === 'cut') state = cutBefore(withFacts(state, facts.splice(0), options), log, entry, options)
    if (isEdit(entry) && entry.type !== 'shorten') edited = true
  }
  if (!state) return undefined
  state = withFacts(state, facts, options)
  if (edited) {
    const standing = [
      ...state.effectiveEdits,
      ...added.filter(entry => isEdit(entry) && entry.type !== 'shorten'),
    ] as EditEntry[]
    state = { ...state, effectiveEdits: standing, fixedSummary: shownSummary(log, standing) }
  }
  const left = { orphans: [] as string[], missing: new Set<string>() }
  if (state.missing.size > 0) repair(state.open, remake, left)
  if (left.orphans.some(id => known.missing.has(id))) return undefined
  return closeTurns({ ...state, log, length: log.length, options })
}

function withFacts(state: ViewState, facts: readonly FactEntry[], options: ViewOptions): ViewState {
  if (facts.length === 0) return state
  const open = [...state.open]
  for (const fact of facts) {
    const message = viewMessage(fact, effectOn(fact, state.effects, options))
    if (message) open.push(message)
  }
  return { ...state, open }
}

type ShortenEntry = Extract<EditEntry, { type: 'shorten' }>

/**
 * The state with these texts shortened, the edit that comes with most calls; undefined for what has to be looked at as
 * a whole.
 */
function shortened(
  known: ViewState,
  log: Log,
  edits: readonly ShortenEntry[],
  options: ViewOptions,
): ViewState | undefined {
  if (edits.some(edit => edit.part === 'arguments')) return undefined
  const effects = { ...known.effects, text: new Map(known.effects.text) }
  for (const edit of edits) effects.text.set(edit.target, limitsOf(edit))
  const targets = new Set(edits.map(edit => edit.target))
  const facts = lastOf(log, targets, entry => entry.id)
  if (known.front.some(({ entry }) => entry !== null && targets.has(entry))) return undefined
  const open = [...known.open]
  const { from, to } = known.closed
  let items: ViewMessage[] | undefined
  const left = new Set(targets) // one that is in neither list is out of view, or among the entries that come with it
  for (const list of [open, known.closed.items]) {
    for (const [target, index] of lastOf(
      list,
      left,
      ({ entry, kind }) => (kind === 'fact' ? entry : null),
      list === open ? 0 : from,
      list === open ? open.length : to,
    )) {
      left.delete(target)
      const fact = log[facts.get(target) ?? -1]
      if (!fact || !isFact(fact) || fact.type === 'assistant' || list[index]?.behindCut) return undefined
      const message = viewMessage(fact, effectOn(fact, effects, options))
      if (!message) continue
      if (list === open) open[index] = message
      else (items ??= known.closed.items.slice(0, to))[index] = message
    }
  }
  const closed = items === undefined ? known.closed : { items, from, to }
  return { ...known, effectiveEdits: [...known.effectiveEdits, ...edits], effects, closed, open }
}

/** Where each of the wanted ids comes last. Targets are mostly new ones: it is looked for from the end. */
function lastOf<T>(
  list: readonly T[],
  wanted: ReadonlySet<Id>,
  idOf: (item: T) => Id | null,
  from = 0,
  to = list.length,
): Map<Id, number> {
  const found = new Map<Id, number>()
  for (let at = to - 1; at >= from && found.size < wanted.size; at--) {
    const id = idOf(list[at]!)
    if (id !== null && wanted.has(id) && !found.has(id)) found.set(id, at)
  }
  return found
}

/**
 * The state behind a new cut. What stands before a question or an answer has no part in what stands behind it: results
 * stand with their calls already. undefined where pins or strips stand, or the cut names something else.
 */
function cutBefore(known: ViewState, log: Log, cut: CutEntry, options: ViewOptions): ViewState | undefined {
  if (known.effects.pins.size > 0 || known.effectiveEdits.some(edit => edit.type === 'strip')) return undefined
  const own = log.lastIndexOf(cut)
  const border = cut.before === null ? own : onlyIndex(log, cut.before)
  const pin = cut.pin === undefined ? -1 : onlyIndex(log, cut.pin)
  if (border === undefined || pin === undefined || border > own) return undefined
  const behind: ViewMessage[] = []
  if (pin >= 0 && pin < border) {
    const question = log[pin]
    const message =
      question?.type === 'user' ? viewMessage(question, effectOn(question, known.effects, options, true)) : null
    if (!message) return undefined
    behind.push(message)
  }
  if (options.running !== false) {
    const newest = log.findLastIndex(entry => entry.type === 'user')
    // whether it stays may change with every entry
    if (newest >= 0 && newest < border && newest !== pin) return undefined
  }
  if (cut.before === null) return { ...known, front: [], closed: noStretch, missing: new Set(), open: behind }
  // The border's own message: a view gives the same object each time.
  const first = log[border]
  const message =
    first && isFact(first) && first.type !== 'result'
      ? viewMessage(first, effectOn(first, known.effects, options))
      : null
  if (!message) return undefined
  const inOpen = known.open.indexOf(message)
  if (inOpen >= 0)
    return {
      ...known,
      front: [],
      closed: noStretch,
      missing: new Set(),
      open: [...behind, ...known.open.slice(inOpen)],
    }
  const { items, from, to } = known.closed
  const inClosed = items.lastIndexOf(message, to - 1)
  return inClosed < from ? undefined : { ...known, front: behind, closed: { items, from: inClosed, to } }
}

/** Where the entry with this id is: -1 where none is, undefined where more than one is. */
function onlyIndex(log: Log, id: Id): number | undefined {
  const { positions, duplicateIds } = logIndex(log)
  return duplicateIds.has(id) ? undefined : (positions.get(id) ?? -1)
}

/** Moves what stands before the newest question from `open` to `closed`. */
function closeTurns(state: ViewState): ViewState {
  const last = state.open.findLastIndex(({ message }) => message.role === 'user')
  if (last <= 0) return state
  const left = { orphans: [] as string[], missing: new Set(state.missing) }
  const before = repair(state.open.slice(0, last), remake, left)
  const open = state.open.slice(last)
  // A result behind the newest question may belong to a call before it: then the turns cannot be parted yet.
  if (left.missing.size > 0) {
    const late = { orphans: [] as string[], missing: new Set<string>() }
    repair(open, remake, late)
    if (late.orphans.some(id => left.missing.has(id))) return state
  }
  return { ...state, closed: extended(state.closed, before), missing: left.missing, open }
}

function shownSummary(log: Log, standing: readonly EditEntry[]): SummaryEntry | null | undefined {
  return standing.some(edit => edit.type === 'summary' && edit.place === 'first question')
    ? undefined
    : effectiveSummary(log, standing)
}

function isSameView(a: ViewOptions, b: ViewOptions): boolean {
  return a.toolsWithReadOnLine === b.toolsWithReadOnLine && a.running === b.running
}

/** By reference, from the end: entries never change. */
function startsWith(log: Log, start: Log, length: number): boolean {
  if (length > log.length) return false
  if (log === start) return true
  for (let i = length - 1; i >= 0; i--) if (log[i] !== start[i]) return false
  return true
}

function withFirstCalls(item: ViewMessage, calls: readonly ToolCall[]): ViewMessage {
  const known = firstCalls.get(item)
  if (known) return known
  const made: ViewMessage =
    item.message.role === 'assistant'
      ? { ...withoutDetails(item), message: { ...item.message, toolCalls: calls } }
      : item
  firstCalls.set(item, made)
  return made
}

function missingMessage(call: ToolCall, owner: ViewMessage): ViewMessage {
  const known = missing.get(call)
  if (known) return known
  const made: ViewMessage = {
    message: missingResult(call, owner.imported),
    entry: null,
    kind: 'missing',
    pinned: false,
  }
  missing.set(call, made)
  return made
}

// What a view made once is given again: counters keep their numbers by message object.
const firstCalls = new WeakMap<ViewMessage, ViewMessage>()
const missing = new WeakMap<ToolCall, ViewMessage>()
