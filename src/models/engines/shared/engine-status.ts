/** What engines of this device share: the state that they publish, and a mutex. */
import type { EngineState, EngineWork } from '../../../core/ports/local-engine.ts'
import { stoppedError } from '../../shared/pause.ts'

/** Progress is published at most this often, ms: nobody reads faster. */
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

  /** Removes a key from the state. */
  clear(key: 'unfinished'): void {
    const { [key]: gone, ...rest } = this.#state
    if (gone === undefined) return
    this.#state = rest
    this.#emit()
  }

  work(work: EngineWork): void {
    this.set({ work })
  }

  /** As `work`, for progress numbers: published at intervals. */
  progress(work: EngineWork): void {
    const before = this.#state.work
    this.#state = { ...this.#state, work }
    // The total is published at once; only the progress numbers wait.
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
 * A mutex, first come, first served: resolves with the function that releases it; throws `stopped` if the signal fires
 * while waiting.
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

/** Seconds left, by the rate since the first call; undefined in the first seconds, when it would jump. */
export function timeLeft(now: () => number): (done: number, total: number) => number | undefined {
  let first: { at: number; done: number } | undefined
  return (done, total) => {
    first ??= { at: now(), done }
    const seconds = (now() - first.at) / 1_000
    const came = done - first.done
    return seconds < 2 || came <= 0 ? undefined : Math.round((total - done) / (came / seconds))
  }
}
