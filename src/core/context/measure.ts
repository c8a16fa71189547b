/** How large the request is that would be sent now, and what it is made of. Meter, steps and replay read the same number. Pure. */
import type { Counter } from '../log/counter.ts'
import type { Entry, FactEntry, Id, Log } from '../log/entry.ts'
import type { ToolSchema } from '../log/message.ts'
import { indexOf } from '../log/log-index.ts'
import { modelView, type ViewMessage } from '../log/model-view.ts'
import { isFact } from '../log/query.ts'
import { cutPoint, type Weighed } from './cut-point.ts'
import type { Strategy, StepEnv } from './strategy.ts'

/** What is needed to know a request. */
export type RequestEnv = Pick<StepEnv, 'counter' | 'system' | 'tools' | 'view'>

/**
 * A message with its size and its fact. `summary`: tokens of the summary that stands in front of this question (C2.4).
 * `length`: code units of the fact's text, more than any limit where its entry does not keep all of it.
 */
export type Part = { view: ViewMessage; tokens: number; summary: number; fact: FactEntry | null; isResult: boolean; length: number; weighed: Weighed; entry: Id | null; behindCut: boolean }

/** Tokens (C1.5); `total` is the number that decides. */
export type RequestSize = { system: number; tools: number; summary: number; messages: number; total: number; parts: readonly Part[]; results: readonly Part[] }

/** The size of the request that this log would make. Counts each message once; asking again about the same log costs nothing. */
export function requestSize(log: Log, env: RequestEnv): RequestSize {
  const known = sizes.get(log)
  if (known !== undefined && known.env.counter === env.counter && known.env.system === env.system && known.env.tools === env.tools
    && known.env.view === env.view) return known.size
  const { counter } = env
  const views = modelView(log, env.view)
  const before = countedBefore(log, counter)
  // A view gives the same object for what did not change: nearly all of a long chat is known by its place.
  let same = 0
  if (before !== undefined) while (same < before.views.length && before.views[same] === views[same]) same++
  const goesOn = before !== undefined && same === before.views.length
  let { summary, messages } = goesOn ? before : { summary: 0, messages: 0 }
  const parts = before?.parts.slice(0, same) ?? []
  const results = goesOn ? before.results.slice() : [] // in view and behind no cut, oldest first
  for (let at = goesOn ? same : 0; at < views.length; at++) {
    const part = at < same ? parts[at]! : counted(views[at]!, counter, log)
    if (at >= same) parts.push(part)
    summary += part.summary
    messages += part.tokens - part.summary
    if (part.isResult) results.push(part)
  }
  remember(log, { counter, views, parts, results, summary, messages })
  const system = textTokens(counter, env.system)
  const tools = toolTokens(counter, env.tools)
  const size = { system, tools, summary, messages, total: system + tools + summary + messages, parts, results }
  sizes.set(log, { env, size })
  return size
}

/** The facts that a cut may fall among, as `cutPoint` takes them, each with its id; what a cut cannot move is left out. */
export function weighedFacts(size: RequestSize): { facts: Weighed[]; ids: (Id | null)[] } {
  const facts: Weighed[] = []
  const ids: (Id | null)[] = []
  const add = ({ weighed, entry }: Part) => {
    facts.push(weighed)
    ids.push(entry)
  }
  let question: Part | undefined
  for (const part of size.parts) {
    if (part.behindCut) {
      if (part.weighed.type === 'user') question = part
      continue
    }
    // A cut inside a turn pinned its question: it belongs to the steps that follow.
    if (facts.length === 0) {
      if (part.view.kind === 'summary') continue
      if (part.weighed.type !== 'user' && question !== undefined) add(question)
    }
    add(part)
  }
  return { facts, ids }
}

export type Zone = 'system' | 'tools' | 'summary' | 'compactable' | 'reserved' | 'free'
export type Item = {
  entry: Id | null
  kind: 'system' | 'tools' | 'summary' | 'user' | 'assistant' | 'result'
  tokens: number
  zone: Zone
  view?: ViewMessage   // of a message
}

export type Measured = {
  window: number                 // W, tokens
  size: RequestSize
  threshold: number | undefined  // tokens from which on it compacts
  zones: Record<Zone, number>    // tokens
  items: readonly Item[]         // in order of the request; the summary apart also where it stands in front of a question
  largest: readonly Item[]       // up to three
  roles: { user: number; assistant: number; tool: number }
  turns: number
  characters: number             // code units of all contents
}

/** All that the meter and `/context` say about the request that this log would make. */
export function measure(log: Log, env: RequestEnv & Pick<StepEnv, 'contextWindow' | 'local'>, strategy: Pick<Strategy, 'threshold' | 'reserve'>): Measured {
  const size = requestSize(log, env)
  const window = env.contextWindow
  const { facts, ids } = weighedFacts(size)
  const cut = cutPoint(facts, strategy.reserve(window))
  const leaving = new Set(cut === null ? [] : ids.slice(0, cut.before).filter((id, at) => id !== null && at !== cut.pin))
  const items: Item[] = [
    { entry: null, kind: 'system', tokens: size.system, zone: 'system' },
    { entry: null, kind: 'tools', tokens: size.tools, zone: 'tools' },
  ]
  const roles = { user: 0, assistant: 0, tool: 0 }
  let characters = env.system.length
  for (const { view, tokens, summary } of size.parts) {
    characters += view.message.content.length
    roles[view.message.role] += 1
    if (summary > 0) items.push({ entry: view.kind === 'summary' ? view.entry : view.summary?.entry ?? null, kind: 'summary', tokens: summary, zone: 'summary', view })
    if (view.kind === 'summary') continue
    const kind = view.message.role === 'tool' ? 'result' : view.message.role
    const zone = view.entry !== null && leaving.has(view.entry) && !view.pinned ? 'compactable' : 'reserved'
    items.push({ entry: view.entry, kind, tokens: tokens - summary, zone, view })
  }
  const zones: Record<Zone, number> = { system: 0, tools: 0, summary: 0, compactable: 0, reserved: 0, free: Math.max(0, window - size.total) }
  for (const item of items) zones[item.zone] += item.tokens
  return {
    window, size, zones, items, roles, characters,
    threshold: strategy.threshold(window, env.local),
    largest: items.toSorted((a, b) => b.tokens - a.tokens).slice(0, 3).filter(item => item.tokens > 0),
    turns: size.parts.filter(({ view }) => view.kind === 'fact' && view.message.role === 'user').length,
  }
}

function weighed(view: ViewMessage, tokens: number): Weighed {
  const { message } = view
  switch (message.role) {
    case 'user': return { type: 'user', tokens }
    case 'assistant': return { type: 'assistant', tokens, calls: message.toolCalls?.map(call => call.id) ?? noCalls }
    case 'tool': return { type: 'result', tokens, callId: message.toolCallId }
    default: return message satisfies never
  }
}

function counted(view: ViewMessage, counter: Counter, log: Log): Part {
  const tokens = counter.message(view.message)
  const inFront = view.kind === 'summary' ? tokens : view.summary === undefined ? 0 : Math.min(tokens, textTokens(counter, view.summary.content))
  const fact = view.kind === 'fact' && view.entry !== null ? factOf(log, view.entry) : null
  return {
    view, tokens, summary: inFront, fact, isResult: fact?.type === 'result' && view.behindCut !== true,
    length: fact === null ? 0 : fact.rest === undefined ? fact.text.length : Infinity,
    weighed: weighed(view, tokens - inFront), entry: view.entry, behindCut: view.behindCut === true,
  }
}

const noCalls: readonly string[] = []
const sizes = new WeakMap<Log, { env: RequestEnv; size: RequestSize }>()

function factOf(log: Log, id: Id): FactEntry | null {
  const { at, twice } = indexOf(log)
  const entry = twice.has(id) ? log.find(one => one.id === id && isFact(one)) : log[at.get(id) ?? -1]
  return entry !== undefined && isFact(entry) ? entry : null
}

/** The parts of the last request of a chat, by the counter that counted them; a chat is known by its first entry. */
type Counted = { counter: Counter; views: readonly ViewMessage[]; parts: readonly Part[]; results: readonly Part[]; summary: number; messages: number }
const lastParts = new WeakMap<Entry, Counted[]>()
const keptCounters = 3 // that of the strategy, the one of the guard, one of a preview

function countedBefore(log: Log, counter: Counter): Counted | undefined {
  return log[0] && lastParts.get(log[0])?.find(last => last.counter === counter)
}

function remember(log: Log, counted: Counted): void {
  if (log[0] === undefined) return
  const others = lastParts.get(log[0])?.filter(last => last.counter !== counted.counter) ?? []
  lastParts.set(log[0], [counted, ...others.slice(0, keptCounters - 1)])
}

/** Few texts are counted again and again: the system prompt and the summary in front of a question. */
const texts = new WeakMap<Counter, Map<string, number>>()
const keptTexts = 8

function textTokens(counter: Counter, text: string): number {
  let known = texts.get(counter)
  if (known === undefined) texts.set(counter, known = new Map())
  let tokens = known.get(text)
  if (tokens === undefined) {
    tokens = counter.text(text)
    if (known.size >= keptTexts) known.clear()
    known.set(text, tokens)
  }
  return tokens
}

function toolTokens(counter: Counter, tools: readonly ToolSchema[]): number {
  return tools.length === 0 ? 0 : textTokens(counter, JSON.stringify(tools))
}
