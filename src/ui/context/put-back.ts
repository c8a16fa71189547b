/** Puts back what left the window; what would not fit is asked about first. */
import type { PutBackPreview } from '../../core/agent/api/context-api.ts'
import type { Id } from '../../core/log/entry.ts'
import type { AppState } from '../state/app-state.svelte.ts'

/** At once where it fits; else a dialog says so and offers what does. */
export async function putBack(app: AppState, group: Id): Promise<void> {
  const { session } = app
  if (session === undefined) return
  let found: PutBackPreview | undefined
  try {
    found = await session.previewPutBack(group)
  } catch {
    // Undo says itself why it cannot be put back.
  }
  if (found === undefined || found.fits) await session.undo(group)
  else if (app.session === session) app.dialog = { name: 'putBack', chat: session.id, group, found }
}
