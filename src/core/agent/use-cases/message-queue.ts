/** Messages that wait until the answer is done: kept with their chat, sent in their order, or taken back. */
import { AgentError } from '../../errors.ts'
import type { SessionId } from '../../log/entry.ts'
import type { Queued } from '../../ports/ports.ts'
import type { AgentApi, Status } from '../api/api.ts'
import { addQuestion, userFact } from './conversation.ts'
import type { Kit } from '../session/agent-runtime.ts'
import { restingStatus } from '../lifecycle/status-from-log.ts'
import type { Restarts } from '../lifecycle/idle-trim.ts'
import { runTurn } from '../turn/run-turn.ts'
import { shownQueued } from './info-for-page.ts'
import { newestTurn } from '../session/turn-state.ts'
import type { Work } from '../lifecycle/session-tasks.ts'

type Queueing = Pick<AgentApi, 'enqueue' | 'takeBack' | 'sendQueued'> & {
  /**
   * An answer has ended: the first that waits is sent, if that one came to its end. What failed or was stopped sends
   * nothing.
   */
  next(id: SessionId): void
}

/** Held while the row is read and written: two tabs may take the same one at once. Never waits for a turn. */
const queueLock = (id: SessionId): string => `queued:${id}`

export function queueing(kit: Kit, work: Work, restarts: Restarts): Queueing {
  const { store, locks, world } = kit.parts
  const all = async (id: SessionId): Promise<readonly Queued[]> => {
    const info = (await store.session(id)) ?? kit.begun(id) // its first message may be on its way
    if (!info) throw new AgentError('not_found', `There is no chat ${id}`)
    return info.queued ?? []
  }
  const tell = (id: SessionId, queued: readonly Queued[]): void => {
    kit.tell({ type: 'queued', session: id, queued: shownQueued(queued) })
  }
  const keep = async (id: SessionId, queued: readonly Queued[]): Promise<void> => {
    const changes = { queued: queued.length > 0 ? queued : undefined }
    if (kit.begun(id)) await (await kit.session(id)).update(changes)
    else await store.updateSession(id, changes)
    tell(id, queued)
  }

  /** Sends the first one. `unasked`: by itself, so only behind an answer that is whole. */
  const send = (id: SessionId, unasked: boolean): Promise<void> =>
    work.start(id, async (session, signal, begun): Promise<Status> => {
      const due = unasked && !isWhole(newestTurn(session.log)) ? undefined : await restarts.due(session)
      const sent =
        due !== undefined &&
        (await locks.run(queueLock(id), {}, async () => {
          const [first, ...rest] = await all(id)
          if (first === undefined) return false
          // With its removal in one transaction: it is never lost and never said twice.
          await addQuestion(session, userFact(first.text, first.attachments), due, {
            queued: rest.length > 0 ? rest : undefined,
          })
          tell(id, rest)
          return true
        }))
      begun()
      return sent ? runTurn({ kit, session, signal }) : restingStatus(kit, session)
    })

  const next = async (id: SessionId): Promise<void> => {
    if (work.isRunning(id) || !(await store.session(id))?.queued?.length) return
    if (!isWhole(newestTurn((await kit.session(id)).log)) || work.isRunning(id)) return
    await send(id, true)
  }
  const tryNext = (id: SessionId): void => {
    next(id).catch((thrown: unknown) => {
      if (!(thrown instanceof AgentError && (thrown.code === 'busy' || thrown.code === 'not_found')))
        work.tellFailure(id, thrown)
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
    takeBack: (id, queued) =>
      locks.run(queueLock(id), {}, async () => {
        const waiting = await all(id)
        const found = waiting.find(one => one.id === queued)
        if (!found) throw new AgentError('not_found', 'This message does not wait any more')
        await keep(
          id,
          waiting.filter(one => one !== found),
        )
        return found
      }),
    sendQueued: id => send(id, false),
    next: tryNext,
  }
}

/** Its answer came to its end: nothing is open, and there is nothing to go on with. */
function isWhole({ state, canGoOn }: ReturnType<typeof newestTurn>): boolean {
  return state === 'closed' && !canGoOn
}
