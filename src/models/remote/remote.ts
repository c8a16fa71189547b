/** Any OpenAI-compatible server as a `Model`, over the AI SDK's provider. Loaded only when such a model is used. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { AgentError, type Code } from '../../core/errors.ts'
import type { ModelPart, ModelRequest, ReasoningDetails, StopReason, ToolCall } from '../../core/log/message.ts'
import type { Model, Price, Server } from '../../core/ports/ports.ts'
import { isolated } from '../../core/text/display/isolate.ts'
import type { ModelCapabilities } from '../catalogue/capabilities.ts'
import { knownQuirks, type StoredQuirks, type KnownQuirks } from './known-quirks.ts'
import type { ModelFetch } from '../shared/model-fetch.ts'
import { stoppedError, throwIfStopped } from '../shared/pause.ts'
import { anthropicBody } from './anthropic-body.ts'
import { chatRoute, dialectOf, headersFor, extraFields } from '../catalogue/dialects.ts'
import type { EffortForm } from './effort.ts'
import { nextGrade, quirkIn, refusesDetails, wantsReasoning, type Quirk, type Quirks } from './quirks.ts'
import { detailsReader } from './reasoning-details.ts'
import { translated } from '../server-errors/remote-errors.ts'
import { imageLimitsFrom, withinLimits, type ImageLimits, type SentImages } from './sent-images.ts'
import { refusalError } from '../server-errors/server-errors.ts'
import { thinkTags } from '../tool-calls/think-tags.ts'
import { usageOf } from './usage.ts'
import { wireMessages } from './wire.ts'
import { imageUrls, type ReadImage } from './wire-images.ts'

export type RemoteOptions = {
  server: Server
  /** As the server names it. */
  name: string
  contextWindow: number // tokens
  local: boolean
  fetch: ModelFetch
  image?: ReadImage
  price?: Price | undefined
  /** How to request a reasoning effort, if that is known. */
  effort?: EffortForm | undefined
  /** What the server tells of it. */
  abilities?: ModelCapabilities | undefined
  /** Set by the person, tokens. */
  outputLimit?: number | undefined
  /** Called after each complete answer; nobody waits for it, and it never throws. */
  onAnswered?: () => Promise<void>
  /** Called when the server is unreachable or loading: it may come back with other settings. */
  onUnavailable?: () => void
  /** What was learnt of this model before. */
  storedQuirks?: StoredQuirks | undefined
  /**
   * Called with the known quirks after each refusal that taught something; nobody waits for it, and it never throws.
   */
  saveQuirks?: (known: StoredQuirks) => Promise<void>
}

// The SDK's validator tries `new Function` to find out whether it may; under our policy each try is reported as a
// violation.
const validator = globalThis as { __zod_globalConfig?: { jitless?: boolean } }
validator.__zod_globalConfig = Object.assign(validator.__zod_globalConfig ?? {}, { jitless: true })

/** Most that an answer may have where nobody says, tokens: the output reserve of C7.5. */
const outputReserve = 8_192

/** Codes after which a server may have been restarted. */
const awayCodes: ReadonlySet<Code> = new Set<Code>(['network', 'model_loading', 'model_not_loaded', 'model_server'])

/** The stream normalizer's mark of an answer that arrived in one burst. */
const burstField = 'haversack_lump'
/** The stream normalizer's field about a call that is being written; the call itself comes whole. */
const callingField = 'haversack_calling'
/** A burst after a shorter wait is a fast answer, not a buffered stream. Unit: ms. */
const bufferedWaitMs = 1_500

/** What a model of a server turned out to refuse or to do, in this thread. */
const modelState = new Map<string, ModelKnowledge>()
type ModelKnowledge = KnownQuirks & { beginsInThought: boolean; bufferedByProxy: boolean; imageLimits: ImageLimits }

/** Resets what was learnt, as a reload does. For tests. */
export function resetRemoteState(): void {
  modelState.clear()
}

/** Makes the model; asks nothing yet. */
export function remote(options: RemoteOptions): Model {
  const { server, name, contextWindow } = options
  const key = `${server.baseUrl} ${name}`
  const known: ModelKnowledge =
    modelState.get(key) ??
    Object.assign(knownQuirks(server.baseUrl, name), {
      beginsInThought: false,
      bufferedByProxy: false,
      imageLimits: {},
    })
  modelState.set(key, known)
  known.merge(options.storedQuirks)
  return {
    id: `${server.id}/${name}`,
    name,
    contextWindow,
    maxOutput: Math.floor(contextWindow / 2), // what it may really write it says itself (C5.6, 1)
    can: {
      get tools() {
        return options.abilities?.tools !== false && !known.quirks.has('no tools')
      },
      images: options.abilities?.images !== false,
      schema: dialectOf(server) === 'anthropic' ? false : 'whole',
    },
    ...(options.outputLimit === undefined ? {} : { outputLimit: options.outputLimit }),
    get efforts() {
      return known.quirks.has('no effort')
        ? undefined
        : options.effort?.efforts.filter(effort => effort !== 'off' || !known.quirks.has('no effort off'))
    },
    local: options.local,
    reportsWholePrompt: true,
    get reasoning() {
      return known.back
    },
    async *generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
      throwIfStopped(signal)
      const images = await imageUrls(request, options.image)
      const pictures = {
        images: options.abilities?.images === false ? new Map<string, string>() : images,
        limits: known.imageLimits,
      }
      let suspected: AgentError | undefined // the refusal of a request with tools that nobody understands
      for (;;) {
        const sent = withinLimits(request, pictures.images, pictures.limits)
        try {
          yield* answer(options, { request: sent, images, signal, known })
          void options.onAnswered?.()
          return
        } catch (thrown) {
          if (signal.aborted) throw stoppedError()
          const error = translated(thrown, options)
          const learns = error.data['begun'] ? undefined : learnFrom(error, { request, sent, pictures, known })
          const next = learns ?? (suspected === undefined && mayBeTools(error, request, known) ? 'again' : undefined)
          if (learns === undefined && next) {
            suspected = error
            known.add('no tools')
          }
          if (next === undefined) {
            if (suspected) {
              // it was not them
              known.drop('no tools')
              void options.saveQuirks?.(known.stored)
            }
            if (awayCodes.has(error.code)) options.onUnavailable?.()
            throw suspected && error.code === suspected.code ? suspected : error
          }
          void options.saveQuirks?.(known.stored)
          if (next === 'rebuild')
            throw new AgentError(error.code, error.message, { data: { ...error.data, askAgain: true } })
        }
      }
    },
  }
}

/**
 * What a refusal teaches: `again` sends the same request in another way; for `rebuild` other messages have to go back
 * with it, which who asks must make and count (`askAgain`). undefined: nothing new. Each time something is known that
 * was not before, and there is only so much to know, so this ends.
 */
function learnFrom(
  error: AgentError,
  {
    request: { messages, effort },
    sent,
    pictures,
    known,
  }: {
    request: ModelRequest
    sent: ModelRequest
    pictures: { images: SentImages; limits: ImageLimits }
    known: ModelKnowledge
  },
): 'again' | 'rebuild' | undefined {
  const { data } = error
  const lesson = known.quirks.has('no images') ? undefined : imageLimitsFrom(error, sent, pictures.images)
  if (lesson === 'none') known.add('no images')
  else if (lesson) {
    pictures.limits = { ...pictures.limits, ...lesson }
    // while the app runs; that this request had no room for any says nothing of others
    if (lesson.chars !== 0) known.imageLimits = pictures.limits
  }
  if (lesson) return 'again'
  const status = data['status'] as number | undefined
  const text = String(data['body'] ?? '')
  if (refusesDetails(status, text)) {
    // Those of earlier turns first: the running one goes on best with its own.
    const details = (from: number, to?: number): ReasoningDetails[] =>
      messages
        .slice(from, to)
        .flatMap(message => (message.role === 'assistant' && message.details ? [message.details] : []))
    const question = messages.findLastIndex(({ role }) => role === 'user')
    const earlier = details(0, question)
    const refused = earlier.length > 0 ? earlier : details(question)
    if (refused.length > 0) {
      known.refuse(refused)
      return 'rebuild'
    }
  }
  const notSent: Quirk[] =
    effort === undefined ? ['no effort', 'no effort off'] : effort === 'off' ? [] : ['no effort off']
  const quirk = quirkIn(status, text, new Set([...known.quirks, ...notSent]))
  if (quirk) {
    known.add(quirk)
    return 'again'
  }
  if (!wantsReasoning(status, text) || known.quirks.has('no reasoning')) return undefined
  if (
    !known.quirks.has('no empty reasoning') &&
    messages.some(message => message.role === 'assistant' && message.reasoning === '')
  ) {
    known.add('no empty reasoning')
    return 'again'
  }
  const grade = nextGrade(known.back.text, messages)
  if (grade) known.raise(grade)
  return grade && 'rebuild'
}

/** A refusal that speaks of tools in words that no table knows: it may take the same request without them. */
function mayBeTools({ code, data }: AgentError, { tools }: ModelRequest, known: ModelKnowledge): boolean {
  const status = Number(data['status'])
  return (
    (code === 'model_refused' || code === 'model_server') &&
    [400, 404, 415, 422, 500, 501].includes(status) &&
    tools.length > 0 &&
    !known.quirks.has('no tools') &&
    /tool|function[ _-]?call/i.test(String(data['body'] ?? ''))
  )
}

type Attempt = {
  request: ModelRequest
  images: ReadonlyMap<string, string>
  signal: AbortSignal
  known: ModelKnowledge
}

async function* answer(options: RemoteOptions, { request, images, signal, known }: Attempt): AsyncGenerator<ModelPart> {
  const { server, name } = options
  const quirks: Quirks = new Set([
    ...known.quirks,
    ...(options.abilities?.images === false ? ['no images' as const] : []),
  ])
  const thinking = thinkingOf(request, options, quirks)
  const provider = createOpenAICompatible({
    name: 'server',
    baseURL: server.baseUrl,
    headers: headersFor(server),
    includeUsage: !quirks.has('no usage option'),
    // The SDK's own words for our messages are not used: it writes null contents and quotes broken arguments twice.
    transformRequestBody: body =>
      dialectOf(server) === 'anthropic'
        ? anthropicBody(request, { model: name, maxTokens: outputReserve, images, quirks, thinking })
        : limitNamed(
            {
              ...body,
              ...extraFields(server),
              ...thinking,
              ...(body['tools'] === undefined ? emptyTools(request, quirks) : {}),
              messages: wireMessages(request, quirks, images),
              ...formatOf(request),
            },
            quirks,
          ),
    fetch: (_, init) =>
      options.fetch(chatRoute(server), {
        method: 'POST',
        headers: Object.fromEntries(new Headers(init?.headers)),
        body: String(init?.body),
        signal: init?.signal ?? signal,
      }),
  })
  const tools =
    options.abilities?.tools === false ||
    quirks.has('no tools') ||
    (request.toolChoice === 'none' && quirks.has('no tool_choice'))
      ? []
      : request.tools
  const asked = performance.now()
  const connection = new AbortController()
  const stop = (): void => connection.abort()
  signal.addEventListener('abort', stop, { once: true })
  try {
    const { stream } = await provider.chatModel(name).doStream({
      prompt: [],
      tools: tools.map(tool => ({
        type: 'function' as const,
        name: tool.name,
        description: tool.description,
        inputSchema: tool.parameters,
      })),
      ...(request.toolChoice && !quirks.has('no tool_choice') ? { toolChoice: { type: request.toolChoice } } : {}),
      ...(request.maxTokens && !quirks.has('no output limit') ? { maxOutputTokens: request.maxTokens } : {}),
      includeRawChunks: true,
      abortSignal: connection.signal,
    })
    throwIfStopped(signal)
    yield* partsOf(stream.getReader(), { signal, known, options, asked })
  } finally {
    signal.removeEventListener('abort', stop)
    connection.abort() // also when the caller left in the middle
  }
}

type Stream = Awaited<
  ReturnType<ReturnType<ReturnType<typeof createOpenAICompatible>['chatModel']>['doStream']>
>['stream']
type Part = Stream extends ReadableStream<infer P> ? P : never
type Reader = ReadableStreamDefaultReader<Part>

async function* partsOf(
  reader: Reader,
  {
    signal,
    known,
    options,
    asked,
  }: Pick<Attempt, 'signal' | 'known'> & { options: RemoteOptions; asked: number /* ms */ },
): AsyncGenerator<ModelPart> {
  const tags = thinkTags(known.beginsInThought)
  let chars = 0
  const calls: ToolCall[] = []
  const details = detailsReader()
  let held = false
  let truncated = false
  for (;;) {
    const { done, value } = await reader.read().catch((thrown: unknown) => {
      throw begun(translated(thrown, options), chars + calls.length > 0)
    })
    throwIfStopped(signal)
    if (done)
      throw begun(
        new AgentError('network', `The connection to ${isolated(options.server.name)} broke off.`),
        chars + calls.length > 0,
      )
    switch (value.type) {
      case 'raw':
        if (typeof value.rawValue === 'object' && value.rawValue !== null) {
          if (callingField in value.rawValue)
            yield { type: 'calling', ...(value.rawValue[callingField] as { name: string; chars: number }) }
          if (burstField in value.rawValue) held = performance.now() - asked >= bufferedWaitMs
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
      case 'tool-call':
        calls.push({
          id: value.toolCallId,
          name: value.toolName,
          arguments: value.input.trim() === '' ? '{}' : value.input,
        })
        yield { type: 'call', call: calls[calls.length - 1] as ToolCall }
        break
      case 'error':
        throw begun(translated(value.error, options), chars + calls.length > 0)
      case 'finish': {
        yield* tags.end()
        known.beginsInThought = tags.openedByTemplate
        const stop = stopOf(value.finishReason, calls.length > 0)
        if (stop === 'overflow' && chars + calls.length === 0) {
          throw refusalError({
            server: options.server,
            model: options.name,
            body: '{"error":{"code":"context_length_exceeded","message":"The window was full before the answer began."}}',
            status: 400,
          })
        }
        if (stop === 'failed')
          throw begun(
            new AgentError(
              'model_server',
              `${isolated(options.server.name)} broke the answer off with “${value.finishReason.raw ?? 'error'}”.`,
            ),
            true,
          )
        const usage = usageOf(value.usage, options.price)
        const before = known.bufferedByProxy
        known.bufferedByProxy = held
        const given = details.end()
        yield {
          type: 'finish',
          stop: stop === 'overflow' ? 'length' : stop,
          ...(usage ? { usage } : {}),
          ...(given ? { details: given } : {}),
          ...(held && before ? { bufferedByProxy: true } : {}),
          ...(truncated ? { truncated: true } : {}),
        }
        return
      }
      default: // starts, ends, metadata
    }
    throwIfStopped(signal)
  }
}

/** Many servers say "stop" in spite of calls, and have names of their own. */
function stopOf(
  { unified, raw }: { unified: string; raw: string | undefined },
  calls: boolean,
): StopReason | 'overflow' {
  if (raw === 'model_context_window_exceeded' || raw === 'context_length_exceeded') return 'overflow'
  if (unified === 'content-filter' || raw === 'safety' || raw === 'SAFETY') return 'filtered'
  if (unified === 'length' || raw === 'max_tokens' || raw === 'MAX_TOKENS') return 'length'
  if (raw === 'error' || raw === 'network_error') return 'failed'
  return calls ? 'calls' : 'stop'
}

/** What tells it how much to think. */
function thinkingOf(
  { effort, maxTokens = outputReserve }: ModelRequest,
  { effort: form }: RemoteOptions,
  quirks: Quirks,
): Record<string, unknown> {
  if (effort === undefined || form === undefined || quirks.has('no effort')) return {}
  return form.fields(effort === 'off' && quirks.has('no effort off') ? 'low' : effort, maxTokens)
}

/** The one spelling that llama.cpp, Ollama, vLLM, LM Studio and OpenAI all take. */
function formatOf({ shape }: ModelRequest): Record<string, unknown> {
  return shape && 'whole' in shape
    ? { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: shape.whole } } }
    : {}
}

/** Some servers require the field whenever the messages have tool calls, even if none may be called now. */
function emptyTools(request: ModelRequest, quirks: Quirks): Record<string, unknown> {
  return quirks.has('tools with calls') &&
    request.messages.some(message => message.role === 'assistant' && message.toolCalls?.length)
    ? { tools: [] }
    : {}
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
