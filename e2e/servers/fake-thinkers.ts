/**
 * Servers that think, for talks of several questions: each calls the clock where the question says "look", answers
 * "Answer N." to the N-th question, and refuses what a provider of its kind refuses, in that provider's words.
 */
import type { ServerResponse } from 'node:http'
import { chunk, end, finish, stream } from './fake-wire.ts'

type Call = { id: string; extra_content?: { google?: { thought_signature?: string } } }
type Message = {
  role: string
  content: string | null | unknown[]
  name?: string
  tool_calls?: Call[]
  reasoning_content?: string
  reasoning_details?: { type: string; text?: string; signature?: string; data?: string }[]
}
type Body = { messages: Message[]; tools?: unknown[]; [field: string]: unknown }
type Refusal = { status?: number; body: string }
/**
 * `fault`: what it refuses. `thoughts`: what it tells with its n-th step. `signs`: what it hands out with each call.
 */
type Thinker = {
  fault(body: Body): Refusal | undefined
  thoughts?(step: number): Record<string, unknown>[]
  signs?(step: number): Record<string, unknown>
  insists?: true
}

const error = (message: string, more: Record<string, unknown> = {}): Refusal => ({
  body: JSON.stringify({
    error: { message, type: 'invalid_request_error', param: null, code: 'invalid_request_error', ...more },
  }),
})
const plainThoughts = (step: number): Record<string, unknown>[] => [
  { reasoning_content: 'Thought ' },
  { reasoning_content: `${step}.` },
]
const passedBack = error('The `reasoning_content` in the thinking mode must be passed back to the API.')

/** The answers of each turn, as a provider sees turns. */
function turnsOf(messages: readonly Message[]): Message[][] {
  const turns: Message[][] = []
  for (const message of messages) {
    if (message.role === 'user') turns.push([])
    else if (message.role === 'assistant') turns.at(-1)?.push(message)
  }
  return turns
}
const calls = (message: Message): Call[] => message.tool_calls ?? []
const answers = (messages: readonly Message[]): Message[] => messages.filter(({ role }) => role === 'assistant')

const kinds: Record<string, Thinker> = {
  deepseek: {
    thoughts: plainThoughts,
    fault: ({ messages }) =>
      turnsOf(messages).some(
        turn => turn.some(answer => calls(answer).length > 0) && turn.some(answer => !answer.reasoning_content),
      )
        ? passedBack
        : undefined,
  },
  kimi: {
    thoughts: plainThoughts,
    fault({ messages }) {
      const at = messages.findIndex(message => calls(message).length > 0 && message.reasoning_content === undefined)
      return at < 0
        ? undefined
        : error(`thinking is enabled but reasoning_content is missing in assistant tool call message at index ${at}`)
    },
  },
  gateway: {
    thoughts: plainThoughts,
    fault: ({ messages }) =>
      answers(messages).some(answer => !answer.reasoning_content)
        ? {
            body: 'data:{"error":{"code":"400","message":"Param Incorrect","param":"The reasoning_content in the thinking mode must be passed back to the API.","type":""}}',
          }
        : undefined,
  },
  /** Its details are signed: those of another model or with another text are refused, none at all are taken. */
  openrouter: {
    thoughts: step => [
      {
        reasoning: `Thought ${step}.`,
        reasoning_details: [
          { type: 'reasoning.text', index: 0, text: `Thought ${step}.`, format: 'anthropic-claude-v1' },
        ],
      },
      {
        reasoning_details: [
          { type: 'reasoning.text', index: 0, signature: `signed Thought ${step}.` },
          { type: 'reasoning.encrypted', index: 1, data: 'b3BlbnJvdXRlcg==' },
        ],
      },
    ],
    fault: ({ messages }) =>
      messages.some(({ reasoning_details: details }) =>
        details?.some(detail =>
          detail.type === 'reasoning.text'
            ? detail.signature !== `signed ${detail.text}`
            : detail.data !== 'b3BlbnJvdXRlcg==',
        ),
      )
        ? {
            body: JSON.stringify({
              error: {
                message: 'Provider returned error',
                code: 400,
                metadata: {
                  raw: '{"type":"error","error":{"type":"invalid_request_error","message":"messages.1.content.0: Invalid `signature` in `thinking` block"}}',
                  provider_name: 'Anthropic',
                },
              },
            }),
          }
        : undefined,
  },
  /** Wants a signature on the first call of each step of the running turn, its own or the one that skips the check. */
  gemini: {
    signs: step => ({ extra_content: { google: { thought_signature: `signed step ${step}` } } }),
    fault({ messages }) {
      const signature = (answer: Message): string | undefined =>
        calls(answer)[0]?.extra_content?.google?.thought_signature
      if (
        answers(messages).some(
          answer =>
            signature(answer) !== undefined &&
            !/^(signed step \d+|skip_thought_signature_validator)$/.test(signature(answer) ?? ''),
        )
      ) {
        return { body: '[{"error":{"code":400,"message":"Invalid thought signature.","status":"INVALID_ARGUMENT"}}]' }
      }
      return turnsOf(messages)
        .at(-1)
        ?.some(answer => calls(answer).length > 0 && signature(answer) === undefined)
        ? {
            body: '[{"error":{"code":400,"message":"Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance.","status":"INVALID_ARGUMENT"}}]',
          }
        : undefined
    },
  },
  /** All that does not exclude each other, one fault after the other. */
  strict: {
    thoughts: plainThoughts,
    fault(body) {
      const { messages } = body
      if (body['stream_options']) return error('Unrecognized request argument supplied: stream_options')
      if (body['max_tokens'])
        return error(
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        )
      if (messages.some(({ role }) => role === 'system'))
        return { status: 500, body: error('System role not supported').body }
      if (messages.some(({ role }, at) => role === 'user' && messages[at - 1]?.role === 'user'))
        return { status: 500, body: error('Conversation roles must alternate user/assistant/user/assistant/...').body }
      if (messages.some(({ role }, at) => role === 'user' && messages[at - 1]?.role === 'tool'))
        return {
          body: '{"object":"error","message":"Unexpected role \'user\' after role \'tool\'","type":"invalid_request_message_order"}',
        }
      if (messages.some(message => message.role === 'tool' && !('name' in message)))
        return error('GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be empty.')
      return kinds['gemini']?.fault(body) ?? kinds['gateway']?.fault(body)
    },
  },
  /**
   * A model that cannot call and sees nothing, on a server without an output limit; and that refuses the field of
   * reasoning.
   */
  toolless: {
    thoughts: plainThoughts,
    fault({ tools, messages, ...body }) {
      if (tools !== undefined) return error('registry.ollama.ai/library/x does not support tools')
      if (body['max_tokens'] || body['max_completion_tokens'])
        return { status: 422, body: '{"detail":[{"type":"extra_forbidden","msg":"Unrecognized field: max_tokens"}]}' }
      if (messages.some(({ content }) => Array.isArray(content) && JSON.stringify(content).includes('image_url')))
        return {
          status: 500,
          body: error('image input is not supported - hint: if this is unexpected, you may need to provide the mmproj')
            .body,
        }
      return answers(messages).some(answer => answer.reasoning_content !== undefined)
        ? error(
            "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning_content' is unsupported)]",
          )
        : undefined
    },
  },
  /** Goes on calling while it may, and wants its tools wherever calls stand, but no `tool_choice`. */
  limited: {
    insists: true,
    fault: ({ tools, messages, ...body }) =>
      body['tool_choice'] !== undefined
        ? error('deepseek-reasoner does not support this tool_choice')
        : tools === undefined && messages.some(message => calls(message).length > 0)
          ? error('Anthropic expects the `tools=` param to be set when calls are in the messages.')
          : undefined,
  },
}

/** Plays one request. */
export const thinkers: Readonly<
  Record<string, (body: Record<string, unknown>, response: ServerResponse) => Promise<void>>
> = Object.fromEntries(
  Object.entries(kinds).map(([name, kind]) => [name, (body, response) => play(kind, body as Body, response)]),
)

async function play({ fault, thoughts, signs, insists }: Thinker, body: Body, response: ServerResponse): Promise<void> {
  const refusal = fault(body)
  if (refusal) {
    response.writeHead(refusal.status ?? 400, { 'content-type': 'application/json' })
    response.end(refusal.body)
    return
  }
  const { messages, tools = [] } = body
  const step = answers(messages).length + 1
  const last = messages.at(-1)
  const mayCall = tools.length > 0 && body['tool_choice'] !== 'none'
  const question = String(messages.findLast(({ role }) => role === 'user')?.content ?? '')
  const wants = mayCall && (insists || (last?.role === 'user' && /\blook\b/.test(question)))
  const call = {
    index: 0,
    id: `call_${step}`,
    type: 'function',
    function: { name: 'get_time', arguments: '{}' },
    ...signs?.(step),
  }
  const questions = new Set(
    messages.flatMap(({ role, content }) =>
      role === 'user' ? (/Question \d+/.exec(JSON.stringify(content)) ?? []) : [],
    ),
  )
  const said = wants
    ? [chunk({ tool_calls: [call] }), finish('tool_calls')]
    : [chunk({ content: `Answer ${questions.size}.` }), finish('stop')]
  await stream(response, [
    chunk({ role: 'assistant', content: '' }),
    ...(thoughts?.(step) ?? []).map(chunk),
    ...said,
    end,
  ])
}
