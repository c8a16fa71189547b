/** A long paste → a text that is attached. */
import type { AttachedText } from './message-draft.svelte.ts'
import { attachLimit } from './compose.ts'

/** A long paste as a chip; its size is counted by the browser, in bytes. */
export function attachPaste(text: string, name: string): AttachedText | 'too large' {
  const bytes = new Blob([text]).size
  return bytes > attachLimit ? 'too large' : { name, mime: 'text/plain', bytes, text }
}
