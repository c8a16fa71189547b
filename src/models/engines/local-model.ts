/** A local model as a `Model`, over a channel to the engine that runs it. */
import { AgentError } from '../../core/errors.ts'
import type { Engine, EngineKind, LocalModel } from '../../core/ports/local-engine.ts'
import type { ModelPart, ModelRequest } from '../../core/log/message.ts'
import type { Model } from '../../core/ports/ports.ts'
import { isolated } from '../../core/text/display/isolate.ts'
import { stoppedError, throwIfStopped } from '../shared/pause.ts'
import { withTextTools } from '../tool-calls/with-text-tools.ts'

/** Most that an answer may have, tokens: a quarter of a small window, or what is enough for any answer. */
const mostOutput = 4_096

/** What each engine can hold an answer to. */
const shapeSupport: Record<EngineKind, Model['can']['schema']> = {
  webllm: 'between',
  'prompt-api': 'whole',
  cpu: 'whole',
}

/** One of them, with tools in words where they are wanted. Nothing is loaded before it is asked. */
export function localModel(row: LocalModel, engine: () => Promise<Engine>): Model {
  const model = plainModel(row, engine)
  return row.tools ? withTextTools(model) : model
}

function plainModel(row: LocalModel, engine: () => Promise<Engine>): Model {
  return {
    id: row.id,
    name: row.name,
    contextWindow: row.contextWindow,
    maxOutput: Math.min(mostOutput, Math.floor(row.contextWindow / 4)),
    can: { tools: false, images: false, schema: shapeSupport[row.kind] },
    local: true,
    reportsWholePrompt: row.kind === 'cpu', // the others keep what they have read and count only what is new
    async *generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
      throwIfStopped(signal)
      let finished = false
      for await (const part of (await engine()).generate(row, request, signal)) {
        if (signal.aborted) throw stoppedError()
        yield part
        if (part.type === 'finish') {
          finished = true
          break
        }
      }
      throwIfStopped(signal)
      if (!finished)
        throw new AgentError('model_protocol', `${isolated(row.name)} ended its answer without saying so. Try again.`, {
          data: { reason: 'other' },
        })
    },
  }
}
