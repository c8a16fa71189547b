/** Whether this device has a network, as the page says it, and who waits for one (C12). */
import { AgentError } from '../../errors.ts'

export class NetworkState {
  #online = true
  readonly #waiting = new Set<() => void>()

  /** True until the page has said something else. */
  get online(): boolean {
    return this.#online
  }

  /** The page tells each change. A yes lets all go that wait. */
  setOnline(online: boolean): void {
    this.#online = online
    if (!online) return
    const released = [...this.#waiting]
    this.#waiting.clear()
    for (const go of released) go()
  }

  /** Resolves with the next network, at once where there is one. Throws `stopped` when the signal fires. */
  whenOnline(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        this.#waiting.delete(go)
        reject(new AgentError('stopped', 'Stopped while waiting for the network'))
      }
      const go = (): void => {
        signal.removeEventListener('abort', stop)
        resolve()
      }
      if (signal.aborted) stop()
      else if (this.#online) resolve()
      else {
        this.#waiting.add(go)
        signal.addEventListener('abort', stop, { once: true })
      }
    })
  }
}
