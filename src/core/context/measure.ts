/** How large the request is that would be sent now, and what it is made of. Meter, steps and replay read the same number. Pure. */
import type { Counter } from '../log/counter.ts'
import type { Id, Log } from '../log/entry.ts'
import type { ToolSchema } from '../log/message.ts'
import { modelView, type ViewMessage } from '../log/model-view.ts'
import { cutPoint, type Weighed } from './cut-point.ts'
import type { Strategy, StepEnv } from './strategy.ts'

/** What is needed to know a request. */
export type RequestEnv = Pick<StepEnv, 'counter' | 'system' | 'tools' | 'view'>

/** A message with its size. `summary`: tokens of the summary that stands in front of this question (C2.4). */
export type Part = { view: ViewMessage; tokens: number; summary: number }

/** Tokens (C1.5); `total` is the number that decides. */
export type RequestSize = { system: number; tools: number; summary: number; messages: number; total: number; parts: readonly Part[] }

/** The size of the request that this log would make. Counts each message once; asking again about the same log costs nothing. */
export function requestSize(log: Log, env: RequestEnv): RequestSize {
  const known = sizes.get(log)
  if (known !== undefined && known.env.counter === env.counter && known.env.system === env.system && known.env.tools === env.tools
    && known.env.view === env.view) return known.size
  const { counter } = env
  let summary = 0
  let messages = 0
  const parts = modelView(log, env.view).map((view): Part => {
    const tokens = counter.message(view.message)
    const inFront = view.kind === 'summary' ? tokens : view.summary === undefined ? 0 : Math.min(tokens, textTokens(counter, view.summary.content))
    summary += inFront
    messages += tokens - inFront
    return { view, tokens, summary: inFront }
  })
  const system = textTokens(counter, env.system)
  const tools = toolTokens(counter, env.tools)
  const size = { system, tools, summary, messages, total: system + tools + summary + messages, parts }
  sizes.set(log, { env, size })
  return size
}

/** The facts that a cut may fall among, as `cutPoint` takes them, each with its id; what a cut cannot move is left out. */
export function weighedFacts(size: RequestSize): { facts: Weighed[]; ids: (Id | null)[] } {
  const facts: Weighed[] = []
  const ids: (Id | null)[] = []
  const add = ({ view, tokens, summary }: Part) => {
    facts.push(weighed(view, tokens - summary))
    ids.push(view.entry)
  }
  let question: Part | undefined
  for (const part of size.parts) {
    const { view } = part
    if (view.kind === 'summary') continue
    if (view.behindCut) {
      if (view.message.role === 'user') question = part
      continue
    }
    // A cut inside a turn pinned its question: it belongs to the steps that follow.
    if (facts.length === 0 && view.message.role !== 'user' && question !== undefined) add(question)
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

const noCalls: readonly string[] = []
const sizes = new WeakMap<Log, { env: RequestEnv; size: RequestSize }>()

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
