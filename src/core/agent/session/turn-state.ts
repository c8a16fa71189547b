/** The state of the newest turn by the log: whether it is open, and what is missing. Pure. */
import { isReasoningOnly } from '../../log/answer-parts.ts'
import type { Entry, FactEntry, Log } from '../../log/entry.ts'
import type { ToolCall } from '../../log/message.ts'

export type TurnState = {
  /** The question, undefined before the first one. */
  question: (FactEntry & { type: 'user' }) | undefined
  /** The entries behind the question. */
  since: readonly Entry[]
  /**
   * Calls of the newest answer that have no result yet, in order; of one id twice the first counts. Those that came
   * with a file are not among them: the view answers them, so the model goes on as if they had failed.
   */
  calls: readonly ToolCall[]
  /** The newest answer ended at its output limit. */
  atLimit: boolean
  /** The reasoning of the newest answer if it has no text; empty if the provider does not show it. */
  reasoning?: string
  /** It is closed and can be continued: at its output limit, as thoughts alone, or because it went in circles. */
  canContinue: boolean
  /** Its newest answer came from a remote model. */
  answeredRemotely: boolean
  /** Model calls that were made in it. */
  steps: number
  /**
   * `closed`: nothing is missing. `question`: the model has to answer. `calls`: tools have to run.
   * `broken`: an answer was cut off, it can be continued. `stopped`: the person ended it; it goes on only when asked
   * to.
   */
  state: 'closed' | 'question' | 'calls' | 'broken' | 'stopped'
}

/** Reads the newest turn of a path. Never throws. */
export function newestTurnState(log: Log): TurnState {
  const start = log.findLastIndex(entry => entry.type === 'user')
  if (start < 0)
    return {
      question: undefined,
      since: [],
      calls: [],
      atLimit: false,
      canContinue: false,
      answeredRemotely: false,
      steps: 0,
      state: 'closed',
    }
  const question = log[start] as FactEntry & { type: 'user' }
  const since = log.slice(start + 1)
  const steps = since.filter(entry => entry.type === 'assistant').length
  const lastFact = since.findLastIndex(entry => entry.type === 'assistant' || entry.type === 'result')
  const stopped = since.slice(lastFact + 1).some(entry => entry.type === 'note' && entry.code === 'stopped')
  const answerAt = since.findLastIndex(entry => entry.type === 'assistant')
  const answer = since[answerAt]
  const atLimit = answer?.type === 'assistant' && answer.stop === 'length'
  const reasoning = answer?.type === 'assistant' && isReasoningOnly(answer) ? (answer.reasoning ?? '') : undefined
  const circled = since.slice(lastFact + 1).some(entry => entry.type === 'note' && entry.code === 'loop_ended')
  const base = {
    question,
    since,
    steps,
    atLimit,
    canContinue: atLimit || reasoning !== undefined || circled,
    ...(reasoning === undefined ? {} : { reasoning }),
    answeredRemotely: answer?.type === 'assistant' && !answer.local,
  }
  if (answer?.type !== 'assistant') return { ...base, calls: [], state: stopped ? 'stopped' : 'question' }

  const answered = new Set(since.slice(answerAt + 1).flatMap(entry => (entry.type === 'result' ? [entry.callId] : [])))
  const calls: ToolCall[] = []
  for (const call of answer.imported ? [] : answer.calls) {
    if (answered.has(call.id)) continue
    answered.add(call.id)
    calls.push(call)
  }
  if (answer.stop === 'stopped' || stopped) return { ...base, calls, state: 'stopped' }
  if (answer.stop === 'interrupted' || answer.stop === 'failed') return { ...base, calls, state: 'broken' }
  if (calls.length > 0) return { ...base, calls, state: 'calls' }
  return { ...base, calls, state: answer.calls.length > 0 ? 'question' : 'closed' }
}
