/**
 * What stands in the message box of a chat and is not sent. It lives with the chat, so the box itself can stay where it
 * is.
 */

/** A text that waits in the message box as a chip. */
export type AttachedText = { name: string; mime: string; bytes: number; text: string }

export class MessageDraft {
  typed = $state('')
  attached = $state.raw<readonly AttachedText[]>([])
  /** Why the last line was not done; `sendAsText`: what it would be as a message. */
  problem = $state.raw<{ message: string; sendAsText?: string } | null>(null)
  /** What is worth knowing about what was attached. */
  hint = $state('')
  readonly empty: boolean = $derived(this.typed.trim() === '' && this.attached.length === 0)
}
