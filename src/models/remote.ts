/** Any OpenAI-compatible server as a `Model`, over the AI SDK's provider. Loaded only when such a model is used. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { APICallError } from '@ai-sdk/provider'
import { AgentError, codeOf } from '../core/errors.ts'
import type { Id } from '../core/log/entry.ts'
import type { ModelPart, ModelRequest, ReasoningDetails, StopReason, ToolCall, Usage } from '../core/log/message.ts'
import type { Model, Price, Server } from '../core/ports.ts'
import { knownQuirks, type KeptQuirks, type KnownQuirks } from './known-quirks.ts'
import type { ModelFetch } from './model-fetch.ts'
import { stoppedError, throwIfStopped } from './pause.ts'
import { anthropicBody } from './anthropic-body.ts'
import { chatRoute, dialectOf, headersFor, moreFields } from './dialects.ts'
import { costOf } from './prices.ts'
import { nextGrade, quirkIn, refusesDetails, wantsReasoning, type Quirks } from './quirks.ts'
import { detailsReader } from './reasoning-details.ts'
import { imagesOf, lessonOf, withinLimits, type ImageLimits, type SentImages } from './sent-images.ts'
import { redacted, refusalError } from './server-errors.ts'
import { thinkTags } from './think-tags.ts'
import { wireMessages } from './wire.ts'

export type RemoteOptions = {
  server: Server
  /** As the server names it. */
  name: string
  contextWindow: number   // tokens
  local: boolean
  fetch: ModelFetch
  image?: (blob: Id) => Promise<{ mime: string; bytes: Uint8Array } | undefined>
  price?: Price | undefined
  /** Told after each whole answer; nobody waits for it, and it never throws. */
  answered?: () => Promise<void>
  /** What was learnt of this model before. */
  learnt?: KeptQuirks | undefined
  /** Told what is known from now on, after each refusal that taught something; nobody waits for it, and it never throws. */
  learn?: (known: KeptQuirks) => Promise<void>
}

// The SDK's validator tries `new Function` to find out whether it may; under our policy each try is reported as a violation.
const validator = globalThis as { __zod_globalConfig?: { jitless?: boolean } }
validator.__zod_globalConfig = Object.assign(validator.__zod_globalConfig ?? {}, { jitless: true })

/** Most that an answer may have where nobody says, tokens: the output reserve of C7.5. */
const outputReserve = 8_192

/** The mender's mark of an answer that came in one lump. */
const lumpField = 'haversack_lump'
/** A lump that was waited for less than this was no stream held back, but a fast answer. Unit: ms. */
const heldWait = 1_500

/** What a model of a server turned out to refuse or to do, in this thread. */
const learnt = new Map<string, Known>()
type Known = KnownQuirks & { beginsInThought: boolean; heldBack: boolean; imageLimits: ImageLimits }

/** As after a reload, for tests. */
export function forgetLearnt(): void {
  learnt.clear()
}

/** Makes the model; asks nothing yet. */
export function remote(options: RemoteOptions): Model {
  const { server, name, contextWindow } = options
  const key = `${server.baseUrl} ${name}`
  const known: Known = learnt.get(key) ?? Object.assign(knownQuirks(server.baseUrl, name), { beginsInThought: false, heldBack: false, imageLimits: {} })
  learnt.set(key, known)
  known.merge(options.learnt)
  return {
    id: `${server.id}/${name}`,
    name,
    contextWindow,
    maxOutput: Math.min(outputReserve, Math.floor(contextWindow / 4)),
    can: { get tools() { return !known.quirks.has('no tools') }, images: true, schema: dialectOf(server) === 'anthropic' ? false : 'whole' },
    local: options.local,
    reportsWholePrompt: true,
    get reasoning() { return known.back },
    async *generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
      throwIfStopped(signal)
      const images = await imagesOf(request, options.image)
      const pictures = { images, limits: known.imageLimits }
      for (;;) {
        const sent = withinLimits(request, images, pictures.limits)
        try {
          yield* answer(options, { request: sent, images, signal, known })
          void options.answered?.()
          return
        } catch (thrown) {
          if (signal.aborted) throw stoppedError()
          const error = translated(thrown, options)
          const next = error.data['begun'] ? undefined : learnFrom(error, { request, sent, pictures, known })
          if (next === undefined) throw error
          void options.learn?.(known.kept)
          if (next === 'rebuild') throw new AgentError(error.code, error.message, { data: { ...error.data, askAgain: true } })
        }
      }
    },
  }
}

/**
 * What a refusal teaches: `again` sends the same request in another way; for `rebuild` other messages have to go back with
 * it, which who asks must make and count (`askAgain`). undefined: nothing new. Each time something is known that was not
 * before, and there is only so much to know, so this ends.
 */
function learnFrom(error: AgentError, { request: { messages }, sent, pictures, known }: { request: ModelRequest; sent: ModelRequest; pictures: { images: SentImages; limits: ImageLimits }; known: Known }): 'again' | 'rebuild' | undefined {
  const { data } = error
  const lesson = known.quirks.has('no images') ? undefined : lessonOf(error, sent, pictures.images)
  if (lesson === 'none') known.add('no images')
  else if (lesson) {
    pictures.limits = { ...pictures.limits, ...lesson }
    if (lesson.chars !== 0) known.imageLimits = pictures.limits   // while the app runs; that this request had no room for any says nothing of others
  }
  if (lesson) return 'again'
  const status = data['status'] as number | undefined
  const text = String(data['body'] ?? '')
  if (refusesDetails(status, text)) {
    // Those of earlier turns first: the running one goes on best with its own.
    const details = (from: number, to?: number): ReasoningDetails[] => messages.slice(from, to).flatMap(message => message.role === 'assistant' && message.details ? [message.details] : [])
    const question = messages.findLastIndex(({ role }) => role === 'user')
    const earlier = details(0, question)
    const refused = earlier.length > 0 ? earlier : details(question)
    if (refused.length > 0) {
      known.refuse(refused)
      return 'rebuild'
    }
  }
  const quirk = quirkIn(status, text, known.quirks)
  if (quirk) {
    known.add(quirk)
    return 'again'
  }
  if (!wantsReasoning(status, text) || known.quirks.has('no reasoning')) return undefined
  if (!known.quirks.has('no empty reasoning') && messages.some(message => message.role === 'assistant' && message.reasoning === '')) {
    known.add('no empty reasoning')
    return 'again'
  }
  const grade = nextGrade(known.back.text, messages)
  if (grade) known.raise(grade)
  return grade && 'rebuild'
}

type Attempt = {
  request: ModelRequest
  images: ReadonlyMap<string, string>
  signal: AbortSignal
  known: Known
}

async function* answer(options: RemoteOptions, { request, images, signal, known }: Attempt): AsyncGenerator<ModelPart> {
  const { server, name } = options
  const { quirks } = known
  const provider = createOpenAICompatible({
    name: 'server',
    baseURL: server.baseUrl,
    headers: headersFor(server),
    includeUsage: !quirks.has('no usage option'),
    // The SDK's own words for our messages are not used: it writes null contents and quotes broken arguments twice.
    transformRequestBody: body => dialectOf(server) === 'anthropic' ? anthropicBody(request, { model: name, maxTokens: outputReserve, images, quirks })
      : limitNamed({ ...body, ...moreFields(server), ...(body['tools'] === undefined ? emptyTools(request, quirks) : {}), messages: wireMessages(request, quirks, images), ...formatOf(request) }, quirks),
    fetch: (_, init) => options.fetch(chatRoute(server), {
      method: 'POST', headers: Object.fromEntries(new Headers(init?.headers)), body: String(init?.body), signal: init?.signal ?? signal,
    }),
  })
  const tools = quirks.has('no tools') || request.toolChoice === 'none' && quirks.has('no tool_choice') ? [] : request.tools
  const asked = performance.now()
  const connection = new AbortController()
  const stop = (): void => connection.abort()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const { stream } = await provider.chatModel(name).doStream({
      prompt: [],
      tools: tools.map(tool => ({ type: 'function' as const, name: tool.name, description: tool.description, inputSchema: tool.parameters })),
      ...(request.toolChoice && !quirks.has('no tool_choice') ? { toolChoice: { type: request.toolChoice } } : {}),
      ...(request.maxTokens && !quirks.has('no output limit') ? { maxOutputTokens: request.maxTokens } : {}),
      includeRawChunks: true,
      abortSignal: connection.signal,
    })
    throwIfStopped(signal)
    yield* partsOf(stream.getReader(), { signal, known, options, asked })
  } finally {
    signal.removeEventListener('abort', stop)
    connection.abort()   // also when the caller left in the middle
  }
}

type Stream = Awaited<ReturnType<ReturnType<ReturnType<typeof createOpenAICompatible>['chatModel']>['doStream']>>['stream']
type Part = Stream extends ReadableStream<infer P> ? P : never
type Reader = ReadableStreamDefaultReader<Part>

async function* partsOf(reader: Reader, { signal, known, options, asked }: Pick<Attempt, 'signal' | 'known'> & { options: RemoteOptions; asked: number /* ms */ }): AsyncGenerator<ModelPart> {
  const tags = thinkTags(known.beginsInThought)
  const writing = new Map<string, { name: string; chars: number }>()
  let chars = 0
  const calls: ToolCall[] = []
  const details = detailsReader()
  let held = false
  let truncated = false
  for (;;) {
    const { done, value } = await reader.read().catch((thrown: unknown) => { throw begun(translated(thrown, options), chars + calls.length > 0) })
    throwIfStopped(signal)
    if (done) throw begun(new AgentError('network', `The connection to ${options.server.name} broke off.`), chars + calls.length > 0)
    switch (value.type) {
      case 'raw':
        if (typeof value.rawValue === 'object' && value.rawValue !== null) {
          if (lumpField in value.rawValue) held = performance.now() - asked >= heldWait
          if ('truncated' in value.rawValue) truncated = true
        }
        details.push(value.rawValue)
        break
      case 'text-delta':
        for (const piece of tags.push(value.delta)) {
          chars += piece.text.length
          yield piece
        }
        break
      case 'reasoning-delta':
        if (value.delta === '') break
        chars += value.delta.length
        yield { type: 'reasoning', text: value.delta }
        break
      case 'tool-input-start':
        writing.set(value.id, { name: value.toolName, chars: 0 })
        yield { type: 'calling', name: value.toolName, chars: 0 }
        break
      case 'tool-input-delta': {
        const call = writing.get(value.id)
        if (!call) break
        call.chars += value.delta.length
        yield { type: 'calling', ...call }
        break
      }
      case 'tool-call':
        calls.push({ id: value.toolCallId, name: value.toolName, arguments: value.input.trim() === '' ? '{}' : value.input })
        yield { type: 'call', call: calls[calls.length - 1] as ToolCall }
        break
      case 'error':
        throw begun(translated(value.error, options), chars + calls.length > 0)
      case 'finish': {
        yield* tags.end()
        known.beginsInThought = tags.openedByTemplate
        const stop = stopOf(value.finishReason, calls.length > 0)
        if (stop === 'overflow' && chars + calls.length === 0) {
          throw refusalError({ server: options.server, model: options.name, body: '{"error":{"code":"context_length_exceeded","message":"The window was full before the answer began."}}', status: 400 })
        }
        if (stop === 'failed') throw begun(new AgentError('model_server', `${options.server.name} broke the answer off with “${value.finishReason.raw ?? 'error'}”.`), true)
        const usage = usageOf(value.usage, options.price)
        const before = known.heldBack
        known.heldBack = held
        const given = details.end()
        yield { type: 'finish', stop: stop === 'overflow' ? 'length' : stop, ...(usage ? { usage } : {}), ...(given ? { details: given } : {}), ...(held && before ? { heldBack: true } : {}), ...(truncated ? { truncated: true } : {}) }
        return
      }
      default:   // starts, ends, metadata
    }
    throwIfStopped(signal)
  }
}

/** Many servers say "stop" in spite of calls, and have names of their own. */
function stopOf({ unified, raw }: { unified: string; raw: string | undefined }, calls: boolean): StopReason | 'overflow' {
  if (raw === 'model_context_window_exceeded' || raw === 'context_length_exceeded') return 'overflow'
  if (unified === 'content-filter' || raw === 'safety' || raw === 'SAFETY') return 'filtered'
  if (unified === 'length' || raw === 'max_tokens' || raw === 'MAX_TOKENS') return 'length'
  if (raw === 'error' || raw === 'network_error') return 'failed'
  return calls ? 'calls' : 'stop'
}

type SdkUsage = { inputTokens: { total: number | undefined; cacheRead: number | undefined }; outputTokens: { total: number | undefined }; raw?: unknown }

/** prompt_tokens hold the cached ones; DeepSeek counts those under a name of its own. A cost that the server tells wins over the price. */
function usageOf({ inputTokens, outputTokens, raw }: SdkUsage, price: Price | undefined): Usage | undefined {
  if (!inputTokens.total) return undefined
  const { prompt_cache_hit_tokens: hit, cache_creation_input_tokens: written, cost: told } = (typeof raw === 'object' && raw !== null ? raw : {}) as Record<string, unknown>
  const cacheRead = inputTokens.cacheRead || (typeof hit === 'number' ? hit : 0)
  const cacheWrite = typeof written === 'number' ? written : 0
  const usage: Usage = {
    input: Math.max(0, inputTokens.total - cacheRead - cacheWrite),
    ...(cacheRead > 0 ? { cacheRead } : {}), ...(cacheWrite > 0 ? { cacheWrite } : {}),
    ...(outputTokens.total !== undefined ? { output: outputTokens.total } : {}),
  }
  const cost = typeof told === 'number' ? told : costOf(usage, price)
  return { ...usage, ...(cost === undefined ? {} : { cost }) }
}

/** The one spelling that llama.cpp, Ollama, vLLM, LM Studio and OpenAI all take. */
function formatOf({ shape }: ModelRequest): Record<string, unknown> {
  return shape && 'whole' in shape ? { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: shape.whole } } } : {}
}

/** Some want the field wherever calls stand in the talk, also where none may be called now. */
function emptyTools(request: ModelRequest, quirks: Quirks): Record<string, unknown> {
  return quirks.has('tools with calls') && request.messages.some(message => message.role === 'assistant' && message.toolCalls?.length) ? { tools: [] } : {}
}

function limitNamed(body: Record<string, unknown>, quirks: Quirks): Record<string, unknown> {
  if (!quirks.has('max_completion_tokens') || body['max_tokens'] === undefined) return body
  const { max_tokens: limit, ...rest } = body
  return { ...rest, max_completion_tokens: limit }
}

/** An error after the first part is never followed by another attempt of ours. */
function begun(error: AgentError, yes: boolean): AgentError {
  return yes ? new AgentError(error.code, error.message, { data: { ...error.data, begun: true } }) : error
}

/** Anything that the SDK or the network throws, as ours. Never carries the request, its headers, or the key. */
function translated(thrown: unknown, options: RemoteOptions): AgentError {
  if (thrown instanceof AgentError) return thrown
  const { server, name, contextWindow } = options
  const base = { server, model: name, window: contextWindow }
  if (!(thrown instanceof Error)) return eventError(thrown, options)
  const { statusCode: status, responseBody, responseHeaders: headers } = thrown as Partial<APICallError>
  if (status !== undefined && status >= 400) return refusalError({ ...base, status, body: responseBody ?? '', ...(headers ? { headers } : {}) })
  const message = redacted(thrown.message, server).slice(0, 300)
  if (codeOf(thrown) === 'new_version') return new AgentError('new_version', thrown.message, { cause: thrown })
  if (thrown instanceof TypeError || thrown.name === 'AbortError') return new AgentError('network', `The connection to ${server.name} broke off (${message}).`)
  if (thrown.cause instanceof Error) return translated(thrown.cause, options)   // the SDK wraps what broke the reading
  return new AgentError('model_protocol', `${server.name} answered in a shape that is not known: ${message}`)
}

/** An error that came inside the stream: the server's own, or the mender's. */
function eventError(error: unknown, { server, name, contextWindow }: RemoteOptions): AgentError {
  const fields = (typeof error === 'object' && error !== null ? error : { message: String(error) }) as Record<string, unknown>
  const said = redacted(String(fields['message'] ?? ''), server).slice(0, 400)
  if (fields['type'] === 'haversack_broken_off') return new AgentError('network', `The answer of ${server.name} broke off before its end.`)
  if (fields['type'] === 'haversack_not_a_stream') {
    return new AgentError('model_protocol', `${server.name} did not answer as an OpenAI-compatible server does: ${said}. Check the address in Settings.`, { data: { body: said } })
  }
  return refusalError({ server, model: name, window: contextWindow, body: JSON.stringify({ error: fields }), ...statusIn(fields) })
}

function statusIn(error: Record<string, unknown>): { status?: number } {
  const code = Number(error['code'] ?? error['status'])
  return code >= 400 && code < 600 ? { status: code } : {}
}
