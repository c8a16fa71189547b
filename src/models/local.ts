/** Models of this device as `Model`s: which ones the person keeps, and how each is asked. What runs them lives on threads of its own. */
import { AgentError } from '../core/errors.ts'
import type { Engine, EngineKind, EnginePort, LocalModel, LocalModels } from '../core/local-engine.ts'
import type { ModelPart, ModelRequest } from '../core/log/message.ts'
import type { LogStore, Model, ModelInfo } from '../core/ports.ts'
import { stoppedError, throwIfStopped } from './pause.ts'

export type LocalModelsOptions = {
  store: Pick<LogStore, 'setting' | 'saveSetting'>
  engines: { connect(kind: EngineKind, port: EnginePort): void; get(kind: EngineKind): Promise<Engine> }
}

export type LocalSource = LocalModels & { list(): Promise<ModelInfo[]>; get(id: string): Promise<Model | undefined> }

const key = 'models.local'
/** Most that an answer may have, tokens: a quarter of a small window, or what is enough for any answer. */
const mostOutput = 4_096

/** The kept models of this device. */
export function localModels({ store, engines }: LocalModelsOptions): LocalSource {
  // Read anew each time: another tab may have changed them.
  const kept = async (): Promise<LocalModel[]> => {
    const value = await store.setting(key)
    return Array.isArray(value) ? value.filter(isLocalModel) : []
  }
  return {
    kept,
    async keep(model) {
      if (!isLocalModel(model)) throw new AgentError('bad_input', 'A model of this device needs an id of its kind, a name, and a window of at least 256 tokens.')
      const rows = await kept()
      await store.saveSetting(key, rows.some(({ id }) => id === model.id) ? rows.map(row => row.id === model.id ? model : row) : [...rows, model])
    },
    async drop(id) { await store.saveSetting(key, (await kept()).filter(row => row.id !== id)) },
    connect: engines.connect,
    list: async () => (await kept()).map(({ id, kind, name, contextWindow, tools }) => ({ id, kind, name, contextWindow, tools, local: true })),
    async get(id) {
      const row = (await kept()).find(candidate => candidate.id === id)
      return row && localModel(row, () => engines.get(row.kind))
    },
  }
}

/** One of them. Nothing is loaded before it is asked. */
export function localModel(row: LocalModel, engine: () => Promise<Engine>): Model {
  return {
    id: row.id, name: row.name, contextWindow: row.contextWindow,
    maxOutput: Math.min(mostOutput, Math.floor(row.contextWindow / 4)),
    can: { tools: row.tools, images: false, schema: false },
    local: true,
    reportsWholePrompt: false,   // engines that keep what they have read count only what is new
    async *generate(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
      throwIfStopped(signal)
      let finished = false
      for await (const part of (await engine()).generate(row, request, signal)) {
        if (signal.aborted) throw stoppedError()
        yield part
        if (part.type === 'finish') { finished = true; break }
      }
      throwIfStopped(signal)
      if (!finished) throw new AgentError('model_protocol', `${row.name} ended its answer without saying so. Try again.`, { data: { reason: 'other' } })
    },
  }
}

const kinds: readonly EngineKind[] = ['webllm', 'prompt-api', 'cpu']

function isLocalModel(value: unknown): value is LocalModel {
  if (typeof value !== 'object' || value === null) return false
  const row = value as Partial<LocalModel>
  return kinds.some(kind => row.kind === kind && row.id?.startsWith(`${kind}:`) === true) && typeof row.name === 'string'
    && typeof row.contextWindow === 'number' && row.contextWindow >= 256 && typeof row.tools === 'boolean'
}
