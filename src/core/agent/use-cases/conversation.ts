/** Use cases of the conversation: send, stop, go on, other versions, the answers to tools that ask. */
import { AgentError } from '../../errors.ts'
import { partsOf } from '../../log/answer-parts.ts'
import type { Attachment, Entry, Id, UserFact } from '../../log/entry.ts'
import type { ToolCall } from '../../log/message.ts'
import type { SessionInfo } from '../../ports/ports.ts'
import { titleOf } from '../../text/display/title.ts'
import type { AgentApi } from '../api/api.ts'
import { closeCalls, closedBecause } from '../turn/synthetic-results.ts'
import type { Kit } from '../session/agent-runtime.ts'
import { openQuestion } from '../lifecycle/pending-permission.ts'
import { grants, leavingQuestion } from '../privacy/egress.ts'
import { grantOf, type Decision } from '../turn/run-calls.ts'
import type { Restarts } from '../lifecycle/idle-trim.ts'
import { runTurn } from '../turn/run-turn.ts'
import type { Fresh, Session } from '../session/session.ts'
import { newestTurn } from '../session/turn-state.ts'
import type { Work } from '../lifecycle/session-tasks.ts'
import { wordsOf } from '../i18n/note-texts.ts'

type Conversation = Pick<AgentApi, 'send' | 'stop' | 'resume' | 'regenerate' | 'editMessage' | 'switchLeaf' | 'answer'>

export function conversation(kit: Kit, work: Work, restarts: Restarts): Conversation {
  return {
    send: (id, text, attachments) => {
      const fact = userFact(text, attachments)
      return work.start(id, async (session, signal, begun) => {
        await addQuestion(session, fact, await restarts.due(session))
        begun()
        return runTurn({ kit, session, signal })
      })
    },

    stop: async id => {
      if (work.isRunning(id)) return work.stop(id)
      // Another tab works on it, which hears this and stops: the lock is not waited for.
      if (kit.status(id)?.state === 'waiting') return kit.parts.broadcast?.({ type: 'stop', session: id })
      // Nothing runs here; a turn that waits for a yes, or that was cut off, is ended by a stop as well.
      await work.change(id, async session => {
        const turn = newestTurn(session.log)
        if (turn.state === 'closed' || turn.state === 'stopped') return
        await session.append([
          ...closeCalls(turn.calls, closedBecause.stopped),
          { type: 'note', code: 'stopped', text: wordsOf(kit).stopped },
        ])
      })
      kit.tellStatus(id, { state: 'idle' })
    },

    resume: (id, how) =>
      work.start(id, async (session, signal, begun) => {
        begun()
        return runTurn({ kit, session, signal, goOn: how ?? true })
      }),

    regenerate: (id, entry) =>
      work.start(id, async (session, signal, begun) => {
        const answer = known(session, entry)
        if (answer.type !== 'assistant') throw new AgentError('bad_input', 'Only an answer can be made anew')
        const [first = entry] = partsOf(session.log, entry)
        await session.update({ leaf: known(session, first).parent })
        begun()
        return runTurn({ kit, session, signal })
      }),

    editMessage: (id, entry, text) =>
      work.start(id, async (session, signal, begun) => {
        const question = known(session, entry)
        if (question.type !== 'user') throw new AgentError('bad_input', 'Only a message of yours can be edited')
        const fact = userFact(text, movedAttachments(question, text))
        await session.update({ leaf: question.parent })
        await session.append([fact])
        begun()
        return runTurn({ kit, session, signal })
      }),

    switchLeaf: async (id, entry) => {
      if (work.isRunning(id))
        throw new AgentError('busy', 'An answer is being written in this chat. Stop it first, or wait.')
      await work.change(id, async session => {
        known(session, entry)
        await session.update({ leaf: newestBelow(session, entry) })
      })
    },

    answer: (id, call, said) => {
      const shown = kit.status(id)
      const isAsked = shown?.state === 'asking' && isCall(shown.question.call, call)
      return work.start(id, async (session, signal, begun) => {
        const allow = (...more: string[]): Promise<void> =>
          session.update({ allowed: [...new Set([...(session.info.allowed ?? []), ...more])] })
        if (isCall(leavingQuestion.call, call)) {
          // An answer that was cut off or stopped is gone on with only where that was asked just now.
          const { state } = newestTurn(session.log)
          if (state !== 'question' && !isAsked) throw new AgentError('not_found', 'This question was answered already')
          begun()
          if (said === 'deny') {
            await session.append([{ type: 'note', code: 'stopped', text: wordsOf(kit).notSent }])
            return { state: 'idle' }
          }
          await allow(grants.own)
          return runTurn({ kit, session, signal, goOn: state !== 'question' })
        }
        const turn = newestTurn(session.log)
        const asked = turn.state === 'calls' ? turn.calls[0] : undefined
        if (!asked || !isCall(asked, call)) throw new AgentError('not_found', 'This question was answered already')
        // There is none any more where what was asked for has been removed meanwhile: the answer counts for this call.
        const question = await openQuestion(kit, session, true)
        // What a model elsewhere may read is asked once in a chat: each yes counts for all of it.
        if (question && (said === 'always here' || (question.reach && said !== 'deny')))
          await allow(grantOf(question), ...(said === 'with this device' ? [grants.local] : []))
        begun()
        const decision: Decision = said === 'deny' ? 'deny' : 'allow'
        return runTurn({ kit, session, signal, decisions: new Map([[asked.id, decision]]) })
      })
    },
  }
}

/**
 * Whether a yes is meant for this call. Ids are the model's: what another tab still shows may have the id of a later
 * call.
 */
function isCall({ id, name, arguments: args }: ToolCall, shown: Id | ToolCall): boolean {
  return typeof shown === 'string' ? shown === id : shown.id === id && shown.name === name && shown.arguments === args
}

/**
 * A new question closes a turn that was left open, comes behind the edits that are due, gives an untitled chat its
 * title, and clears the draft. `waited`: it was typed before, and this is what still waits.
 */
export async function addQuestion(
  session: Session,
  fact: Fresh & { type: 'user' },
  edits: readonly Fresh[],
  waited?: Pick<SessionInfo, 'queued'>,
): Promise<void> {
  const open = newestTurn(session.log)
  const first = open.question === undefined
  await session.append(
    [...closeCalls(open.calls, closedBecause.newMessage), ...edits, fact],
    waited ? { changes: waited } : {},
  )
  const title = first && !session.info.titled ? titleOf(fact.text) : undefined
  await session.update({
    ...(waited ? {} : { draft: '' }),
    ...(session.info.hidden ? { hidden: false } : {}),
    ...(title === undefined ? {} : { title }),
  })
}

export function userFact(text: string, attachments: readonly Attachment[] = []): Fresh & { type: 'user' } {
  if (text.trim() === '' && attachments.length === 0) throw new AgentError('bad_input', 'The message is empty')
  return { type: 'user', text, ...(attachments.length > 0 ? { attachments: [...attachments] } : {}) }
}

/**
 * The attachments of a message that was edited: attached texts move along where they still end it, else they are plain
 * words now.
 */
function movedAttachments({ text, attachments = [] }: UserFact, edited: string): Attachment[] {
  const start = Math.min(text.length, ...attachments.flatMap(({ span }) => (span ? [span[0]] : [])))
  const by = edited.length - text.length
  const kept = edited.endsWith(text.slice(start))
  return attachments.flatMap(one =>
    one.span === undefined ? [one] : kept ? [{ ...one, span: [one.span[0] + by, one.span[1] + by] as const }] : [],
  )
}

function known(session: Session, id: Id): Entry {
  const entry = session.find(id)
  if (!entry) throw new AgentError('not_found', `There is no message ${id} in this chat`)
  return entry
}

/** The newest entry below this one that nothing follows; the entry itself where it is one. */
function newestBelow(session: Session, from: Id): Id {
  const below = new Set<Id>([from])
  let leaf = from
  for (const { entry } of session.rows) {
    if (entry.parent === null || !below.has(entry.parent)) continue
    below.add(entry.id)
    leaf = entry.id
  }
  return leaf
}
