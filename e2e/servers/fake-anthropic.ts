/**
 * What the fake server plays at `/v1/messages`: Anthropic's own API, as strict as the real one. The model's name is the
 * scenario.
 */
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { pause } from './fake-wire.ts'

type Block = { type: string; text?: string; id?: string; tool_use_id?: string; [field: string]: unknown }
type Turn = { role: string; content: string | Block[] }
type Body = {
  model?: string
  max_tokens?: number
  stream?: boolean
  system?: unknown
  tools?: unknown[]
  messages?: Turn[]
}

/** The scenarios that its list of models names. */
export const anthropicNames: readonly string[] = [
  'chat',
  'slow',
  'call',
  'thinking-call',
  'length',
  'cached',
  'refusal',
  'overflow',
  'overloaded',
  'error-in-stream',
  'broken-off',
  'thinks',
  'thinks-bound',
]

/** Plays one request, after refusing what the real API refuses. */
export async function playAnthropic(body: Body, headers: IncomingHttpHeaders, response: ServerResponse): Promise<void> {
  const wrong = faultIn(body, headers)
  if (wrong) return refuse(response, 400, 'invalid_request_error', wrong)
  const thinks = body.model === 'thinks' || body.model === 'thinks-bound'
  const forged = thinks ? forgedIn(body) : undefined
  if (forged) return refuse(response, 400, 'invalid_request_error', forged)
  if (thinks) return think(body, response)
  const blocks = (body.messages ?? []).flatMap(turn => (typeof turn.content === 'string' ? [] : turn.content))
  const answered = blocks.some(block => block.type === 'tool_result')
  switch (body.model) {
    case 'overflow':
      return refuse(response, 400, 'invalid_request_error', 'prompt is too long: 210032 tokens > 200000 maximum')
    case 'overloaded':
      return refuse(response, 529, 'overloaded_error', 'Overloaded')
    case 'slow':
      return tell(response, { texts: Array.from({ length: 60 }, (_, i) => `slow${i} `), delayMs: 100 })
    case 'length':
      return tell(response, { texts: ['Cut off at the'], reason: 'max_tokens' })
    case 'refusal':
      return tell(response, { texts: ['I may not'], reason: 'refusal' })
    case 'cached':
      return tell(response, {
        texts: ['Hi.'],
        usage: { input_tokens: 10, cache_read_input_tokens: 60, cache_creation_input_tokens: 30, output_tokens: 1 },
      })
    case 'call':
      return answered
        ? tell(response, { texts: ['Done.'] })
        : tell(response, { texts: ['I look. '], calls: 1, reason: 'tool_use' })
    case 'thinking-call':
      return answered
        ? tell(response, { texts: ['Done.'] })
        : tell(response, { thinking: ['I ', 'think.'], texts: ['I look. '], calls: 2, reason: 'tool_use' })
    case 'error-in-stream':
      return tell(response, { texts: ['It begins '], error: true })
    case 'broken-off':
      return tell(response, { texts: ['It begins '], breaks: true })
    default:
      return tell(response, { texts: ['The quick brown fox — ', '敏捷的棕色狐狸 🦊 — ', 'jumps.'] })
  }
}

/** Of `thinks` a block is signed for its text, of `thinks-bound` for all that stands before its answer too. */
function signatureOf({ model, system, messages = [] }: Body, before: number, thinking: unknown): string {
  const talk = JSON.stringify([system, messages.slice(0, before)], (name, value: unknown) =>
    name === 'cache_control' ? undefined : value,
  )
  return createHash('md5')
    .update(`${model} ${String(thinking)} ${model === 'thinks-bound' ? talk : ''}`)
    .digest('base64')
}

function forgedIn(body: Body): string | undefined {
  for (const [n, { content }] of (body.messages ?? []).entries()) {
    for (const [i, block] of (typeof content === 'string' ? [] : content).entries()) {
      if (block.type !== 'thinking') continue
      if (typeof block['thinking'] !== 'string') return `messages.${n}.content.${i}.thinking.thinking: Field required`
      if (block['signature'] === signatureOf(body, n, block['thinking'])) continue
      return `messages.${n}.content.${i}: Invalid \`signature\` in \`thinking\` block.${body.model === 'thinks-bound' ? ' The block is bound to a different conversation.' : ''}`
    }
  }
  return undefined
}

/** Thinks before each answer, shows only every second of its thoughts, and calls where the question says "look". */
function think(body: Body, response: ServerResponse): Promise<void> {
  const { messages = [], tools = [] } = body
  const blocks = messages.flatMap(({ role, content }) =>
    typeof content === 'string' ? [{ role, type: 'text', text: content }] : content.map(block => ({ ...block, role })),
  )
  const questions = blocks.filter(block => block.role === 'user' && block.type === 'text')
  const step = messages.filter(({ role }) => role === 'assistant').length + 1
  const thinking = step % 2 === 1 ? `Thought ${step}.` : ''
  const wants = tools.length > 0 && blocks.at(-1)?.type === 'text' && /\blook\b/.test(String(questions.at(-1)?.text))
  return tell(response, {
    thinking: thinking === '' ? [] : [thinking],
    signature: signatureOf(body, messages.length, thinking),
    id: `toolu_${step}`,
    ...(wants
      ? { texts: ['I look. '], calls: 1, reason: 'tool_use' }
      : {
          texts: [`Answer ${new Set(questions.flatMap(block => /Question \d+/.exec(String(block.text)) ?? [])).size}.`],
        }),
  })
}

function faultIn({ max_tokens: limit, messages = [], tools }: Body, headers: IncomingHttpHeaders): string | undefined {
  if (headers['anthropic-version'] === undefined) return 'anthropic-version: header is required'
  if (headers['anthropic-dangerous-direct-browser-access'] !== 'true')
    return 'CORS requests must set the anthropic-dangerous-direct-browser-access header'
  if (headers['authorization'] !== undefined) return 'authorization: use x-api-key'
  if (limit === undefined) return 'max_tokens: Field required'
  if (messages[0]?.role !== 'user') return 'messages: first message must use the "user" role'
  for (const [n, turn] of messages.entries()) {
    const blocks = typeof turn.content === 'string' ? [{ type: 'text', text: turn.content } as Block] : turn.content
    if (blocks.length === 0) return `messages.${n}: all messages must have non-empty content`
    if (blocks.some(block => block.type === 'text' && (block.text ?? '').trim() === ''))
      return 'messages: text content blocks must be non-empty'
    const calls = blocks.filter(block => block.type === 'tool_use')
    const next = messages[n + 1]?.content
    const results = typeof next === 'string' ? [] : (next ?? []).filter(block => block.type === 'tool_result')
    if (calls.some(call => !/^[\w-]+$/.test(call.id ?? '')))
      return `messages.${n}.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`
    if (calls.some(call => typeof call['input'] !== 'object'))
      return 'tool_use.input: Input should be a valid dictionary'
    if (calls.some((call, i) => results[i]?.tool_use_id !== call.id))
      return '`tool_use` ids were found without `tool_result` blocks immediately after'
    if (calls.length > 0 && tools === undefined)
      return 'Requests which include `tool_use` or `tool_result` blocks must define tools'
  }
  return undefined
}

function refuse(response: ServerResponse, status: number, type: string, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ type: 'error', error: { type, message } }))
}

type Play = {
  thinking?: string[]
  signature?: string
  id?: string
  texts: string[]
  calls?: number
  reason?: string
  usage?: Record<string, number>
  delayMs?: number
  error?: boolean
  breaks?: boolean
}

async function tell(
  response: ServerResponse,
  {
    thinking,
    signature = 'c2lnbmVk',
    id = 'toolu_1',
    texts,
    calls,
    reason = 'end_turn',
    usage = { input_tokens: 40, output_tokens: 12 },
    delayMs = 0,
    error,
    breaks,
  }: Play,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  const send = (event: Record<string, unknown>): void => {
    if (!response.destroyed) response.write(`event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`)
  }
  let index = 0
  const block = async (start: Record<string, unknown>, deltas: readonly Record<string, unknown>[]): Promise<void> => {
    send({ type: 'content_block_start', index, content_block: start })
    for (const delta of deltas) {
      send({ type: 'content_block_delta', index, delta })
      if (delayMs && !response.destroyed) await pause(delayMs)
    }
    if (!breaks && !error) send({ type: 'content_block_stop', index: index++ })
  }
  send({
    type: 'message_start',
    message: { id: 'msg_1', type: 'message', role: 'assistant', content: [], usage: { ...usage, output_tokens: 1 } },
  })
  send({ type: 'ping' })
  if (thinking)
    await block({ type: 'thinking', thinking: '', signature: '' }, [
      ...thinking.map(text => ({ type: 'thinking_delta', thinking: text })),
      { type: 'signature_delta', signature },
    ])
  await block(
    { type: 'text', text: '' },
    texts.map(text => ({ type: 'text_delta', text })),
  )
  if (breaks) {
    await pause(50)
    response.destroy()
    return
  }
  if (error) {
    send({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })
    response.end()
    return
  }
  if (calls) {
    await block({ type: 'tool_use', id, name: 'read_file', input: {} }, [
      { type: 'input_json_delta', partial_json: '' },
      { type: 'input_json_delta', partial_json: '{"path":' },
      { type: 'input_json_delta', partial_json: '"MEMORY.md"}' },
    ])
    if (calls > 1) await block({ type: 'tool_use', id: 'toolu_2', name: 'get_time', input: {} }, [])
  }
  send({
    type: 'message_delta',
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: usage['output_tokens'] ?? 0 },
  })
  send({ type: 'message_stop' })
  response.end()
}
