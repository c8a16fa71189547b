/** Cuts that still need a summary, and the facts that it has to cover. Pure. */
import type { FactEntry, Log } from '../../log/entry.ts'
import { cutsOwingSummary, positions, type CutEntry } from '../../log/query.ts'
import { factsHiddenBy } from './cut-range.ts'
import { editState } from '../view/edit-state.ts'

/** Cuts without a summary whose facts no newer summary covers, oldest first (C6.6). */
export function pendingSummaries(log: Log): CutEntry[] {
  const cuts = cutsOwingSummary(log)
  if (cuts.length === 0) return cuts
  const summaries = editState(log).edits.filter(edit => edit.type === 'summary')
  if (summaries.length === 0) return cuts
  const at = positions(
    log,
    new Set([...summaries.flatMap(({ of, covers }) => [of, covers.first]), ...cuts.map(cut => cut.id)]),
  )
  return cuts.filter(cut => {
    const own = at.get(cut.id) ?? 0
    const first = factsHiddenBy(log, cut)[0]
    if (first === undefined) return true
    const start = positions(log, new Set([first.id])).get(first.id) ?? 0
    return !summaries.some(({ of, covers }) => (at.get(of) ?? -1) > own && (at.get(covers.first) ?? Infinity) <= start)
  })
}

/**
 * Facts of cuts that still need a summary: a new summary has to cover them, or they would be lost from all summaries.
 */
export function unsummarizedFacts(log: Log): FactEntry[] {
  return pendingSummaries(log).flatMap(cut => factsHiddenBy(log, cut))
}
