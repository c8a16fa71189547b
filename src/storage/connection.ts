/** The open database of this tab: lost connections, a full disk, other tabs with other versions. */
import type { StorageState } from '../core/agent/api.ts'
import { AgentError } from '../core/errors.ts'
import { Database, databaseName, peekEpoch, schemaEpoch, type IndexedDb } from './database.ts'
import { isFull, isLost, storageError } from './store-errors.ts'

type State = StorageState['state']

/** Opening takes milliseconds; after this long something holds it, mostly another tab with an older version. */
const blockedAfterMs = 3_000

export class Connection {
  #db: Database
  #state: State = 'blocked'
  #running = new Set<Promise<unknown>>()
  #opened = 0                          // how often; tells whether an error belongs to the handle of now
  #reopening: Promise<void> | undefined
  readonly #name: string
  readonly #from: IndexedDb
  readonly #onState: (state: State, reason?: string) => void

  constructor(options: { name?: string; from: IndexedDb; onState: (state: State, reason?: string) => void }) {
    this.#name = options.name ?? databaseName
    this.#from = options.from
    this.#onState = options.onState
    this.#db = new Database(this.#name, this.#from)
  }

  /** There was no database before this one was opened. */
  get created(): boolean {
    return this.#db.created
  }

  /** Resolves when the database is open, or is known to be blocked (then it opens by itself later). Throws AgentError. */
  async open(afterMs = blockedAfterMs): Promise<void> {
    const opening = this.#open()
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<'late'>(resolve => { timer = setTimeout(() => resolve('late'), afterMs) })
    const first = await Promise.race([opening, late]).finally(() => clearTimeout(timer))
    if (first !== 'late') return
    this.#onState('blocked')
    opening.catch(thrown => this.#become('lost', storageError(thrown).message))
  }

  /**
   * Runs a task on the open database; where the connection was lost, once more on a new one. `again` tells a task that
   * an earlier try may have been stored after all. Throws AgentError only.
   */
  async run<T>(mode: 'read' | 'write', task: (db: Database, again: boolean) => PromiseLike<T>): Promise<T> {
    this.#refuse(mode)
    const work = this.#tryTwice(mode, task)
    this.#running.add(work)
    return work.finally(() => this.#running.delete(work))
  }

  /** Lets running work finish, then closes for good. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#running)
    this.#db.close()
  }

  async #open(): Promise<void> {
    const epoch = await peekEpoch(this.#name, this.#from.indexedDB)
    const newer = epoch !== undefined && epoch > schemaEpoch
    if (newer) this.#db = new Database(this.#name, this.#from, true)
    // Both answer false, which keeps Dexie from its own: it would only log, and close in the middle of a write.
    this.#db.on('blocked', () => false)
    this.#db.on('versionchange', event => { void this.#giveWay(event.newVersion); return false })
    try {
      await this.#db.open()
    } catch (thrown) {
      throw storageError(thrown)
    }
    this.#opened++
    this.#become(newer ? 'newer' : 'kept')
  }

  /** A newer app waits in another tab: nothing new begins here, what runs is finished, then the way is free. */
  async #giveWay(newVersion: number | null): Promise<void> {
    this.#become('replaced', newVersion === null ? 'deleted' : undefined)
    await this.close()
  }

  async #tryTwice<T>(mode: 'read' | 'write', task: (db: Database, again: boolean) => PromiseLike<T>): Promise<T> {
    const opened = this.#opened
    try {
      return this.#well(mode, await task(this.#db, false))
    } catch (thrown) {
      if (!isLost(thrown) || this.#state === 'replaced') throw this.#ill(thrown)
    }
    try {
      await this.#reopen(opened)
      return this.#well(mode, await task(this.#db, true))
    } catch (thrown) {
      throw this.#ill(thrown)
    }
  }

  /** Many tasks may find the same dead handle; the first opens, the others wait for it. */
  #reopen(opened: number): Promise<void> {
    if (opened !== this.#opened) return this.#reopening ?? Promise.resolve()
    this.#opened++
    this.#db.close()
    this.#reopening = Promise.resolve(this.#db.open()).then(() => { this.#reopening = undefined }, thrown => {
      this.#reopening = undefined
      throw thrown
    })
    return this.#reopening
  }

  #well<T>(mode: 'read' | 'write', value: T): T {
    if (this.#state === 'lost' || (this.#state === 'full' && mode === 'write')) this.#become('kept')
    return value
  }

  #ill(thrown: unknown): AgentError {
    const error = storageError(thrown)
    if (this.#state !== 'replaced') {
      if (isFull(thrown)) this.#become('full')
      if (error.code === 'storage_lost') this.#become('lost')
    }
    return error
  }

  #become(state: State, reason?: string): void {
    if (state === this.#state && reason === undefined) return
    this.#state = state
    this.#onState(state, reason)
  }

  #refuse(mode: 'read' | 'write'): void {
    if (this.#state === 'blocked') {
      throw new AgentError('storage_blocked', 'Another tab with an older version of Haversack holds the database. Close the other tabs.')
    }
    if (this.#state === 'replaced') {
      throw new AgentError('new_version', 'A newer version in another tab took over the database. Reload this page.')
    }
    if (this.#state === 'newer' && mode === 'write') {
      throw new AgentError('storage_newer', 'These chats were saved by a newer version of Haversack: they can be read and exported here, not changed. Reload for the new version.')
    }
  }
}
