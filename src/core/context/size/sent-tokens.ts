/** Tokens of facts as they would be sent whole. Pure. */
import type { Counter } from '../../log/counter.ts'
import type { FactEntry } from '../../log/entry.ts'
import { viewMessage } from '../../log/model-view/view-message.ts'

/** Their sum; each is counted once and remembered. */
export function sentTokens(facts: readonly FactEntry[], counter: Counter): number {
  let tokens = 0
  for (const fact of facts) {
    const view = viewMessage(fact)
    if (view !== null) tokens += counter.message(view.message)
  }
  return tokens
}
