/** UI state of where the next compaction of the open chat cuts: set by the person, or by the strategy. */

export class CutBorder {
  /** Tokens of the newest messages that stay; undefined: as many as the strategy keeps by itself. */
  keep = $state<number | undefined>()
  /** The number that holds; undefined until the context is known. */
  readonly tokens: number | undefined = $derived.by(() => this.keep ?? this.#automatic())
  readonly #automatic: () => number | undefined

  /** `automatic`: what the strategy keeps by itself, tokens. */
  constructor(automatic: () => number | undefined) {
    this.#automatic = automatic
  }
}
