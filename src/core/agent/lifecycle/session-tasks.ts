/** Runs tasks on sessions: one at a time per session, under its lock, across all tabs. */
import { AgentError, codeOf } from '../../errors.ts'
import type { SessionId } from '../../log/entry.ts'
import type { Status } from '../api/api.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import { plainData } from '../session/plain-data.ts'
import { statusFromLog } from './status-from-log.ts'
import type { Session } from '../session/session.ts'

type Running = { stop: AbortController; locked: boolean; done: Promise<void> }

export const sessionLock = (session: SessionId): string => `session:${session}`
/** Held as long as a chat is open in any tab. */
export const openedLock = (session: SessionId): string => `opened:${session}`

export class SessionTasks {
  readonly #runtime: AgentRuntime
  #running = new Map<SessionId, Running>()
  /** Called when a long task begins and when it is over; `without` runs a task while no job of the chat runs. */
  hooks: {
    begins?: (id: SessionId) => void
    ended?: (id: SessionId, answered: boolean) => void
    without?: <T>(id: SessionId, signal: AbortSignal, task: () => Promise<T>) => Promise<T>
  } = {}

  constructor(runtime: AgentRuntime) {
    this.#runtime = runtime
  }

  /** Whether anything runs here, in any chat. */
  get isBusy(): boolean {
    return this.#running.size > 0
  }

  isRunning(id: SessionId): boolean {
    return this.#running.has(id)
  }

  /** Whether it is this tab that works on the chat, and not another one that this tab waits for. */
  isWorking(id: SessionId): boolean {
    return this.#running.get(id)?.locked === true
  }

  /** Stops what runs here and waits until it has cleaned up. */
  async stop(id: SessionId): Promise<void> {
    const running = this.#running.get(id)
    if (!running) return
    running.stop.abort()
    await running.done
  }

  /**
   * Runs a long task under the lock and tells its last status. Resolves as soon as the task has called `begun`, rejects
   * with what was thrown before that; what is thrown later is told as `failed`. Throws `busy` while another one runs.
   * `alone`: jobs of the chat are ended first, and none begins until it is over.
   */
  runTask(
    id: SessionId,
    task: (session: Session, signal: AbortSignal, begun: () => void) => Promise<Status>,
    { alone = false } = {},
  ): Promise<void> {
    if (this.#running.has(id))
      return Promise.reject(new AgentError('busy', 'An answer is being written in this chat. Stop it first, or wait.'))
    return new Promise((resolve, reject) => {
      const stop = new AbortController()
      let begun = false
      const begin = (): void => {
        begun = true
        resolve()
      }
      const running: Running = { stop, locked: false, done: Promise.resolve() }
      this.#running.set(id, running)
      this.hooks.begins?.(id)
      const run = async (): Promise<void> => {
        let status: Status = { state: 'idle' }
        let locked = false
        let answered = false
        const before = this.#runtime.status(id)
        try {
          // Other tabs need not know that this one waits for them.
          const onWait = (): void => {
            this.#runtime.emitLocally({ type: 'status', session: id, status: { state: 'waiting' } })
          }
          const locally = (): Promise<Status> =>
            this.#runtime.whileLoaded(id, () =>
              this.#runtime.deps.locks.run(sessionLock(id), { signal: stop.signal, onWait }, async () => {
                running.locked = locked = true
                const session = await this.#freshSession(id)
                const known = session.rows.length
                try {
                  return await task(session, stop.signal, begin)
                } finally {
                  running.locked = false
                  answered = session.rows.slice(known).some(({ entry }) => entry.type === 'assistant')
                }
              }),
            )
          status = alone && this.hooks.without ? await this.hooks.without(id, stop.signal, locally) : await locally()
        } catch (thrown) {
          status = locked ? await this.#atRest(id) : (before ?? (await this.#atRest(id)))
          if (!begun) reject(thrown)
          else if (codeOf(thrown) !== 'stopped') this.emitFailure(id, thrown)
        } finally {
          this.#running.delete(id)
          if (locked) this.#runtime.setStatus(id, status)
          else this.#runtime.emitLocally({ type: 'status', session: id, status })
          this.hooks.ended?.(id, answered)
          begin() // a task that ended without it has done all it had to do
        }
      }
      running.done = run()
    })
  }

  /**
   * Runs a short task that appends. While a turn runs here it joins in, because appends go one after the other; else it
   * takes the lock, and waits for another tab if it must.
   */
  async withSession<T>(id: SessionId, task: (session: Session) => Promise<T>): Promise<T> {
    return this.#runtime.whileLoaded(id, async () => {
      if (this.#running.get(id)?.locked) return task(await this.#runtime.session(id))
      return this.#runtime.deps.locks.run(sessionLock(id), {}, async () => task(await this.#freshSession(id)))
    })
  }

  emitFailure(session: SessionId, thrown: unknown): void {
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    this.#runtime.emit({
      type: 'failed',
      session,
      code: codeOf(thrown),
      message,
      ...(thrown instanceof AgentError ? { data: plainData(thrown) } : {}),
    })
  }

  /** The status after a task has thrown; a chat that cannot be read counts as idle. */
  async #atRest(id: SessionId): Promise<Status> {
    try {
      const session = await this.#runtime.session(id)
      // waited for here: what fails in it must not take the place of what was thrown
      return await statusFromLog(this.#runtime, session)
    } catch {
      return { state: 'idle' }
    }
  }

  async #freshSession(id: SessionId): Promise<Session> {
    const session = await this.#runtime.session(id)
    await session.refresh()
    await session.restoreLeaf()
    return session
  }
}
