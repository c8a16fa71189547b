/** How fast an answer comes: its tokens by the counter over the time since the first of them. Pure. */

/** In a shorter time than this the first few pieces say nothing yet. Unit: ms. */
const leastMs = 1_000

export class WritingSpeed {
  readonly #count: (text: string) => number
  #first: number | undefined // ms since epoch
  #waits = '' // came since it was last asked
  #tokens = 0 // of what came after the first piece

  /** `count`: tokens of a plain text. */
  constructor(count: (text: string) => number) {
    this.#count = count
  }

  /** A piece of the answer came at `now` (ms since epoch). What the first holds was made before the time began. */
  add(text: string, now: number): void {
    if (text === '') return
    if (this.#first === undefined) this.#first = now
    else this.#waits += text
  }

  /** Tokens a second until `now` (ms since epoch); undefined where it is too early to say. Counts each piece once. */
  at(now: number): number | undefined {
    if (this.#waits !== '') this.#tokens += this.#count(this.#waits)
    this.#waits = ''
    const ms = this.#first === undefined ? 0 : now - this.#first
    return ms < leastMs || this.#tokens === 0 ? undefined : (this.#tokens * 1_000) / ms
  }
}
