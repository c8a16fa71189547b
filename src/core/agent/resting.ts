/** What a session's log says its state is while nothing runs: idle, a question waiting for a yes, or cut off. Pure. */
import type { Log } from '../log/entry.ts'
import type { Question, Status } from './api.ts'
import { questionOf } from './run-calls.ts'
import { newestTurn } from './turn-state.ts'
import type { Tool } from './tool.ts'

/** The status at rest. An unanswered call of a tool that acts is a question, also after a reload. */
export function restingStatus(log: Log, tools: readonly Tool[], allowed: readonly string[]): Status {
  const question = openQuestion(log, tools, allowed)
  if (question) return { state: 'asking', question }
  const { state } = newestTurn(log)
  return { state: state === 'closed' || state === 'stopped' ? 'idle' : 'interrupted' }
}

/** The question that the first open call asks; undefined where the first open call needs none. */
export function openQuestion(log: Log, tools: readonly Tool[], allowed: readonly string[]): Question | undefined {
  const turn = newestTurn(log)
  const call = turn.state === 'calls' ? turn.calls[0] : undefined
  const tool = call && tools.find(tool => tool.name === call.name)
  return tool && call ? questionOf(tool, call, allowed) : undefined
}
