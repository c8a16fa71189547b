/** What the message box sends: typed words and attached texts become one text with spans. Pure. */
import type { Attachment } from '../../../core/log/entry.ts'
import type { AttachedText } from './message-draft.svelte.ts'

/** A paste above this becomes an attachment, UTF-16 units. */
export const pasteLimit = 20_000
/**
 * One attached text may have this many bytes; a larger one would have to be held several times over on its way to the
 * store.
 */
export const attachLimit = 64 * 1024 * 1024
/** Above this the model is shown both ends and reads the rest by itself (C3.7), bytes. */
export const wholeUpToBytes = 131_072

/** The message: typed words first, each attached text behind a blank line and its name, as one span. */
export function composeMessage(
  typed: string,
  attached: readonly AttachedText[],
): { text: string; attachments: Attachment[] } {
  const attachments: Attachment[] = []
  const parts = [typed]
  let length = typed.length
  for (const { name, mime, bytes, text } of attached) {
    const piece = `\n\n[${name}]\n${text}`
    attachments.push({ name, mime, bytes, span: [length, length + piece.length] })
    parts.push(piece)
    length += piece.length
  }
  return { text: parts.join(''), attachments }
}

/** Splits a message again: the typed text, and the attached texts. */
export function splitMessage(
  text: string,
  attachments: readonly Attachment[] = [],
): { typed: string; attached: AttachedText[] } {
  const spans = attachments.flatMap(({ name, mime, bytes, span }) => (span ? [{ name, mime, bytes, span }] : []))
  const words = text.slice(0, Math.min(text.length, ...spans.map(({ span: [from] }) => from)))
  return {
    typed: 'command' in readLine(words) ? `/${words}` : words,
    attached: spans.map(({ name, mime, bytes, span: [from, to] }) => ({
      name,
      mime,
      bytes,
      text: text.slice(from + `\n\n[${name}]\n`.length, to),
    })),
  }
}

/** What a line in the message box is: a command, or words (`//` at the start means a literal slash). */
export function readLine(typed: string): { command: string } | { words: string } {
  if (typed.startsWith('//')) return { words: typed.slice(1) }
  return /^\/(?:[a-z_]+|\p{Script=Han}+)(?:\s|$)/iu.test(typed) ? { command: typed } : { words: typed }
}

/** The beginning of the name of a command or a prompt, while it is being typed; undefined otherwise. */
export function commandStart(typed: string): string | undefined {
  return /^\/([\p{L}\p{M}\p{N}_-]*)$/u.exec(typed)?.[1]?.toLowerCase()
}
