/** What the model is sent (C2): log → messages. Which facts: `sent-facts.ts`; each one: `view-message.ts`. Pure. */
import { standingSummary, type SummaryEntry } from './query.ts'
import { repair } from './repair.ts'
import { beforeQuestion, summaryText } from './view-words.ts'
import { remake, viewState } from './view-state.ts'
import type { ViewOptions } from './sent-facts.ts'
import type { ViewMessage } from './view-message.ts'
import type { Log } from './entry.ts'

export type { ViewOptions } from './sent-facts.ts'
export type { Shortened, ViewMessage } from './view-message.ts'

/**
 * The messages of a request in order, without the system prompt: the summary, then the kept facts as their edits leave
 * them, calls and results repaired. The same log gives the same bytes, and a message that did not change is the same object
 * as last time. Adds no entry; never throws.
 */
export function modelView(log: Log, options: ViewOptions = {}): ViewMessage[] {
  const state = viewState(log, options)
  const legal = [...state.closed, ...repair(state.open, remake)]
  const summary = state.fixedSummary === undefined ? standingSummary(log, state.standing) : state.fixedSummary
  return summary ? withSummary(legal, summary) : legal
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

// What a view made once is given again: counters keep their numbers by message object.
const summaries = new WeakMap<SummaryEntry, ViewMessage>()
const questions = new WeakMap<ViewMessage, { by: SummaryEntry; view: ViewMessage }>()
