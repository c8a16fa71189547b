/** Normalizes one chunk of an OpenAI-like stream: only known fields, each with the right type. */
import { anthropicEvents } from './normalize-anthropic.ts'
import { callNormalizer, type WireCall } from './normalize-calls.ts'
import { sourceReader } from './sources.ts'

type Fields = Record<string, unknown>
export type Chunk = {
  choices: { index: 0; delta: Delta; finish_reason: string | null }[]
  usage?: Fields
  /** Something was left out. */ truncated?: true
  haversack_calling?: CallProgress
}
/** The call that is being written; it comes whole at the end. */
export type CallProgress = { name: string; chars: number }
type Delta = {
  content?: string
  reasoning_content?: string
  reasoning_details?: unknown[]
  refusal?: string
  tool_calls?: WireCall[]
}

export type ChunkNormalizer = {
  /** `asError`: the event was named so. A chunk that says nothing (a ping) gives none. */
  normalize(value: unknown, asError: boolean): { chunks: Chunk[] } | { error: Fields }
  /** What is missing at the end of the stream: a finish reason, and the sources of the answer. */
  end(reason: string): Chunk[]
  readonly finished: boolean
  /** The last that came was a count of an answer that had begun: some gateways end so, without a finish reason. */
  readonly counted: boolean
}

/**
 * The names under which servers send reasoning; of two that are filled the first counts, for they carry the same text.
 */
const reasoningFields = ['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'] as const

/**
 * Mends: the events of Anthropic's API, usage inside `choices` or under `x_groq`, whole messages instead of deltas,
 * Ollama's own shape, legacy `function_call` and `text`, reasoning under any name (its details and the signatures of
 * calls are passed on as they are), null or wrongly typed fields, empty finish reasons, errors as text.
 */
export function chunkNormalizer(newId: () => string): ChunkNormalizer {
  const calls = callNormalizer(newId)
  const anthropic = anthropicEvents()
  const sources = sourceReader()
  let finished = false
  let begun = false
  let counted = false
  return {
    normalize(value, asError) {
      const own = fieldsOf(value)
      const read = own && !asError ? anthropic(own) : undefined
      if (read === null) return { chunks: [] }
      const body = read ?? own
      if (!body) return asError ? { error: { message: String(value) } } : { chunks: [] }
      const error = errorIn(body, asError)
      if (error) return { error }
      const choice = fieldsOf(Array.isArray(body['choices']) ? body['choices'][0] : undefined) ?? ownShape(body)
      const usage = usageIn(body, choice)
      const truncated = saysTruncated(body)
      const chunk: Chunk = { choices: [], ...(usage ? { usage } : {}), ...(truncated ? { truncated } : {}) }
      if (choice) {
        const reason = choice['finish_reason'] ?? choice['done_reason']
        const finish = typeof reason === 'string' && reason !== '' ? reason : null
        const { delta, calling } = deltaOf(choice)
        if (calling) chunk.haversack_calling = calling
        begun ||= Object.keys(delta).length > 0 || calling !== undefined
        sources.read(body, fieldsOf(choice['delta']) ?? fieldsOf(choice['message']) ?? {}, delta.content ?? '')
        if (finish !== null) {
          finished = true
          const owed = calls.end()
          if (owed.length > 0) delta.tool_calls = owed
        }
        counted = false
        if (finish !== null || Object.keys(delta).length > 0)
          chunk.choices.push({ index: 0, delta, finish_reason: finish })
      }
      if (!choice) {
        sources.read(body, {}, '')
        counted = begun && usage !== undefined
      }
      return { chunks: chunk.choices.length > 0 || usage || truncated || chunk.haversack_calling ? [chunk] : [] }
    },
    end(reason) {
      const owed = calls.end()
      const list = sources.list()
      const told: Chunk[] =
        list === '' ? [] : [{ choices: [{ index: 0, delta: { content: list }, finish_reason: null }] }]
      if (finished && owed.length === 0) return told
      finished = true
      return [
        ...told,
        { choices: [{ index: 0, delta: owed.length > 0 ? { tool_calls: owed } : {}, finish_reason: reason }] },
      ]
    },
    get finished() {
      return finished
    },
    get counted() {
      return counted
    },
  }

  function deltaOf(choice: Fields): { delta: Delta; calling: CallProgress | undefined } {
    const from = fieldsOf(choice['delta']) ?? fieldsOf(choice['message']) ?? {}
    const delta: Delta = {}
    const { text, thought } = contentOf(from['content'] ?? choice['text'])
    const reasoning = reasoningFields.map(name => from[name]).find(value => typeof value === 'string' && value !== '')
    if (text !== '') delta.content = text
    if (typeof reasoning === 'string') delta.reasoning_content = reasoning
    else if (thought !== '') delta.reasoning_content = thought
    if (Array.isArray(from['reasoning_details']) && from['reasoning_details'].length > 0)
      delta.reasoning_details = from['reasoning_details']
    if (typeof from['refusal'] === 'string' && from['refusal'] !== '') delta.refusal = from['refusal']
    const legacy = fieldsOf(from['function_call'])
    const raw = Array.isArray(from['tool_calls']) ? from['tool_calls'] : legacy ? [{ index: 0, function: legacy }] : []
    const calling = raw
      .map(fieldsOf)
      .map(call => call && calls.add(call))
      .findLast(told => told !== undefined)
    return { delta, calling }
  }
}

/** Ollama's native stream: the message stands at the top, `done` ends it. */
function ownShape(body: Fields): Fields | undefined {
  const message = fieldsOf(body['message'])
  if (!message) return undefined
  return { delta: message, finish_reason: body['done'] === true ? (body['done_reason'] ?? 'stop') : null }
}

/** Text, or a list of parts of which some are reasoning. */
function contentOf(content: unknown): { text: string; thought: string } {
  if (typeof content === 'string') return { text: content, thought: '' }
  let text = ''
  let thought = ''
  for (const part of Array.isArray(content) ? content : []) {
    if (typeof part === 'string') text += part
    const fields = fieldsOf(part)
    if (!fields) continue
    if (typeof fields['text'] === 'string' && fields['type'] !== 'thinking') text += fields['text']
    else if (fields['thinking'] !== undefined)
      thought += typeof fields['thinking'] === 'string' ? fields['thinking'] : contentOf(fields['thinking']).text
  }
  return { text, thought }
}

/**
 * Errors come as an object, a text, or as a body that has a message and no choices. Not every `error` is one: null and
 * "" are none.
 */
function errorIn(body: Fields, asError: boolean): Fields | undefined {
  const error =
    body['error'] ??
    (body['object'] === 'error' || body['type'] === 'error' || asError ? body : undefined) ??
    (body['choices'] === undefined && typeof body['message'] === 'string' ? body : undefined) ??
    (body['choices'] === undefined && body['detail'] !== undefined ? { message: body['detail'] } : undefined)
  if (error === undefined || error === null || error === '' || error === false) return undefined
  const fields = fieldsOf(error)
  if (!fields) return { message: String(error) }
  const inner = fieldsOf(fields['error']) ?? fields
  const said = inner['message'] ?? inner['msg'] ?? inner['detail'] ?? inner['error']
  const code = inner['code'] ?? fields['code'] ?? inner['status'] ?? body['status_code']
  return {
    message: typeof said === 'string' && said !== '' ? said : JSON.stringify(said ?? inner),
    ...(typeof inner['type'] === 'string' ? { type: inner['type'] } : {}),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(inner['metadata'] === undefined ? {} : { param: { metadata: inner['metadata'] } }),
    ...numbersIn(inner),
  }
}

/** llama.cpp tells its numbers beside the words; they are kept for classification. */
function numbersIn(fields: Fields): Fields {
  const told = Object.entries(fields).filter(([name, value]) => name.startsWith('n_') && typeof value === 'number')
  return told.length > 0 ? { param: Object.fromEntries(told) } : {}
}

const counts = [
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'prompt_cache_hit_tokens',
  'cache_creation_input_tokens',
] as const

/**
 * llama.cpp tells a full window beside the answer, where it tells more than others (`--verbose`) in a field of its own.
 */
function saysTruncated(body: Fields): true | undefined {
  return body['truncated'] === true || fieldsOf(body['__verbose'])?.['truncated'] === true ? true : undefined
}

function usageIn(body: Fields, choice: Fields | undefined): Fields | undefined {
  const found =
    fieldsOf(body['usage']) ??
    fieldsOf(choice?.['usage']) ??
    fieldsOf(fieldsOf(body['x_groq'])?.['usage']) ??
    ollamaUsage(body)
  if (!found) return undefined
  const usage: Fields = {}
  for (const name of counts) if (isCount(found[name])) usage[name] = found[name]
  if (usage['prompt_tokens'] === undefined) return undefined
  const cached = fieldsOf(found['prompt_tokens_details'])?.['cached_tokens']
  if (isCount(cached)) usage['prompt_tokens_details'] = { cached_tokens: cached }
  if (typeof found['cost'] === 'number' && found['cost'] >= 0) usage['cost'] = found['cost'] // OpenRouter, US$
  const thought = fieldsOf(found['completion_tokens_details'])?.['reasoning_tokens']
  if (isCount(thought)) usage['completion_tokens_details'] = { reasoning_tokens: thought }
  return usage
}

function ollamaUsage(body: Fields): Fields | undefined {
  return isCount(body['prompt_eval_count'])
    ? { prompt_tokens: body['prompt_eval_count'], completion_tokens: body['eval_count'] }
    : undefined
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
}
