/** Of a tool call's arguments what its line in the chat shows. Pure. */
import { tellingArguments } from '../../text/display/call-subject.ts'
import { parsedObject } from '../../text/json.ts'

/** As much as a line shows, UTF-16 units: of what tells most, and of others that are shown at all. */
const longestTelling = 80
const longestPlain = 20

/** JSON with these arguments alone; of what is no JSON object its beginning. Never throws. */
export function shownArguments(json: string): string {
  const parsed = parsedObject(json)
  if (parsed === undefined) return clipped(json)
  const key = tellingArguments.find(name => name in parsed) ?? Object.keys(parsed)[0]
  const shown = Object.entries(parsed).flatMap(([name, value]): [string, unknown][] => {
    if (name === key) return [[name, clipped(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))]]
    const isPlain =
      typeof value === 'number' ||
      typeof value === 'boolean' ||
      (typeof value === 'string' && value.length <= longestPlain)
    return isPlain ? [[name, value]] : []
  })
  return JSON.stringify(Object.fromEntries(shown))
}

function clipped(text: string): string {
  const line = text
    .slice(0, 4 * longestTelling)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length <= longestTelling
    ? line
    : `${Array.from(line)
        .slice(0, longestTelling - 1)
        .join('')}…`
}
