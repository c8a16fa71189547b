/** Tool calls in the words of a model that only speaks text: read as they stream in, whatever shape they have. Pure. */
import type { StopReason, ToolCall } from '../../core/log/message.ts'
import { objectEnd, parseCall, parseMarkupCall, type ParsedCall } from './lenient-tool-call.ts'
import { lowerSameLength, overlap } from './think-tags.ts'

/** A piece of an answer. `unreadable`: a call was begun that nobody can run; `raw` is what was written. */
export type TextCallPart =
  | { type: 'text'; text: string }
  | { type: 'calling'; name: string; chars: number }
  | { type: 'call'; call: ToolCall }
  | { type: 'unreadable'; raw: string; fault: string; name?: string }

export type CallReader = {
  push(text: string): TextCallPart[]
  /** The rest of the buffered text. */
  end(stop: StopReason): TextCallPart[]
  /** Text followed a call: the model invented it, mostly the result of the call. */
  readonly over: boolean
}

export const callOpening = '<tool_call>'
export const callClosing = '</tool_call>'
/** More calls in one answer are a model that runs in circles. */
const mostCalls = 8
/** An answer in an envelope begins like this; its text is given as it comes. */
const envelope = /^\s*(?:```(?:json)?\s*)?\{\s*"answer"\s*:\s*"/
/** Begins like a call without tags, or like an envelope; and what may still become one of them. */
const bare = /^\s*(?:```\w*\s*)?\{\s*"(?:name|tool|function|arguments|parameters|type)"\s*:/
const mayBecomeBare = /^\s*(?:`{1,3}\w*\s*)?(?:\{\s*(?:"\w*(?:"\s*:?\s*)?)?)?$/

type State = 'start' | 'text' | 'bare' | 'answer' | 'answered' | 'call' | 'after' | 'over'

/**
 * Reads one answer. `names` are the tools that there are: JSON without tags is a call only if it names one of them.
 * With `enveloped` the answer itself may come as `{"answer": "…"}`. Never throws; time is linear in the text.
 */
export function callReader(names: readonly string[], { enveloped = false }: { enveloped?: boolean } = {}): CallReader {
  let state: State = 'start' as State
  let held = ''
  let lastChar = ''
  let calls = 0
  const known = new Set(names)
  /** Where the object that is being written ends, found piece by piece. */
  let object = objectEnd()
  let scanned = 0

  const give = (out: TextCallPart[], text: string): void => {
    if (text === '') return
    lastChar = text.slice(-1)
    out.push({ type: 'text', text })
  }
  const finished = (out: TextCallPart[], read: ParsedCall, raw: string): void => {
    if ('fault' in read) out.push({ type: 'unreadable', raw, ...read })
    else out.push({ type: 'call', call: { id: `call_${++calls}`, ...read } })
    state = calls >= mostCalls ? 'over' : 'after'
  }
  const begin = (next: State): void => {
    state = next
    object = objectEnd()
    scanned = 0
  }
  /** The end of the JSON object in what is held, if it has come. */
  const endOfObject = (): number | undefined => {
    const found = object.push(held.slice(scanned))
    const end = found === undefined ? undefined : scanned + found
    scanned = held.length
    return end
  }

  /** Each takes what it can of what is held; true: there may be more to take. */
  const step: Record<State, (out: TextCallPart[]) => boolean> = {
    start() {
      if (enveloped && envelope.test(held)) {
        held = held.replace(envelope, '')
        state = 'answer'
        return true
      }
      if (bare.test(held)) begin('bare')
      else if (mayBecomeBare.test(held) || (enveloped && mayBecomeEnvelope(held))) return false
      else state = 'text'
      return true
    },
    text(out) {
      const at = lowerSameLength(held).indexOf(callOpening)
      if (at < 0) {
        const keep = overlap(lowerSameLength(held), callOpening)
        give(out, held.slice(0, held.length - keep))
        held = held.slice(held.length - keep)
        return false
      }
      const quoted = /[`'"“‘]/.test(at > 0 ? held.charAt(at - 1) : lastChar) // prose about tags
      give(out, held.slice(0, quoted ? at + callOpening.length : at))
      held = held.slice(at + callOpening.length)
      if (!quoted) begin('call')
      return true
    },
    call(out) {
      const first = /\S/.exec(held)?.[0]
      if (first === undefined) return false
      const end = first === '{' ? endOfObject() : undefined
      if (end !== undefined) {
        const raw = held.slice(0, end)
        held = held.slice(end)
        finished(out, parseCall(raw), raw)
        return true
      }
      if (first !== '{') {
        // markup, or nothing that is known: up to the closing tag
        const from = Math.max(0, scanned - callClosing.length)
        const found = /<\/tool_call>/i.exec(held.slice(from))
        scanned = held.length
        if (!found) return false
        const at = from + found.index
        const raw = held.slice(0, at)
        held = held.slice(at)
        finished(out, parseMarkupCall(raw), raw)
        return true
      }
      const name = /"(?:name|tool|function)"\s*:\s*"([\w.-]{1,64})"/.exec(held.slice(0, 300))?.[1]
      if (name !== undefined) out.push({ type: 'calling', name, chars: held.length })
      return false
    },
    bare(out) {
      const end = endOfObject()
      if (end === undefined) return false
      const read = parseCall(held.slice(held.indexOf('{'), end))
      if ('name' in read && known.has(read.name ?? '')) {
        const raw = held.slice(0, end)
        held = held.slice(end).replace(/^\s*```/, '')
        finished(out, read, raw)
      } else state = 'text' // an answer that happens to be JSON
      return true
    },
    answer(out) {
      const { text, rest, closed } = unescaped(held)
      const half = !closed && /[\ud800-\udbff]$/.test(text) ? 1 : 0 // a character in two escapes comes whole
      give(out, text.slice(0, text.length - half))
      held = text.slice(text.length - half) + rest
      if (closed) state = 'answered'
      return closed
    },
    answered() {
      held = ''
      return false
    },
    after() {
      const text = held
        .replace(/^\s*<\/tool_call>/i, '')
        .trimStart()
        .replace(/^```\s*/, '')
      if (text === '' || callOpening.startsWith(lowerSameLength(text)) || callClosing.startsWith(lowerSameLength(text)))
        return false
      if (!lowerSameLength(text).startsWith(callOpening)) state = 'over'
      else {
        held = text.slice(callOpening.length)
        begin('call')
      }
      return true
    },
    over() {
      held = ''
      return false
    },
  }

  return {
    push(text) {
      held += text
      const out: TextCallPart[] = []
      while (step[state](out));
      return out
    },
    end(stop) {
      const out: TextCallPart[] = []
      if (state === 'call') {
        const raw = held.replace(/<\/tool_call>\s*$/i, '')
        if (raw.trim() === '') give(out, callOpening + held) // a tag and nothing behind it
        else if (stop === 'length')
          finished(out, { ...faultOf(raw), fault: 'The call was cut off at the output limit.' }, raw)
        else finished(out, /^\s*\{/.test(raw) ? parseCall(raw) : parseMarkupCall(raw), raw)
      } else if (state === 'bare') {
        const read = parseCall(held.slice(held.indexOf('{')))
        if (stop !== 'length' && 'name' in read && known.has(read.name ?? '')) finished(out, read, held)
        else give(out, held)
      } else if (state === 'answer') give(out, unescaped(held).text)
      else if (state === 'start' || state === 'text') give(out, held)
      held = ''
      return out
    },
    get over() {
      return state === 'over'
    },
  }
}

/** May still become `{"answer": "`. */
function mayBecomeEnvelope(text: string): boolean {
  return /^\s*(?:`{1,3}(?:j|js|jso|json)?\s*)?(?:\{\s*(?:"(?:a|an|ans|answ|answe|answer)?(?:"\s*(?::\s*)?)?)?)?$/.test(
    text,
  )
}

function faultOf(raw: string): { name?: string } {
  const read = parseCall(raw)
  return 'name' in read && read.name !== undefined ? { name: read.name } : {}
}

/** The characters of a JSON string that have come whole, up to its closing quote. */
function unescaped(text: string): { text: string; rest: string; closed: boolean } {
  let out = ''
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (char === '"') return { text: out, rest: '', closed: true }
    if (char !== '\\') {
      out += char
      continue
    }
    const escape = /^\\(?:u[\da-f]{4}|[^u])/i.exec(text.slice(at, at + 6))?.[0]
    if (escape === undefined) {
      // its other half is still to come
      if (text.length - at < 6) return { text: out, rest: text.slice(at), closed: false }
      out += char // no escape at all: better odd than lost
      continue
    }
    out += charOf(escape)
    at += escape.length - 1
  }
  return { text: out, rest: '', closed: false }
}

function charOf(escape: string): string {
  const kind = escape[1]!
  if (kind === 'u') return String.fromCharCode(Number.parseInt(escape.slice(2), 16))
  return { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }[kind] ?? kind
}
