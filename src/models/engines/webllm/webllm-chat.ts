/**
 * Converts an answer of WebLLM to our stream parts, over the small part of its engine that chat needs, so that tests
 * can provide a double.
 */
import { AgentError } from '../../../core/errors.ts'
import type { AnswerShape, ModelPart, ModelRequest, StopReason, Usage } from '../../../core/log/message.ts'
import { plainMessages, type PlainMessage } from '../shared/plain-messages.ts'
import { stoppedError, throwIfStopped } from '../../shared/pause.ts'
import { thinkTags } from '../../tool-calls/think-tags.ts'
import { webllmError } from '../shared/engine-errors.ts'

export type ChatChunk = {
  choices: { delta: { content?: string | null }; finish_reason?: string | null }[]
  usage?: { prompt_tokens: number; completion_tokens: number } | undefined
}
export type ChatRequest = {
  messages: PlainMessage[]
  stream: true
  stream_options: { include_usage: true }
  max_tokens?: number
  temperature?: number
  response_format?: { type: 'json_object'; schema: string } | { type: 'structural_tag'; structural_tag: string }
}

/** What is used of `MLCEngine`. */
export type ChatEngine = {
  chat: { completions: { create(request: ChatRequest): Promise<AsyncIterable<ChatChunk>> } }
  interruptGenerate(): Promise<void> | void
  reload(model: string, options?: { context_window_size?: number }): Promise<void>
  unload(): Promise<void>
}

/** How long a stopped engine may take to come to the end of its step, ms; a prefill cannot be interrupted. */
export const drainMs = 20_000

/**
 * Streams one answer. After a stop it interrupts and reads to the end, because an engine that is left in the middle may
 * keep its lock; `stuck` is called when it does not get there, and then the engine must be thrown away.
 */
export async function* webllmChat(
  engine: ChatEngine,
  request: ModelRequest,
  signal: AbortSignal,
  stuck: () => void,
): AsyncGenerator<ModelPart> {
  throwIfStopped(signal)
  const tags = thinkTags(false)
  let stop: StopReason | undefined
  let usage: Usage | undefined
  let iterator: AsyncIterator<ChatChunk> | undefined
  let ended = false
  const interrupt = (): void => {
    void engine.interruptGenerate()
  }
  signal.addEventListener('abort', interrupt, { once: true })
  try {
    const stream = await engine.chat.completions.create({
      messages: plainMessages(request),
      stream: true,
      stream_options: { include_usage: true },
      ...(request.maxTokens === undefined ? {} : { max_tokens: request.maxTokens }),
      ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
      ...(request.shape ? { response_format: formatOf(request.shape) } : {}),
    })
    iterator = stream[Symbol.asyncIterator]()
    for (;;) {
      throwIfStopped(signal)
      const next = await iterator.next()
      if (next.done) {
        ended = true
        break
      }
      throwIfStopped(signal)
      const {
        choices: [choice],
        usage: told,
      } = next.value
      if (told) usage = { input: told.prompt_tokens, output: told.completion_tokens }
      if (choice?.delta.content) yield* tags.push(choice.delta.content)
      if (choice?.finish_reason) stop = reasonOf(choice.finish_reason)
    }
    throwIfStopped(signal)
    yield* tags.end()
    if (stop === undefined)
      throw new AgentError('model_protocol', 'The engine ended the answer without a reason.', {
        data: { reason: 'other' },
      })
    yield { type: 'finish', stop, ...(usage ? { usage } : {}) }
  } catch (thrown) {
    if (signal.aborted) throw stoppedError()
    ended = true // it threw by itself: there is nothing to drain
    throw webllmError(thrown)
  } finally {
    signal.removeEventListener('abort', interrupt)
    if (!ended && iterator) {
      interrupt()
      if (!(await drained(iterator))) stuck()
    }
  }
}

/** As the engine's grammar compiler takes it. */
function formatOf(shape: AnswerShape): NonNullable<ChatRequest['response_format']> {
  if ('whole' in shape) return { type: 'json_object', schema: JSON.stringify(shape.whole) }
  const tags = shape.between.map(({ begin, schema, end }) => ({
    type: 'tag',
    begin,
    content: { type: 'json_schema', json_schema: schema },
    end,
  }))
  return {
    type: 'structural_tag',
    structural_tag: JSON.stringify({
      type: 'structural_tag',
      format: { type: 'triggered_tags', triggers: [shape.trigger], tags },
    }),
  }
}

async function drained(iterator: AsyncIterator<ChatChunk>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<false>(resolve => {
    timer = setTimeout(() => {
      resolve(false)
    }, drainMs)
  })
  const toTheEnd = (async (): Promise<boolean> => {
    while (!(await iterator.next()).done);
    return true
  })().catch(() => true) // an error is an end too
  try {
    return await Promise.race([toTheEnd, late])
  } finally {
    clearTimeout(timer)
  }
}

function reasonOf(reason: string): StopReason {
  switch (reason) {
    case 'length':
      return 'length'
    case 'abort':
      return 'interrupted'
    default:
      return 'stop'
  }
}
