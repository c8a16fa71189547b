/** How the summariser is asked: one streamed call, with its idle timeouts (C6.5). */
import type { AskSummariser } from '../../context/strategy.ts'
import { AgentError } from '../../errors.ts'
import { bytesTokens } from '../../text/tokens.ts'
import type { StopReason, Usage } from '../../log/message.ts'
import type { Model, World } from '../../ports/ports.ts'

/**
 * Longest silence within a summary, and before its first token on a local engine, which reads for long. Unit: ms.
 * Source: C6.5.
 */
const idleLimit = 60_000
const firstLocal = 180_000

/**
 * Largest share of its window that a fallback model is given: the prompt was sized for another model and may be too
 * long. Source: C6.4.
 */
const inputShare = 0.6

/** Asks the first of these models; if it fails, the next one that the prompt fits. Throws the last failure. */
export function askInOrder(models: readonly Model[], world: World): AskSummariser {
  const asks = models.map(model => ({ ask: askWith(model, world), room: model.contextWindow * inputShare }))
  return async (prompt, limits) => {
    let fault: unknown
    for (const [at, { ask, room }] of asks.entries()) {
      if (at > 0 && sizeOf(prompt) > room) continue
      try {
        return await ask(prompt, limits)
      } catch (thrown) {
        if (limits.signal.aborted) throw thrown
        fault = thrown
      }
    }
    throw fault
  }
}

/** Tokens, by bytes (C1.1). */
function sizeOf({ system, messages }: Parameters<AskSummariser>[0]): number {
  return messages.reduce((sum, message) => sum + bytesTokens(message.content, 4), bytesTokens(system, 4))
}

/**
 * The summariser as steps ask it. A silence that is too long, or no end by `until`, throws `network`; a stop throws
 * `stopped`.
 */
function askWith(model: Model, world: World): AskSummariser {
  return async (prompt, { maxTokens, signal, until = Infinity }) => {
    const inner = new AbortController()
    const onStop = (): void => {
      inner.abort(signal.reason)
    }
    if (signal.aborted) throw new AgentError('stopped', 'Stopped by the user')
    signal.addEventListener('abort', onStop, { once: true })
    try {
      const request = {
        system: prompt.system,
        messages: prompt.messages,
        tools: [],
        maxTokens: Math.min(maxTokens, model.maxOutput),
      }
      const parts = model.generate(request, inner.signal)[Symbol.asyncIterator]()
      let text = ''
      let finish: StopReason = 'stop'
      let usage: Usage | undefined
      for (let first = true; ; first = false) {
        const left = until - world.now() // a model that never ends is not silent
        const idle = first && model.local ? firstLocal : idleLimit
        const next = left <= 0 ? 'late' : await within(parts.next(), Math.min(idle, left), world)
        if (next === 'late')
          throw new AgentError(
            'network',
            left < idle ? `${model.name} took too long` : `${model.name} sent nothing for too long`,
          )
        if (next.done) break
        if (next.value.type === 'text') text += next.value.text
        if (next.value.type === 'finish') {
          finish = next.value.stop
          usage = next.value.usage
        }
      }
      return { text, finish, model: model.name, ...(usage ? { usage } : {}) }
    } finally {
      signal.removeEventListener('abort', onStop)
      inner.abort() // after the end nobody listens; after a silence it ends the call
    }
  }
}

async function within<T>(next: Promise<T>, ms: number, world: World): Promise<T | 'late'> {
  const clock = new AbortController()
  const late = world.sleep(ms, clock.signal).then(
    () => 'late' as const,
    () => new Promise<never>(() => undefined),
  )
  try {
    return await Promise.race([next, late])
  } finally {
    clock.abort()
    next.catch(() => undefined) // given up: what it still throws is known already
  }
}
