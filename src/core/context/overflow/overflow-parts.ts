/**
 * Takes apart what a provider answered or a library threw: texts, codes, names, statuses, structured numbers (C8).
 * Pure.
 */

export type RefusalParts = {
  /** The error's own words, each once. Never the request that some libraries carry in their errors. */
  texts: string[]
  /** Values of `code`, `type`, `status` and the like, and names of errors; lower case. */
  codes: string[]
  statuses: number[]
  numbers: { limit?: number; actual?: number }
  /** Something was JSON, an event of a stream, or a thrown error: not just words. */
  structured: boolean
}

/** JSON may lie in a string that lies in JSON … this often. Source: C8. */
const deepest = 8
/** Plain nesting, and pieces looked at in all: an error is small, a cycle is not. */
const deepestObject = 60
const mostNodes = 3_000
/** Of one text; an error's own words are short. UTF-16 units. */
const longestText = 8_000
/** JSON that is longer than this is no error. UTF-16 units. */
const longestJson = 400_000

/**
 * Only under these names does an error keep its own words. Anything else may be the conversation itself. Lower case,
 * letters only.
 */
const wordKeys = new Set(
  (
    'error errors message msg errormessage errormsg detail details reason description title raw body responsebody response data cause lasterror ' +
    'header baseresp statusmsg msg errmsg inner innererror metadata upstream original originalerror exception failure fault text statusmessage statustext info causes'
  ).split(' '),
)
const codeKeys = new Set(
  'code type errortype errorcode status name param reason kind stopreason finishreason'.split(' ').concat('__type'),
)
const statusKeys = new Set('status statuscode httpstatuscode httpstatus code'.split(' '))
const limitKeys = new Set(
  'nctx quota maxcontextlength contextlength contextwindow contextsize maxmodellen maxinputtokens maxprompttokens'.split(
    ' ',
  ),
)
const actualKeys = new Set(
  'nprompttokens requested prompttokens inputtokens numprompttokens requestedtokens'.split(' '),
)

/** The parts of a body and of a thrown value. Never throws, whatever getters do; cycles end. */
export function refusalParts(body: unknown, thrown: unknown): RefusalParts {
  const walk = new Walk()
  walk.value(body, 0, 0)
  if (thrown !== undefined && thrown !== null) {
    walk.parts.structured = true
    walk.value(thrown, 0, 0)
  }
  return walk.parts
}

class Walk {
  readonly parts: RefusalParts = { texts: [], codes: [], statuses: [], numbers: {}, structured: false }
  readonly #seen = new Set<object>()
  #nodes = 0

  value(value: unknown, depth: number, unwrapped: number): void {
    if (depth > deepestObject || this.#nodes++ > mostNodes) return
    if (typeof value === 'string') this.#string(value, depth, unwrapped)
    else if (typeof value === 'object' && value !== null) this.#object(value, depth, unwrapped)
  }

  #string(text: string, depth: number, unwrapped: number): void {
    const trimmed = text.trim()
    if (trimmed === '') return
    if (unwrapped <= deepest && trimmed.length <= longestJson) {
      const events = eventsOf(trimmed)
      if (events !== undefined) {
        this.parts.structured = true
        for (const event of events) this.value(event, depth + 1, unwrapped)
        return
      }
      const whole = parsed(trimmed)
      if (whole !== undefined) {
        this.parts.structured = true
        this.value(whole.value, depth + 1, unwrapped + 1)
        return
      }
      const start = trimmed.search(/[{[]\s*\\*["'{]/)
      const end = Math.max(trimmed.lastIndexOf('}'), trimmed.lastIndexOf(']'))
      const inside = start > 0 && end > start ? parsed(trimmed.slice(start, end + 1)) : undefined
      if (inside !== undefined) {
        // "Provider returned error: {…}": the words in front are the gateway's.
        this.#text(trimmed.slice(0, start))
        this.parts.structured = true
        this.value(inside.value, depth + 1, unwrapped + 1)
        return
      }
    }
    this.#text(trimmed)
  }

  #text(text: string): void {
    const words = text.slice(0, longestText).trim()
    if (words !== '' && !this.parts.texts.includes(words)) this.parts.texts.push(words)
  }

  #object(value: object, depth: number, unwrapped: number): void {
    if (this.#seen.has(value)) return
    this.#seen.add(value)
    if (Array.isArray(value)) {
      for (const item of value.slice(0, 50)) this.value(item, depth + 1, unwrapped)
      return
    }
    // Of several attempts the last one tells.
    const last = read(value, 'lastError')
    const keys = new Set([...Object.keys(value).slice(0, 200), 'name', 'message', 'cause', 'code', 'status'])
    for (const key of keys) {
      const plain = key === '__type' ? key : key.replace(/[^A-Za-z]/g, '').toLowerCase()
      if (plain === 'errors' && last !== undefined) continue
      const inner = read(value, key)
      if (inner === undefined || inner === null) continue
      this.#scalar(plain, inner)
      if (wordKeys.has(plain)) this.value(inner, depth + 1, unwrapped)
    }
  }

  #scalar(key: string, value: unknown): void {
    const number =
      typeof value === 'number'
        ? value
        : typeof value === 'string' && /^\d{1,12}$/.test(value)
          ? Number(value)
          : undefined
    if (codeKeys.has(key) && (typeof value === 'string' || typeof value === 'number'))
      this.parts.codes.push(String(value).slice(0, 200).toLowerCase())
    if (number === undefined) return
    if (statusKeys.has(key) && number >= 400 && number < 600) this.parts.statuses.push(number)
    if (!Number.isInteger(number)) return // 100.500: a separator that JSON took for a point
    if (limitKeys.has(key) && number > 0) this.parts.numbers.limit ??= number
    if (actualKeys.has(key) && number > 0) this.parts.numbers.actual ??= number
  }
}

function read(value: object, key: string): unknown {
  try {
    return (value as Record<string, unknown>)[key]
  } catch {
    return undefined // a getter of a foreign error may throw; then it tells nothing
  }
}

/** The payloads of a frame of server-sent events; undefined where it is none. */
function eventsOf(text: string): string[] | undefined {
  if (!/^(?:event|data|id|retry)\s*:/i.test(text)) return undefined
  const events: string[] = []
  let data: string[] = []
  for (const line of [...text.split(/\r?\n/), '']) {
    const payload = /^data\s*:\s?(.*)$/i.exec(line)?.[1]
    if (payload !== undefined) data.push(payload)
    else if (line.trim() === '' && data.length > 0) {
      events.push(data.join('\n'))
      data = []
    }
  }
  const first = events[0]
  return first !== undefined && /^\s*["{[]/.test(first) ? events.filter(event => event.trim() !== '[DONE]') : undefined
}

/**
 * JSON, also as Python prints it, and with separators inside its numbers; undefined where it is none, and for plain
 * numbers and words.
 */
function parsed(text: string): { value: unknown } | undefined {
  if (!/^[{["]/.test(text)) return undefined
  const tries = [text]
  if (/^[{[]\s*'/.test(text))
    tries.push(
      text
        .replaceAll("'", '"')
        .replace(/\bNone\b/gi, 'null')
        .replace(/\bTrue\b/g, 'true')
        .replace(/\bFalse\b/g, 'false'),
    )
  if (/[:,]\s*\d{1,3}[,_ \u00a0\u202f]\d{3}\b/.test(text))
    tries.push(text.replace(/(\d)[,_ \u00a0\u202f](?=\d{3}\b)/g, '$1'))
  if (/^[{[]\s*\\+"/.test(text)) tries.push(text.replace(/\\+"/g, '"'))
  for (const attempt of tries) {
    try {
      const value: unknown = JSON.parse(attempt)
      if (typeof value === 'string' || (typeof value === 'object' && value !== null)) return { value }
    } catch {
      continue // not in this spelling
    }
  }
  return undefined
}
