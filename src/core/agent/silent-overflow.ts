/** A window that was full without an error: some servers fill it with the prompt and end the answer before it began. Pure. */
import type { Answer } from './ask-model.ts'

/** Share of the window at which it counts as full: frames of messages are not in every report. */
const full = 0.99

/**
 * Whether an answer is empty because prompt and answer fill the window (tokens). One that ended at its own output limit
 * (`maxTokens`) is none, and without the server's own numbers nothing is concluded.
 */
export function isSilentOverflow({ text, calls, stop, usage }: Answer, { window, maxTokens }: { window: number; maxTokens: number }): boolean {
  if (stop !== 'length' || usage === undefined || text.trim() !== '' || calls.length > 0) return false
  const output = usage.output ?? 0
  const prompt = usage.input + (usage.cacheRead ?? 0) + (usage.cacheWrite ?? 0)
  return output < maxTokens && prompt + output >= full * window
}
