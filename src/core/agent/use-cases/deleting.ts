/**
 * Use case: the person deletes one message. What it said is gone, also where it was told again; a tombstone keeps its
 * place.
 */
import { AgentError } from '../../errors.ts'
import type { Id } from '../../log/entry.ts'
import { storedSummary } from '../../log/query.ts'
import { dayOf } from '../../text/day.ts'
import { isTitleOf } from '../../text/display/title.ts'
import type { AgentApi } from '../api/api.ts'
import type { Kit } from '../session/agent-runtime.ts'
import type { Session } from '../session/session.ts'
import type { Work } from '../lifecycle/session-tasks.ts'

export function deleting(kit: Kit, work: Work): Pick<AgentApi, 'deleteMessage'> {
  return {
    deleteMessage: async (id, entry) => {
      if (work.isRunning(id))
        throw new AgentError('busy', 'An answer is being written in this chat. Stop it first, or wait.')
      await work.change(id, async session => {
        const { tellAnew, withRetold } = await import('./derived-entries.ts') // loaded when it is first used
        const shown = storedSummary(session.log)
        const ids = withRetold(session, entry)
        await kit.search.removing({ entries: ids }, () =>
          kit.parts.store.blank(ids, { day: dayOf(kit.parts.world.now()), why: 'deleted' }),
        )
        if (named(session, entry)) await session.update({ title: kit.untitled })
        await session.refresh(true)
        if (shown && ids.includes(shown.id)) await tellAnew(kit, session, shown)
        kit.tell({ type: 'leaf', session: id, leaf: session.leaf })
        kit.tell({ type: 'context', session: id })
        kit.tell({ type: 'memory' }) // notes, and a proposal made of them, may have gone with it
      })
    },
  }
}

/** Whether the chat took its name from this message by itself: then the name tells what was deleted. */
function named(session: Session, id: Id): boolean {
  const fact = session.find(id)
  return !session.info.titled && fact?.type === 'user' && isTitleOf(session.info.title, fact.text)
}
