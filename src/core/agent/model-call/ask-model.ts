/** One model call with its retries. What streams in is emitted at once and saved. */
import { AgentError, codeOf } from '../../errors.ts'
import type { Code } from '../../errors.ts'
import type { ModelRequest, StopReason, ToolCall, Usage } from '../../log/message.ts'
import type { Model, World } from '../../ports/ports.ts'
import type { Status } from '../api/api.ts'
import type { Session } from '../session/session.ts'
import { WritingSpeed } from './writing-speed.ts'

/** Waits between attempts when the server names none. Unit: ms. Source: C12. */
const waits = [1000, 4000, 10_000]
/** A server that asks for a longer pause than this gets a note with a button instead. Unit: ms. Source: C12. */
const longestWait = 60_000
/** How often the status "writing" is emitted. Unit: ms. */
const writingEvery = 500

const retried: ReadonlySet<Code> = new Set<Code>(['model_rate_limited', 'model_server', 'model_loading', 'network'])

export type ModelAnswer = {
  text: string
  reasoning: string
  calls: ToolCall[]
  stop: StopReason
  usage?: Usage
  details?: unknown
  bufferedByProxy?: true
  toolsAsText?: true
  truncated?: true
}

/** What went wrong, and the part of the answer that had arrived by then. */
export type AskFailure = { error: AgentError; answer: ModelAnswer; started: boolean; retryAt?: number }

export type AskResult = { answer: ModelAnswer } | { failure: AskFailure }

export type AskOptions = {
  model: Model
  request: ModelRequest
  session: Session
  signal: AbortSignal
  world: World
  /** Tokens of a plain text, to tell how fast the answer comes. */
  count: (text: string) => number
  setStatus: (status: Status) => void
  /** Whether there is no network, and the model needs one. */
  mustWait: () => boolean
  awaitNetwork: () => Promise<void>
  /** The first part of an answer came. */
  begun: () => Promise<void>
}

/**
 * Asks until an answer has begun, at most four times; after the first part nothing is asked again. What fails because
 * this device has no network waits for one and counts as no attempt. Throws nothing: a failure, a stop included, comes
 * back with what had been written.
 */
export async function askModel(options: AskOptions): Promise<AskResult> {
  for (let attempt = 0; ; attempt++) {
    const asked = await askOnce(options)
    if ('answer' in asked) return asked
    const { error, started } = asked.failure
    if (started || options.signal.aborted || !retried.has(error.code) || error.data['askAgain'] === true) return asked
    if (error.code === 'network' && options.mustWait()) {
      try {
        await options.awaitNetwork()
      } catch (thrown) {
        return { failure: { error: asError(thrown, options.signal), answer: asked.failure.answer, started: false } }
      }
      attempt = -1 // nobody was asked
      continue
    }
    const named = typeof error.data['retryAfterMs'] === 'number' ? error.data['retryAfterMs'] : undefined
    const wait = named ?? waits[attempt]
    if (wait === undefined || attempt >= waits.length) return asked
    if (wait > longestWait) return { failure: { ...asked.failure, retryAt: options.world.now() + wait } }
    const pause = Math.round(wait * (1 + 0.2 * chance(options.world)))
    options.setStatus({ state: 'retrying', attempt: attempt + 1, until: options.world.now() + pause, code: error.code })
    try {
      await options.world.sleep(pause, options.signal)
    } catch (thrown) {
      return { failure: { error: asError(thrown, options.signal), answer: asked.failure.answer, started: false } }
    }
  }
}

async function askOnce({
  model,
  request,
  session,
  signal,
  world,
  count,
  setStatus,
  begun,
}: AskOptions): Promise<AskResult> {
  const answer: ModelAnswer = { text: '', reasoning: '', calls: [], stop: 'stop' }
  const speed = new WritingSpeed(count)
  let started = false
  let toldAt = 0
  session.startReply(model)
  setStatus({ state: 'thinking' })
  try {
    for await (const part of model.generate(request, signal)) {
      if (part.type === 'finish') {
        answer.stop = part.stop
        if (part.usage) answer.usage = part.usage
        if (part.details !== undefined) answer.details = part.details
        if (part.bufferedByProxy) answer.bufferedByProxy = true
        if (part.toolsAsText) answer.toolsAsText = true
        if (part.truncated) answer.truncated = true
        continue
      }
      if (!started) await begun()
      started = true
      if (part.type === 'text') answer.text += part.text
      else if (part.type === 'reasoning') answer.reasoning += part.text
      else if (part.type === 'call') answer.calls.push(part.call)
      session.addPart(part)
      if (part.type === 'text' || part.type === 'reasoning') speed.add(part.text, world.now())
      else if (part.type === 'call') speed.add(part.call.name + part.call.arguments, world.now())
      if (world.now() - toldAt >= writingEvery) {
        toldAt = world.now()
        const tokensPerSecond = speed.at(toldAt)
        setStatus({
          state: 'writing',
          chars: answer.text.length + answer.reasoning.length,
          ...(tokensPerSecond === undefined ? {} : { tokensPerSecond }),
        })
      }
      if (signal.aborted) throw new AgentError('stopped', 'Stopped by the user')
    }
    return { answer }
  } catch (thrown) {
    return { failure: { error: asError(thrown, signal), answer, started } }
  }
}

function asError(thrown: unknown, signal: AbortSignal): AgentError {
  if (signal.aborted) return new AgentError('stopped', 'Stopped by the user', { cause: thrown })
  if (thrown instanceof AgentError) return thrown
  return new AgentError(codeOf(thrown), thrown instanceof Error ? thrown.message : String(thrown), { cause: thrown })
}

/** 0…1, from the random bits of a new id: core has no other source of randomness. */
function chance(world: World): number {
  const digits = world.newId().slice(-4)
  const value = Number.parseInt(digits, 36)
  return Number.isNaN(value) ? 0.5 : value / 36 ** digits.length
}
