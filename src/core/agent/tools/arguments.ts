/** Reading a tool's arguments: what a small model writes is taken where its meaning is plain. Throws `bad_input`. */
import { AgentError } from '../../errors.ts'

/** A text that must be there. */
export function textArgument(args: Record<string, unknown>, name: string): string {
  const value = args[name]
  if (typeof value === 'string') return value
  throw new AgentError(
    'bad_input',
    value === undefined ? `The argument "${name}" is missing.` : `The argument "${name}" must be a text.`,
  )
}

/** A whole number, also when it comes as a text; undefined where it is left out. */
export function numberArgument(args: Record<string, unknown>, name: string): number | undefined {
  const value = args[name]
  if (value === undefined || value === null || value === '') return undefined
  const number = typeof value === 'number' ? value : typeof value === 'string' ? Number(value) : Number.NaN
  if (!Number.isFinite(number)) throw new AgentError('bad_input', `The argument "${name}" must be a number.`)
  return Math.trunc(number)
}
