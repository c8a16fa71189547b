/** Use cases of the conversation: send, stop, continue, switch versions, answer permission requests. */
import { AgentError } from '../../errors.ts'
import { answerParts } from '../../log/answer-parts.ts'
import type { Attachment, Entry, Id, UserFact } from '../../log/entry.ts'
import type { ToolCall } from '../../log/message.ts'
import type { SessionInfo } from '../../ports/ports.ts'
import { titleOf } from '../../text/display/title.ts'
import type { AgentApi } from '../api/api.ts'
import { syntheticResults, syntheticResultTexts } from '../turn/synthetic-results.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import { permissionForOpenCall } from '../lifecycle/pending-permission.ts'
import { egressGrants, egressRequest } from '../privacy/egress.ts'
import { grantFor, type PermissionDecision } from '../turn/run-calls.ts'
import type { IdleTrims } from '../lifecycle/idle-trim.ts'
import { statusFromLog } from '../lifecycle/status-from-log.ts'
import { runTurn } from '../turn/run-turn.ts'
import type { EntryToAppend, Session } from '../session/session.ts'
import { newestTurnState } from '../session/turn-state.ts'
import type { SessionTasks } from '../lifecycle/session-tasks.ts'
import { noteTexts } from '../i18n/note-texts.ts'

type Conversation = Pick<
  AgentApi,
  'send' | 'stop' | 'resume' | 'sendAwaiting' | 'regenerate' | 'editMessage' | 'switchLeaf' | 'resolvePermission'
>

export function conversation(runtime: AgentRuntime, tasks: SessionTasks, idleTrims: IdleTrims): Conversation {
  return {
    send: (id, text, attachments) => {
      const fact = userFact(text, attachments)
      return tasks.runTask(id, async (session, signal, begun) => {
        await appendQuestion(session, fact, await idleTrims.dueEdits(session))
        begun()
        return runTurn({ runtime, session, signal })
      })
    },

    stop: async id => {
      if (tasks.isRunning(id)) return tasks.stop(id)
      // Another tab works on it and stops at this event: no need to wait for the lock.
      if (runtime.status(id)?.state === 'waiting') return runtime.deps.broadcast?.({ type: 'stop', session: id })
      // Nothing runs here; a stop also ends a turn that waits for a permission or was interrupted.
      await tasks.withSession(id, async session => {
        const turn = newestTurnState(session.log)
        if (turn.state === 'closed' || turn.state === 'stopped') return
        await session.append([
          ...syntheticResults(turn.calls, syntheticResultTexts.stopped),
          { type: 'note', code: 'stopped', text: noteTexts(runtime).stopped },
        ])
      })
      runtime.setStatus(id, { state: 'idle' })
    },

    resume: (id, how) =>
      tasks.runTask(id, async (session, signal, begun) => {
        begun()
        return runTurn({ runtime, session, signal, continueWith: how ?? true })
      }),

    sendAwaiting: id =>
      tasks.runTask(id, async (session, signal, begun) => {
        begun()
        if (!session.info.awaitsNetwork) return statusFromLog(runtime, session) // another tab was faster
        return runTurn({ runtime, session, signal }) // where it cannot go on by itself, Continue goes on with it
      }),

    regenerate: (id, entry) =>
      tasks.runTask(id, async (session, signal, begun) => {
        const answer = entryOrThrow(session, entry)
        if (answer.type !== 'assistant') throw new AgentError('bad_input', 'Only an answer can be made anew')
        const [first = entry] = answerParts(session.log, entry)
        await session.update({ leaf: entryOrThrow(session, first).parent })
        begun()
        return runTurn({ runtime, session, signal })
      }),

    editMessage: (id, entry, text) =>
      tasks.runTask(id, async (session, signal, begun) => {
        const question = entryOrThrow(session, entry)
        if (question.type !== 'user') throw new AgentError('bad_input', 'Only a message of yours can be edited')
        const fact = userFact(text, movedAttachments(question, text))
        await session.update({ leaf: question.parent })
        await session.append([fact])
        begun()
        return runTurn({ runtime, session, signal })
      }),

    switchLeaf: async (id, entry) => {
      if (tasks.isRunning(id))
        throw new AgentError('busy', 'An answer is being written in this chat. Stop it first, or wait.')
      await tasks.withSession(id, async session => {
        entryOrThrow(session, entry)
        await session.update({ leaf: newestBelow(session, entry) })
      })
    },

    resolvePermission: (id, call, said) => {
      const shown = runtime.status(id)
      const isAsked = shown?.state === 'asking' && isCall(shown.question.call, call)
      return tasks.runTask(id, async (session, signal, begun) => {
        const allow = (...more: string[]): Promise<void> =>
          session.update({ allowed: [...new Set([...(session.info.allowed ?? []), ...more])] })
        if (isCall(egressRequest.call, call)) {
          // An answer that was cut off or stopped is gone on with only where that was asked just now.
          const { state } = newestTurnState(session.log)
          if (state !== 'question' && !isAsked) throw new AgentError('not_found', 'This question was answered already')
          begun()
          if (said === 'deny') {
            await session.append([{ type: 'note', code: 'stopped', text: noteTexts(runtime).notSent }])
            return { state: 'idle' }
          }
          await allow(egressGrants.own)
          return runTurn({ runtime, session, signal, continueWith: state !== 'question' })
        }
        const turn = newestTurnState(session.log)
        const asked = turn.state === 'calls' ? turn.calls[0] : undefined
        if (!asked || !isCall(asked, call)) throw new AgentError('not_found', 'This question was answered already')
        // There is none any more where what was asked for has been removed meanwhile: the answer counts for this call.
        const question = await permissionForOpenCall(runtime, session, true)
        // Consent for what a remote model may read is asked once per chat: one yes covers all of it.
        if (question && (said === 'always here' || (question.egress && said !== 'deny')))
          await allow(grantFor(question), ...(said === 'with this device' ? [egressGrants.local] : []))
        begun()
        const decision: PermissionDecision = said === 'deny' ? 'deny' : 'allow'
        return runTurn({ runtime, session, signal, decisions: new Map([[asked.id, decision]]) })
      })
    },
  }
}

/**
 * Whether a permission was given for this call. The model chooses the ids, so a call that another tab still shows may
 * have the id of a later call.
 */
function isCall({ id, name, arguments: args }: ToolCall, shown: Id | ToolCall): boolean {
  return typeof shown === 'string' ? shown === id : shown.id === id && shown.name === name && shown.arguments === args
}

/**
 * A new question closes a turn that was left open, comes behind the edits that are due, gives an untitled chat its
 * title, and clears the draft. `waited`: it was typed before, and this is what still waits.
 */
export async function appendQuestion(
  session: Session,
  fact: EntryToAppend & { type: 'user' },
  edits: readonly EntryToAppend[],
  waited?: Pick<SessionInfo, 'queued'>,
): Promise<void> {
  const open = newestTurnState(session.log)
  const first = open.question === undefined
  await session.append(
    [...syntheticResults(open.calls, syntheticResultTexts.newMessage), ...edits, fact],
    waited ? { changes: waited } : {},
  )
  const title = first && !session.info.titled ? titleOf(fact.text) : undefined
  await session.update({
    ...(waited ? {} : { draft: '' }),
    ...(session.info.hidden ? { hidden: false } : {}),
    ...(title === undefined ? {} : { title }),
  })
}

export function userFact(text: string, attachments: readonly Attachment[] = []): EntryToAppend & { type: 'user' } {
  if (text.trim() === '' && attachments.length === 0) throw new AgentError('bad_input', 'The message is empty')
  return { type: 'user', text, ...(attachments.length > 0 ? { attachments: [...attachments] } : {}) }
}

/**
 * The attachments of an edited message: attached texts keep their place if they still end the message, else they are
 * plain text now.
 */
function movedAttachments({ text, attachments = [] }: UserFact, edited: string): Attachment[] {
  const start = Math.min(text.length, ...attachments.flatMap(({ span }) => (span ? [span[0]] : [])))
  const by = edited.length - text.length
  const kept = edited.endsWith(text.slice(start))
  return attachments.flatMap(one =>
    one.span === undefined ? [one] : kept ? [{ ...one, span: [one.span[0] + by, one.span[1] + by] as const }] : [],
  )
}

function entryOrThrow(session: Session, id: Id): Entry {
  const entry = session.find(id)
  if (!entry) throw new AgentError('not_found', `There is no message ${id} in this chat`)
  return entry
}

/** The newest leaf below this entry; the entry itself if nothing follows it. */
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
