/** What engines of this device have in common: their state that is told, and one thing at a time. */
import type { EngineState, EngineWork } from '../../../core/ports/local-engine.ts'
import { stoppedError } from '../../shared/pause.ts'

/** Progress is told at most this often, ms: faster nobody reads. */
const tellMs = 250

export class EngineStatus {
  #state: EngineState = { work: { state: 'idle' }, disk: {} }
  #listeners = new Set<(state: EngineState) => void>()
  #toldAt = 0
  #pending: ReturnType<typeof setTimeout> | undefined

  get state(): EngineState {
    return this.#state
  }

  watch(tell: (state: EngineState) => void): () => void {
    this.#listeners.add(tell)
    tell(this.#state)
    return () => {
      this.#listeners.delete(tell)
    }
  }

  set(changes: Partial<EngineState>): void {
    this.#state = { ...this.#state, ...changes }
    this.#emit()
  }

  /** It is no longer so. */
  clear(key: 'unfinished'): void {
    const { [key]: gone, ...rest } = this.#state
    if (gone === undefined) return
    this.#state = rest
    this.#emit()
  }

  work(work: EngineWork): void {
    this.set({ work })
  }

  /** As `work`, for numbers that run: told now and then. */
  progress(work: EngineWork): void {
    const before = this.#state.work
    this.#state = { ...this.#state, work }
    // How much it will be is told at once; only the numbers on the way there wait.
    const isNews = before.state !== work.state || ('total' in before && 'total' in work && before.total !== work.total)
    const wait = this.#toldAt + tellMs - Date.now()
    if (isNews || wait <= 0) this.#emit()
    else
      this.#pending ??= setTimeout(() => {
        this.#emit()
      }, wait)
  }

  #emit(): void {
    clearTimeout(this.#pending)
    this.#pending = undefined
    this.#toldAt = Date.now()
    for (const tell of this.#listeners) tell(this.#state)
  }
}

/**
 * One at a time, first come, first served: resolves with how to let the next one in, throws `stopped` when waiting was
 * given up.
 */
export function mutex(): (signal: AbortSignal) => Promise<() => void> {
  const waiting: (() => void)[] = []
  let busy = false
  const pass = (): void => {
    const next = waiting.shift()
    if (next) next()
    else busy = false
  }
  return signal =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(stoppedError())
      const enter = (): void => {
        let over = false
        resolve(() => {
          if (over) return
          over = true
          pass()
        })
      }
      if (!busy) {
        busy = true
        return enter()
      }
      const leave = (): void => {
        waiting.splice(waiting.indexOf(turn), 1)
        reject(stoppedError())
      }
      const turn = (): void => {
        signal.removeEventListener('abort', leave)
        enter()
      }
      waiting.push(turn)
      signal.addEventListener('abort', leave, { once: true })
    })
}

/** Seconds left by the rate since the first telling; undefined in the first seconds, when it would jump. */
export function timeLeft(now: () => number): (done: number, total: number) => number | undefined {
  let first: { at: number; done: number } | undefined
  return (done, total) => {
    first ??= { at: now(), done }
    const seconds = (now() - first.at) / 1_000
    const came = done - first.done
    return seconds < 2 || came <= 0 ? undefined : Math.round((total - done) / (came / seconds))
  }
}
