/** Joins the parts of an answer in a view into one message. Pure. */
import { continuation } from '../../text/continuation.ts'
import type { ViewMessage } from './view-message.ts'

/** Whether two messages that follow each other are one. */
export function isOneMessage(before: ViewMessage | undefined, after: ViewMessage): boolean {
  return before?.cutOff === true && after.message.role === 'assistant' && after.kind === 'fact' && !after.gone
}

/** Both as the message that is sent: a provider sees one answer, as the person does. */
export function oneMessage(before: ViewMessage, after: ViewMessage): ViewMessage {
  const known = joined.get(after)
  if (known?.to === before) return known.view
  if (before.message.role !== 'assistant' || after.message.role !== 'assistant') return after
  const { cutOff: _cutOff, reasoning: _thoughts, shortened, ...first } = before
  const [one, two] = [before.message, after.message]
  const reasoning = [one.reasoning, two.reasoning].filter(text => text !== undefined && text !== '').join('\n\n')
  const some = shortened ?? after.shortened
  const view: ViewMessage = {
    ...first,
    pinned: before.pinned || after.pinned,
    ...(some === undefined ? {} : { shortened: some }),
    ...(after.cutOff ? { cutOff: true } : {}),
    ...(after.reasoning ? { reasoning: after.reasoning } : {}),
    message: {
      ...two,
      content: one.content + continuation(one.content, two.content),
      ...(one.reasoning === undefined && two.reasoning === undefined ? {} : { reasoning }),
    },
  }
  joined.set(after, { to: before, view })
  return view
}
const joined = new WeakMap<ViewMessage, { to: ViewMessage; view: ViewMessage }>()

/** The messages of a view with each answer whole. */
export function wholeAnswers(views: readonly ViewMessage[]): ViewMessage[] {
  const whole: ViewMessage[] = []
  for (const view of views) {
    const before = whole.at(-1)
    if (before !== undefined && isOneMessage(before, view)) whole[whole.length - 1] = oneMessage(before, view)
    else whole.push(view)
  }
  return whole
}
