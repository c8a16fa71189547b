/** A model that plays a script: for tests and benchmarks, never part of the product. */
import { AgentError, type Code } from '../core/errors.ts'
import type { ModelPart, ModelRequest, StopReason, ToolCall, Usage } from '../core/log/message.ts'
import type { Model } from '../core/ports/ports.ts'
import { pause, throwIfStopped } from './shared/pause.ts'

/** One answer. Its parts come in this order: reasoning, text, calls, then the failure or the finish. */
export type ScriptLine = {
  /** A list comes as that many parts. */
  text?: string | readonly string[]
  reasoning?: string | readonly string[]
  /**
   * Objects are written as JSON; a string is taken as it is, also when it is no JSON. Without id: `call_<n>`, counted
   * over all answers.
   */
  calls?: readonly { id?: string; name: string; arguments: string | Record<string, unknown> }[]
  /** ms before each part. */
  delayMs?: number
  stop?: StopReason
  usage?: Usage
  heldBack?: true
  toolsInWords?: true
  truncated?: true
  /** Thrown after `fail.after` parts (default 0: before anything came). */
  fail?: { code: Code; message?: string; data?: Record<string, unknown>; after?: number }
  /** Short for a failure with `model_overflow`, before anything came. */
  overflow?: true | { limit?: number; actual?: number /* tokens */ }
}

/** A text alone is an answer too. */
export type Script =
  | readonly (ScriptLine | string)[]
  | ((request: ModelRequest, index: number) => ScriptLine | string | undefined)

export type ScriptedModel = Model & {
  /** Every request so far, as it was made. */
  readonly requests: readonly ModelRequest[]
}

/**
 * A deterministic model that answers the n-th request with the n-th line of its script.
 * After the last line it throws `model_unavailable`, so that a test notices a call it did not expect.
 */
export function scripted(script: Script, options: Partial<Omit<Model, 'generate'>> = {}): ScriptedModel {
  const requests: ModelRequest[] = []
  let calls = 0
  return {
    id: 'scripted',
    name: 'Scripted',
    contextWindow: 131_072,
    maxOutput: 8_192,
    can: { tools: true, images: false, schema: false },
    local: true,
    reportsWholePrompt: true,
    ...options,
    requests,
    async *generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
      const index = requests.length
      requests.push(request)
      const found = typeof script === 'function' ? script(request, index) : script[index]
      if (found === undefined)
        throw new AgentError('model_unavailable', `The script has no line for request ${index + 1}.`)
      const line: ScriptLine = typeof found === 'string' ? { text: found } : found
      const failure = failureOf(line)
      const parts: ModelPart[] = []
      for (const text of listOf(line.reasoning)) parts.push({ type: 'reasoning', text })
      for (const text of listOf(line.text)) parts.push({ type: 'text', text })
      for (const call of line.calls ?? []) parts.push({ type: 'call', call: written(call, () => `call_${++calls}`) })
      let sent = 0
      for (const part of parts) {
        if (failure && sent >= failure.after) throw failure.error
        await pause(line.delayMs ?? 0, signal)
        yield part
        throwIfStopped(signal)
        sent++
      }
      await pause(line.delayMs ?? 0, signal)
      if (failure) throw failure.error
      const stop = line.stop ?? (line.calls?.length ? 'calls' : 'stop')
      yield {
        type: 'finish',
        stop,
        ...(line.usage ? { usage: line.usage } : {}),
        ...(line.heldBack ? { bufferedByProxy: true } : {}),
        ...(line.toolsInWords ? { toolsAsText: true } : {}),
        ...(line.truncated ? { truncated: true } : {}),
      }
    },
  }
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value
}

function written(call: NonNullable<ScriptLine['calls']>[number], nextId: () => string): ToolCall {
  return {
    id: call.id ?? nextId(),
    name: call.name,
    arguments: typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments),
  }
}

function failureOf(line: ScriptLine): { error: AgentError; after: number } | undefined {
  if (line.overflow) {
    const data = line.overflow === true ? {} : line.overflow
    return {
      error: new AgentError('model_overflow', 'The prompt does not fit the window of the model.', {
        data: { kind: 'overflow_prompt', ...data },
      }),
      after: 0,
    }
  }
  if (!line.fail) return undefined
  const { code, message, data, after } = line.fail
  return {
    error: new AgentError(code, message ?? `Scripted failure: ${code}.`, data ? { data } : {}),
    after: after ?? 0,
  }
}
