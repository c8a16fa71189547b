/** UI state of what the next request would be: fetched again when it changes, once nobody types. */
import type { ContextInfo, IdleTrim } from '../../core/agent/api/context-api.ts'

export class LiveContext {
  /** undefined until it is known. */
  info = $state.raw<ContextInfo | undefined>()
  /** What the next message takes out of the window first; null: nothing, or not known yet. */
  idleTrim = $state.raw<IdleTrim | null>(null)
  readonly #fetchInfo: () => Promise<ContextInfo>
  readonly #fetchIdleTrim: () => Promise<IdleTrim | null>
  readonly #whenIdle: () => Promise<void>
  #timer: ReturnType<typeof setTimeout> | undefined
  #asked = 0 // only the newest request counts
  #life = 0 // counts openings; what an older one fetched is thrown away

  constructor(deps: {
    info: () => Promise<ContextInfo>
    idleTrim: () => Promise<IdleTrim | null>
    whenIdle: () => Promise<void>
  }) {
    this.#fetchInfo = deps.info
    this.#fetchIdleTrim = deps.idleTrim
    this.#whenIdle = deps.whenIdle
  }

  /** The chat is opened anew, or left: what is still being fetched counts no more. */
  begin(): void {
    this.#life++
  }

  dispose(): void {
    this.begin()
    clearTimeout(this.#timer)
  }

  fetch(delayMs: number): void {
    clearTimeout(this.#timer)
    const asked = ++this.#asked
    this.#timer = setTimeout(() => {
      void this.#fetch(asked)
    }, delayMs)
  }

  async #fetch(asked: number): Promise<void> {
    const life = this.#life
    await this.#whenIdle()
    if (life !== this.#life || asked !== this.#asked) return
    try {
      const info = await this.#fetchInfo()
      if (life === this.#life) this.info = info
      const restart = await this.#fetchIdleTrim()
      if (life === this.#life) this.idleTrim = restart
    } catch {
      // The pane keeps its last numbers; a failing worker is reported by the actions and by the bridge.
    }
  }
}
