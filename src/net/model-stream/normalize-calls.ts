/** Normalizes streamed tool calls: every call gets one index, one id and one name, and its pieces are collected. */
import { wholeArguments } from './whole-arguments.ts'

export type WireCall = {
  index: number
  id?: string
  type?: 'function'
  function: { name?: string; arguments: string }
  /** What the provider wants back with this call: Google's signature. */ extra_content?: unknown
}

export type CallNormalizer = {
  /** Takes a piece; says which call is being written, as soon as it has a name, and how much of it is there. */
  add(piece: Record<string, unknown>): { name: string; chars: number } | undefined
  /** The calls, whole: only at the end it is known what their pieces mean. Once. */
  end(): WireCall[]
}

type Open = { wireIndex?: number; wireId?: string; name?: string; pieces: string[]; chars: number; extra?: unknown }

/**
 * Some servers leave out the index, repeat or change the id, repeat the name, put a channel mark behind it, give all
 * calls the index 0, send arguments as an object, or send a whole call twice. A piece continues a call unless it names
 * another tool, or names one while the call before is complete.
 */
export function callNormalizer(newId: () => string): CallNormalizer {
  let calls: Open[] = []

  const find = (wireIndex: number | undefined, wireId: string | undefined): Open | undefined => {
    if (wireIndex !== undefined) return calls.findLast(call => call.wireIndex === wireIndex)
    if (wireId !== undefined) return calls.findLast(call => call.wireId === wireId)
    return calls.at(-1)
  }

  return {
    add(piece) {
      const inner =
        typeof piece['function'] === 'object' && piece['function'] !== null
          ? (piece['function'] as Record<string, unknown>)
          : piece
      const wireIndex = Number.isInteger(piece['index']) ? (piece['index'] as number) : undefined
      const wireId = textOf(piece['id'])
      const name = nameOf(inner['name'])
      const text = argumentsOf(inner['arguments'] ?? inner['input'] ?? inner['parameters'])
      const found = find(wireIndex, wireId)
      if (found && isRepeat(found, { wireId, name, text })) return undefined
      let call = found && continues(found, { wireId, name, text }) ? found : undefined
      if (!call) calls.push((call = { pieces: [], chars: 0, ...(wireIndex === undefined ? {} : { wireIndex }) }))
      if (text !== '') call.pieces.push(text)
      call.chars += text.length
      if (name !== undefined) call.name ??= name
      if (wireId !== undefined) call.wireId ??= wireId
      // opaque, passed on as it came
      if (piece['extra_content'] !== undefined && piece['extra_content'] !== null) call.extra = piece['extra_content']
      return call.name === undefined ? undefined : { name: call.name, chars: call.chars }
    },
    end() {
      const taken = new Set<string>()
      const whole = calls.map((call, index): WireCall => {
        const id = call.wireId !== undefined && !taken.has(call.wireId) ? call.wireId : newId()
        taken.add(id)
        return {
          index,
          id,
          type: 'function',
          function: { name: call.name ?? 'unnamed_tool', arguments: wholeArguments(call.pieces) },
          ...(call.extra === undefined ? {} : { extra_content: call.extra }),
        }
      })
      calls = []
      return whole
    },
  }
}

type Piece = { wireId: string | undefined; name: string | undefined; text: string }

/** The whole call once more, as some servers send it at the end. */
function isRepeat(call: Open, { wireId, name, text }: Piece): boolean {
  return (
    name === call.name &&
    name !== undefined &&
    wireId === call.wireId &&
    wireId !== undefined &&
    text === call.pieces.join('') &&
    isComplete(text)
  )
}

function continues(call: Open, { wireId, name, text }: Piece): boolean {
  if (name === undefined || call.name === undefined) return true
  if (name !== call.name) return false
  if (
    wireId !== undefined &&
    wireId !== call.wireId &&
    call.wireId !== undefined &&
    call.chars === 0 &&
    isComplete(text)
  )
    return false
  return text === '' || !isComplete(call.pieces.join(''))
}

function isComplete(text: string): boolean {
  if (!/[}\]]\s*$/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * A name ends before the mark of a channel, and harmony's and Kimi's frame around it is none of it:
 * `functions.get_time:0`.
 */
function nameOf(value: unknown): string | undefined {
  const text = textOf(value)
    ?.split('<|', 1)[0]!
    .trim()
    .replace(/^functions\.(.+?)(?::\d+)?$/, '$1')
  return text === '' ? undefined : text
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== ''
    ? value
    : typeof value === 'number'
      ? String(value)
      : undefined
}

function argumentsOf(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
}
