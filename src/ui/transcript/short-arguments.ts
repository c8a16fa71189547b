/** A tool call in a few words: what it is about, from its arguments as the model wrote them. Pure. */
import { tellingArguments } from '../../core/text/display/call-subject.ts'
import { visible } from '../../core/text/display/visible.ts'
import { parsedObject } from '../../core/text/json.ts'

/** Arguments that are laid out by name; the tools there are have at most six. */
const mostRows = 40

/** At most `longest` characters in one line; text that is no JSON is shown as it is. Never throws. */
export function shortArguments(json: string, longest = 80): string {
  const parsed = parsedObject(json)
  if (parsed === undefined) return oneLine(json, longest)
  const keys = Object.keys(parsed)
  const key = tellingArguments.find(name => name in parsed) ?? keys[0]
  if (key === undefined) return ''
  const others = keys
    .filter(name => name !== key && isPlain(parsed[name]))
    .map(name => `${name} ${String(parsed[name])}`)
  return oneLine([key === 'url' ? asRequested(parsed[key]) : worded(parsed[key]), ...others].join(' · '), longest)
}

/**
 * The arguments by name, texts as they are; undefined for what is no JSON object, or has so many that it is better read
 * as written. Never throws.
 */
export function argumentRows(json: string): { name: string; text: string }[] | undefined {
  const parsed = parsedObject(json)
  if (parsed === undefined) return undefined
  const rows = Object.entries(parsed)
  return rows.length > mostRows
    ? undefined
    : rows.map(([name, value]) => ({ name, text: typeof value === 'string' ? value : JSON.stringify(value, null, 2) }))
}

/** A path whose name is a long id, with the id cut short: tool_result/9f2c….txt */
export function shortPath(path: string): string {
  return path.replace(/([^/]{4})[^/]{6,}(\.[a-z]+)$/, '$1…$2')
}

function isPlain(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value.length <= 20)
}

function worded(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** With the host as it is requested: its letters may look like those of another one. */
function asRequested(url: unknown): string {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).href : worded(url)
}

function oneLine(text: string, longest: number): string {
  const line = visible(
    text
      .slice(0, longest * 4)
      .replace(/\s+/g, ' ')
      .trim(),
  )
  return line.length <= longest
    ? line
    : `${Array.from(line)
        .slice(0, longest - 1)
        .join('')}…`
}
