/** The packed segments of the search index in the store: writing them, and removing words from them. */
import type { Id, SessionId } from '../../log/entry.ts'
import type { Locks, LogStore, IndexSegment } from '../../ports/ports.ts'
import { openSegment, packSegment, type Covered } from '../../text/search/segment.ts'

/** Texts whose words have to leave the index. */
export type RemovedTexts = { entries: Id[] } | { session: SessionId }

/** What is being removed right now; after a crash the next opening finds it here and finishes. */
const owedKey = 'search.owed'
/** One tab packs at a time. */
const lockName = 'search-index'

type KnownSegment = { id: string; passages: readonly number[] }

export class SearchSegments {
  readonly #store: LogStore
  readonly #locks: Locks | undefined
  readonly #known: KnownSegment[] = []
  #packed = new Map<SessionId, number>()
  #stale = false

  constructor(store: LogStore, locks?: Locks) {
    this.#store = store
    this.#locks = locks
  }

  /**
   * Another tab has packed something that this one has not read: this tab packs nothing until the index is opened
   * again.
   */
  get isStale(): boolean {
    return this.#stale
  }

  load(): Promise<IndexSegment[]> {
    return this.#store.segments()
  }

  /** A segment that was loaded, with the numbers that its passages have here. */
  register(id: string, passages: readonly number[], bytes: Uint8Array): void {
    this.#known.push({ id, passages })
    for (const { session, to } of openSegment(bytes)?.covered ?? []) this.#packed.set(session, to)
  }

  /** The chats that have grown since the last segment. */
  grownSessions(covered: readonly Covered[]): Covered[] {
    return covered.filter(({ session, to }) => to > (this.#packed.get(session) ?? 0))
  }

  /**
   * Stores a segment; false if another tab is packing, or has packed something that this tab has not read: then it
   * stays in memory.
   */
  async add(passages: readonly number[], bytes: Uint8Array, covered: readonly Covered[]): Promise<boolean> {
    return this.#alone(async () => {
      const last = this.#known.at(-1)?.id
      this.#stale = (await this.#store.segments(last)).length > 0
      if (this.#stale) return false
      const id = String(Number(last ?? 0) + 1).padStart(8, '0')
      await this.#store.addSegment({ id, facts: passages.length, bytes })
      this.#known.push({ id, passages })
      for (const { session, to } of covered) this.#packed.set(session, to)
      return true
    })
  }

  /**
   * Rewrites the segments that hold these passages without their words. It reads them from the store first, because
   * another tab may have rewritten them too.
   */
  async forget(passages: ReadonlySet<number>): Promise<void> {
    const affected = this.#known.filter(known => known.passages.some(passage => passages.has(passage)))
    if (affected.length === 0) return
    const stored = new Map((await this.#store.segments()).map(({ id, bytes }) => [id, bytes]))
    for (const known of affected) {
      const gone = new Set(known.passages.flatMap((passage, local) => (passages.has(passage) ? [local] : [])))
      const bytes = stored.get(known.id)
      const segment = bytes && openSegment(bytes)
      if (!segment) continue
      const rows = segment.rows.map((row, local) =>
        gone.has(local) ? { ...row, length: 0, features: 0, statements: 0 } : row,
      )
      await this.#store.addSegment({
        id: known.id,
        facts: known.passages.length,
        bytes: packSegment(rows, segment.covered, segment.lists.excluding(gone)),
      })
    }
  }

  async clear(): Promise<void> {
    for (const { id } of await this.#store.segments()) await this.#store.removeSegment(id)
    this.#known.length = 0
    this.#packed.clear()
  }

  /** Removals that an earlier run did not finish. Texts that are still stored were not removed, and stay indexed. */
  async pendingRemovals(): Promise<RemovedTexts[]> {
    const gone = (await this.#store.setting(owedKey)) as RemovedTexts[] | undefined
    if (!gone) return []
    const done: RemovedTexts[] = []
    for (const one of gone) {
      if ('session' in one) {
        if (!(await this.#store.session(one.session))) done.push(one)
      } else {
        const entries: Id[] = []
        for (const id of one.entries) if ((await this.#store.find(id))?.row.entry.gone) entries.push(id)
        done.push({ entries })
      }
    }
    return done
  }

  /** Clears the list of pending removals. */
  async clearPending(): Promise<void> {
    if ((await this.#store.setting(owedKey)) !== undefined) await this.#store.saveSetting(owedKey, undefined)
  }

  async #alone(task: () => Promise<boolean>): Promise<boolean> {
    if (!this.#locks) return task()
    const outcome = await this.#locks.tryRun(lockName, task)
    return outcome.free && outcome.value
  }
}

/** Records that these texts are about to be removed, so that a crash in between leaves nothing of them in the index. */
export async function markForRemoval(store: LogStore, gone: RemovedTexts): Promise<void> {
  const owed = ((await store.setting(owedKey)) as RemovedTexts[] | undefined) ?? []
  await store.saveSetting(owedKey, [...owed, gone])
}
