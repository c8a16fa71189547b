/** Moving by message: the focus goes to the one before or behind, across tool calls and notes. */
import type { Id } from '../../core/log/entry.ts'
import type { Route } from '../browser/route.ts'
import type { TranscriptItem } from '../transcript/transcript-items.ts'

type Chat = { readonly items: readonly TranscriptItem[]; jump: { entry: Id } | null }

/** So long the focus may take to follow a step, in which the next step goes on from there. Unit: ms. */
const followsMs = 1_500

/** The message beside the row of this key; without a row the newest, for a step back. */
export function messageBeside(
  items: readonly TranscriptItem[],
  key: string | undefined,
  by: 1 | -1,
): TranscriptItem | undefined {
  const known = key === undefined ? -1 : items.findIndex(item => item.key === key)
  if (known === -1 && by === 1) return undefined
  for (let at = known === -1 ? items.length - 1 : known + by; at >= 0 && at < items.length; at += by) {
    const { type } = items[at]!
    if (type === 'user' || type === 'assistant' || type === 'summary') return items[at]
  }
  return undefined
}

export class MessageSteps {
  #last: { key: string; at: number /* ms */ } | undefined

  /** Goes there. Answers false behind the newest message, where the message box follows. */
  go({ session, route }: { session: Chat | undefined; route: Route }, by: 1 | -1): boolean {
    if (session === undefined || route.page !== 'chat' || document.querySelector('dialog[open]') !== null) return true
    const row = document.activeElement?.closest<HTMLElement>('[role="log"] [data-key]')?.dataset['key']
    const last = this.#last !== undefined && performance.now() - this.#last.at < followsMs ? this.#last.key : undefined
    const next = messageBeside(session.items, last ?? row, by)
    this.#last = next && { key: next.key, at: performance.now() }
    if (next !== undefined) session.jump = { entry: next.entry }
    return next !== undefined || by === -1
  }
}
