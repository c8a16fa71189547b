/**
 * A lenient parser for one tool call: JSON with the usual mistakes of small models, or the markup that some were
 * trained on. Pure; never throws.
 */

/** What a call says, or why it cannot be run. `arguments` is JSON text, as it was written wherever that can be kept. */
export type ParsedCall = { name: string; arguments: string } | { fault: string; name?: string }

/**
 * Follows a JSON object piece by piece; answers with the place behind its closing brace within the piece that has it.
 */
export function objectEnd(): { push(text: string): number | undefined } {
  let depth = 0
  let inString = false
  let escaped = false
  return {
    push(text) {
      for (let at = 0; at < text.length; at++) {
        const char = text[at]
        if (inString) {
          if (escaped) escaped = false
          else if (char === '\\') escaped = true
          else if (char === '"') inString = false
        } else if (char === '"') inString = depth > 0
        else if (char === '{' || char === '[') depth++
        else if ((char === '}' || char === ']') && depth > 0 && --depth === 0) return at + 1
      }
      return undefined
    },
  }
}

/** Names under which the arguments may stand. */
const argumentKeys = ['arguments', 'parameters', 'args', 'input'] as const

/** A call in JSON: `{"name": …, "arguments": {…}}` and variants, also arguments beside the name or quoted twice. */
export function parseCall(raw: string): ParsedCall {
  try {
    return told(raw)
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown
    return { fault: 'The call is nested too deeply.', ...nameIn(raw) } // the stack of this thread ended
  }
}

function told(raw: string): ParsedCall {
  const parsed = parse(raw)
  if ('fault' in parsed) return { ...parsed, ...nameIn(raw) }
  const { value } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { fault: 'A call is a JSON object with "name" and "arguments".' }
  const fields = value as Record<string, unknown>
  const inner =
    typeof fields['function'] === 'object' && fields['function'] !== null
      ? (fields['function'] as Record<string, unknown>)
      : fields
  const name = inner['name'] ?? inner['tool'] ?? inner['function']
  if (typeof name !== 'string' || name === '') return { fault: 'The call has no "name".' }
  const key = argumentKeys.find(candidate => Object.hasOwn(inner, candidate))
  if (key === undefined) {
    const { name: _name, tool: _tool, function: _function, type: _type, id: _id, ...rest } = inner
    return { name, arguments: JSON.stringify(rest) }
  }
  const given = inner[key]
  if (typeof given === 'string') {
    const again = given.trim() === '' ? { value: {} } : parse(given)
    if ('value' in again && isObject(again.value))
      return { name, arguments: given.trim() === '' ? '{}' : JSON.stringify(again.value) }
  }
  if (given === null) return { name, arguments: '{}' }
  if (!isObject(given)) return { fault: `"${key}" must be a JSON object.`, name }
  return { name, arguments: asWritten(raw, key, given) }
}

/**
 * A call in markup: `<function=name><parameter=key>value</parameter></function>`. Values that are JSON are taken as
 * such.
 */
export function parseMarkupCall(raw: string): ParsedCall {
  const name = /<function=["']?([\w.-]{1,64})["']?\s*>/.exec(raw)?.[1]
  if (name === undefined)
    return { fault: 'Between the tags there must be one JSON object with "name" and "arguments".' }
  const args: [string, unknown][] = []
  for (const piece of raw.split(/<parameter=/).slice(1)) {
    const head = /^["']?([\w.-]{1,64})["']?\s*>\r?\n?/.exec(piece)
    if (!head) return { fault: 'A parameter has no name.', name }
    const text = piece.slice(head[0].length).split(/\r?\n?<\/parameter>/)[0]!
    args.push([head[1]!, markupValue(text)])
  }
  return { name, arguments: JSON.stringify(Object.fromEntries(args)) }
}

/** What a value in markup is: JSON where it is some, else its text. */
export function markupValue(text: string): unknown {
  if (!/^\s*(?:-?\d+(?:\.\d+)?|true|false|null|[[{][\s\S]*)\s*$/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text // it only looked like JSON
  }
}

function parse(text: string): { value: unknown } | { fault: string } {
  let fault = ''
  for (const attempt of [text, mended(text)]) {
    try {
      return { value: JSON.parse(attempt) }
    } catch (thrown) {
      fault ||= `The call is not valid JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}`
    }
  }
  return { fault: fault.slice(0, 300) }
}

/** Line breaks inside of strings, commas before a closing bracket, brackets that were forgotten at the end. */
function mended(text: string): string {
  let out = ''
  let comma: number | undefined // where in `out` a comma stands that only blanks follow
  const open: string[] = []
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (inString) {
      if (char === '\\') {
        out += char + (text[++at] ?? '')
        continue
      }
      if (char === '"') inString = false
      out += char < ' ' ? JSON.stringify(char).slice(1, -1) : char
      continue
    }
    if (char === '"') inString = true
    else if (char === '{') open.push('}')
    else if (char === '[') open.push(']')
    else if (char === '}' || char === ']') {
      if (open.pop() === undefined) break // more was closed than opened
      if (comma !== undefined) out = out.slice(0, comma)
    }
    if (char === ',') comma = out.length
    else if (char.trim() !== '') comma = undefined
    out += char
  }
  return out.slice(0, comma) + (inString ? '' : open.toReversed().join(''))
}

function nameIn(raw: string): { name?: string } {
  const name = /"(?:name|tool|function)"\s*:\s*"([\w.-]{1,64})"/.exec(raw)?.[1]
  return name === undefined ? {} : { name }
}

/**
 * The arguments byte for byte, so that the history has what the model wrote; serialised again if they cannot be
 * separated.
 */
function asWritten(raw: string, key: string, value: object): string {
  const made = JSON.stringify(value)
  // more of them stand inside of the arguments
  const places = [...raw.matchAll(new RegExp(`"${key}"\\s*:\\s*(?=\\{)`, 'g'))].slice(0, 3)
  for (const found of places) {
    const from = found.index + found[0].length
    const end = objectEnd().push(raw.slice(from))
    if (end === undefined) continue
    const slice = raw.slice(from, from + end)
    try {
      if (JSON.stringify(JSON.parse(slice)) === made) return slice
    } catch {
      // Written with a slip: what was mended counts.
    }
  }
  return made
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
