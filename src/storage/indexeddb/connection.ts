/**
 * The database connection of this tab. Handles lost connections, a full disk, other tabs with other versions, and a
 * database that is deleted.
 */
import type { StorageState } from '../../core/agent/api/api.ts'
import { AgentError } from '../../core/errors.ts'
import { Database, databaseName, isThere, peekEpoch, schemaEpoch, type IndexedDb } from './database.ts'
import {
  fullError,
  goneError,
  isFull,
  isDatabaseGone,
  isLost,
  isUnopened,
  lostError,
  storageError,
} from './store-errors.ts'

type State = StorageState['state']

/** Opening takes milliseconds; after this long something holds it, mostly another tab with an older version. */
const blockedAfterMs = 3_000

/** While Chromium removes a database, none can be opened for a moment: pauses before looking again, ms. */
const lookAgainMs = [0, 250, 1_000, 3_000]

export class Connection {
  #db: Database
  #state: State = 'blocked'
  #running = new Set<Promise<unknown>>()
  #readsNewer = false // made by a newer app: taken as it is, and only read
  #opened = 0 // how often; tells whether an error belongs to the handle of now
  #reopening: Promise<void> | undefined
  readonly #name: string
  readonly #from: IndexedDb
  readonly #onState: (state: State, reason?: string) => void

  constructor(options: { name?: string; from: IndexedDb; onState: (state: State, reason?: string) => void }) {
    this.#name = options.name ?? databaseName
    this.#from = options.from
    this.#onState = options.onState
    this.#db = this.#handle()
  }

  /** Whether the database was created when it was opened. */
  get created(): boolean {
    return this.#db.created
  }

  /**
   * Resolves when the database is open, or is known to be blocked (then it opens by itself later). Throws AgentError.
   */
  async open(afterMs = blockedAfterMs): Promise<void> {
    const opening = this.#open()
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<'late'>(resolve => {
      timer = setTimeout(() => resolve('late'), afterMs)
    })
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
    this.#readsNewer = epoch !== undefined && epoch > schemaEpoch
    if (this.#readsNewer) this.#db = this.#handle()
    try {
      await this.#db.open()
    } catch (thrown) {
      throw storageError(thrown)
    }
    this.#opened++
    this.#become(this.#readsNewer ? 'newer' : 'kept')
  }

  /** One that is not open yet. */
  #handle({ wasOpen = false } = {}): Database {
    const db = new Database(this.#name, this.#from, this.#readsNewer)
    db.wasOpen = wasOpen
    // Both answer false, which keeps Dexie from its own: it would only log, and close in the middle of a write.
    db.on('blocked', () => false)
    db.on('versionchange', event => {
      void this.#giveWay(event.newVersion)
      return false
    })
    // Each time that it opens, also where Dexie does it by itself.
    db.on(
      'ready',
      () => {
        db.wasOpen = true
        db.backendDB().addEventListener('close', () => {
          void this.#lookAfterClose()
        })
      },
      true,
    )
    return db
  }

  /**
   * A newer app waits in another tab, or somebody deletes the database: finishes running work, starts nothing new, then
   * closes.
   */
  async #giveWay(newVersion: number | null): Promise<void> {
    if (newVersion === null) this.#become('gone', 'deleted')
    else this.#become('replaced')
    await this.close()
  }

  /**
   * The browser closed the connection by force: it removes the database, or closes it for a while. A removal is
   * reported before anybody writes.
   */
  async #lookAfterClose(): Promise<void> {
    for (const wait of lookAgainMs) {
      await new Promise(resolve => {
        setTimeout(resolve, wait)
      })
      if (this.#isOver) return
      const there = await isThere(this.#name, this.#from.indexedDB)
      if (there === false) this.#become('gone', 'removed')
      if (there !== undefined) return
    }
  }

  /** The database must not be used any more. */
  get #isOver(): boolean {
    return this.#state === 'replaced' || this.#state === 'gone'
  }

  async #tryTwice<T>(mode: 'read' | 'write', task: (db: Database, again: boolean) => PromiseLike<T>): Promise<T> {
    const opened = this.#opened
    try {
      return this.#well(mode, await task(this.#db, false))
    } catch (thrown) {
      if (!isLost(thrown) || this.#isOver || this.#db.vanished) throw this.#ill(thrown)
      if (isFull(thrown)) this.#become('full')
    }
    try {
      await this.#reopen(opened)
      return this.#well(mode, await task(this.#db, true))
    } catch (thrown) {
      throw this.#ill(thrown)
    }
  }

  /**
   * Many tasks may find the same dead handle; the first opens another, the others wait for it: Dexie may be busy with
   * opening the old one.
   */
  #reopen(opened: number): Promise<void> {
    if (opened !== this.#opened) return this.#reopening ?? Promise.resolve()
    this.#opened++
    this.#db.close()
    const db = (this.#db = this.#handle({ wasOpen: true }))
    this.#reopening = Promise.resolve(db.open())
      .then(() => {
        if (db.core as unknown) return
        db.close() // lost again while it was opening: Dexie has then nothing to work with, and does not say so
        throw lostError(undefined)
      })
      .finally(() => {
        this.#reopening = undefined
      })
    return this.#reopening
  }

  #well<T>(mode: 'read' | 'write', value: T): T {
    if (this.#state === 'lost' || (this.#state === 'full' && mode === 'write'))
      this.#become(this.#readsNewer ? 'newer' : 'kept')
    return value
  }

  #ill(thrown: unknown): AgentError {
    const error = this.#named(thrown)
    if (error.code === 'storage_gone') this.#become('gone', 'removed')
    if (error.code === 'storage_full') this.#become('full')
    if (error.code === 'storage_lost') this.#become('lost')
    return error
  }

  #named(thrown: unknown): AgentError {
    // It does not matter what a task that runs into the removal stumbles over.
    if (this.#db.vanished || this.#state === 'gone' || isDatabaseGone(thrown)) return goneError(thrown)
    // It was open and does not open again: on a full disk Chromium says no more of it than this.
    if (isUnopened(thrown)) return this.#state === 'full' ? fullError(thrown) : lostError(thrown)
    return storageError(thrown)
  }

  #become(state: State, reason?: string): void {
    if (this.#isOver || (state === this.#state && reason === undefined)) return
    this.#state = state
    this.#onState(state, reason)
  }

  #refuse(mode: 'read' | 'write'): void {
    if (this.#state === 'blocked') {
      throw new AgentError(
        'storage_blocked',
        'Another tab with an older version of Haversack holds the database. Close the other tabs.',
      )
    }
    if (this.#state === 'replaced') {
      throw new AgentError('new_version', 'A newer version in another tab took over the database. Reload this page.')
    }
    if (this.#state === 'gone') throw goneError()
    if (this.#readsNewer && mode === 'write') {
      throw new AgentError(
        'storage_newer',
        'These chats were saved by a newer version of Haversack: they can be read and exported here, not changed. Reload for the new version.',
      )
    }
  }
}
