/** Waiting that can be aborted at once. */
import { AgentError } from '../../core/errors.ts'

/** What every model throws when the person stopped it. */
export function stoppedError(): AgentError {
  return new AgentError('stopped', 'Stopped by the user.')
}

/** Throws `stopped` when the signal has fired. */
export function throwIfStopped(signal: AbortSignal): void {
  if (signal.aborted) throw stoppedError()
}

/** Resolves after `ms` milliseconds (0: in the next task); throws `stopped` as soon as the signal fires. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(stoppedError())
    const stop = (): void => {
      clearTimeout(timer)
      reject(stoppedError())
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}

/** The task's own end, or `stopped` as soon as the signal fires: who stops it waits for it no longer. */
export function untilStopped<T>(task: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      reject(stoppedError())
    }
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    task.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', stop)
    })
  })
}
