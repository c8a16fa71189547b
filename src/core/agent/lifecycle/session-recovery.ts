/**
 * What is done for a chat when it is opened and no other tab works on it: repair after a crash, the check for an idle
 * trim, pending jobs.
 */
import type { SessionId } from '../../log/entry.ts'
import { repairsAfterCrash } from '../../log/model-view/repair.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import { readsForRemoteModel } from '../privacy/egress.ts'
import type { IdleTrims } from './idle-trim.ts'
import { statusFromLog } from './status-from-log.ts'
import { permissionFor } from '../turn/run-calls.ts'
import type { EntryToAppend, Session } from '../session/session.ts'
import { tools } from '../tools/index.ts'
import { newestTurnState } from '../session/turn-state.ts'
import { sessionLock, openedLock, type SessionTasks } from './session-tasks.ts'
import { noteTexts } from '../i18n/note-texts.ts'

export class SessionRecovery {
  readonly #runtime: AgentRuntime
  readonly #tasks: SessionTasks
  readonly #idleTrims: IdleTrims
  readonly #onRecovered: (id: SessionId) => void
  /** Chats that wait for the lock: one wait for each is enough. */
  #waiting = new Set<SessionId>()
  #openedOnce = new Set<SessionId>()

  constructor(
    runtime: AgentRuntime,
    tasks: SessionTasks,
    { idleTrims, afterwards }: { idleTrims: IdleTrims; afterwards: (id: SessionId) => void },
  ) {
    this.#runtime = runtime
    this.#tasks = tasks
    this.#idleTrims = idleTrims
    this.#onRecovered = afterwards
  }

  /**
   * Once after the app was loaded: the first tab that opens the chat keeps that lock for as long as it lives (C5.5,
   * C10).
   */
  async #opened(session: Session): Promise<void> {
    if (this.#openedOnce.has(session.id)) return
    this.#openedOnce.add(session.id)
    const first = await new Promise<boolean>(resolve => {
      this.#runtime.deps.locks
        .tryRun(openedLock(session.id), () => {
          resolve(true)
          return new Promise<never>(() => undefined)
        })
        .then(
          () => {
            resolve(false)
          },
          () => {
            resolve(false)
          },
        )
    })
    if (first) this.#idleTrims.recordOpening(session)
  }

  /**
   * Recovers the chat now, or when the tab that works on it has finished or died. Never throws; a failure is emitted.
   */
  recover = (id: SessionId): void => {
    if (this.#waiting.has(id) || this.#tasks.isRunning(id)) return
    this.#waiting.add(id)
    // A tab that opens the chat while another one works on it has missed what that one said before.
    const onWait = (): void => {
      if (!this.#tasks.isRunning(id))
        this.#runtime.emitLocally({ type: 'status', session: id, status: { state: 'waiting' } })
    }
    this.#runtime
      .whileLoaded(id, () =>
        this.#runtime.deps.locks.run(sessionLock(id), { onWait }, async () => {
          this.#waiting.delete(id)
          // a turn was begun here meanwhile and waits for the lock: it will see to it
          if (this.#tasks.isRunning(id)) return
          const session = await this.#runtime.session(id)
          await session.refresh()
          await session.restoreLeaf()
          await recoverAfterCrash(this.#runtime, session)
          await this.#opened(session)
          this.#runtime.setStatus(id, await statusFromLog(this.#runtime, session))
        }),
      )
      .then(
        () => {
          this.#onRecovered(id)
        },
        (thrown: unknown) => {
          this.#tasks.emitFailure(id, thrown)
        },
      )
      .finally(() => {
        this.#waiting.delete(id)
      })
  }
}

/** Calls that still wait for a permission: from the first one that asks, because those before it were running. */
async function waitingCalls(runtime: AgentRuntime, session: Session): Promise<Set<string>> {
  const turn = newestTurnState(session.log)
  const away = turn.state === 'calls' && (turn.answeredRemotely || (await readsForRemoteModel(runtime, session.info)))
  for (const [at, call] of (turn.state === 'calls' ? turn.calls : []).entries()) {
    const tool = tools.find(tool => tool.name === call.name)
    if (tool && (await permissionFor(runtime.deps.store, tool, call, { info: session.info, away })))
      return new Set(turn.calls.slice(at).map(call => call.id))
  }
  return new Set()
}

/**
 * Repairs what a crash has cut off: the part of an answer becomes an answer that is marked, and calls that ran get a
 * result; calls that wait for a permission keep waiting. Only under the session's lock: otherwise the part may still be
 * growing.
 */
export async function recoverAfterCrash(runtime: AgentRuntime, session: Session): Promise<void> {
  const partial = await runtime.deps.store.partial(session.id)
  const repairs = repairsAfterCrash(session.log, partial, await waitingCalls(runtime, session))
  if (repairs.length === 0) {
    if (partial) await session.discardReply()
    return
  }
  const answer = repairs.find(fact => fact.type === 'assistant')
  const calls = repairs.filter(fact => fact.type === 'result').length
  const text = answer ? noteTexts(runtime).restored(answer.text.length) : noteTexts(runtime).restoredCalls(calls)
  const note: EntryToAppend = {
    type: 'note',
    code: 'restored',
    text,
    data: { characters: answer?.text.length ?? 0, calls },
  }
  const elsewhere =
    partial !== undefined && partial.parent !== session.leaf && session.find(partial.parent ?? '') !== undefined
  await session.append([...repairs, note], elsewhere ? { parent: partial.parent, keepLeaf: true } : {})
}
