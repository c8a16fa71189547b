/** A request as an OpenAI-compatible server reads it. Pure: the same request and quirks give the same bytes (C2.6). */
import type { Message, ModelRequest, ReasoningDetails, ToolCall } from '../../core/log/message.ts'
import { extraOfCall, partsOfReasoning } from './reasoning-details.ts'
import type { Quirks } from './quirks.ts'

export type WireMessage = {
  role: string
  content: string | readonly Record<string, unknown>[] | null
  [field: string]: unknown
}

/**
 * The messages in legal order and shape. `images` gives data URLs by blob id; one that is missing is named as missing.
 */
export function wireMessages(
  request: ModelRequest,
  quirks: Quirks,
  images: ReadonlyMap<string, string>,
): WireMessage[] {
  const out: WireMessage[] = []
  const system = wellFormed(request.system)
  if (system !== '' && !quirks.has('no system role')) out.push({ role: 'system', content: system })
  for (const message of request.messages) {
    const before = out.at(-1)
    const wire = wireMessage(message, quirks, images)
    if (quirks.has('assistant after tool') && message.role === 'user' && before?.role === 'tool') {
      out.push({ role: 'assistant', content: '…' })
    }
    if (
      quirks.has('alternate roles') &&
      message.role === 'user' &&
      before?.role === 'user' &&
      typeof before.content === 'string' &&
      typeof wire.content === 'string'
    ) {
      out[out.length - 1] = { ...before, content: `${before.content}\n\n${wire.content}` }
    } else out.push(wire)
  }
  return system !== '' && quirks.has('no system role') ? withSystem(out, system) : out
}

/** The system prompt as the beginning of the first question; where an answer stands first, as a question of its own. */
function withSystem([first, ...rest]: readonly WireMessage[], system: string): WireMessage[] {
  if (first?.role !== 'user') return [{ role: 'user', content: system }, ...(first ? [first] : []), ...rest]
  const content =
    typeof first.content === 'string'
      ? `${system}\n\n${first.content}`
      : [{ type: 'text', text: system }, ...(first.content ?? [])]
  return [{ ...first, content }, ...rest]
}

function wireMessage(message: Message, quirks: Quirks, images: ReadonlyMap<string, string>): WireMessage {
  switch (message.role) {
    case 'user': {
      const text = wellFormed(message.content)
      if (!message.images?.length) return { role: 'user', content: text }
      if (quirks.has('no images'))
        return {
          role: 'user',
          content: `${text}\n\n[${message.images.length} image(s) not sent: this model takes no images]`,
        }
      const parts: Record<string, unknown>[] = text === '' ? [] : [{ type: 'text', text }]
      for (const image of message.images) {
        const url = images.get(image.blob)
        parts.push(
          url ? { type: 'image_url', image_url: { url } } : { type: 'text', text: '[an image that is no longer kept]' },
        )
      }
      return { role: 'user', content: parts }
    }
    case 'assistant': {
      const calls = message.toolCalls ?? []
      const details = partsOfReasoning(message.details)
      return {
        role: 'assistant',
        content: wellFormed(message.content), // never null: some servers refuse it
        ...(message.reasoning === undefined || quirks.has('no reasoning')
          ? {}
          : { reasoning_content: reasoningText(message.reasoning, quirks) }),
        ...(details.length > 0 ? { reasoning_details: details } : {}),
        ...(calls.length > 0
          ? {
              tool_calls: calls.map((call, n) => ({
                id: call.id,
                type: 'function',
                function: { name: call.name, arguments: legalArguments(call.arguments) },
                ...extraOf(call, n === 0, quirks, message.details),
              })),
            }
          : {}),
      }
    }
    case 'tool':
      return {
        role: 'tool',
        tool_call_id: message.toolCallId,
        ...(quirks.has('name on results') ? { name: message.name } : {}),
        content: message.content === '' ? '(empty)' : wellFormed(message.content),
      }
    default:
      return message satisfies never
  }
}

/**
 * The reasoning text that is sent back. If none was stored it is empty, or a space for servers that treat an empty one
 * as missing.
 */
export function reasoningText(text: string, quirks: Quirks): string {
  return text === '' && quirks.has('no empty reasoning') ? ' ' : wellFormed(text)
}

/** The signature that came with a call; for one of another model what its provider takes instead. */
function extraOf(
  call: ToolCall,
  first: boolean,
  quirks: Quirks,
  details: ReasoningDetails | undefined,
): { extra_content?: unknown } {
  const own = extraOfCall(details, call.id)
  if (own !== undefined) return { extra_content: own }
  return quirks.has('signed calls') && first
    ? { extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } } }
    : {}
}

/** A lone surrogate makes many servers answer 400. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\uFFFD') // with the u flag only lone ones are of this class
}

/**
 * Servers parse arguments of earlier calls and fail on what is no JSON object; the model shall still see what it wrote.
 */
function legalArguments(text: string): string {
  const clean = wellFormed(text)
  try {
    const value: unknown = JSON.parse(clean)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return clean
  } catch {
    if (clean.trim() === '') return '{}'
  }
  return JSON.stringify({ not_a_json_object: clean })
}
