/** Puts back what left the window; what would not fit is asked about first. */
import type { PutBackPreview } from '../../core/agent/api/context-api.ts'
import type { Id } from '../../core/log/entry.ts'
import type { AppState } from './app-state.svelte.ts'

/**
 * At once where it fits; else a dialog says so and offers what does. `newest`: as Undo, which Redo lifts, not as an act
 * of its own. Answers whether it was done at once.
 */
export async function putBack(app: AppState, group: Id, newest = false): Promise<boolean> {
  const { session } = app
  if (session === undefined) return false
  let found: PutBackPreview | undefined
  try {
    found = await session.previewPutBack(group)
  } catch {
    // Undo says itself why it cannot be put back.
  }
  if (found === undefined || found.fits) return session.undo(newest ? undefined : group)
  if (app.session === session) app.dialog = { name: 'putBack', chat: session.id, group, newest, found }
  return false
}
