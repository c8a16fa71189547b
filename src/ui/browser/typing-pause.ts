/**
 * Defers work until the person pauses typing: redrawing a list or the context in between would delay the next
 * keystroke.
 */

const restMs = 300 // without a letter; a fast typist's come every 60 ms, a slow one's every 250
const longestMs = 3_000 // somebody who never rests must see news, too

export class TypingPause {
  #typedAt = -Infinity
  #over: Promise<void> | undefined

  /** A letter came, or the next one is about to. */
  typed(): void {
    this.#typedAt = performance.now()
  }

  /**
   * Resolves at the next rest, for all who wait at once; right away where nobody types. Never later than three seconds.
   */
  over(): Promise<void> {
    if (performance.now() >= this.#typedAt + restMs) return Promise.resolve()
    return (this.#over ??= this.#rest())
  }

  #rest(): Promise<void> {
    const latest = performance.now() + longestMs
    return new Promise(resolve => {
      const look = (): void => {
        const wait = Math.min(this.#typedAt + restMs, latest) - performance.now()
        if (wait > 0) {
          setTimeout(look, wait)
          return
        }
        this.#over = undefined
        resolve()
      }
      look()
    })
  }
}
