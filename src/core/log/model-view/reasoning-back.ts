/** Which reasoning is sent back to the provider it came from (C12), decided for the messages of a view. Pure. */
import type { ReasoningDetails } from '../message.ts'
import type { ViewMessage } from './view-message.ts'

/** Whose text is sent back; each grade holds the ones before it. */
export const reasoningGrades = ['nothing', 'running turn', 'turns with calls', 'every answer'] as const
export type ReasoningGrade = (typeof reasoningGrades)[number]

/** Which reasoning a provider's model accepts back. One object as long as nothing changes: views are cached by it. */
export type ReasoningBack = {
  readonly text: ReasoningGrade
  /** The mark of the provider and model: details that came from another one are never sent to it. */
  readonly from: string
  /** Details that it did not accept; they are not sent again. */
  readonly refused?: { has(details: ReasoningDetails): boolean }
}

/**
 * For each message whether its reasoning text is due under this grade. A turn begins with a user message; what follows
 * the last one is running, unless all of these are over. The roles and calls of what is sent decide, for that is all a
 * provider sees.
 */
export function reasoningIsDue(
  messages: readonly { readonly role: string; readonly toolCalls?: readonly unknown[] }[],
  grade: ReasoningGrade,
  areOver = false,
): boolean[] {
  const due = messages.map(({ role }) => grade === 'every answer' && role === 'assistant')
  if (grade === 'nothing' || grade === 'every answer') return due
  for (let from = 0, to: number; from < messages.length; from = to) {
    to = from + 1
    while (to < messages.length && messages[to]?.role !== 'user') to++
    const isRunning = to === messages.length && !areOver
    const isDue =
      isRunning ||
      (grade === 'turns with calls' &&
        messages.slice(from, to).some(({ toolCalls }) => toolCalls !== undefined && toolCalls.length > 0))
    if (isDue) for (let at = from; at < to; at++) due[at] = messages[at]?.role === 'assistant'
  }
  return due
}

/**
 * The messages with what goes back of their reasoning: the text where it is due, an empty one where it is gone, and the
 * details where they came from this very model. What nothing is added to stays the same object; so does what was made
 * once.
 */
export function withReasoning(views: readonly ViewMessage[], back: ReasoningBack, areOver = false): ViewMessage[] {
  const due = reasoningIsDue(
    views.map(({ message }) => message),
    back.text,
    areOver,
  )
  return views.map((view, at) => {
    const { reasoning } = view
    const details =
      reasoning?.details?.from === back.from && back.refused?.has(reasoning.details) !== true
        ? reasoning.details
        : undefined
    const text = due[at] ? (reasoning?.text ?? '') : undefined
    return text === undefined && details === undefined ? view : carrying(view, text, details)
  })
}

/** At most four forms of a message: with and without its text, with and without its details. */
function carrying(view: ViewMessage, text: string | undefined, details: ReasoningDetails | undefined): ViewMessage {
  const { message } = view
  if (message.role !== 'assistant') return view
  const form = (text === undefined ? 0 : 1) + (details === undefined ? 0 : 2)
  let forms = made.get(view)
  if (forms === undefined) made.set(view, (forms = []))
  return (forms[form] ??= {
    ...view,
    message: {
      ...message,
      ...(text === undefined ? {} : { reasoning: text }),
      ...(details === undefined ? {} : { details }),
    },
  })
}

/** Counters keep their numbers by message object, so what a view made once is given again. */
const made = new WeakMap<ViewMessage, ViewMessage[]>()

/**
 * The same for a list of turns that are over and may grow: `to` is the end of a turn. Gives one list for one list, with
 * the same positions, so that what was decided and counted once stays so.
 */
export function listWithReasoning(
  items: readonly ViewMessage[],
  to: number,
  back: ReasoningBack,
): readonly ViewMessage[] {
  let byItems = lists.get(back)
  if (byItems === undefined) lists.set(back, (byItems = new WeakMap()))
  let list = byItems.get(items)
  if (list === undefined) byItems.set(items, (list = []))
  if (list.length < to) for (const view of withReasoning(items.slice(list.length, to), back, true)) list.push(view)
  return list
}
const lists = new WeakMap<ReasoningBack, WeakMap<readonly ViewMessage[], ViewMessage[]>>()
