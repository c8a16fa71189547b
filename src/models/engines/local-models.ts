/**
 * The local models that the person has saved. The code that runs one is loaded on use, and the engine has a thread of
 * its own.
 */
import { AgentError } from '../../core/errors.ts'
import type { Engine, EngineKind, EnginePort, LocalModel, LocalModels } from '../../core/ports/local-engine.ts'
import type { LogStore, Model, ModelInfo } from '../../core/ports/ports.ts'
import { currentProgram } from './webllm/webllm-hosts.ts'

export type LocalModelsDeps = {
  store: Pick<LogStore, 'setting' | 'saveSetting'>
  engines: { connect(kind: EngineKind, port: EnginePort): Promise<void>; get(kind: EngineKind): Promise<Engine> }
}

export type LocalModelSource = LocalModels & {
  list(): Promise<ModelInfo[]>
  get(id: string): Promise<Model | undefined>
}

const key = 'models.local'

/** The kept models of this device. */
export function localModels({ store, engines }: LocalModelsDeps): LocalModelSource {
  // Read anew each time: another tab may have changed them.
  const kept = async (): Promise<LocalModel[]> => {
    const value = await store.setting(key)
    return Array.isArray(value) ? value.filter(isLocalModel).map(ofThisVersion) : []
  }
  return {
    savedModels: kept,
    async saveModel(model) {
      if (!isLocalModel(model))
        throw new AgentError(
          'bad_input',
          'A model of this device needs an id of its kind, a name, and a window of at least 256 tokens.',
        )
      const rows = await kept()
      await store.saveSetting(
        key,
        rows.some(({ id }) => id === model.id)
          ? rows.map(row => (row.id === model.id ? model : row))
          : [...rows, model],
      )
    },
    async removeModel(id) {
      await store.saveSetting(
        key,
        (await kept()).filter(row => row.id !== id),
      )
    },
    connect: engines.connect,
    list: async () =>
      (await kept()).map(({ id, kind, name, contextWindow, tools }) => ({
        id,
        kind,
        name,
        contextWindow,
        tools,
        local: true,
      })),
    async get(id) {
      const row = (await kept()).find(candidate => candidate.id === id)
      return row && (await import('./local-model.ts')).localModel(row, () => engines.get(row.kind))
    },
  }
}

/**
 * A model that was kept by an earlier version of the app wants the program of this one: then it shows as missing,
 * instead of failing when it is loaded.
 */
function ofThisVersion(row: LocalModel): LocalModel {
  return row.webllm ? { ...row, webllm: { ...row.webllm, program: currentProgram(row.webllm.program) } } : row
}

const kinds: readonly EngineKind[] = ['webllm', 'prompt-api', 'cpu']

function isLocalModel(value: unknown): value is LocalModel {
  if (typeof value !== 'object' || value === null) return false
  const row = value as Partial<LocalModel>
  return (
    kinds.some(kind => row.kind === kind && row.id?.startsWith(`${kind}:`) === true) &&
    typeof row.name === 'string' &&
    typeof row.contextWindow === 'number' &&
    row.contextWindow >= 256 &&
    typeof row.tools === 'boolean'
  )
}
