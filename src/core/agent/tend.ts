/** What is done for a chat when it is opened and nobody else works on it: repair after a crash, the steps of opening, owed jobs. */
import type { SessionId } from '../log/entry.ts'
import { repairsAfterCrash } from '../log/repair.ts'
import type { Kit } from './kit.ts'
import { openQuestion, restingStatus } from './resting.ts'
import type { Fresh, Session } from './session.ts'
import { tools } from './tools/index.ts'
import { newestTurn } from './turn-state.ts'
import { lockOf, type Work } from './work.ts'

export class Tender {
  readonly #kit: Kit
  readonly #work: Work
  readonly #afterwards: (id: SessionId) => void
  /** Chats that wait for their turn: one wait each is enough. */
  #waiting = new Set<SessionId>()

  constructor(kit: Kit, work: Work, afterwards: (id: SessionId) => void) {
    this.#kit = kit
    this.#work = work
    this.#afterwards = afterwards
  }

  /** Tends the chat now, or when the tab that works on it has finished or died. Never throws; what fails is told. */
  tend = (id: SessionId): void => {
    if (this.#waiting.has(id) || this.#work.isRunning(id)) return
    this.#waiting.add(id)
    this.#kit.using(id, () => this.#kit.parts.locks.run(lockOf(id), {}, async () => {
      this.#waiting.delete(id)
      if (this.#work.isRunning(id)) return // a turn was begun here meanwhile and waits for the lock: it will see to it
      const session = await this.#kit.session(id)
      await session.refresh()
      await mend(this.#kit, session)
      this.#kit.tellStatus(id, restingStatus(session.log, tools, session.info.allowed ?? []))
    })).then(
      () => { this.#afterwards(id) },
      (thrown: unknown) => { this.#work.tellFailure(id, thrown) },
    ).finally(() => { this.#waiting.delete(id) })
  }
}

/**
 * Repairs what a crash has cut off: the part of an answer becomes an answer that is marked, and calls that ran get a
 * result; calls that wait for a yes go on waiting. Only under the session's lock: else the part may still be growing.
 */
export async function mend(kit: Kit, session: Session): Promise<void> {
  const partial = await kit.parts.store.partial(session.id)
  const waits = openQuestion(session.log, tools, session.info.allowed ?? [])
  const waiting = new Set(waits ? newestTurn(session.log).calls.map(call => call.id) : [])
  const repairs = repairsAfterCrash(session.log, partial, waiting)
  if (repairs.length === 0) {
    if (partial) await session.drop()
    return
  }
  const answer = repairs.find(fact => fact.type === 'assistant')
  const calls = repairs.filter(fact => fact.type === 'result').length
  const text = answer ? kit.words.restored(answer.text.length) : kit.words.restoredCalls(calls)
  const note: Fresh = { type: 'note', code: 'restored', text, data: { characters: answer?.text.length ?? 0, calls } }
  const elsewhere = partial !== undefined && partial.parent !== session.leaf && session.find(partial.parent ?? '') !== undefined
  await session.append([...repairs, note], elsewhere ? { parent: partial.parent, keepLeaf: true } : {})
}
