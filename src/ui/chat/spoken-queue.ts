/** One queue for all that a screen reader is told of a chat: in order, nothing twice in a row, never too fast. */

/** Between two pieces; a reader that is given more at once drops what it has not begun. Unit: ms. */
export const spokenEachMs = 400

export class SpokenQueue {
  readonly #say: (text: string) => void
  #waiting: string[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(say: (text: string) => void) {
    this.#say = say
  }

  add(...texts: string[]): void {
    this.#waiting.push(...texts.filter(text => text !== ''))
    if (this.#timer === undefined) this.#next()
  }

  /** The person has gone elsewhere: what waits is not said. */
  clear(): void {
    this.#waiting = []
  }

  dispose(): void {
    this.clear()
    clearTimeout(this.#timer)
  }

  #next(): void {
    this.#timer = undefined
    const text = this.#waiting.shift()
    if (text === undefined) return
    this.#say(text)
    this.#timer = setTimeout(() => {
      this.#next()
    }, spokenEachMs)
  }
}
