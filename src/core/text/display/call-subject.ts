/** What a tool call is about, in a word or two: the file, the page, the question. Pure. */
import { clip } from './graphemes.ts'
import { visibleLine } from './title.ts'

/** The arguments that say best what a call is about, in this order. */
export const tellingArguments = ['path', 'url', 'query', 'pattern', 'code', 'command', 'text', 'name']
/** Longer arguments are a written file, and parsing them for a name is not worth it. Unit: UTF-16 units. */
const longestParsed = 200_000
const longest = 40 // UTF-16 units

/** Of a path its last part; empty where the arguments are no JSON or name nothing. Never throws. */
export function callSubject(json: string): string {
  const value = tellingValue(json)
  const line = visibleLine(value.slice(0, 4 * longest))
  return line.length <= longest ? line : `${clip(line, longest - 1)}…`
}

function tellingValue(json: string): string {
  if (json.length > longestParsed) return ''
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch {
    return '' // half a call, or a model that cannot write JSON
  }
  if (typeof parsed !== 'object' || parsed === null) return ''
  const found = tellingArguments.find(name => typeof (parsed as Record<string, unknown>)[name] === 'string')
  if (found === undefined) return ''
  const value = (parsed as Record<string, string>)[found]!
  return found === 'path' ? (value.split('/').findLast(part => part !== '') ?? '') : value
}
