/** A request as Anthropic's Messages API reads it. Pure: the same request gives the same bytes (C2.6). */
import type { Message, ModelRequest, ToolCall } from '../../core/log/message.ts'
import type { Quirks } from './quirks.ts'
import { partsOfReasoning } from './reasoning-details.ts'
import { reasoningText, wellFormed } from './wire.ts'

type Block = Record<string, unknown> & { type: string }
type Turn = { role: 'user' | 'assistant'; content: Block[] }

/** Up to here the server remembers what it has read; a later request that begins the same costs a tenth for it. */
const cacheMark = { cache_control: { type: 'ephemeral' } }

export type BodyOptions = {
  model: string
  maxTokens: number
  images: ReadonlyMap<string, string>
  quirks: Quirks
  /** The fields that tell it how much to think. */ thinking?: Record<string, unknown>
}

/**
 * System prompt and tools, then the talk, each with a mark for the cache at its end. Results stand first in the user
 * turn behind their calls, as the API demands; turns of one role are one turn; no text is empty.
 */
export function anthropicBody(
  request: ModelRequest,
  { model, maxTokens, images, quirks, thinking = {} }: BodyOptions,
): Record<string, unknown> {
  const turns = turnsOf(request, images, quirks)
  const last = turns.at(-1)?.content.at(-1)
  if (last && last.type !== 'thinking' && last.type !== 'redacted_thinking') Object.assign(last, cacheMark)
  const system = wellFormed(request.system)
  const thinks = mayThinkOn(turns) && Object.keys(thinking).length > 0
  return {
    model,
    max_tokens: request.maxTokens ?? maxTokens,
    stream: true,
    ...(system === '' ? {} : { system: [{ type: 'text', text: system, ...cacheMark }] }),
    messages: turns,
    ...toolsOf(request),
    ...(thinks ? thinking : {}),
    ...(request.temperature === undefined || thinks || quirks.has('no temperature')
      ? {}
      : { temperature: Math.min(1, request.temperature) }),
  }
}

/** With a thinking budget a turn must continue as it began: after calls without thinking, thinking is not allowed. */
function mayThinkOn(turns: readonly Turn[]): boolean {
  const [answer, results] = turns.slice(-2)
  if (answer?.role !== 'assistant' || !results?.content.some(({ type }) => type === 'tool_result')) return true
  return answer.content.some(isThought)
}

/** If the messages have tool calls, the API requires their tools to be defined, even if none may be called any more. */
function toolsOf({ tools, toolChoice, messages }: ModelRequest): Record<string, unknown> {
  if (tools.length > 0) {
    return {
      tools: tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters })),
      ...(toolChoice ? { tool_choice: { type: toolChoice } } : {}),
    }
  }
  const used = new Set(
    messages.flatMap(message =>
      message.role === 'assistant' ? (message.toolCalls?.map(call => call.name) ?? []) : [],
    ),
  )
  return used.size === 0
    ? {}
    : { tools: [...used].map(name => ({ name, input_schema: { type: 'object' } })), tool_choice: { type: 'none' } }
}

function turnsOf({ messages }: ModelRequest, images: ReadonlyMap<string, string>, quirks: Quirks): Turn[] {
  const turns: Turn[] = []
  const add = (role: Turn['role'], blocks: Block[]): void => {
    const last = turns.at(-1)
    if (blocks.length === 0) return
    if (last?.role === role) last.content.push(...blocks)
    else turns.push({ role, content: blocks })
  }
  for (const message of messages) {
    switch (message.role) {
      case 'user':
        add('user', [
          ...textBlocks(message.content),
          ...(message.images ?? []).map(image => imageBlock(images.get(image.blob))),
        ])
        break
      case 'assistant': {
        const calls = message.toolCalls ?? []
        const said = [...textBlocks(message.content), ...calls.map(callBlock)]
        // a turn with reasoning only is refused
        if (said.length > 0) add('assistant', [...thoughtBlocks(message, quirks), ...said])
        break
      }
      case 'tool':
        add('user', [
          {
            type: 'tool_result',
            tool_use_id: legalId(message.toolCallId),
            content: message.content === '' ? '(empty)' : wellFormed(message.content),
            ...(message.isError ? { is_error: true } : {}),
          },
        ])
        break
      default:
        message satisfies never
    }
  }
  // a talk begins with a question
  if (turns[0]?.role === 'assistant') turns.unshift({ role: 'user', content: [{ type: 'text', text: '…' }] })
  return turns
}

/**
 * As they came, without their place in the stream; one without its signature was cut off. Where none are kept, the text
 * for who demands it.
 */
function thoughtBlocks({ reasoning, details }: Message & { role: 'assistant' }, quirks: Quirks): Block[] {
  const kept = partsOfReasoning(details).flatMap(({ index: _index, ...block }) => (isThought(block) ? [block] : []))
  if (kept.length > 0 || reasoning === undefined || quirks.has('no reasoning')) return kept
  return [{ type: 'thinking', thinking: reasoningText(reasoning, quirks), signature: '' }]
}

function isThought(block: Record<string, unknown>): block is Block {
  return (
    (block['type'] === 'thinking' && typeof block['signature'] === 'string') || block['type'] === 'redacted_thinking'
  )
}

function textBlocks(text: string): Block[] {
  return text.trim() === '' ? [] : [{ type: 'text', text: wellFormed(text) }]
}

function imageBlock(url: string | undefined): Block {
  const [, mime, data] = /^data:([^;]+);base64,(.*)$/s.exec(url ?? '') ?? []
  return mime && data
    ? { type: 'image', source: { type: 'base64', media_type: mime, data } }
    : { type: 'text', text: '[an image that is no longer kept]' }
}

function callBlock({ id, name, arguments: text }: ToolCall): Block {
  return { type: 'tool_use', id: legalId(id), name, input: inputOf(wellFormed(text)) }
}

/** What is no JSON object is shown to the model as what it wrote. */
function inputOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    /* said below */
  }
  return text.trim() === '' ? {} : { not_a_json_object: text }
}

/** Calls of other models in the same chat have ids that this API refuses. */
function legalId(id: string): string {
  return id.replace(/[^\w-]/g, '_')
}
