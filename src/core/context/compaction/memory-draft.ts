/** Makes a memory note of the day from a summary (C6.7). Pure. */
import type { Id, Log } from '../../log/entry.ts'
import { editState } from '../view/edit-state.ts'
import type { EntryDraft } from '../strategy.ts'

/**
 * `log`: what stood before the cut. A summary tells nothing from before a clear, so the note names the clear that it
 * begins at.
 */
export function memoryDraft(log: Log, text: string, made: { cut: Id } | { reason: 'overflow' }): EntryDraft {
  const clear = editState(log).edits.findLast(edit => edit.type === 'cut' && edit.reason === 'clear')
  return { type: 'memory', text, ...made, ...(clear && { since: clear.id }) }
}
