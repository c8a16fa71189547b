/** Converts an answer of the CPU engine to our stream parts. */
import type { ModelPart, ModelRequest, StopReason, Usage } from '../../../core/log/message.ts'
import type { CpuChunk, CpuEngine } from './cpu-engine.ts'
import { engineError } from '../shared/engine-errors.ts'
import { plainMessages } from '../shared/plain-messages.ts'
import { stoppedError, throwIfStopped } from '../../shared/pause.ts'
import { thinkTags } from '../../tool-calls/think-tags.ts'

/**
 * Streams one answer. A stop is answered at once; the engine comes to it at the end of its step (it reads a prompt in
 * pieces), and the next question waits for that inside of the engine.
 */
export async function* cpuChat(
  engine: CpuEngine,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelPart> {
  throwIfStopped(signal)
  const tags = thinkTags(false)
  const own = new AbortController()
  let stopped: (error: Error) => void
  const stop = new Promise<never>((_, reject) => {
    stopped = reject
  })
  stop.catch(() => {}) // most answers are not stopped
  const onStop = (): void => {
    own.abort()
    stopped(stoppedError())
  }
  signal.addEventListener('abort', onStop, { once: true })
  let reason: StopReason | undefined
  let usage: Usage | undefined
  let iterator: AsyncIterator<CpuChunk> | undefined
  try {
    const asked = {
      messages: plainMessages(request),
      ...(request.maxTokens === undefined ? {} : { maxTokens: request.maxTokens }),
      ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
      ...(request.shape && 'whole' in request.shape ? { schema: request.shape.whole } : {}),
    }
    const stream = await Promise.race([engine.chat(asked, own.signal), stop])
    iterator = stream[Symbol.asyncIterator]()
    for (;;) {
      const next = iterator.next()
      next.catch(() => {}) // after a stop nobody waits for it
      const { done, value } = await Promise.race([next, stop])
      if (done) break
      const choice = value.choices[0]
      if (choice?.delta.content) yield* tags.push(choice.delta.content)
      if (choice?.finish_reason) reason = choice.finish_reason === 'length' ? 'length' : 'stop'
      if (value.usage) usage = usageOf(value.usage)
      throwIfStopped(signal)
    }
    yield* tags.end()
    if (reason === undefined) throw engineError('other', 'The engine ended the answer without a reason.')
    yield { type: 'finish', stop: reason, ...(usage ? { usage } : {}) }
  } finally {
    signal.removeEventListener('abort', onStop)
    own.abort() // also when the caller left in the middle
    void iterator?.return?.().catch(() => {})
  }
}

/** What was read before and is still in the engine's memory counts apart. */
function usageOf({
  prompt_tokens: whole,
  completion_tokens: output,
  prompt_tokens_details: details,
}: NonNullable<CpuChunk['usage']>): Usage {
  const cacheRead = details?.cached_tokens ?? 0
  return { input: whole - cacheRead, output, ...(cacheRead > 0 ? { cacheRead } : {}) }
}
