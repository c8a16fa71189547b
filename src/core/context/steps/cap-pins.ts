/** Pins are always sent, so they may not fill the window: what is above the cap is unpinned, and the person is told. */
import { requestSize, type RequestEnv } from '../size/measure.ts'
import { editState, wasUndone } from '../view/edit-state.ts'
import type { EntryDraft, Step } from '../strategy.ts'
import type { Log } from '../../log/entry.ts'

/** Share of the window that pinned messages may have. */
const pinShare = 0.2

/** Most tokens that pinned messages may have in this window. */
export function pinCap(contextWindow: number): number {
  return Math.floor(pinShare * contextWindow)
}

/** Tokens of what is pinned now. */
export function pinnedTokens(log: Log, env: RequestEnv): number {
  let tokens = 0
  for (const { view, tokens: own, summary } of requestSize(log, env).parts) if (view.pinned) tokens += own - summary
  return tokens
}

/** While pins have more than their share, the largest is unpinned; one group, one note, can be undone. */
export const capPins: Step = (log, env) => {
  if (editState(log).pinned.size === 0) return []
  const pinned = requestSize(log, env).parts.filter(({ view }) => view.pinned)
  const cap = pinCap(env.contextWindow)
  let tokens = pinnedTokens(log, env)
  const drafts: EntryDraft[] = []
  for (const { view, tokens: own } of pinned.toSorted((a, b) => b.tokens - a.tokens)) {
    if (tokens <= cap) break
    if (view.entry === null) continue
    const edit = { type: 'pin', group: env.group, target: view.entry, on: false } as const
    if (wasUndone(log, edit)) continue
    drafts.push(edit)
    tokens -= own
  }
  if (drafts.length === 0) return []
  return [
    ...drafts,
    {
      type: 'note',
      code: 'pins_capped',
      tokens: cap,
      data: { unpinned: drafts.length },
      text: `Pinned messages may have ${cap} tokens, a fifth of the window: ${drafts.length} of them ${drafts.length === 1 ? 'is' : 'are'} pinned no more.`,
    },
  ]
}
