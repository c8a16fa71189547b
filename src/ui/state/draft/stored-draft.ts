/** Keeps what stands in the message box of a chat: stored while the person types, restored when the chat is opened. */
import { MessageDraft } from './message-draft.svelte.ts'

/** How often a draft that is being typed is stored. Unit: ms. */
const draftDelayMs = 500

export class StoredDraft {
  readonly draft = new MessageDraft()
  readonly #store: (typed: string) => Promise<void>
  readonly #onUnsaved: (typed: string | undefined) => void
  readonly #isUnstored: () => boolean
  #timer: ReturnType<typeof setTimeout> | undefined
  #restored = false // what was stored of it stands in the message box
  #sent = false // one was sent to the store, which may not have confirmed it yet

  constructor(deps: {
    store: (typed: string) => Promise<void>
    /** What is typed could not be stored; undefined: it is, or nothing is typed. */
    onUnsaved: (typed: string | undefined) => void
    /** Whether nothing of the chat is stored yet. */
    isUnstored: () => boolean
  }) {
    this.#store = deps.store
    this.#onUnsaved = deps.onUnsaved
    this.#isUnstored = deps.isUnstored
  }

  /** Nothing of the chat is stored, nor on its way there. */
  get leavesNothing(): boolean {
    return this.#isUnstored() && !this.#sent
  }

  /** What was in the message box when the page was left: newer than the stored draft. */
  begin(typed: string): void {
    this.draft.typed = typed
    this.#restored = true
    this.save() // not yet: the worker must know the chat first
  }

  /** The stored draft comes into the box once; what was typed meanwhile goes behind it. */
  restore(stored: string | undefined): void {
    if (this.#restored) return
    this.#restored = true
    this.draft.typed = (stored ?? '') + this.draft.typed
  }

  /** Each half a second while the person types, at once with `now`. */
  save(now = false): void {
    const save = (): void => {
      clearTimeout(this.#timer)
      this.#timer = undefined
      const { typed } = this.draft
      if (this.leavesNothing && typed === '') return
      this.#sent ||= typed !== ''
      // A draft that could not be saved is no reason to disturb somebody who types: the next save will report it.
      this.#store(typed).then(
        () => {
          this.#onUnsaved(undefined)
        },
        () => {
          this.#onUnsaved(typed === '' ? undefined : typed)
        },
      )
    }
    if (now) save()
    else this.#timer ??= setTimeout(save, draftDelayMs)
  }

  /** Saves at once what waits to be saved, and writes nothing else. */
  flush(): void {
    if (this.#timer !== undefined) this.save(true)
  }

  dispose(): void {
    this.flush()
    clearTimeout(this.#timer)
  }
}
