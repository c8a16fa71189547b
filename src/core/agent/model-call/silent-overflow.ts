/** Overflow without an error: some servers silently cut the prompt, or end the answer where the window ends. Pure. */
import type { Usage } from '../../log/message.ts'
import type { ModelAnswer } from './ask-model.ts'

/** Share of the window at which it counts as full: frames of messages are not in every report. */
const full = 0.99

/** Tokens of the prompt by the provider's own numbers, cached ones included (C1.6). */
export function promptTokens({ input, cacheRead = 0, cacheWrite = 0 }: Usage): number {
  return input + cacheRead + cacheWrite
}

/**
 * Whether prompt and answer filled the window (tokens) by the provider's own numbers; without them nothing is
 * concluded.
 */
export function filledWindow(usage: Usage | undefined, window: number): boolean {
  return usage !== undefined && promptTokens(usage) + (usage.output ?? 0) >= full * window
}

/**
 * Where the window ended an answer: `before` it began, or `within`; told by the server, or shown by its numbers. One
 * that ended at its own output limit (`maxTokens`) was not ended by the window: a smaller prompt would not help it.
 */
export function endedByWindow(
  { text, calls, stop, usage, truncated }: ModelAnswer,
  { window, maxTokens }: { window: number; maxTokens: number },
): 'before' | 'within' | undefined {
  if ((truncated !== true && !filledWindow(usage, window)) || (usage?.output ?? 0) >= maxTokens) return undefined
  const isEmpty = text.trim() === '' && calls.length === 0
  if (isEmpty && (stop === 'length' || usage?.output === 0)) return 'before'
  return stop === 'length' && !isEmpty ? 'within' : undefined
}

/** A smaller prompt is not suspected, tokens. Source: C5.6. */
const leastSuspected = 2_000

/**
 * Whether an answer without anything in it may be an overflow that the server kept to itself: nothing was written for a
 * prompt that is larger than any that this model has answered (`largest`, tokens).
 */
export function isSilentOverflow({ text, reasoning, calls, usage }: ModelAnswer, largest = 0): boolean {
  if (usage?.output !== 0 || text.trim() !== '' || reasoning.trim() !== '' || calls.length > 0) return false
  const prompt = promptTokens(usage)
  return prompt >= leastSuspected && prompt > largest
}
