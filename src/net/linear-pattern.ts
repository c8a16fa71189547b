/** Regular expressions of a model in linear time, whatever they and the text are: RE2, loaded with the first one. */
import { AgentError } from '../core/errors.ts'
import type { CompilePattern } from '../core/ports/ports.ts'

/** Longest pattern, UTF-16 units. */
const longestPattern = 200

export const linearPattern: CompilePattern = async source => {
  if (source === '') throw new AgentError('bad_input', 'The pattern is empty.')
  if (source.length > longestPattern)
    throw new AgentError(
      'bad_input',
      `The pattern has ${source.length} characters; at most ${longestPattern} are taken.`,
    )
  const { RE2JS } = await import('re2js')
  try {
    const pattern = RE2JS.compile(asRe2(source), RE2JS.CASE_INSENSITIVE)
    return text => {
      const matcher = pattern.matcher(text)
      return matcher.find() ? matcher.start() : -1
    }
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause)
    throw new AgentError(
      'bad_input',
      `The pattern cannot be used: ${said}. Back references and looking around are not supported, and no count above 1000.`,
      { cause },
    )
  }
}

/** What JavaScript writes otherwise: code points, and a set of everything. */
function asRe2(source: string): string {
  return source.replace(
    /\\u\{([\da-f]{1,6})\}|\\u([\da-f]{4})|\[\^\]|\\./gis,
    (found, code?: string, unit?: string) => {
      const point = code ?? unit
      return point === undefined ? (found === '[^]' ? '[\\s\\S]' : found) : `\\x{${point}}`
    },
  )
}
