/**
 * The browser's built-in model (Chrome's Prompt API). It exists in windows only, so it runs on the page, and the agent
 * reaches it through a channel.
 */
import { AgentError } from '../../../core/errors.ts'
import type { Engine, EngineAct, EngineWork, LocalModel } from '../../../core/ports/local-engine.ts'
import type { ModelPart, ModelRequest } from '../../../core/log/message.ts'
import { isolated } from '../../../core/text/display/isolate.ts'
import { engineError, problemOf, thrownText } from '../shared/engine-errors.ts'
import { EngineStatus, mutex } from '../shared/engine-status.ts'
import { plainMessages } from '../shared/plain-messages.ts'
import { stoppedError, throwIfStopped } from '../../shared/pause.ts'
import { thinkTags } from '../../tool-calls/think-tags.ts'
import {
  type PromptSessionOptions,
  type PromptSession,
  type PromptAvailability,
  type LanguageModelApi,
  languageModelOf,
  promptWindow,
} from './language-model.ts'

/** tokens; what was seen in Chrome, until a session tells. */
const usualWindow = 9_216

/** The one model of this kind. */
export const browserModel: LocalModel = {
  id: 'prompt-api:browser',
  kind: 'prompt-api',
  name: 'Browser model',
  contextWindow: usualWindow,
  tools: true,
}

/** Makes the engine; asks the browser for nothing yet. */
export function promptApi(scope: object = globalThis): Engine {
  const teller = new EngineStatus()
  const turn = mutex()
  const work = (now: EngineWork): void => {
    teller.work(now)
  }

  const need = (): { api: LanguageModelApi; old: boolean } => {
    const found = languageModelOf(scope)
    if (!found)
      throw engineError(
        'other',
        'This browser brings no model of its own. Chrome has one on computers with enough memory and disk.',
      )
    return found
  }
  const availability = async (): Promise<PromptAvailability> => {
    const { api } = need()
    if (api.availability) return api.availability()
    const { available } = (await api.capabilities?.()) ?? { available: 'no' as const }
    return ({ no: 'unavailable', 'after-download': 'downloadable', readily: 'available' } as const)[available]
  }

  const measure = async (): Promise<void> => {
    try {
      const found = await availability()
      if (found === 'unavailable')
        throw engineError(
          'too-large',
          'The browser has a model of its own, but not for this device: it wants about 22 GB of free disk, and 16 GB of memory or a graphics card with more than 4 GB.',
        )
      teller.set({
        device: { f16: false, bufferBytes: 0, fallback: false, name: found },
        disk: {
          [browserModel.id]: {
            ...teller.state.disk[browserModel.id],
            bytes: 0,
            missing: found === 'available' ? [] : ['weights'],
          },
        },
      })
    } catch (thrown) {
      teller.set({ device: null, deviceProblem: problemOf(translated(thrown)) })
    }
  }

  const create = async (options: PromptSessionOptions, signal: AbortSignal): Promise<PromptSession> => {
    const { api, old } = need()
    const { initialPrompts = [], ...rest } = options
    const [first, ...others] = initialPrompts
    try {
      return await api.create({
        ...rest,
        signal,
        ...(old && first?.role === 'system'
          ? { systemPrompt: first.content, initialPrompts: others }
          : { initialPrompts }),
      })
    } catch (thrown) {
      throw signal.aborted ? stoppedError() : translated(thrown)
    }
  }

  const download = async (signal: AbortSignal): Promise<void> => {
    work({ state: 'downloading', model: browserModel.id, done: 0, total: 0 })
    try {
      const session = await create(
        {
          monitor: monitor => {
            // `loaded` is a share; earlier versions gave bytes and their total.
            monitor.addEventListener('downloadprogress', ({ loaded, total }) => {
              const share = total && total > 1 ? loaded / total : loaded
              teller.progress({
                state: 'downloading',
                model: browserModel.id,
                done: Math.round(share * 1_000),
                total: 1_000,
              })
            })
          },
        },
        signal,
      )
      const window = promptWindow(session)
      session.destroy()
      teller.set({
        work: { state: 'idle' },
        disk: { [browserModel.id]: { bytes: 0, missing: [], ...(window === undefined ? {} : { window }) } },
      })
    } catch (thrown) {
      work(signal.aborted ? { state: 'idle' } : { state: 'failed', model: browserModel.id, problem: problemOf(thrown) })
      throw thrown
    }
  }

  return {
    watch: tell => teller.watch(tell),

    async act(act: EngineAct, signal) {
      switch (act.type) {
        case 'measure':
        case 'check':
        case 'verify':
          return measure()
        case 'download':
        case 'load':
        case 'repair':
          return download(signal)
        case 'unload':
          return
        case 'delete':
        case 'import':
        case 'ask':
          throw new AgentError(
            'bad_input',
            "The browser keeps its model itself; it can be removed in the browser's own settings.",
            { data: { reason: 'other' } },
          )
        default:
          return act satisfies never
      }
    },

    async *generate(model, request, signal) {
      const release = await turn(signal)
      let session: PromptSession | undefined
      try {
        throwIfStopped(signal)
        if ((await availability()) !== 'available')
          throw engineError(
            'not-downloaded',
            'The browser has not downloaded its model yet. Do that in Settings, This device.',
          )
        const messages = plainMessages(request)
        const question = messages.pop()!.content
        session = await create({ initialPrompts: messages }, signal)
        yield* answer(session, {
          question,
          shape: request.shape,
          old: need().old,
          signal,
          model,
          thinking: () => {
            work({ state: 'answering', model: model.id })
          },
        })
      } finally {
        session?.destroy()
        work({ state: 'idle' })
        release()
      }
    },
  }
}

type Asked = {
  question: string
  shape: ModelRequest['shape']
  old: boolean
  signal: AbortSignal
  model: LocalModel
  thinking: () => void
}

async function* answer(
  session: PromptSession,
  { question, shape, old, signal, model, thinking }: Asked,
): AsyncGenerator<ModelPart> {
  const window = promptWindow(session)
  const used = session.contextUsage ?? session.inputUsage ?? session.tokensSoFar ?? 0
  const needed = await (session.measureContextUsage ?? session.measureInputUsage ?? session.countPromptTokens)
    ?.call(session, question)
    .catch(() => undefined)
  if (window !== undefined && needed !== undefined && used + needed > window)
    throw overflow(model, window, used + needed)

  // Where the estimate was wrong the browser drops the oldest turns without a word but this event: then it is our turn
  // to shorten.
  let dropped = false
  for (const type of ['contextoverflow', 'quotaoverflow'])
    session.addEventListener?.(type, () => {
      dropped = true
    })
  throwIfStopped(signal)
  thinking()
  const reader = session
    .promptStreaming(question, {
      signal,
      ...(shape && 'whole' in shape
        ? { responseConstraint: shape.whole, omitResponseConstraintInput: true /* the system prompt says it */ }
        : {}),
    })
    .getReader()
  const tags = thinkTags(false)
  let text = ''
  let over = false
  const stop = (): void => {
    void reader.cancel().catch(() => {})
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    for (;;) {
      const next = await reader.read()
      throwIfStopped(signal)
      if (dropped && text === '') throw overflow(model, window)
      if (next.done) break
      // The former interface gave the whole text each time.
      const piece = old && text !== '' && next.value.startsWith(text) ? next.value.slice(text.length) : next.value
      text += piece
      yield* tags.push(piece)
    }
    yield* tags.end()
    over = true
    const output = await (session.measureContextUsage ?? session.measureInputUsage ?? session.countPromptTokens)
      ?.call(session, text)
      .catch(() => undefined)
    yield {
      type: 'finish',
      stop: dropped ? 'length' : 'stop',
      ...(needed === undefined ? {} : { usage: { input: used + needed, ...(output === undefined ? {} : { output }) } }),
    }
  } catch (thrown) {
    throw signal.aborted ? stoppedError() : translated(thrown, model)
  } finally {
    signal.removeEventListener('abort', stop)
    if (!over) stop()
  }
}

function overflow(model: LocalModel, limit?: number, actual?: number): AgentError {
  return new AgentError(
    'model_overflow',
    `The prompt does not fit the window of ${isolated(model.name)}${limit === undefined ? '' : `, ${limit} tokens`}.`,
    {
      data: {
        kind: 'overflow_prompt',
        ...(limit === undefined ? {} : { limit }),
        ...(actual === undefined ? {} : { actual }),
      },
    },
  )
}

function translated(thrown: unknown, model: LocalModel = browserModel): AgentError {
  if (thrown instanceof AgentError) return thrown
  const { name, requested, quota } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as {
    name?: string
    requested?: number
    quota?: number
  }
  const text = thrownText(thrown)
  switch (name) {
    case 'QuotaExceededError':
      return overflow(
        model,
        typeof quota === 'number' && quota > 0 ? quota : undefined,
        typeof requested === 'number' && requested > 0 ? requested : undefined,
      )
    case 'AbortError':
      return new AgentError('model_protocol', `The browser ended the answer. (${text})`, {
        cause: thrown,
        data: { reason: 'other' },
      })
    case 'NotAllowedError':
      return engineError(
        'other',
        `The browser wants a click before it downloads its model, or does not allow this page to use it. (${text})`,
        thrown,
      )
    case 'NetworkError':
      return engineError('blocked', `The browser could not download its model. (${text})`, thrown)
    case 'NotSupportedError':
      return new AgentError('model_refused', `The browser's model does not take this request. (${text})`, {
        cause: thrown,
        data: { reason: 'other' },
      })
    default:
      return engineError('other', `The browser's model failed. (${text})`, thrown)
  }
}
