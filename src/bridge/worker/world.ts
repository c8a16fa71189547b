/** Clock and random ids of this thread. Works on plain http, where `randomUUID` does not exist. */
import { AgentError } from '../../core/errors.ts'
import type { World } from '../../core/ports/ports.ts'
import { idFrom } from '../../core/text/new-id.ts'

export const world: World = {
  now: () => Date.now(),
  newId: () => idFrom(crypto.getRandomValues(new Uint8Array(16))),
  sleep(ms, signal) {
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer)
        reject(new AgentError('stopped', 'Stopped while waiting'))
      }
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop)
        resolve()
      }, ms)
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
    })
  },
}
