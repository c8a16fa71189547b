/** UI state of the reply being written, updated once per frame. */
import type { AgentEvent } from '../../core/agent/api/api.ts'
import type { ToolCall } from '../../core/log/message.ts'

/** The answer as far as it has come. */
export type ReplySoFar = {
  text: string
  reasoning: string
  calling?: { name: string; chars: number }
  calls: readonly ToolCall[]
}
export type Delta = Extract<AgentEvent, { type: 'delta' }>
/** As much of it as is stored. */
type Saved = { text: string; reasoning: string }

// a tab that joins finds the answer as it was saved at most this long ago (core/agent/session/session.ts)
const savedEachMs = 1_000
const emptyReply: ReplySoFar = { text: '', reasoning: '', calls: [] }

export class LiveReply {
  /** null: none is being written. */
  current = $state.raw<ReplySoFar | null>(null)
  readonly #nextFrame: (task: () => void) => void
  readonly #readSaved: () => Promise<Saved | undefined>
  #parts: Delta[] = [] // of the next frame
  #frameAsked = false
  #catchUpTimer: ReturnType<typeof setTimeout> | undefined
  #life = 0 // counts beginnings; what was read for an older one is thrown away

  constructor(nextFrame: (task: () => void) => void, readSaved: () => Promise<Saved | undefined>) {
    this.#nextFrame = nextFrame
    this.#readSaved = readSaved
  }

  /** Goes on from what is stored of an answer, or from none. */
  begin(saved?: Saved): void {
    this.#life++
    this.#parts = []
    this.current = saved === undefined ? null : { ...saved, calls: [] }
  }

  /** Ends the current reply. */
  end(): void {
    this.#parts = []
    this.current = null
  }

  take(part: Delta): void {
    this.#parts.push(part)
    this.#askFrame()
  }

  dispose(): void {
    this.#life++
    clearTimeout(this.#catchUpTimer)
  }

  #askFrame(): void {
    if (this.#frameAsked) return
    this.#frameAsked = true
    this.#nextFrame(() => {
      this.#frameAsked = false
      if (this.#parts.length === 0) return
      let answer = this.current ?? emptyReply
      let taken = 0
      for (const delta of this.#parts) {
        const grown = withPart(answer, delta)
        if (grown === undefined) break
        answer = grown
        taken++
      }
      this.#parts = this.#parts.slice(taken)
      if (taken > 0) this.current = answer
      if (this.#parts.length > 0) this.#catchUp()
    })
  }

  /**
   * Something is missing before the next part: this tab came when another one was already writing. Reads it once it is
   * saved.
   */
  #catchUp(): void {
    if (this.#catchUpTimer !== undefined) return
    const life = this.#life
    this.#catchUpTimer = setTimeout(() => {
      this.#readSaved().then(
        saved => {
          this.#catchUpTimer = undefined
          if (life !== this.#life || this.#parts.length === 0) return
          if (saved !== undefined) this.current = { ...(this.current ?? emptyReply), ...saved }
          this.#askFrame()
        },
        () => {
          this.#catchUpTimer = undefined
        },
      ) // the stored answer will come whole
    }, savedEachMs)
  }
}

/**
 * The reply with one part added: a part that comes twice changes nothing, and one that starts again replaces what was
 * there. Undefined where something before it is missing.
 */
function withPart(answer: ReplySoFar, { part, at }: Delta): ReplySoFar | undefined {
  switch (part.type) {
    case 'text':
      return at > answer.text.length ? undefined : { ...answer, text: answer.text.slice(0, at) + part.text }
    case 'reasoning':
      return at > answer.reasoning.length
        ? undefined
        : { ...answer, reasoning: answer.reasoning.slice(0, at) + part.text }
    case 'calling':
      return { ...answer, calling: { name: part.name, chars: part.chars } }
    case 'call':
      return { text: answer.text, reasoning: answer.reasoning, calls: [...answer.calls, part.call] }
    case 'finish':
      return answer
    default:
      return part satisfies never
  }
}
