/** The best few of many, as they are found. */
export type RankHit = { passage: number; score: number }

/** The best few of many; of equals the newer one first. */
export class BestHits {
  readonly #most: number
  readonly #hits: RankHit[] = []
  #least = -Infinity

  constructor(most: number) {
    this.#most = most
  }

  wants(score: number, passage: number): boolean {
    return (
      this.#hits.length < this.#most ||
      score > this.#least ||
      (score === this.#least && passage > (this.#hits.at(-1)?.passage ?? 0))
    )
  }

  add(score: number, passage: number): void {
    let at = this.#hits.length
    while (
      at > 0 &&
      (this.#hits[at - 1]!.score < score ||
        (this.#hits[at - 1]!.score === score && this.#hits[at - 1]!.passage < passage))
    )
      at--
    this.#hits.splice(at, 0, { passage, score })
    if (this.#hits.length > this.#most) this.#hits.pop()
    this.#least = this.#hits.at(-1)?.score ?? -Infinity
  }

  inOrder(): RankHit[] {
    return this.#hits
  }
}
