/** What the model is sent (C2): log → messages. The only file that knows every edit. Pure. */
import { boundaryOf, isEdit, isFact, openQuestion, pinnedFacts, positions, standingEdits, standingSummary, type SummaryEntry } from './query.ts'
import { missingResult, repair } from './repair.ts'
import { beforeQuestion, summaryText } from './view-words.ts'
import { viewMessage, type Effect, type ViewMessage } from './view-message.ts'
import type { ExcerptLimits } from '../text/excerpt.ts'
import type { EditEntry, FactEntry, Id, Log } from './entry.ts'
import type { ToolCall } from './message.ts'

export type { Shortened, ViewMessage } from './view-message.ts'

export type ViewOptions = {
  /** Tools that read pages: their results say how to read them again, also when whole (C5.1). Give the same set each time. */
  pageTools?: ReadonlySet<string>
  /** Whether a turn runs (C2.3); absent: as the log looks. */
  running?: boolean
}

/**
 * The messages of a request in order, without the system prompt: the summary, then the kept facts as their edits leave
 * them, calls and results repaired. The same log gives the same bytes, and a message that did not change is the same object
 * as last time. Adds no entry; never throws.
 */
export function modelView(log: Log, options: ViewOptions = {}): ViewMessage[] {
  const state = grown(log, options) ?? fresh(log, options)
  remember(state)
  const legal = [...state.closed, ...repair(state.open, remake)]
  const summary = state.fixedSummary === undefined ? standingSummary(log, state.standing) : state.fixedSummary
  return summary ? withSummary(legal, summary) : legal
}

/**
 * A view as far as it is known, so that a log that only got facts costs what is new. `closed`: repaired messages of the
 * turns before the newest one; `open`: those of the newest turn, not repaired yet.
 */
type State = {
  log: Log
  length: number                // of the log then: a caller may push to the array it showed
  options: ViewOptions
  standing: readonly EditEntry[]
  effects: Effects
  closed: readonly ViewMessage[]
  missing: ReadonlySet<string>  // calls in `closed` without a result: one that comes late has to move there
  open: readonly ViewMessage[]
  extendable: boolean
  /** The summary that is shown; undefined: it depends on what comes after it. */
  fixedSummary: SummaryEntry | null | undefined
}

const remake = { withCalls: withFirstCalls, missing: missingMessage }

/** The newest states; a session has its log, and while steps run its grown forms. */
const states: State[] = []
const STATES = 4

function remember(state: State): void {
  const at = states.indexOf(state)
  if (at >= 0) states.splice(at, 1)
  states.unshift(state)
  if (states.length > STATES) states.pop()
}

function fresh(log: Log, options: ViewOptions): State {
  const standing = standingEdits(log)
  const { kept, extendable } = keptFacts(log, standing, options)
  const effects = effectsOf(standing)
  const messages: ViewMessage[] = []
  for (const { fact, behindCut, calls } of kept) {
    const message = viewMessage(fact, effectOn(fact, effects, options, behindCut, calls))
    if (message) messages.push(message)
  }
  const waits = standing.some(edit => edit.type === 'summary' && edit.place === 'first question')
  return closeTurns({
    log, length: log.length, options, standing, effects, closed: [], missing: new Set(), open: messages, extendable,
    fixedSummary: waits ? undefined : standingSummary(log, standing),
  })
}

/** The state of a log that is a known one and more facts; undefined where the new entries change more than the end. */
function grown(log: Log, options: ViewOptions): State | undefined {
  const known = states.find(it => isSameView(it.options, options) && startsWith(log, it.log, it.length))
  if (!known || known.length === log.length) return known
  if (!known.extendable) return undefined
  const added = log.slice(known.length)
  const shortens = added.filter(entry => entry.type === 'shorten')
  if (added.some(entry => isEdit(entry) && entry.type !== 'shorten')) return undefined
  const before = shortens.length === 0 ? known : shortened(known, log, shortens, options)
  if (!before) return undefined
  const open = [...before.open]
  for (const entry of added) {
    const message = isFact(entry) ? viewMessage(entry, effectOn(entry, before.effects, options)) : null
    if (message) open.push(message)
  }
  const left = { orphans: [] as string[], missing: new Set<string>() }
  if (known.missing.size > 0) repair(open, remake, left)
  if (left.orphans.some(id => known.missing.has(id))) return undefined
  return closeTurns({ ...before, log, length: log.length, options, open })
}

type ShortenEntry = Extract<EditEntry, { type: 'shorten' }>

/** The state with these texts shortened, the edit that comes with most calls; undefined for what has to be looked at as a whole. */
function shortened(known: State, log: Log, edits: readonly ShortenEntry[], options: ViewOptions): State | undefined {
  const effects = { ...known.effects, text: new Map(known.effects.text) }
  for (const { target, keep, unit, headShare } of edits) effects.text.set(target, { limit: keep, unit, headShare })
  const closed = [...known.closed]
  const open = [...known.open]
  for (const { target, part } of edits) {
    if (part === 'arguments') return undefined
    // Targets are mostly new ones: both are looked for from the end.
    const list = open.some(({ entry }) => entry === target) ? open : closed
    const index = list.findLastIndex(({ entry, kind }) => kind === 'fact' && entry === target)
    const item = list[index]
    if (!item) continue // not in view, or among the entries that come with it
    const fact = log.findLast(entry => entry.id === target)
    if (!fact || !isFact(fact) || fact.type === 'assistant' || item.behindCut) return undefined
    const message = viewMessage(fact, effectOn(fact, effects, options))
    if (message) list[index] = message
  }
  return { ...known, standing: [...known.standing, ...edits], effects, closed, open }
}

/** Moves what stands before the newest question from `open` to `closed`. */
function closeTurns(state: State): State {
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
  return { ...state, closed: [...state.closed, ...before], missing: left.missing, open }
}

function isSameView(a: ViewOptions, b: ViewOptions): boolean {
  return a.pageTools === b.pageTools && a.running === b.running
}

/** By reference, from the end: entries never change. */
function startsWith(log: Log, start: Log, length: number): boolean {
  if (length > log.length) return false
  if (log === start) return true
  for (let i = length - 1; i >= 0; i--) if (log[i] !== start[i]) return false
  return true
}

type Kept = { fact: FactEntry; behindCut?: true; calls?: ReadonlySet<string> }

/** The facts that are sent: behind no cut, or pinned; of stripped turns the question and the last answer. */
function keptFacts(log: Log, standing: readonly EditEntry[], options: ViewOptions): { kept: Kept[]; extendable: boolean } {
  const { from, cut } = boundaryOf(log, standing)
  const stripTo = stripBoundary(log, standing)
  const pins = pinnedFacts(standing)
  const forced = pins.size > 0 ? withPartners(log, pins) : nothing
  const asked = new Set<Id>() // questions that stay although they lie behind the cut
  let askedBehind = false // the newest question lies there: whether it stays may change with every entry
  if (cut?.pin !== undefined) asked.add(cut.pin)
  if (from > 0 && options.running !== false) {
    const question = options.running ? log.findLast(entry => entry.type === 'user') : openQuestion(log)
    if (question) asked.add(question.id)
    const newest = log.findLastIndex(entry => entry.type === 'user')
    askedBehind = newest >= 0 && newest < from && log[newest]?.id !== cut?.pin
  }

  const kept: Kept[] = []
  if (forced.size > 0 || asked.size > 0) {
    for (let i = 0; i < from; i++) {
      const fact = log[i]
      if (!fact || !isFact(fact)) continue
      const calls = forced.get(fact)
      if (calls !== undefined || asked.has(fact.id)) kept.push({ fact, behindCut: true, ...(calls instanceof Set ? { calls } : {}) })
    }
  }
  let turn: FactEntry[] = []
  for (let i = from; i < log.length; i++) {
    const fact = log[i]
    if (!fact || !isFact(fact)) continue
    if (i >= stripTo) {
      if (turn.length > 0) { keepStripped(kept, turn, forced); turn = [] }
      kept.push({ fact })
      continue
    }
    if (fact.type === 'user' && turn.length > 0) { keepStripped(kept, turn, forced); turn = [] }
    turn.push(fact)
  }
  keepStripped(kept, turn, forced)
  return { kept, extendable: !askedBehind && namesOnlyKnown(log, standing) }
}

/** Whether every border that an edit names is there: one that is not might come with later entries. */
function namesOnlyKnown(log: Log, standing: readonly EditEntry[]): boolean {
  const borders = new Set(standing.flatMap(edit => ((edit.type === 'cut' || edit.type === 'strip') && edit.before !== null ? [edit.before] : [])))
  return positions(log, borders).size === borders.size
}

/** Which calls of an answer have to be sent for a pin: all, or these; of other facts: all of it. */
type Forced = ReadonlyMap<FactEntry, 'all' | ReadonlySet<string>>
const nothing: Forced = new Map()
const noCalls: ReadonlySet<string> = new Set()

function keepStripped(kept: Kept[], turn: readonly FactEntry[], forced: Forced): void {
  const answer = turn.findLast(fact => fact.type === 'assistant' && fact.text !== '')
  for (const fact of turn) {
    const calls = forced.get(fact)
    if (calls === 'all' || fact.type === 'user') kept.push({ fact })
    else if (calls !== undefined) kept.push({ fact, calls })
    else if (fact === answer) kept.push({ fact, calls: noCalls })
  }
}

/** Index up to which turns are stripped: those that end in front of it. */
function stripBoundary(log: Log, standing: readonly EditEntry[]): number {
  const strips = standing.filter(edit => edit.type === 'strip')
  if (strips.length === 0) return 0
  const at = positions(log, new Set(strips.flatMap(({ id, before }) => (before === null ? [id] : [id, before]))))
  let to = 0
  for (const { id, before } of strips) {
    const own = at.get(id) ?? 0
    const wanted = before === null ? own : at.get(before)
    if (wanted === undefined) continue // it names nothing on this path
    let boundary = Math.min(own, wanted)
    // Only whole turns lie before an entry: one that it stands in the middle of is left alone.
    if (before !== null && log[boundary]?.type !== 'user') while (boundary > 0 && log[boundary]?.type !== 'user') boundary--
    to = Math.max(to, boundary)
  }
  return to
}

/** Pinned facts, with what has to come along so that calls and results stay together. */
function withPartners(log: Log, pins: ReadonlySet<Id>): Forced {
  const forced = new Map<FactEntry, 'all' | Set<string>>()
  const open = new Map<string, FactEntry[]>()
  for (const fact of log) {
    if (!isFact(fact)) continue
    if (pins.has(fact.id)) forced.set(fact, 'all')
    if (fact.type === 'assistant') {
      for (const id of new Set(fact.calls.map(call => call.id))) {
        const waiting = open.get(id)
        if (waiting) waiting.push(fact)
        else open.set(id, [fact])
      }
    } else if (fact.type === 'result') {
      const answer = open.get(fact.callId)?.pop()
      if (!answer) continue
      if (forced.get(answer) === 'all') forced.set(fact, 'all')
      else if (pins.has(fact.id)) {
        const calls = forced.get(answer)
        if (calls instanceof Set) calls.add(fact.callId)
        else forced.set(answer, new Set([fact.callId]))
      }
    }
  }
  return forced
}

type Effects = { text: Map<Id, ExcerptLimits>; arguments: Map<Id, ExcerptLimits>; pins: ReadonlySet<Id> }

function effectsOf(standing: readonly EditEntry[]): Effects {
  const effects: Effects = { text: new Map(), arguments: new Map(), pins: pinnedFacts(standing) }
  for (const edit of standing) {
    if (edit.type !== 'shorten') continue
    const limits = { limit: edit.keep, unit: edit.unit, headShare: edit.headShare }
    effects[edit.part === 'arguments' ? 'arguments' : 'text'].set(edit.target, limits)
  }
  return effects
}

function effectOn(fact: FactEntry, effects: Effects, options: ViewOptions, behindCut?: true, calls?: ReadonlySet<string>): Effect | undefined {
  const pinned = effects.pins.size > 0 && effects.pins.has(fact.id)
  const text = pinned ? undefined : effects.text.get(fact.id)
  const args = pinned ? undefined : effects.arguments.get(fact.id)
  const page = fact.type === 'result' && options.pageTools?.has(fact.tool)
  if (!pinned && !text && !args && !page && !behindCut && !calls) return undefined
  return {
    ...(text ? { text } : {}), ...(args ? { arguments: args } : {}), ...(calls ? { calls } : {}),
    ...(pinned ? { pinned } : {}), ...(behindCut ? { behindCut } : {}), ...(page ? { page } : {}),
  }
}

/** The summary as a message of its own in front, or in front of the first question (C2.4). */
function withSummary(messages: ViewMessage[], summary: SummaryEntry): ViewMessage[] {
  if (summary.place === 'first question') {
    const first = messages.findIndex(({ message }) => message.role === 'user')
    const question = messages[first]
    if (question) {
      messages[first] = joined(question, summary)
      return messages
    }
  }
  messages.unshift(ownMessage(summary))
  return messages
}

function ownMessage(summary: SummaryEntry): ViewMessage {
  const known = summaries.get(summary)
  if (known) return known
  const made: ViewMessage = { message: { role: 'user', content: summaryText(summary) }, entry: summary.id, kind: 'summary', pinned: false }
  summaries.set(summary, made)
  return made
}

function joined(question: ViewMessage, summary: SummaryEntry): ViewMessage {
  const known = questions.get(question)
  if (known?.by === summary) return known.view
  const content = summaryText(summary)
  const view: ViewMessage = {
    ...question, summary: { entry: summary.id, content },
    message: { ...question.message, content: beforeQuestion(content, question.message.content) },
  }
  questions.set(question, { by: summary, view })
  return view
}

function withFirstCalls(item: ViewMessage, calls: readonly ToolCall[]): ViewMessage {
  const known = firstCalls.get(item)
  if (known) return known
  const made: ViewMessage = item.message.role === 'assistant' ? { ...item, message: { ...item.message, toolCalls: calls } } : item
  firstCalls.set(item, made)
  return made
}

function missingMessage(call: ToolCall): ViewMessage {
  const known = missing.get(call)
  if (known) return known
  const made: ViewMessage = { message: missingResult(call), entry: null, kind: 'missing', pinned: false }
  missing.set(call, made)
  return made
}

// What a view made once is given again: counters keep their numbers by message object.
const summaries = new WeakMap<SummaryEntry, ViewMessage>()
const questions = new WeakMap<ViewMessage, { by: SummaryEntry; view: ViewMessage }>()
const firstCalls = new WeakMap<ViewMessage, ViewMessage>()
const missing = new WeakMap<ToolCall, ViewMessage>()
