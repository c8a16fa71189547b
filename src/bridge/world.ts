/** Time and chance of this thread. Works on plain http, where `randomUUID` does not. */
import { AgentError } from '../core/errors.ts'
import type { World } from '../core/ports.ts'

/** 128 bits need 25 digits in base 36. */
const idDigits = 25

export const world: World = {
  now: () => Date.now(),
  newId() {
    const bytes = crypto.getRandomValues(new Uint8Array(16))
    const bits = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
    return bits.toString(36).padStart(idDigits, '0')
  },
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
