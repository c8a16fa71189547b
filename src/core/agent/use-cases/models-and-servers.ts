/** Use cases of models and servers: what can be chosen, and the defaults. */
import { AgentError } from '../../errors.ts'
import type { AgentApi } from '../api/api.ts'
import { readDefaults, saveDefaults } from '../session/defaults.ts'
import { resetWindow } from '../request/model-calibration.ts'
import { requireText, type AgentRuntime } from '../session/agent-runtime.ts'
import { checkedInstructions } from '../request/instructions.ts'

/** How long a server may take to list its models. Unit: ms. */
const probeLimit = 20_000

type ModelsAndServers = Pick<
  AgentApi,
  | 'models'
  | 'servers'
  | 'saveServer'
  | 'removeServer'
  | 'probe'
  | 'diagnose'
  | 'keys'
  | 'setPassphrase'
  | 'unlockKeys'
  | 'forgetKeys'
  | 'localModels'
  | 'saveLocalModel'
  | 'removeLocalModel'
  | 'connectEngine'
  | 'defaults'
  | 'setDefaults'
  | 'networkLedger'
  | 'storage'
>

export function modelsAndServers(runtime: AgentRuntime): ModelsAndServers {
  const { models, store, world } = runtime.deps
  const changed = (): void => {
    runtime.emit({ type: 'models' })
  }
  return {
    models: () => models.list(),
    servers: async () =>
      (await models.servers()).map(({ key, ...server }) => ({
        ...server,
        hasKey: server.hasKey ?? (key !== undefined && key !== ''),
      })),
    saveServer: async server => {
      requireText(server.baseUrl, 'The address')
      await models.saveServer(server)
      // What was learnt about its windows may be wrong now: it is learnt again (C8).
      for (const info of await models.list()) if (info.server === server.id) await resetWindow(store, info.id)
      changed()
    },
    removeServer: async id => {
      await models.removeServer(id)
      changed()
    },
    probe: async server => {
      const stop = new AbortController()
      const over = new AbortController()
      const asking = models.probe(server, stop.signal).finally(() => {
        over.abort()
      })
      const late = world.sleep(probeLimit, over.signal).then(
        () => {
          stop.abort()
          throw new AgentError(
            'network',
            `The server at ${server.baseUrl} did not answer within ${probeLimit / 1000} seconds`,
          )
        },
        () => new Promise<never>(() => undefined),
      ) // answered in time: the clock has nothing to say any more
      return Promise.race([asking, late])
    },
    diagnose: (server, model) => models.diagnose(server, new AbortController().signal, model),
    keys: async () => (await models.keys?.state()) ?? { kept: 'memory', by: 'device', locked: false },
    setPassphrase: async passphrase => {
      await models.keys?.setPassphrase(passphrase ?? undefined)
      changed()
    },
    unlockKeys: async passphrase => {
      await models.keys?.unlock(passphrase)
      changed()
    },
    forgetKeys: async () => {
      await models.keys?.forgetAll()
      changed()
    },
    localModels: async () => (await models.local?.savedModels()) ?? [],
    saveLocalModel: async model => {
      await models.local?.saveModel(model)
      await resetWindow(store, model.id)
      changed()
    },
    removeLocalModel: async id => {
      await models.local?.removeModel(id)
      changed()
    },
    connectEngine: async (kind, port) => {
      await models.local?.connect(kind, port)
    },
    defaults: () => readDefaults(store),
    setDefaults: async changes => {
      const { instructions } = changes
      await saveDefaults(
        store,
        instructions === undefined ? changes : { ...changes, instructions: checkedInstructions(instructions) },
      )
      changed()
    },
    networkLedger: () => runtime.deps.contacted(),
    storage: () => runtime.deps.storage(),
  }
}
