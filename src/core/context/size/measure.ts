/** The size of the request that would be sent now, and its parts. Meter, steps and replay use the same number. Pure. */
import type { Counter } from '../../log/counter.ts'
import type { FactEntry, Id, Log } from '../../log/entry.ts'
import type { ToolSchema } from '../../log/message.ts'
import { logIndex } from '../../log/log-index.ts'
import { viewPieces, type MessageSpan, type ViewMessage } from '../../log/model-view/model-view.ts'
import { isFact } from '../../log/query.ts'
import { beforeQuestion } from '../../log/model-view/view-texts.ts'
import { isOneMessage } from '../../log/model-view/whole-answers.ts'
import { cutPoint, type WeighedFact } from './cut-point.ts'
import type { Strategy, StepEnv } from '../strategy.ts'

/** What determines a request. */
export type RequestEnv = Pick<StepEnv, 'counter' | 'system' | 'tools' | 'view'>

/**
 * A message with its size and its fact. `summary`: tokens of the summary that stands in front of this question (C2.4).
 * `length`: code units of the fact's text, more than any limit where its entry does not keep all of it.
 */
export type CountedMessage = {
  view: ViewMessage
  tokens: number
  summary: number
  fact: FactEntry | null
  isResult: boolean
  length: number
  weighed: WeighedFact
  entry: Id | null
  behindCut: boolean
}

/** Tokens (C1.5); `total` is the number that decides. */
export type RequestSize = {
  system: number
  tools: number
  summary: number
  messages: number
  total: number
  parts: readonly CountedMessage[]
  results: readonly CountedMessage[]
}

/**
 * The size of the request that this log would make. Counts each message once; asking again about the same log costs
 * nothing.
 */
export function requestSize(log: Log, env: RequestEnv): RequestSize {
  const known = sizes.get(log)
  if (
    known !== undefined &&
    known.env.counter === env.counter &&
    known.env.system === env.system &&
    known.env.tools === env.tools &&
    known.env.view === env.view
  )
    return known.size
  const { counter } = env
  const pieces = viewPieces(log, env.view)
  const { closed, joined } = pieces
  const part = (view: ViewMessage): CountedMessage => partOf(view, counter, log)
  const front = [...(pieces.summary ? [pieces.summary] : []), ...pieces.front].map(part)
  const over = countedList(closed, counter, log)
  const open = pieces.open.map(part)
  let { summary, tokens } = [...front, ...open].reduce(
    (sum, one) => ({ summary: sum.summary + one.summary, tokens: sum.tokens + one.tokens }),
    { summary: 0, tokens: 0 },
  )
  tokens += (over.tokensBefore[closed.to] ?? 0) - (over.tokensBefore[closed.from] ?? 0)
  const first = joined && part(joined.view)
  if (first) {
    const behindFront = joined.at - front.length
    const behindClosed = behindFront - (closed.to - closed.from)
    const plain =
      behindFront < 0 ? front[joined.at] : behindClosed < 0 ? over.parts[closed.from + behindFront] : open[behindClosed]
    summary += first.summary
    tokens += first.tokens - (plain?.tokens ?? 0)
  }
  const system = textTokens(counter, env.system)
  const tools = toolTokens(counter, env.tools)
  let parts: CountedMessage[] | undefined
  let results: CountedMessage[] | undefined
  const size: RequestSize = {
    system,
    tools,
    summary,
    messages: tokens - summary,
    total: system + tools + tokens,
    // Made when asked for: most calls change nothing and need the numbers alone.
    get parts() {
      if (parts) return parts
      parts = front.concat(over.parts.slice(closed.from, closed.to), open)
      if (first && joined) parts[joined.at] = first
      return parts
    },
    get results() {
      return (results ??= front
        .filter(isResult)
        .concat(
          over.results.slice(over.resultsBefore[closed.from], over.resultsBefore[closed.to]),
          open.filter(isResult),
        ))
    },
  }
  sizes.set(log, { env, size })
  return size
}

/**
 * The facts that a cut may fall among, as `cutPoint` takes them, each with its id; what a cut cannot move is left out.
 */
export function weighedFacts(size: RequestSize): { facts: WeighedFact[]; ids: (Id | null)[] } {
  const facts: WeighedFact[] = []
  const ids: (Id | null)[] = []
  let before: ViewMessage | undefined
  const add = ({ weighed, entry, view }: CountedMessage) => {
    facts.push(weighed.type === 'assistant' && isOneMessage(before, view) ? { ...weighed, goesOn: true } : weighed)
    ids.push(entry)
    before = view
  }
  let question: CountedMessage | undefined
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
export type MeasuredItem = {
  entry: Id | null
  kind: 'system' | 'tools' | 'summary' | 'user' | 'assistant' | 'result'
  tokens: number
  zone: Zone
  view?: ViewMessage // of a message
}

export type ContextMeasure = {
  window: number // W, tokens
  size: RequestSize
  threshold: number | undefined // tokens from which on it compacts
  zones: Record<Zone, number> // tokens
  reserve: number // tokens of the newest messages that a compaction by itself would keep
  // in order of the request; the summary apart also where it stands in front of a question
  items: readonly MeasuredItem[]
  largest: readonly MeasuredItem[] // up to three
  messages: number // facts in view; no summary is one, and no stand-in for a result that never came
  roles: { user: number; assistant: number; tool: number } // of these
  turns: number
  characters: number // code units of the contents of messages, as they are shown
}

/** Everything that the meter and `/context` show about the request that this log would make. */
export function measure(
  log: Log,
  env: RequestEnv & Pick<StepEnv, 'contextWindow' | 'local'>,
  strategy: Pick<Strategy, 'threshold' | 'reserve' | 'keepsTurns'>,
): ContextMeasure {
  const size = requestSize(log, env)
  const window = env.contextWindow
  const { facts, ids } = weighedFacts(size)
  const cut =
    strategy.keepsTurns === undefined
      ? cutPoint(facts, strategy.reserve(window))
      : cutByTurns(facts, strategy.keepsTurns)
  const leaving = new Set(
    cut === null ? [] : ids.slice(0, cut.before).filter((id, at) => id !== null && at !== cut.pin),
  )
  const items: MeasuredItem[] = [
    { entry: null, kind: 'system', tokens: size.system, zone: 'system' },
    { entry: null, kind: 'tools', tokens: size.tools, zone: 'tools' },
  ]
  const roles = { user: 0, assistant: 0, tool: 0 }
  let characters = 0
  let messages = 0
  for (const { view, tokens, summary } of size.parts) {
    if (summary > 0)
      items.push({
        entry: view.kind === 'summary' ? view.entry : (view.summary?.entry ?? null),
        kind: 'summary',
        tokens: summary,
        zone: 'summary',
        view,
      })
    if (view.kind === 'summary') continue
    if (view.kind === 'fact') {
      messages += 1
      roles[view.message.role] += 1
    }
    characters +=
      view.message.content.length - (view.summary === undefined ? 0 : beforeQuestion(view.summary.content, '').length)
    const kind = view.message.role === 'tool' ? 'result' : view.message.role
    const zone = view.entry !== null && leaving.has(view.entry) && !view.pinned ? 'compactable' : 'reserved'
    items.push({ entry: view.entry, kind, tokens: tokens - summary, zone, view })
  }
  const zones: Record<Zone, number> = {
    system: 0,
    tools: 0,
    summary: 0,
    compactable: 0,
    reserved: 0,
    free: Math.max(0, window - size.total),
  }
  for (const item of items) zones[item.zone] += item.tokens
  return {
    window,
    size,
    zones,
    reserve:
      strategy.keepsTurns === undefined
        ? strategy.reserve(window)
        : facts.slice(cut?.before ?? 0).reduce((sum, fact) => sum + fact.tokens, 0),
    items,
    messages,
    roles,
    characters,
    threshold: strategy.threshold(window, env.local),
    largest: items
      .toSorted((a, b) => b.tokens - a.tokens)
      .slice(0, 3)
      .filter(item => item.tokens > 0),
    turns: roles.user,
  }
}

/** Before the oldest turn that is kept. */
function cutByTurns(facts: readonly WeighedFact[], keeps: (turns: number) => number): ReturnType<typeof cutPoint> {
  const questions = facts.flatMap(({ type }, at) => (type === 'user' ? [at] : []))
  const kept = keeps(questions.length)
  return kept >= questions.length
    ? null
    : { before: kept === 0 ? facts.length : questions[questions.length - kept]!, pin: null }
}

function weighed(view: ViewMessage, tokens: number): WeighedFact {
  const { message } = view
  switch (message.role) {
    case 'user':
      return { type: 'user', tokens }
    case 'assistant':
      return { type: 'assistant', tokens, calls: message.toolCalls?.map(call => call.id) ?? noCalls }
    case 'tool':
      return { type: 'result', tokens, callId: message.toolCallId }
    default:
      return message satisfies never
  }
}

/** Kept by message and counter: a view gives the same object for what did not change. */
function partOf(view: ViewMessage, counter: Counter, log: Log): CountedMessage {
  const { parts } = countCacheOf(counter)
  let part = parts.get(view)
  if (part === undefined) parts.set(view, (part = counted(view, counter, log)))
  return part
}

/** A list of messages, counted; `…Before[i]`: sum of what stands in front of message i. Grows with its list. */
type CountedList = {
  parts: CountedMessage[]
  results: CountedMessage[]
  tokensBefore: number[]
  resultsBefore: number[]
}
type CountCache = { parts: WeakMap<ViewMessage, CountedMessage>; lists: WeakMap<readonly ViewMessage[], CountedList> }
const countCaches = new WeakMap<Counter, CountCache>()

function countCacheOf(counter: Counter): CountCache {
  let known = countCaches.get(counter)
  if (known === undefined) countCaches.set(counter, (known = { parts: new WeakMap(), lists: new WeakMap() }))
  return known
}

function countedList({ items, to }: MessageSpan, counter: Counter, log: Log): CountedList {
  const { lists } = countCacheOf(counter)
  let list = lists.get(items)
  if (list === undefined) lists.set(items, (list = { parts: [], results: [], tokensBefore: [0], resultsBefore: [0] }))
  const { parts, results, tokensBefore, resultsBefore } = list
  for (let at = parts.length; at < to; at++) {
    const part = partOf(items[at]!, counter, log)
    parts.push(part)
    tokensBefore.push(tokensBefore[at]! + part.tokens)
    if (part.isResult) results.push(part)
    resultsBefore.push(results.length)
  }
  return list
}

function isResult(part: CountedMessage): boolean {
  return part.isResult
}

function counted(view: ViewMessage, counter: Counter, log: Log): CountedMessage {
  const tokens = counter.message(view.message)
  const inFront =
    view.kind === 'summary'
      ? tokens
      : view.summary === undefined
        ? 0
        : Math.min(tokens, textTokens(counter, view.summary.content))
  const fact = view.kind === 'fact' && view.entry !== null ? factOf(log, view.entry) : null
  return {
    view,
    tokens,
    summary: inFront,
    fact,
    isResult: fact?.type === 'result' && view.behindCut !== true,
    length: fact === null ? 0 : fact.rest === undefined ? fact.text.length : Infinity,
    weighed: weighed(view, tokens - inFront),
    entry: view.entry,
    behindCut: view.behindCut === true,
  }
}

const noCalls: readonly string[] = []
const sizes = new WeakMap<Log, { env: RequestEnv; size: RequestSize }>()

function factOf(log: Log, id: Id): FactEntry | null {
  const { positions, duplicateIds } = logIndex(log)
  const entry = duplicateIds.has(id) ? log.find(one => one.id === id && isFact(one)) : log[positions.get(id) ?? -1]
  return entry !== undefined && isFact(entry) ? entry : null
}

/** Few texts are counted repeatedly: the system prompt, and the summary before a question. */
const texts = new WeakMap<Counter, Map<string, number>>()
const textsPerCounter = 8

function textTokens(counter: Counter, text: string): number {
  let known = texts.get(counter)
  if (known === undefined) texts.set(counter, (known = new Map()))
  let tokens = known.get(text)
  if (tokens === undefined) {
    tokens = counter.text(text)
    if (known.size >= textsPerCounter) known.clear()
    known.set(text, tokens)
  }
  return tokens
}

function toolTokens(counter: Counter, tools: readonly ToolSchema[]): number {
  return tools.length === 0 ? 0 : textTokens(counter, JSON.stringify(tools))
}
