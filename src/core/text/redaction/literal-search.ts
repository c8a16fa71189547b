/** Many words at once in a text, in one pass over it (Aho and Corasick, 1975). Pure. */

export type LiteralHit = { literal: number; from: number; to: number }

/** Built once for a set of words; time of a search is linear in the text and its hits. */
export class LiteralSearch {
  readonly #literals: readonly string[]
  /** node × 65 536 + sign → node */
  readonly #next = new Map<number, number>()
  readonly #fail: number[] = [0]
  readonly #ends: number[][] = [[]]
  /** The nearest node by `fail` at which a word ends; -1 for none. */
  readonly #suffix: number[] = [-1]

  constructor(literals: readonly string[]) {
    this.#literals = literals
    const childrenOf: [number, number][][] = [[]]
    for (const [index, literal] of literals.entries()) {
      let node = 0
      for (let i = 0; i < literal.length; i++) {
        const code = literal.charCodeAt(i)
        let next = this.#next.get(node * 65_536 + code)
        if (next === undefined) {
          next = this.#fail.push(0) - 1
          this.#ends.push([])
          this.#suffix.push(-1)
          childrenOf.push([])
          this.#next.set(node * 65_536 + code, next)
          childrenOf[node]!.push([code, next])
        }
        node = next
      }
      if (node !== 0) this.#ends[node]!.push(index)
    }
    const queue: number[] = childrenOf[0]!.map(([, node]) => node)
    for (let at = 0; at < queue.length; at++) {
      const node = queue[at]!
      const fail = this.#fail[node]!
      this.#suffix[node] = this.#ends[fail]!.length > 0 ? fail : this.#suffix[fail]!
      for (const [code, child] of childrenOf[node]!) {
        this.#fail[child] = this.#step(fail, code)
        queue.push(child)
      }
    }
  }

  #step(node: number, code: number): number {
    for (let at = node; ; at = this.#fail[at]!) {
      const next = this.#next.get(at * 65_536 + code)
      if (next !== undefined) return next
      if (at === 0) return 0
    }
  }

  hits(text: string): LiteralHit[] {
    const found: LiteralHit[] = []
    if (this.#literals.length === 0) return found
    let node = 0
    for (let i = 0; i < text.length; i++) {
      node = this.#step(node, text.charCodeAt(i))
      for (let at = this.#ends[node]!.length > 0 ? node : this.#suffix[node]!; at !== -1; at = this.#suffix[at]!)
        for (const literal of this.#ends[at]!)
          found.push({ literal, from: i + 1 - this.#literals[literal]!.length, to: i + 1 })
    }
    return found
  }
}
