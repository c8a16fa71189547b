/** Files and pastes → texts that can be attached. */
import type { AttachedText } from '../message-draft.svelte.ts'
import { attachLimit } from './compose.ts'

/** Why a file cannot be attached. */
export type Refused = { name: string; bytes: number; why: 'too large' | 'no text' | 'unreadable' }

/** Reads a file as UTF-8. A file with NUL bytes in its first 8 kB, or of an image, audio or video type, is no text. */
export async function attachFile(file: File): Promise<AttachedText | Refused> {
  const refused = (why: Refused['why']): Refused => ({ name: file.name, bytes: file.size, why })
  if (file.size > attachLimit) return refused('too large')
  if (/^(image|audio|video|font)\//.test(file.type)) return refused('no text')
  try {
    const start = new Uint8Array(await file.slice(0, 8_192).arrayBuffer())
    if (start.includes(0)) return refused('no text')
    return { name: file.name, mime: file.type === '' ? 'text/plain' : file.type, bytes: file.size, text: await file.text() }
  } catch {
    return refused('unreadable') // removed or locked since it was chosen
  }
}

/** A long paste as a chip; its size is counted by the browser, in bytes. */
export function attachPaste(text: string, name: string): AttachedText | Refused {
  const bytes = new Blob([text]).size
  return bytes > attachLimit ? { name, bytes, why: 'too large' } : { name, mime: 'text/plain', bytes, text }
}
