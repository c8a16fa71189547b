/** Retention policy: what may be removed by age (C10). Pure. */
import type { FactEntry, Id, LogRow } from '../../log/entry.ts'
import { modelView } from '../../log/model-view/model-view.ts'
import { isFact, pathTo } from '../../log/query.ts'
import { utf8Bytes } from '../../text/bytes.ts'

const dayMs = 24 * 60 * 60 * 1000

/** The moment before which a thing is older than so many days. Milliseconds since epoch. */
export function daysBefore(now: number, days: number): number {
  return now - days * dayMs
}

/**
 * Tool results of a chat that are older than `before` (ms since epoch) and may be forgotten: none that the version in
 * view shows, whole or shortened, none that is pinned on whatever branch, none whose text is removed already.
 */
export function removableResults(rows: readonly LogRow[], leaf: Id | null, before: number): FactEntry[] {
  const old = rows.flatMap(({ entry }) =>
    entry.type === 'result' && entry.at < before && entry.gone === undefined && entry.text !== '' ? [entry] : [],
  )
  if (old.length === 0) return []
  const shown = new Set(
    modelView(
      pathTo(
        rows.map(row => row.entry),
        leaf,
      ),
    ).flatMap(({ entry }) => entry ?? []),
  )
  const pinned = pinnedAnywhere(rows)
  return old.filter(({ id }) => !shown.has(id) && !pinned.has(id))
}

/** Whether anything of a chat is pinned: then the chat stays in the list. */
export function hasPins(rows: readonly LogRow[]): boolean {
  return pinnedAnywhere(rows).size > 0
}

/** Bytes of a text, whole. */
export function bytesOfFact(fact: FactEntry): number {
  return fact.rest?.bytes ?? utf8Bytes(fact.text)
}

/** By the newest pin edit of each fact, undone or not and on any branch: in doubt a thing is kept. */
function pinnedAnywhere(rows: readonly LogRow[]): Set<Id> {
  const known = new Set(rows.flatMap(({ entry }) => (isFact(entry) ? [entry.id] : [])))
  const pinned = new Set<Id>()
  for (const { entry } of rows) {
    if (entry.type !== 'pin' || !known.has(entry.target)) continue
    if (entry.on) pinned.add(entry.target)
    else pinned.delete(entry.target)
  }
  return pinned
}
