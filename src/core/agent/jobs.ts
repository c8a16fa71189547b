/** Work that may wait until an answer is there: owed summaries and the compaction of local models (C6.6). One job per chat. */
import { lateSummary } from '../context/late-summary.ts'
import { prepare } from '../context/prepare.ts'
import { codeOf } from '../errors.ts'
import type { Entry, SessionId } from '../log/entry.ts'
import { owedSummaries } from '../log/query.ts'
import type { Kit } from './kit.ts'
import type { Session } from './session.ts'
import { setUp } from './setup.ts'
import { spoken } from './step-notes.ts'
import { newestTurn } from './turn-state.ts'
import type { Work } from './work.ts'

type Job = { stop: AbortController; local: boolean }

export class Jobs {
  readonly #kit: Kit
  readonly #work: Work
  #running = new Map<SessionId, Job>()
  /** Were pushed aside by a message on a local engine, which can do one thing at a time. */
  #paused = new Set<SessionId>()

  constructor(kit: Kit, work: Work) {
    this.#kit = kit
    this.#work = work
  }

  /** Looks whether the chat owes anything and does it; takes up what was pushed aside. Never throws; what fails is told. */
  schedule = (id: SessionId): void => {
    for (const one of new Set([id, ...this.#paused])) {
      this.#paused.delete(one)
      void this.#run(one)
    }
  }

  /** A message is being answered: jobs on a local engine make room and are taken up again afterwards. */
  makeRoom = (): void => {
    for (const [id, job] of this.#running) {
      if (!job.local) continue
      this.#paused.add(id)
      job.stop.abort()
    }
  }

  async #run(id: SessionId): Promise<void> {
    if (this.#running.has(id) || this.#work.isRunning(id)) {
      this.#paused.add(id) // looked at again when that is over
      return
    }
    const job: Job = { stop: new AbortController(), local: true }
    this.#running.set(id, job)
    try {
      // Another tab may be at the same job: then it is done there.
      await this.#kit.using(id, () => this.#kit.parts.locks.tryRun(`job:${id}`, () => this.#all(id, job)))
    } catch (thrown) {
      if (codeOf(thrown) !== 'stopped' && codeOf(thrown) !== 'not_found') this.#work.tellFailure(id, thrown)
    } finally {
      this.#running.delete(id)
      if (this.#paused.has(id) && !this.#work.isRunning(id) && !job.stop.signal.aborted) this.schedule(id)
    }
  }

  async #all(id: SessionId, job: Job): Promise<void> {
    const session = await this.#kit.session(id)
    const { signal } = job.stop
    const setup = await setUp(this.#kit, session)
    const env = setup.env('onAnswer', { signal })
    job.local = setup.summariserLocal
    const { onAnswer } = setup.strategy
    const { state } = newestTurn(session.log)
    if (onAnswer && onAnswer.length > 0 && (state === 'closed' || state === 'stopped')) await this.#append(session, await prepare(session.log, onAnswer, env))
    while (owedSummaries(session.log).length > 0) {
      const added = await prepare(session.log, [lateSummary(setup.strategy.summaryPlace)], { ...env, group: this.#kit.parts.world.newId() })
      if (!await this.#append(session, added)) return
    }
  }

  /** What took long may be out of date: a cut that is not in view any more gets its summary when it is again. */
  async #append(session: Session, added: readonly Entry[]): Promise<boolean> {
    if (added.length === 0) return false
    return this.#work.change(session.id, async session => {
      const own = new Set(added.map(entry => entry.id))
      const needed = added.flatMap(entry => (entry.type === 'summary' ? [entry.of] : entry.type === 'cut' && entry.before !== null ? [entry.before] : []))
      const path = new Set(session.log.map(entry => entry.id))
      const owed = new Set(owedSummaries(session.log).map(cut => cut.id))
      if (needed.some(id => !own.has(id) && !path.has(id))) return false
      if (added.some(entry => entry.type === 'summary' && !own.has(entry.of) && !owed.has(entry.of))) return false
      await session.append(spoken(added, this.#kit.language))
      return true
    })
  }
}
