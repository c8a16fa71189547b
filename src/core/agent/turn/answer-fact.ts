/** A model's answer as the log keeps it. */
import { isReasoningOnly } from '../../log/answer-parts.ts'
import type { ModelAnswer } from '../model-call/ask-model.ts'
import type { EntryToAppend } from '../session/session.ts'
import type { Model } from '../../ports/ports.ts'

/** The answer as text alone. Details belong to an answer as it came, so they go as well. */
export function withoutCalls({ details: _details, ...answer }: ModelAnswer): ModelAnswer {
  return { ...answer, calls: [], stop: 'stop' }
}

/** What is appended of an answer. Details stand with the form in which that model takes them back. */
export function answerFact(answer: ModelAnswer, model: Pick<Model, 'id' | 'local' | 'reasoning'>): EntryToAppend {
  return {
    type: 'assistant',
    text: answer.text,
    ...(answer.reasoning === '' ? {} : { reasoning: answer.reasoning }),
    ...(answer.details === undefined || model.reasoning === undefined
      ? {}
      : { details: { from: model.reasoning.from, value: answer.details } }),
    calls: [...answer.calls],
    model: model.id,
    local: model.local,
    stop: answer.stop,
    ...(answer.usage ? { usage: answer.usage } : {}),
  }
}

/** Whether an answer without text is reasoning, shown or only counted: then it is not asked for again. */
export function isReasoningOnlyAnswer(answer: ModelAnswer): boolean {
  return isReasoningOnly(answer) && (answer.reasoning.trim() !== '' || (answer.usage?.output ?? 0) > 0)
}
