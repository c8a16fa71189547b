/** The effect of a log's edits on the transcript items. Pure. */
import type { Entry, Id } from '../../core/log/entry.ts'
import type { ShownLimit } from './transcript-items.ts'

export type EditOf = Extract<Entry, { group: Id }>

/**
 * The effect of all edits on the items. `border`: facts before this order are out of context; `current`: the summary in
 * use; `summarised`: cuts that have a summary.
 */
export type EditSummary = {
  undone: ReadonlySet<Id>
  pinned: ReadonlySet<Id>
  shortened: ReadonlyMap<Id, ShownLimit>
  border: number
  current: Id | undefined
  summarised: ReadonlySet<Id>
}

/** Reads all edits in order; `orderOf` says how many facts a cut leaves behind it. */
export function summarizeEdits(
  edits: readonly EditOf[],
  orderOf: (cut: Extract<EditOf, { type: 'cut' }>) => number,
): EditSummary {
  const lifted = liftedGroups(edits)
  const pinned = new Set<Id>()
  const shortened = new Map<Id, ShownLimit>()
  const summarised = new Set<Id>()
  let border = 0 // facts before this order are out
  let clear = 0 // the same, by cuts that hide older summaries
  let current: Id | undefined
  for (const edit of edits) {
    if (edit.type === 'summary') summarised.add(edit.of)
    if (lifted.has(edit.group)) continue
    if (edit.type === 'pin') pinned[edit.on ? 'add' : 'delete'](edit.target)
    if (edit.type === 'shorten' && edit.part !== 'arguments')
      shortened.set(edit.target, { keep: edit.keep, unit: edit.unit, path: edit.path })
    if (edit.type === 'cut') {
      const at = orderOf(edit)
      border = Math.max(border, at)
      if (edit.reason === 'clear') {
        clear = Math.max(clear, at)
        current = undefined
      }
    }
    if (edit.type === 'summary') {
      const cut = edits.find(other => other.id === edit.of)
      const hidden = cut?.type === 'cut' && (lifted.has(cut.group) || orderOf(cut) < clear)
      if (!hidden) current = edit.id
    }
  }
  return { undone: lifted, pinned, shortened, border, current, summarised }
}

/** The groups that a standing undo lifts; an undo may itself be undone by a later one. */
function liftedGroups(edits: readonly EditOf[]): Set<Id> {
  const lifted = new Set<Id>()
  for (const edit of edits.toReversed()) if (edit.type === 'undo' && !lifted.has(edit.group)) lifted.add(edit.target)
  return lifted
}
