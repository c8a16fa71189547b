/**
 * Calls as models write them into their text where a server does not read them: the forms that their makers taught
 * them. Pure; what is not of such a form from the first mark to the last is no call. The forms are those of the models'
 * chat templates.
 */
import { objectEnd, parseCall, parseMarkupCall, markupValue } from './lenient-tool-call.ts'

export type WrittenCall = { name: string; arguments: string }

/** Reads on in a text; all of it is linear. */
type Cursor = {
  /** Takes what the pattern (sticky) matches here. */
  eat(pattern: RegExp): RegExpExecArray | undefined
  /** Takes all up to this mark, and the mark; undefined where it does not come. */
  until(mark: RegExp): string | undefined
  /** Takes a JSON object. */
  object(): string | undefined
}

type Form = { mark: RegExp; read: (at: Cursor) => WrittenCall[] | undefined }

const blank = /\s*/y
/** DeepSeek writes its bars full width; some tokenizers give plain ones. */
const bar = '[｜|]'
const jot = '[▁_]'

const forms: readonly Form[] = [
  {
    // Hermes, Qwen: JSON or markup; GLM: a name, then pairs of tags
    mark: /<tool_call>/i,
    read(at) {
      at.eat(/<tool_call>\s*/iy)
      const json = at.object()
      if (json !== undefined) return at.eat(/\s*(<\/tool_call>|$)/iy) && one(parseCall(json))
      const body = at.until(/<\/tool_call>/iy)
      if (body === undefined) return undefined
      return one(/^\s*[\w.-]+\s*(<arg_key>|$)/.test(body) ? tagged(body) : parseMarkupCall(body))
    },
  },
  {
    // Qwen coders without the frame: parameters in tags; Llama 3.1: JSON
    mark: /<function=/i,
    read(at) {
      const body = at.until(/<\/function>/iy)
      const [head, name] = /^<function=["']?([\w.-]{1,64})["']?\s*>\s*/.exec(body ?? '') ?? []
      if (body === undefined || head === undefined || name === undefined) return undefined
      const inner = body.slice(head.length)
      return inner.startsWith('{') ? named(name, inner) : one(parseMarkupCall(body))
    },
  },
  {
    // Mistral: a list, or from 2025 on a name with its arguments, again and again
    mark: /\[TOOL_CALLS\]/,
    read(at) {
      const calls: WrittenCall[] = []
      while (at.eat(/\s*\[TOOL_CALLS\]\s*/y)) {
        const name = at.eat(/([\w.-]{1,64})\s*(?:\[CALL_ID\][\w-]*\s*)?(?:\[ARGS\])?\s*/y)?.[1]
        const found = name === undefined ? list(at) : named(name, at.object())
        if (!found) return undefined
        calls.push(...found)
      }
      return calls
    },
  },
  {
    // Llama 3
    mark: /<\|python_tag\|>/,
    read(at) {
      at.eat(/<\|python_tag\|>\s*/y)
      const calls: WrittenCall[] = []
      do {
        const found = one(parseCall(at.object() ?? ''))
        if (!found) return undefined
        calls.push(...found)
      } while (at.eat(/\s*;\s*/y))
      return calls
    },
  },
  {
    // DeepSeek V3, R1 (a fence around the arguments) and V3.1
    mark: new RegExp(`<${bar}tool${jot}calls?${jot}begin${bar}>`),
    read(at) {
      at.eat(new RegExp(`<${bar}tool${jot}calls${jot}begin${bar}>\\s*`, 'y'))
      const calls: WrittenCall[] = []
      while (at.eat(new RegExp(`<${bar}tool${jot}call${jot}begin${bar}>\\s*`, 'y'))) {
        const head = at.until(new RegExp(`<${bar}tool${jot}sep${bar}>`, 'y'))?.trim()
        const body = at.until(new RegExp(`<${bar}tool${jot}call${jot}end${bar}>`, 'y'))
        if (head === undefined || body === undefined) return undefined
        const fenced = /^\s*([\w.-]{1,64})\s*\n```(?:json)?\s*([^]*?)\s*```\s*$/.exec(body)
        const found = head === 'function' && fenced ? named(fenced[1]!, fenced[2]) : named(head, body.trim())
        if (!found) return undefined
        calls.push(...found)
        at.eat(blank)
      }
      at.eat(new RegExp(`<${bar}tool${jot}calls${jot}end${bar}>`, 'y'))
      return calls
    },
  },
  {
    // DeepSeek V3.2 and V4 (DSML), MiniMax, Claude's old form: invoke with parameters, or with JSON
    mark: new RegExp(
      `<(?:${bar}DSML${bar}|minimax:|antml:)?(?:function_calls|tool_calls|tool_call)>|<(?:${bar}DSML${bar}|antml:)?invoke name=`,
    ),
    read(at) {
      const [, prefix = '', frame] =
        at.eat(new RegExp(`<(${bar}DSML${bar}|minimax:|antml:)?(function_calls|tool_calls|tool_call)>\\s*`, 'y')) ?? []
      const calls: WrittenCall[] = []
      for (;;) {
        const name = at.eat(new RegExp(`<(?:${bar}DSML${bar}|antml:)?invoke name="([\\w.-]{1,64})">\\s*`, 'y'))?.[1]
        if (name === undefined) break
        const body = at.until(new RegExp(`</(?:${bar}DSML${bar}|antml:)?invoke>`, 'y'))
        const found =
          body === undefined
            ? undefined
            : body.trim().startsWith('{')
              ? named(name, body.trim())
              : parameters(name, body)
        if (!found) return undefined
        calls.push(...found)
        at.eat(blank)
      }
      const closed = frame === undefined || at.eat(new RegExp(`</${prefix.replace(/[|]/g, '\\|')}${frame}>`, 'y'))
      return closed ? calls : undefined
    },
  },
  {
    // Kimi K2
    mark: /<\|tool_calls?_section_begin\|>|<\|tool_call_begin\|>/,
    read(at) {
      at.eat(/<\|tool_calls?_section_begin\|>\s*/y)
      const calls: WrittenCall[] = []
      while (at.eat(/<\|tool_call_begin\|>\s*/y)) {
        const name = at.until(/<\|tool_call_argument_begin\|>/y)?.trim()
        const body = at.until(/<\|tool_call_end\|>/y)
        const found = name === undefined || body === undefined ? undefined : named(name, body.trim())
        if (!found) return undefined
        calls.push(...found)
        at.eat(blank)
      }
      at.eat(/<\|tool_calls?_section_end\|>/y)
      return calls
    },
  },
  {
    // Kimi K3
    mark: /<\|open\|>tools<\|sep\|>/,
    read(at) {
      at.eat(/<\|open\|>tools<\|sep\|>\s*/y)
      const calls: WrittenCall[] = []
      for (;;) {
        const name = at.eat(/<\|open\|>call tool="([\w.-]{1,64})"[^<]*<\|sep\|>\s*/y)?.[1]
        if (name === undefined) break
        const args: [string, unknown][] = []
        for (;;) {
          const [, key, type] = at.eat(/<\|open\|>argument key="([^"]{1,64})"(?: type="(\w+)")?[^<]*<\|sep\|>/y) ?? []
          if (key === undefined) break
          const text = at.until(/<\|close\|>argument<\|sep\|>\s*/y)
          if (text === undefined) return undefined
          args.push([key, type === 'string' ? text : markupValue(text)])
        }
        if (!at.eat(/\s*<\|close\|>call<\|sep\|>\s*/y)) return undefined
        calls.push({ name, arguments: JSON.stringify(Object.fromEntries(args)) })
      }
      return at.eat(/<\|close\|>tools<\|sep\|>(?:<\|end_of_msg\|>)?/y) ? calls : undefined
    },
  },
  {
    // gpt-oss (harmony)
    mark: /(?:<\|start\|>assistant)?<\|channel\|>(?:commentary|analysis) to=|<\|start\|>assistant to=/,
    read(at) {
      const calls: WrittenCall[] = []
      for (;;) {
        const name = at.eat(
          /\s*(?:<\|start\|>assistant)?(?:<\|channel\|>(?:commentary|analysis))? ?to=(?:functions\.)?([\w.-]{1,64})(?:<\|channel\|>(?:commentary|analysis))?\s*(?:<\|constrain\|>)?(?:json)?\s*<\|message\|>\s*/y,
        )?.[1]
        if (name === undefined) break
        const found = named(name, at.object())
        if (!found || !at.eat(/\s*(?:<\|call\|>|<\|end\|>|$)/y)) return undefined
        calls.push(...found)
      }
      return calls
    },
  },
]

/** Where any of the forms begins. */
export const anyMark = new RegExp(forms.map(({ mark }) => mark.source).join('|'), 'i')

/**
 * The beginnings of all marks, lower case, as far as they are fixed: a text that ends with a part of one may become it.
 */
export const markBeginnings = [
  '<tool_call>',
  '<function=',
  '[tool_calls]',
  '<|python_tag|>',
  '<｜tool▁calls▁begin｜>',
  '<｜tool▁call▁begin｜>',
  '<|tool▁calls▁begin|>',
  '<｜dsml｜function_calls>',
  '<｜dsml｜tool_calls>',
  '<｜dsml｜invoke name=',
  '<|dsml|function_calls>',
  '<|dsml|tool_calls>',
  '<function_calls>',
  '<tool_calls>',
  '<invoke name=',
  '<minimax:tool_call>',
  '<function_calls>',
  '<invoke name=',
  '<|tool_calls_section_begin|>',
  '<|tool_call_section_begin|>',
  '<|tool_call_begin|>',
  '<|open|>tools<|sep|>',
  '<|start|>assistant<|channel|>commentary to=',
  '<|start|>assistant<|channel|>analysis to=',
  '<|channel|>commentary to=',
  '<|channel|>analysis to=',
  '<|start|>assistant to=',
] as const

/** What templates put behind an answer, where a server leaves it. */
const ends = /(?:\s|<\|im_end\|>|<\|eo[tm]_id\|>|<\|end\|>|<\|end_of_msg\|>|<｜end▁of▁sentence｜>|<\/s>)*/y

/**
 * The calls that a text consists of, from its first character to its last; undefined where it is anything else, or
 * where a call names no tool of `names`.
 */
export function writtenCalls(text: string, names: ReadonlySet<string>): WrittenCall[] | undefined {
  const at = cursorOf(text)
  const calls: WrittenCall[] = []
  for (let n = 0; n < mostForms; n++) {
    at.eat(blank)
    const rest = at.rest
    if (rest === '') break
    const form = forms.find(({ mark }) => new RegExp(mark.source, `${mark.flags}y`).test(rest))
    const found = form?.read(at)
    if (!found || found.length === 0 || !found.every(({ name }) => names.has(name))) return undefined
    calls.push(...found)
    at.eat(ends)
  }
  return at.rest === '' && calls.length > 0 && calls.length <= mostCalls ? calls : undefined
}

const mostCalls = 16
const mostForms = 20

function cursorOf(text: string): Cursor & { readonly rest: string } {
  let place = 0
  return {
    get rest() {
      return text.slice(place)
    },
    eat(pattern) {
      pattern.lastIndex = place
      const found = pattern.exec(text) ?? undefined
      if (found) place = pattern.lastIndex
      return found
    },
    until(mark) {
      const search = new RegExp(mark.source, mark.flags.replace('y', 'g'))
      search.lastIndex = place
      const found = search.exec(text)
      if (!found) return undefined
      const passed = text.slice(place, found.index)
      place = search.lastIndex
      return passed
    },
    object() {
      if (text[place] !== '{') return undefined
      const end = objectEnd().push(text.slice(place))
      if (end === undefined) return undefined
      place += end
      return text.slice(place - end, place)
    },
  }
}

/** Kimi and harmony put a frame around a name. */
const bare = (name: string): string => name.replace(/^functions\.(.+)$/, '$1').replace(/:\d+$/, '')

function one(read: ReturnType<typeof parseCall>): WrittenCall[] | undefined {
  return 'fault' in read ? undefined : [{ name: bare(read.name), arguments: read.arguments }]
}

/** Arguments that are a JSON object, or none at all. */
function named(name: string, json: string | undefined): WrittenCall[] | undefined {
  if (json === undefined) return undefined
  if (json === '') return [{ name: bare(name), arguments: '{}' }]
  const read = parseCall(`{"name":${JSON.stringify(name)},"arguments":${json}}`)
  return one(read)
}

/** A list of calls in JSON. */
function list(at: Cursor): WrittenCall[] | undefined {
  if (!at.eat(/\[\s*/y)) return one(parseCall(at.object() ?? ''))
  const calls: WrittenCall[] = []
  do {
    const found = one(parseCall(at.object() ?? ''))
    if (!found) return undefined
    calls.push(...found)
  } while (at.eat(/\s*,\s*/y))
  return at.eat(/\s*\]/y) ? calls : undefined
}

/** GLM: a name, then keys and values in tags. */
function tagged(body: string): ReturnType<typeof parseCall> {
  const name = /^\s*([\w.-]+)/.exec(body)?.[1] ?? ''
  const pairs = [...body.matchAll(/<arg_key>([^<]{1,64})<\/arg_key>\s*<arg_value>([^]*?)<\/arg_value>/g)].map(
    ([, key, value]) => [key!.trim(), markupValue(value!)] as const,
  )
  return { name, arguments: JSON.stringify(Object.fromEntries(pairs)) }
}

function parameters(name: string, body: string): WrittenCall[] | undefined {
  const at = cursorOf(body)
  const args: [string, unknown][] = []
  for (;;) {
    at.eat(blank)
    const [, key, string] =
      at.eat(/<(?:[｜|]DSML[｜|]|antml:)?parameter name="([^"]{1,64})"(?: string="(true|false)")?[^>]*>/y) ?? []
    if (key === undefined) break
    const text = at.until(/<\/(?:[｜|]DSML[｜|]|antml:)?parameter>/y)
    if (text === undefined) return undefined
    args.push([key, string === 'true' ? text : markupValue(text)])
  }
  return at.rest === '' ? [{ name: bare(name), arguments: JSON.stringify(Object.fromEntries(args)) }] : undefined
}
