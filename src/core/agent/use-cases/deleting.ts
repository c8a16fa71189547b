/**
 * Use case: the person deletes one message. Its text is removed, also from summaries and notes made of it; a tombstone
 * keeps its place.
 */
import { AgentError } from '../../errors.ts'
import type { Id } from '../../log/entry.ts'
import { storedSummary } from '../../log/query.ts'
import { dayOf } from '../../text/day.ts'
import { isTitleOf } from '../../text/display/title.ts'
import type { AgentApi } from '../api/api.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import type { Session } from '../session/session.ts'
import type { SessionTasks } from '../lifecycle/session-tasks.ts'

export function deleting(runtime: AgentRuntime, tasks: SessionTasks): Pick<AgentApi, 'deleteMessage'> {
  return {
    deleteMessage: async (id, entry) => {
      if (tasks.isRunning(id))
        throw new AgentError('busy', 'An answer is being written in this chat. Stop it first, or wait.')
      await tasks.withSession(id, async session => {
        const { resummarize, withDerived } = await import('./derived-entries.ts') // loaded when it is first used
        const shown = storedSummary(session.log)
        const ids = withDerived(session, entry)
        await runtime.search.withRemoval({ entries: ids }, () =>
          runtime.deps.store.removeTexts(ids, { day: dayOf(runtime.deps.world.now()), why: 'deleted' }),
        )
        if (named(session, entry)) await session.update({ title: runtime.untitled })
        await session.refresh(true)
        if (shown && ids.includes(shown.id)) await resummarize(runtime, session, shown)
        runtime.emit({ type: 'leaf', session: id, leaf: session.leaf })
        runtime.emit({ type: 'context', session: id })
        runtime.emit({ type: 'memory' }) // notes, and a proposal made of them, may have gone with it
      })
    },
  }
}

/** Whether the chat took its name from this message by itself: then the name tells what was deleted. */
function named(session: Session, id: Id): boolean {
  const fact = session.find(id)
  return !session.info.titled && fact?.type === 'user' && isTitleOf(session.info.title, fact.text)
}
