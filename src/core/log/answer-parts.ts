/** An answer that was cut off and the one that continues it are one answer, stored in parts as they came. Pure. */
import type { AssistantFact, Entry, FactEntry, Id, Log } from './entry.ts'
import { isFact } from './query.ts'

type Ending = Pick<AssistantFact, 'text' | 'reasoning' | 'stop'> & { calls: { readonly length: number } }

/** Whether an answer is reasoning only, also if its output limit ended reasoning that the provider does not show. */
export function isReasoningOnly({ text, reasoning, calls, stop }: Ending): boolean {
  return text.trim() === '' && calls.length === 0 && ((reasoning ?? '').trim() !== '' || stop === 'length')
}

/**
 * Whether an answer is incomplete, so that the next one continues it. One that called tools is complete: their results
 * follow.
 */
export function isCutOff(answer: Ending): boolean {
  if (answer.calls.length > 0) return false
  return ['length', 'stopped', 'interrupted', 'failed'].includes(answer.stop) || isReasoningOnly(answer)
}

/**
 * Whether the second of two facts that follow each other is a part of the same answer. What was removed stands alone.
 */
export function continuesAnswer(before: Entry | undefined, after: Entry): boolean {
  return before?.type === 'assistant' && after.type === 'assistant' && !before.gone && !after.gone && isCutOff(before)
}

/** The ids of all parts of the answer that this fact is one of, in order; of anything else its own. */
export function answerParts(log: Log, id: Id): Id[] {
  const facts = log.filter(isFact)
  let from = facts.findIndex(fact => fact.id === id)
  if (from < 0) return [id]
  let to = from
  while (continuesAnswer(facts[from - 1], facts[from]!)) from--
  while (facts[to + 1] !== undefined && continuesAnswer(facts[to], facts[to + 1]!)) to++
  return facts.slice(from, to + 1).map(fact => fact.id)
}

/** The facts from the first part of the last one's answer on. */
export function wholeAnswer(facts: readonly FactEntry[], last: number): readonly FactEntry[] {
  let from = last
  while (from > 0 && continuesAnswer(facts[from - 1], facts[from]!)) from--
  return facts.slice(from, last + 1)
}
