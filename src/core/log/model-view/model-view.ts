/** What the model is sent (C2): log → messages. Which facts: `sent-facts.ts`; each one: `view-message.ts`. Pure. */
import { effectiveSummary, type SummaryEntry } from '../query.ts'
import { listWithReasoning, withReasoning, type ReasoningBack } from './reasoning-back.ts'
import { repair } from './repair.ts'
import { beforeQuestion, summaryMessageText } from './view-texts.ts'
import { remake, viewState, type MessageSpan } from './view-state.ts'
import type { ViewOptions } from './sent-facts.ts'
import type { ViewMessage } from './view-message.ts'
import type { Log } from '../entry.ts'

export type { ViewOptions } from './sent-facts.ts'
export type { ShortenedInfo, ViewMessage } from './view-message.ts'
export type { MessageSpan } from './view-state.ts'

/** A view in pieces, for counting: closed turns are shared by the successive views of a growing chat. In this order. */
export type ViewPieces = {
  /** The summary as a message of its own. */
  readonly summary?: ViewMessage
  readonly front: readonly ViewMessage[]
  readonly closed: MessageSpan
  readonly open: readonly ViewMessage[]
  /** A question with the summary in front of it, in place of the message `at` of these (C2.4). */
  readonly joined?: { readonly at: number; readonly view: ViewMessage }
}

/** What `modelView` gives, in pieces. */
export function viewPieces(log: Log, options: ViewOptions = {}): ViewPieces {
  const pieces = plainPieces(log, options)
  return options.reasoning === undefined ? pieces : reasoningPieces(pieces, options.reasoning)
}

/** Adds the reasoning that is sent back. If a cut left only a part of a turn at the front, that part decides. */
function reasoningPieces(pieces: ViewPieces, back: ReasoningBack): ViewPieces {
  const {
    front,
    closed: { items, from, to },
    open,
  } = pieces
  let start = from
  while (start < to && items[start]?.message.role !== 'user') start++
  const before = [...front, ...items.slice(from, start)]
  if (start < to)
    return {
      ...pieces,
      front: withReasoning(before, back, true),
      closed: { items: listWithReasoning(items, to, back), from: start, to },
      open: withReasoning(open, back),
    }
  const all = withReasoning([...before, ...open], back)
  return {
    ...pieces,
    front: all.slice(0, before.length),
    closed: { items: [], from: 0, to: 0 },
    open: all.slice(before.length),
  }
}

function plainPieces(log: Log, options: ViewOptions): ViewPieces {
  const state = viewState(log, options)
  const pieces = { front: state.front, closed: state.closed, open: repair(state.open, remake) }
  const summary = state.fixedSummary === undefined ? effectiveSummary(log, state.effectiveEdits) : state.fixedSummary
  if (!summary) return pieces
  const question = summary.place === 'first question' ? firstQuestion(pieces) : undefined
  return question
    ? { ...pieces, joined: { at: question.at, view: joined(question.view, summary) } }
    : { ...pieces, summary: ownMessage(summary) }
}

/**
 * The messages of a request in order, without the system prompt: the summary, then the kept facts as their edits leave
 * them, calls and results repaired. The same log gives the same bytes, and a message that did not change is the same
 * object as last time. Adds no entry; never throws.
 */
export function modelView(log: Log, options: ViewOptions = {}): ViewMessage[] {
  const { summary, front, closed, open, joined } = viewPieces(log, options)
  const messages = (summary ? [summary, ...front] : front).concat(closed.items.slice(closed.from, closed.to), open)
  if (joined) messages[joined.at] = joined.view
  return messages
}

function firstQuestion({ front, closed, open }: ViewPieces): { at: number; view: ViewMessage } | undefined {
  let at = 0
  for (const view of front) {
    if (view.message.role === 'user') return { at, view }
    at++
  }
  for (let i = closed.from; i < closed.to; i++, at++) {
    const view = closed.items[i]
    if (view?.message.role === 'user') return { at, view }
  }
  for (const view of open) {
    if (view.message.role === 'user') return { at, view }
    at++
  }
  return undefined
}

function ownMessage(summary: SummaryEntry): ViewMessage {
  const known = summaries.get(summary)
  if (known) return known
  const made: ViewMessage = {
    message: { role: 'user', content: summaryMessageText(summary) },
    entry: summary.id,
    kind: 'summary',
    pinned: false,
  }
  summaries.set(summary, made)
  return made
}

function joined(question: ViewMessage, summary: SummaryEntry): ViewMessage {
  const known = questions.get(question)
  if (known?.by === summary) return known.view
  const content = summaryMessageText(summary)
  const view: ViewMessage = {
    ...question,
    summary: { entry: summary.id, content },
    message: { ...question.message, content: beforeQuestion(content, question.message.content) },
  }
  questions.set(question, { by: summary, view })
  return view
}

// What a view made once is given again: counters keep their numbers by message object.
const summaries = new WeakMap<SummaryEntry, ViewMessage>()
const questions = new WeakMap<ViewMessage, { by: SummaryEntry; view: ViewMessage }>()
