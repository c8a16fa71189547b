/** When Enter sends: not while an input method composes, not on a touch keyboard, not with Shift. */

export class EnterKey {
  #justComposed = false

  /** A touch keyboard has no Shift+Enter: there Enter breaks the line and the button sends. */
  get touch(): boolean {
    return matchMedia('(pointer: coarse) and (hover: none)').matches
  }

  /** A composition has ended. Safari tells the Enter that ended it only after this: it must not send. */
  composed(): void {
    this.#justComposed = true
    setTimeout(() => {
      this.#justComposed = false
    }, 20)
  }

  /** The key belongs to an input method. 229 is what browsers say where they do not set `isComposing`. */
  composing(event: KeyboardEvent): boolean {
    return event.isComposing || event.keyCode === 229 || (event.key === 'Enter' && this.#justComposed)
  }

  sends(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey) return true
    return !event.shiftKey && !event.altKey && !this.touch
  }
}
