/** The dialog guide (C6.3): which lines of the archive lie behind a cut. Made by code, never by a model. */
import type { FactEntry, GuideLine, Id, Place } from '../log/entry.ts'

/**
 * For each day on which one of the facts was said: `dialog/<day>.jsonl` with the first and last line number (1-based,
 * inclusive) of these facts in it, days in calendar order. A fact that has no place yet is passed over. Never throws.
 */
export function dialogGuide(facts: readonly FactEntry[], place: (fact: Id) => Place | undefined): GuideLine[] {
  const days = new Map<string, { from: number; to: number }>()
  for (const fact of facts) {
    const at = place(fact.id)
    if (at === undefined) continue
    const known = days.get(at.day)
    if (known === undefined) days.set(at.day, { from: at.line, to: at.line })
    else {
      known.from = Math.min(known.from, at.line)
      known.to = Math.max(known.to, at.line)
    }
  }
  return [...days].sort(([a], [b]) => a < b ? -1 : 1)
    .map(([day, range]) => ({ path: `dialog/${day}.jsonl`, ...range }))
}
