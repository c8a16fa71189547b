/** What a version begins with. Pure. */
import type { Entry, Id } from './entry.ts'

/** The type of the first fact from this entry on; undefined where none follows. */
export function firstFact(
  entry: Entry,
  children: ReadonlyMap<Id | null, readonly Entry[]>,
): 'user' | 'assistant' | 'result' | undefined {
  const waiting = [entry]
  for (let steps = 0; waiting.length > 0 && steps < 1_000; steps++) {
    // a bound, because an imported file may hold a ring
    const at = waiting.pop()!
    if (at.type === 'user' || at.type === 'assistant' || at.type === 'result') return at.type
    waiting.push(...(children.get(at.id) ?? []).toReversed())
  }
  return undefined
}
