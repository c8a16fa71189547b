/** Use case: the person deletes one message. What it said is gone; a tombstone keeps its place. */
import { AgentError } from '../errors.ts'
import type { Id } from '../log/entry.ts'
import { isFact } from '../log/query.ts'
import { dayOf } from '../text/day.ts'
import type { AgentApi } from './api.ts'
import type { Kit } from './kit.ts'
import { titleOf } from './library.ts'
import type { Session } from './session.ts'
import type { Work } from './work.ts'

export function deleting(kit: Kit, work: Work): Pick<AgentApi, 'deleteMessage'> {
  return {
    deleteMessage: async (id, entry) => {
      if (work.isRunning(id)) throw new AgentError('busy', 'An answer is being written in this chat. Stop it first, or wait.')
      await work.change(id, async session => {
        const ids = withMemory(session, entry)
        await kit.search.removing({ entries: ids }, () => kit.parts.store.blank(ids, { day: dayOf(kit.parts.world.now()), why: 'deleted' }))
        if (named(session, entry)) await session.update({ title: kit.words.untitled })
        await session.refresh(true)
        kit.tell({ type: 'leaf', session: id, leaf: session.leaf })
        kit.tell({ type: 'context', session: id })
      })
    },
  }
}

/** Whether the chat took its name from this message by itself: then the name tells what was deleted. */
function named(session: Session, id: Id): boolean {
  const fact = session.find(id)
  return !session.info.titled && fact?.type === 'user' && titleOf(fact.text) === session.info.title
}

/** The message, and the memory that was made from a part of the log that held it (C9.1). */
function withMemory(session: Session, id: Id): Id[] {
  const fact = session.find(id)
  if (!fact || !isFact(fact)) throw new AgentError('not_found', 'There is no such message in this chat')
  const at = new Map(session.log.map((entry, index) => [entry.id, index]))
  const own = at.get(id)
  const ids = [id]
  for (const entry of session.log) {
    if (entry.type !== 'memory' || entry.cut === undefined || own === undefined) continue
    const cut = session.find(entry.cut)
    if (cut?.type !== 'cut') continue
    const border = cut.before === null ? at.get(cut.id) : at.get(cut.before)
    if (border !== undefined && own < border) ids.push(entry.id)
  }
  return ids
}
