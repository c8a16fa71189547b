/** The queue of messages that wait until the answer is done: stored with their chat, sent in order, or withdrawn. */
import { AgentError } from '../../errors.ts'
import type { Id, SessionId } from '../../log/entry.ts'
import type { QueuedMessage } from '../../ports/ports.ts'
import type { AgentApi, Status } from '../api/api.ts'
import { appendQuestion, userFact } from './conversation.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import { statusFromLog } from '../lifecycle/status-from-log.ts'
import type { IdleTrims } from '../lifecycle/idle-trim.ts'
import { runTurn } from '../turn/run-turn.ts'
import { queuedForPage } from './info-for-page.ts'
import { newestTurnState } from '../session/turn-state.ts'
import type { SessionTasks } from '../lifecycle/session-tasks.ts'

type Queueing = Pick<AgentApi, 'enqueue' | 'withdrawQueued' | 'sendQueued'> & {
  /**
   * An answer has ended: sends the first queued message if the answer was complete. After a failure or a stop nothing
   * is sent.
   */
  next(id: SessionId): void
}

/** Held while the row is read and written: two tabs may take the same one at once. Never waits for a turn. */
const queueLock = (id: SessionId): string => `queued:${id}`

export function createMessageQueue(runtime: AgentRuntime, tasks: SessionTasks, idleTrims: IdleTrims): Queueing {
  const { store, locks, world } = runtime.deps
  const all = async (id: SessionId): Promise<readonly QueuedMessage[]> => {
    const info = (await store.session(id)) ?? runtime.unstoredSession(id) // its first message may be on its way
    if (!info) throw new AgentError('not_found', `There is no chat ${id}`)
    return info.queued ?? []
  }
  const tell = (id: SessionId, queued: readonly QueuedMessage[]): void => {
    runtime.emit({ type: 'queued', session: id, queued: queuedForPage(queued) })
  }
  const keep = async (id: SessionId, queued: readonly QueuedMessage[]): Promise<void> => {
    const changes = { queued: queued.length > 0 ? queued : undefined }
    if (runtime.unstoredSession(id)) await (await runtime.session(id)).update(changes)
    else await store.updateSession(id, changes)
    tell(id, queued)
  }

  /**
   * Sends the first one, or the one that is named. `unasked`: by itself, so only behind an answer that is whole.
   */
  const send = (id: SessionId, { unasked = false, queued }: { unasked?: boolean; queued?: Id }): Promise<void> =>
    tasks.runTask(id, async (session, signal, begun): Promise<Status> => {
      const due = unasked && !isWhole(newestTurnState(session.log)) ? undefined : await idleTrims.dueEdits(session)
      const sent =
        due !== undefined &&
        (await locks.run(queueLock(id), {}, async () => {
          const waiting = await all(id)
          const chosen = queued === undefined ? waiting[0] : waiting.find(one => one.id === queued)
          if (chosen === undefined && queued !== undefined) throw notWaiting()
          if (chosen === undefined) return false
          const rest = waiting.filter(one => one !== chosen)
          // With its removal in one transaction: it is never lost and never said twice.
          await appendQuestion(session, userFact(chosen.text, chosen.attachments), due, {
            queued: rest.length > 0 ? rest : undefined,
          })
          tell(id, rest)
          return true
        }))
      begun()
      return sent ? runTurn({ runtime, session, signal }) : statusFromLog(runtime, session)
    })

  const next = async (id: SessionId): Promise<void> => {
    if (tasks.isRunning(id) || !(await store.session(id))?.queued?.length) return
    if (!isWhole(newestTurnState((await runtime.session(id)).log)) || tasks.isRunning(id)) return
    await send(id, { unasked: true })
  }
  const tryNext = (id: SessionId): void => {
    next(id).catch((thrown: unknown) => {
      if (!(thrown instanceof AgentError && (thrown.code === 'busy' || thrown.code === 'not_found')))
        tasks.emitFailure(id, thrown)
    }) // it goes on waiting
  }

  return {
    enqueue: async (id, text, attachments = []) => {
      userFact(text, attachments) // refuses what could not be sent
      await locks.run(queueLock(id), {}, async () => {
        await keep(id, [
          ...(await all(id)),
          { id: world.newId(), text, ...(attachments.length > 0 ? { attachments } : {}) },
        ])
      })
      tryNext(id) // the answer may have ended just now
    },
    withdrawQueued: (id, queued) =>
      locks.run(queueLock(id), {}, async () => {
        const waiting = await all(id)
        const found = waiting.find(one => one.id === queued)
        if (!found) throw notWaiting()
        await keep(
          id,
          waiting.filter(one => one !== found),
        )
        return found
      }),
    sendQueued: (id, queued) => send(id, queued === undefined ? {} : { queued }),
    next: tryNext,
  }
}

const notWaiting = (): AgentError => new AgentError('not_found', 'This message does not wait any more')

/** Whether the turn is complete: nothing is open, and there is nothing to continue. */
function isWhole({ state, canContinue }: ReturnType<typeof newestTurnState>): boolean {
  return state === 'closed' && !canContinue
}
