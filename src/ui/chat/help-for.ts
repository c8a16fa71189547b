/** Which buttons a failure offers. Pure. */
import type { Code } from '../../core/errors.ts'

export type Help = 'reload' | 'retry' | 'models' | 'storage' | 'compact'

/** The most useful one first; none if only another wording or another choice in the chat itself helps. */
export function helpFor(code: Code): Help[] {
  if (code === 'new_version') return ['reload']
  if (code === 'storage_full') return ['storage']
  if (/^(?:bad_input|not_found|denied|busy|storage_)/.test(code)) return []
  const models = /^model_(?!overflow|too_large|rate|server|loading)|^network$|^blocked_address$/.test(code)
  return ['retry', ...(models ? ['models' as const] : []), ...(code === 'model_overflow' ? ['compact' as const] : [])]
}
