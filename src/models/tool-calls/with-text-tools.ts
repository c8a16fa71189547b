/**
 * Adds tools to any model: native ones if it has them, else calls as text, constrained by a schema if the engine can,
 * and repaired once if not.
 */
import { AgentError, codeOf } from '../../core/errors.ts'
import type { ModelPart, ModelRequest, StopReason, ToolCall, Usage } from '../../core/log/message.ts'
import type { Model } from '../../core/ports/ports.ts'
import { callFinder } from './call-finder.ts'
import { throwIfStopped } from '../shared/pause.ts'
import { callReader, type TextCallPart } from './text-calls.ts'
import { withToolsAsText, callRepairMessages, type ShapeSupport } from './text-tools.ts'

/** The same model with tools. Nothing changes for requests without any. */
export function withTextTools(model: Model): Model {
  /** The engine or server refused to hold an answer to a form once; it is not asked to again. */
  let refused = false
  const holds = (): ShapeSupport => (refused ? false : model.can.schema)
  return {
    id: model.id,
    name: model.name,
    contextWindow: model.contextWindow,
    maxOutput: model.maxOutput,
    local: model.local,
    needsNetwork: model.needsNetwork ?? false,
    reportsWholePrompt: model.reportsWholePrompt,
    can: { ...model.can, tools: true },
    ...(model.outputLimit === undefined ? {} : { outputLimit: model.outputLimit }),
    get efforts() {
      return model.efforts
    },
    get reasoning() {
      return model.reasoning
    },
    async *generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
      if (request.tools.length === 0) return yield* model.generate(request, signal)
      const knew = model.can.tools
      if (knew) {
        let taken = true
        for await (const part of found(model.generate(request, signal), request)) {
          // a server may find out during the request that its model has no tools, and has then not described any to it
          taken = model.can.tools
          if (!taken) break
          yield part
        }
        if (taken) return
      }
      const told = (part: ModelPart): ModelPart =>
        knew && part.type === 'finish' ? { ...part, toolsAsText: true } : part
      let begun = false
      try {
        for await (const part of found(spoken(model, { request, holds: holds(), signal }), request)) {
          begun = true
          yield told(part)
        }
      } catch (thrown) {
        if (begun || holds() === false || codeOf(thrown) !== 'model_refused' || wantsOther(thrown)) throw thrown
        let answered = false
        for await (const part of found(spoken(model, { request, holds: false, signal }), request)) {
          refused ||= !answered
          answered = true
          yield told(part)
        }
      }
    },
  }
}

/**
 * The same answer, with the calls that stand at the end of its text: a server without a parser for its model leaves
 * them there. An answer with calls of its own has no others.
 */
async function* found(parts: AsyncIterable<ModelPart>, { tools }: ModelRequest): AsyncGenerator<ModelPart> {
  const finder = callFinder(tools.map(({ name }) => name))
  let own = false
  for await (const part of parts) {
    if (part.type === 'text' && !own) {
      const text = finder.push(part.text)
      if (text !== '') yield { type: 'text', text }
      continue
    }
    if (part.type === 'call' && !own) {
      own = true
      yield* heldBack(finder.release())
    }
    if (part.type !== 'finish' || own) {
      yield part
      continue
    }
    const { text, calls } = finder.end()
    yield* heldBack(text)
    for (const [n, { name, arguments: args }] of calls.entries())
      yield { type: 'call', call: { id: `call_${n + 1}`, name, arguments: args } }
    yield calls.length > 0 && part.stop !== 'length' ? { ...part, stop: 'calls' } : part
  }
}

function* heldBack(text: string): Generator<ModelPart> {
  if (text !== '') yield { type: 'text', text }
}

/** Not the schema was refused: the messages have to be made again. */
function wantsOther(thrown: unknown): boolean {
  return thrown instanceof AgentError && thrown.data['askAgain'] === true
}

type Spoken = { request: ModelRequest; holds: ShapeSupport; signal: AbortSignal }

async function* spoken(model: Model, { request, holds, signal }: Spoken): AsyncGenerator<ModelPart> {
  const words = withToolsAsText(request, holds)
  const reader = callReader(
    request.tools.map(tool => tool.name),
    { enveloped: holds === 'whole' },
  )
  let stop: StopReason | undefined
  let usage: Usage | undefined
  const calls: ToolCall[] = []
  let told: { bufferedByProxy?: true; truncated?: true; details?: unknown } = {}
  let broken: (TextCallPart & { type: 'unreadable' }) | undefined
  const pass = function* (parts: readonly TextCallPart[]): Generator<ModelPart> {
    for (const part of parts) {
      if (part.type === 'unreadable') broken ??= part
      else if (part.type === 'call') calls.push(part.call)
      else yield part
    }
  }
  for await (const part of model.generate(words, signal)) {
    if (part.type === 'finish') {
      stop = part.stop
      usage = part.usage
      told = {
        ...(part.bufferedByProxy ? { bufferedByProxy: true } : {}),
        ...(part.truncated ? { truncated: true } : {}),
        ...(part.details === undefined ? {} : { details: part.details }),
      }
    } else if (part.type === 'text') yield* pass(reader.push(part.text))
    else if (part.type !== 'call') yield part
    if (reader.over) break // what follows a call was made up; an engine that is left is stopped
  }
  throwIfStopped(signal)
  yield* pass(reader.end(stop ?? 'stop'))
  // At the limit there is no room for another try, and where no tool may run none is wanted.
  if (broken && request.toolChoice !== 'none') {
    const again = stop === 'length' ? undefined : await repaired(model, { request, holds, signal }, broken)
    if (again) {
      calls.push(...again.calls)
      if (usage && again.output !== undefined) usage = { ...usage, output: (usage.output ?? 0) + again.output }
    } else if (broken.name !== undefined)
      // its result will say what is wrong
      calls.push({ id: `call_${calls.length + 1}`, name: broken.name, arguments: broken.raw })
    else if (calls.length === 0 && broken.raw.trim() !== '') yield { type: 'text', text: broken.raw }
  }
  for (const [n, call] of calls.entries()) yield { type: 'call', call: { ...call, id: `call_${n + 1}` } }
  yield {
    type: 'finish',
    stop: stop === 'length' || calls.length === 0 ? (stop ?? 'stop') : 'calls',
    ...(usage ? { usage } : {}),
    ...told,
  }
}

/** One more round for a call that nobody could read. Undefined where that did not help; throws only `stopped`. */
async function repaired(
  model: Model,
  { request, holds, signal }: Spoken,
  { raw, fault }: { raw: string; fault: string },
): Promise<{ calls: ToolCall[]; output?: number } | undefined> {
  const words = withToolsAsText(request, holds)
  const reader = callReader(
    request.tools.map(tool => tool.name),
    { enveloped: holds === 'whole' },
  )
  const parts: TextCallPart[] = []
  let output: number | undefined
  try {
    for await (const part of model.generate(
      { ...words, messages: [...words.messages, ...callRepairMessages(raw, fault, holds)] },
      signal,
    )) {
      if (part.type === 'text') parts.push(...reader.push(part.text))
      else if (part.type === 'finish') output = part.usage?.output
      if (reader.over) break
    }
  } catch (thrown) {
    throwIfStopped(signal)
    void thrown // too long, or the engine failed: the answer that is there already counts
    return undefined
  }
  throwIfStopped(signal)
  const calls = [...parts, ...reader.end('stop')].flatMap(part => (part.type === 'call' ? [part.call] : []))
  return calls.length > 0 ? { calls, ...(output === undefined ? {} : { output }) } : undefined
}
