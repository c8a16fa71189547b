/**
 * Tools for models without native tool calls: how tools are described, how calls and results appear in the history,
 * what an answer may be. Pure.
 */
import type { AnswerShape, Message, ModelRequest, ToolCall, ToolSchema } from '../../core/log/message.ts'
import { callClosing, callOpening } from './text-calls.ts'

/** How the engine can hold an answer to a form: the whole of it, what stands between tags, or not at all. */
export type ShapeSupport = 'whole' | 'between' | false

/**
 * The request without tools of its own: they are told in the system prompt, calls and results are text. The system
 * prompt is the same whether a call is wanted or not, so that requests of one turn begin alike (C2.6).
 */
export function withToolsAsText(request: ModelRequest, holds: ShapeSupport): ModelRequest {
  const { system, tools, toolChoice, maxTokens, effort, temperature } = request
  const messages = request.messages.map(message => said(message, holds))
  if (toolChoice === 'none') messages.push({ role: 'user', content: 'Answer now, in words, without a tool.' })
  return {
    system: [system, toolInstructions(tools, holds)].filter(text => text !== '').join('\n\n'),
    messages,
    tools: [],
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(effort === undefined ? {} : { effort }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(holds === false || toolChoice === 'none' ? {} : { shape: shapeOf(tools, holds) }),
  }
}

/**
 * The description of the tools in the prompt. For the tools of this app it is shorter than their JSON, by which a
 * request is counted.
 */
export function toolInstructions(tools: readonly ToolSchema[], holds: ShapeSupport): string {
  if (tools.length === 0) return ''
  const how =
    holds === 'whole'
      ? `You have tools. Answer with one JSON object: {"answer": "your words"} to answer, or {"name": "a tool", "arguments": {…}} to use a tool.`
      : `You have tools. To use one, end your answer with a call:\n${callOpening}\n{"name": "a tool", "arguments": {…}}\n${callClosing}`
  return [`${how} Its result comes in the next message; never write one yourself.`, ...tools.map(toolLine)].join('\n')
}

function toolLine({ name, description, parameters }: ToolSchema): string {
  const { properties = {}, required = [] } = parameters as {
    properties?: Record<string, Property>
    required?: readonly string[]
  }
  const fields = Object.entries(properties).map(
    ([key, property]) => `${key}${required.includes(key) ? '' : '?'}${typeOf(property)}`,
  )
  return `- ${name}(${fields.join(', ')}): ${description}`
}

type Property = { type?: string; enum?: readonly unknown[]; description?: string }

/** A string needs no word. */
function typeOf(property: Property): string {
  const type = property.enum
    ? property.enum.map(value => JSON.stringify(value)).join('|')
    : property.type === 'object' || property.type === 'array'
      ? JSON.stringify(property)
      : property.type === 'string'
        ? ''
        : (property.type ?? '')
  return `${type === '' ? '' : `: ${type}`}${property.description === undefined ? '' : ` (${property.description})`}`
}

/**
 * A call as the model was asked to write it: byte for byte what it wrote, if it did so, and an engine need not read it
 * again.
 */
function callText({ name, arguments: args }: ToolCall, holds: ShapeSupport): string {
  const json = `{"name": ${JSON.stringify(name)}, "arguments": ${args}}`
  return holds === 'whole' ? json : `${callOpening}\n${json}\n${callClosing}`
}

function said(message: Message, holds: ShapeSupport): Message {
  switch (message.role) {
    case 'user':
      return message
    case 'assistant': {
      const { toolCalls = [], ...rest } = message
      return { ...rest, content: message.content + toolCalls.map(call => callText(call, holds)).join('\n') }
    }
    case 'tool':
      return {
        role: 'user',
        content: `<tool_response name=${harmless(JSON.stringify(message.name))}${message.isError ? ' error' : ''}>\n${harmless(message.content)}\n</tool_response>`,
      }
    default:
      return message satisfies never
  }
}

/**
 * A result can neither end its own frame nor hold up a call for the model to copy; and it holds no marks of chat
 * templates, which engines read in any text: with them a page could end the turn and begin one in the user's name.
 */
function harmless(text: string): string {
  return text
    .replace(/<(?=\/?tool_(?:call|response)|[|｜]|\/?s>|(?:start|end)_of_turn>)/gi, '&lt;')
    .replace(/\[(?=\/?INST\])/g, '&#91;')
}

/** What an engine holds the answer to. Of the arguments only what their schemas say. */
function shapeOf(tools: readonly ToolSchema[], holds: 'whole' | 'between'): AnswerShape {
  if (holds === 'between') {
    return {
      between: tools.map(({ name, parameters }) => ({
        begin: `${callOpening}\n{"name": ${JSON.stringify(name)}, "arguments": `,
        schema: parameters,
        end: `}\n${callClosing}`,
      })),
      trigger: callOpening,
    }
  }
  const object = (properties: Record<string, unknown>): Record<string, unknown> => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  })
  return {
    whole: {
      anyOf: [
        object({ answer: { type: 'string' } }),
        ...tools.map(({ name, parameters }) =>
          object({ name: { type: 'string', enum: [name] }, arguments: parameters }),
        ),
      ],
    },
  }
}

/** The messages of a repair: what was written, and what was wrong with it. */
export function callRepairMessages(written: string, fault: string, holds: ShapeSupport): Message[] {
  const form =
    holds === 'whole'
      ? '{"name": "a tool", "arguments": {…}}'
      : `${callOpening}\n{"name": "a tool", "arguments": {…}}\n${callClosing}`
  return [
    { role: 'assistant', content: written.slice(0, longestWritten) },
    { role: 'user', content: `This call could not be read. ${fault} Write the call again, and nothing else:\n${form}` },
  ]
}

/** Of a broken call that is shown once more. Unit: UTF-16 units, about 500 tokens. */
const longestWritten = 2_000
