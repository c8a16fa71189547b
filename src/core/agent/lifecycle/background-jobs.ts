/**
 * Background jobs, which wait until an answer is done: pending summaries (C6.6) and the compaction of local models. One
 * job per chat, and never beside a manual compaction.
 */
import { lateSummary } from '../../context/compaction/late-summary.ts'
import { pendingSummaries } from '../../context/compaction/pending-summaries.ts'
import { runPipeline } from '../../context/run-pipeline.ts'
import { codeOf } from '../../errors.ts'
import type { Entry, Log, SessionId } from '../../log/entry.ts'
import { isEdit, isFact } from '../../log/query.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import type { Session } from '../session/session.ts'
import { setUpRequest } from '../request/request-setup.ts'
import { localizeNotes } from '../i18n/localize-notes.ts'
import { newestTurnState } from '../session/turn-state.ts'
import type { SessionTasks } from './session-tasks.ts'

/** `compacts`: it runs the steps of `onAnswer`, which cut; the rest only tells what is cut already. */
type Job = { stop: AbortController; done: Promise<void>; local: boolean; compacts: boolean }

/**
 * Why a chat is checked: an answer has ended, or it was only opened; then only its pending summaries are made (C6.6).
 */
type JobTrigger = 'answered' | 'owed'

export class BackgroundJobs {
  readonly #runtime: AgentRuntime
  readonly #tasks: SessionTasks
  #running = new Map<SessionId, Job>()
  /** Jobs paused by a message on a local engine, which can do one thing at a time. */
  #paused = new Map<SessionId, JobTrigger>()

  constructor(runtime: AgentRuntime, tasks: SessionTasks) {
    this.#runtime = runtime
    this.#tasks = tasks
  }

  /** Runs the jobs that the chat needs and resumes paused ones. Never throws; a failure is emitted. */
  schedule = (id: SessionId, look: JobTrigger): void => {
    this.#pause(id, look)
    for (const [one, wanted] of this.#paused) {
      if (this.#running.has(one) || this.#tasks.isRunning(one)) continue // looked at again when that is over
      this.#paused.delete(one)
      this.#start(one, wanted)
    }
  }

  /**
   * A message is being answered: pauses jobs on a local engine and jobs that cut this chat; they are resumed
   * afterwards.
   */
  yieldToTurn = (working: SessionId): void => {
    for (const [id, job] of this.#running) {
      if (!job.local && !(job.compacts && id === working)) continue
      this.#pause(id, job.compacts ? 'answered' : 'owed')
      job.stop.abort()
    }
  }

  /**
   * Runs a task while no job of the chat runs, here or in another tab: never two compactions at once (C5.4). The lock
   * of the job comes before that of the session, as in a job itself: two tabs that took them crosswise would wait for
   * ever.
   */
  withoutJobs = async <T>(id: SessionId, signal: AbortSignal, task: () => Promise<T>): Promise<T> => {
    const job = this.#running.get(id)
    job?.stop.abort()
    await job?.done
    return this.#runtime.deps.locks.run(jobLock(id), { signal }, task)
  }

  #pause(id: SessionId, look: JobTrigger): void {
    if (this.#paused.get(id) !== 'answered') this.#paused.set(id, look)
  }

  #start(id: SessionId, look: JobTrigger): void {
    const job: Job = {
      stop: new AbortController(),
      done: Promise.resolve(),
      local: true,
      compacts: look === 'answered',
    }
    this.#running.set(id, job)
    job.done = this.#run(id, job)
  }

  async #run(id: SessionId, job: Job): Promise<void> {
    try {
      // Another tab may be at the same job: then it is done there.
      await this.#runtime.whileLoaded(id, () => this.#runtime.deps.locks.tryRun(jobLock(id), () => this.#all(id, job)))
    } catch (thrown) {
      if (codeOf(thrown) !== 'stopped' && codeOf(thrown) !== 'not_found') this.#tasks.emitFailure(id, thrown)
    } finally {
      this.#running.delete(id)
      const wanted = this.#paused.get(id)
      if (wanted !== undefined && !job.stop.signal.aborted) this.schedule(id, wanted)
    }
  }

  async #all(id: SessionId, job: Job): Promise<void> {
    const session = await this.#runtime.session(id)
    if (session.awaitsImport) return
    const { signal } = job.stop
    const setup = await setUpRequest(this.#runtime, session)
    const env = setup.env('onAnswer', { signal })
    job.local = setup.summariserLocal
    const { onAnswer } = setup.strategy
    const { state } = newestTurnState(session.log)
    if (job.compacts && onAnswer && onAnswer.length > 0 && (state === 'closed' || state === 'stopped')) {
      const seen = session.log
      const added = await runPipeline(seen, onAnswer, env)
      // What was said, cut or undone meanwhile was not considered: the chat is checked again after the next answer.
      await this.#append(
        session,
        added,
        log =>
          !log.slice(seen.length).some(entry => isFact(entry) || isEdit(entry)) && log[seen.length - 1] === seen.at(-1),
        signal,
      )
    }
    job.compacts = false
    while (pendingSummaries(session.log).length > 0) {
      const added = await runPipeline(session.log, [lateSummary(setup.strategy.summaryPlace)], {
        ...env,
        group: this.#runtime.deps.world.newId(),
      })
      // A cut that is not in view any more gets its summary when it is again.
      const isOwed = (log: Log): boolean => {
        const cuts = new Set(pendingSummaries(log).map(cut => cut.id))
        return added.every(entry => entry.type !== 'summary' || cuts.has(entry.of))
      }
      if (!(await this.#append(session, added, isOwed, signal))) return
    }
  }

  /** The result of a long job may be out of date: it is appended only if it still holds. */
  async #append(
    session: Session,
    added: readonly Entry[],
    holds: (log: Log) => boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (added.length === 0) return false
    return this.#tasks.withSession(session.id, async session => {
      if (signal.aborted || !holds(session.log)) return false
      await session.append(localizeNotes(added, this.#runtime.language))
      return true
    })
  }
}

function jobLock(id: SessionId): string {
  return `job:${id}`
}
