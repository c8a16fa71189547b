/** What of an error's facts can be stored and can cross the border between threads. Pure. */
import type { AgentError } from '../../errors.ts'

/** Longest text that is taken along; a server's whole answer is no small fact. Unit: UTF-16 units. */
const longest = 500

/** Texts, numbers, booleans and lists of them. */
export function plainData(error: AgentError): Record<string, unknown> {
  const crosses = (value: unknown): boolean =>
    value === null ||
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    (typeof value === 'string' && value.length <= longest) ||
    (Array.isArray(value) && value.every(crosses))
  return Object.fromEntries(Object.entries(error.data).filter(([name, value]) => name !== 'body' && crosses(value)))
}
