/** Any OpenAI-compatible server as a `Model`, over the AI SDK's provider. Loaded only when such a model is used. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { AgentError, type Code } from '../../core/errors.ts'
import type { ModelPart, ModelRequest } from '../../core/log/message.ts'
import type { Model, Price, Server } from '../../core/ports/ports.ts'
import type { ModelCapabilities } from '../catalogue/capabilities.ts'
import type { StoredQuirks } from './known-quirks.ts'
import type { ModelFetch } from '../shared/model-fetch.ts'
import { stoppedError, throwIfStopped } from '../shared/pause.ts'
import { anthropicBody } from './anthropic-body.ts'
import { chatRoute, dialectOf, headersFor, extraFields } from '../catalogue/dialects.ts'
import type { EffortForm } from './effort.ts'
import type { Quirks } from './quirks.ts'
import { translated } from '../server-errors/remote-errors.ts'
import { withinLimits } from './sent-images.ts'
import { wireMessages } from './wire.ts'
import { imageUrls, type ReadImage } from './wire-images.ts'
import { type ModelKnowledge, modelKnowledge, learnFrom, mayBeTools } from './model-knowledge.ts'
import { partsOf } from './parts-of.ts'

export type RemoteOptions = {
  server: Server
  /** As the server names it. */
  name: string
  contextWindow: number // tokens
  local: boolean
  needsNetwork?: boolean
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

/** Makes the model; asks nothing yet. */
export function remote(options: RemoteOptions): Model {
  const { server, name, contextWindow } = options
  const known = modelKnowledge(server.baseUrl, name)
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
    needsNetwork: options.needsNetwork ?? false,
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
      ...(request.temperature !== undefined && !quirks.has('no temperature')
        ? { temperature: request.temperature }
        : {}),
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
