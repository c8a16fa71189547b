/** The part of an error's data that can be stored and sent between threads. Pure. */
import type { AgentError } from '../../errors.ts'

/** Longest text that is kept; a server's whole answer is too much. Unit: UTF-16 units. */
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
