/** Locks by name: across the tabs of this browser if it has Web Locks, else within this thread. */
import { AgentError } from '../../core/errors.ts'
import type { Locks } from '../../core/ports/ports.ts'

const stopped = (name: string): AgentError => new AgentError('stopped', `Stopped while waiting for ${name}`)

/**
 * The locks of this browser. Web Locks need https or localhost, and a browser that blocks site data has them but
 * refuses each request, which is tried once, at the first use. Without them two tabs cannot tell who works on a chat.
 */
export function locksOf(manager: LockManager | undefined): Locks {
  if (!manager) return threadLocks()
  let chosen: Promise<Locks> | undefined
  const locks = (): Promise<Locks> =>
    (chosen ??= isGranted(manager).then(granted => (granted ? webLocks(manager) : threadLocks())))
  return {
    run: async (name, options, task) => (await locks()).run(name, options, task),
    tryRun: async (name, task) => (await locks()).tryRun(name, task),
  }
}

/** Whether the browser answers a request at all; nobody else uses this name, and it is free again at once. */
function isGranted(manager: LockManager): Promise<boolean> {
  return new Promise(resolve => {
    manager
      .request(`haversack-granted-${crypto.getRandomValues(new Uint32Array(2)).join('-')}`, () => {
        resolve(true)
      })
      .catch(() => {
        resolve(false)
      })
  })
}

/** Web Locks: a tab that closes or crashes gives its locks back by itself. */
export function webLocks(manager: LockManager): Locks {
  const locks: Locks = {
    async run(name, { signal, onWait }, task) {
      if (signal?.aborted) throw stopped(name)
      const first = await locks.tryRun(name, task)
      if (first.free) return first.value
      onWait?.()
      let held = false
      try {
        return (await manager.request(name, { ...(signal && { signal }) }, () => {
          held = true // from here on the signal is the task's business, and its errors are its own
          return task()
        })) as Awaited<ReturnType<typeof task>>
      } catch (thrown) {
        throw held || !signal?.aborted ? thrown : stopped(name)
      }
    },
    async tryRun(name, task) {
      return await manager.request(name, { ifAvailable: true }, async lock =>
        lock ? { free: true as const, value: await task() } : { free: false as const },
      )
    },
  }
  return locks
}

/** Locks of one thread: first come, first served. */
export function threadLocks(): Locks {
  const queues = new Map<string, (() => void)[]>() // who waits; a name without an entry is free

  const release = (name: string): void => {
    const next = queues.get(name)?.shift()
    if (next) next()
    else queues.delete(name)
  }
  const hold = async <T>(name: string, task: () => Promise<T>): Promise<T> => {
    try {
      return await task()
    } finally {
      release(name)
    }
  }
  return {
    async run(name, { signal, onWait }, task) {
      if (signal?.aborted) throw stopped(name)
      const waiting = queues.get(name)
      if (!waiting) {
        queues.set(name, [])
        return hold(name, task)
      }
      onWait?.()
      await new Promise<void>((resolve, reject) => {
        const giveUp = (): void => {
          waiting.splice(waiting.indexOf(turn), 1)
          reject(stopped(name))
        }
        const turn = (): void => {
          signal?.removeEventListener('abort', giveUp)
          resolve()
        }
        waiting.push(turn)
        signal?.addEventListener('abort', giveUp, { once: true })
      })
      return hold(name, task)
    },
    async tryRun(name, task) {
      if (queues.has(name)) return { free: false }
      queues.set(name, [])
      return { free: true, value: await hold(name, task) }
    },
  }
}
