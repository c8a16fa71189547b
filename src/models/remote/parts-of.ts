/** The stream of one answer as parts: text, thoughts, calls, and how it ended. */
import type { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { AgentError } from '../../core/errors.ts'
import type { ModelPart, StopReason, ToolCall } from '../../core/log/message.ts'
import type { Price, Server } from '../../core/ports/ports.ts'
import { isolated } from '../../core/text/display/isolate.ts'
import { throwIfStopped } from '../shared/pause.ts'
import { detailsReader } from './reasoning-details.ts'
import { translated } from '../server-errors/remote-errors.ts'
import { refusalError } from '../server-errors/server-errors.ts'
import { thinkTags } from '../tool-calls/think-tags.ts'
import { usageOf } from './usage.ts'
import type { ModelKnowledge } from './model-knowledge.ts'

/** The stream normalizer's mark of an answer that arrived in one burst. */
const burstField = 'haversack_lump'
/** The stream normalizer's field about a call that is being written; the call itself comes whole. */
const callingField = 'haversack_calling'
/** A burst after a shorter wait is a fast answer, not a buffered stream. Unit: ms. */
const bufferedWaitMs = 1_500

type Stream = Awaited<
  ReturnType<ReturnType<ReturnType<typeof createOpenAICompatible>['chatModel']>['doStream']>
>['stream']
type Part = Stream extends ReadableStream<infer P> ? P : never
type Reader = ReadableStreamDefaultReader<Part>

type Asked = {
  /** Whom errors name, and what an answer costs. */
  options: { server: Server; name: string; contextWindow: number /* tokens */; price?: Price | undefined }
  signal: AbortSignal
  known: Pick<ModelKnowledge, 'beginsInThought' | 'bufferedByProxy'>
  asked: number // ms, by the clock of `performance`
}

/**
 * What the SDK reads of an answer, as our parts, with one finish at the end. Notes whether the answer began in the
 * middle of thoughts and whether it came in one burst, which only the next one can tell.
 */
export async function* partsOf(reader: Reader, { signal, known, options, asked }: Asked): AsyncGenerator<ModelPart> {
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

/** An error after the first part is never followed by another attempt of ours. */
function begun(error: AgentError, yes: boolean): AgentError {
  return yes ? new AgentError(error.code, error.message, { data: { ...error.data, begun: true } }) : error
}
