/** The registry of models, and the servers that the person named. */
import { AgentError } from '../core/errors.ts'
import type { Id } from '../core/log/entry.ts'
import type { LogStore, Model, ModelInfo, Models, Price, Secrets, Server, WindowSource } from '../core/ports/ports.ts'
import type { ServerKind } from '../core/ports/server-diagnosis.ts'
import { defaultWindow, isLocalAddress, presetOf, presets, needsNetwork } from './catalogue/catalog.ts'
import type { EffortForm } from './remote/effort.ts'
import type { ModelListing } from './catalogue/list-models.ts'
import type { LocalModelSource } from './engines/local-models.ts'
import { originOf, serverRows, type ServerRow } from './server-rows.ts'
import type { ModelFetch } from './shared/model-fetch.ts'
import { toolUse } from './catalogue/tool-use.ts'

/** The longest wait for what a server tells beside its answers, ms. */
const lookLimit = 10_000
/** The key of a server's metadata: what it reported when it was last asked. */
const serverMetadataKey = (id: Id): string => `models.told.${id}`
/** What its models were found to refuse. */
const quirksOf = (id: Id): string => `models.quirks.${id}`
type ServerMetadata = Partial<Pick<ModelListing, 'kind' | 'windows' | 'prices' | 'abilities' | 'baseUrl'>>

/** The description of `recall.ts`, without loading it. */
const recallInfo: ModelInfo = {
  id: 'recall',
  name: 'Recall',
  kind: 'recall',
  contextWindow: 131_072,
  local: true,
  tools: true,
}

export type ModelsOptions = {
  store: Pick<LogStore, 'setting' | 'saveSetting'>
  secrets: Secrets
  /** The only way out: it knows which servers are allowed. */
  fetch: ModelFetch
  /** Called with the base URLs of all named servers, at first use and after each change. */
  allow: (baseUrls: readonly string[]) => void
  /** Bytes of an image that a message carries. */
  image?: (blob: Id) => Promise<{ mime: string; bytes: Uint8Array } | undefined>
  /** Further models of this device, for tests and for engines. */
  more?: readonly { info: ModelInfo; model: () => Promise<Model> }[]
  /** Those that run on this device. */
  local?: LocalModelSource
}

/** Makes the registry. A remote model's id is `<server id>/<model name>`; the built-in one's is `recall`. */
export function createModels(options: ModelsOptions): Models {
  const { store, fetch, secrets } = options
  const rows = serverRows(options)
  const more = options.more ?? []
  const asked = new Set<string>()

  /** The server's stored metadata; none if its address has moved to another host since. */
  const told = async ({ id, baseUrl }: ServerRow): Promise<ServerMetadata> => {
    const value = await store.setting(serverMetadataKey(id))
    const said: ServerMetadata = typeof value === 'object' && value !== null ? value : {}
    return originOf(said.baseUrl ?? '') === originOf(baseUrl) ? said : {}
  }
  const windowOf = (
    row: ServerRow,
    name: string,
    { windows, kind }: ServerMetadata,
  ): { contextWindow: number; windowFrom: WindowSource } => {
    const said = windows?.[name]
    if (row.contextWindow !== undefined) return { contextWindow: row.contextWindow, windowFrom: { by: 'person' } }
    if (said) return { contextWindow: said.tokens, windowFrom: { by: 'server', place: said.place } }
    const usual = (
      presets.find(preset => preset.id === kind) ??
      presetOf(row.baseUrl) ??
      presets.find(({ dialect }) => dialect !== undefined && dialect === row.dialect)
    )?.contextWindow // also at a port of its own, or behind a proxy
    return {
      contextWindow: usual ?? defaultWindow(row.baseUrl),
      windowFrom: { by: usual === undefined ? 'guess' : 'default' },
    }
  }
  const effortOf = async (
    server: Pick<ServerRow, 'baseUrl' | 'dialect'>,
    name: string,
    { kind, abilities }: ServerMetadata,
  ): Promise<EffortForm | undefined> => {
    const { effortForm } = await import('./remote/effort.ts') // a table that only servers need
    return effortForm({
      server,
      kind: kind ?? presetKind(server.baseUrl),
      name,
      advertised: abilities?.[name]?.efforts,
    })
  }
  /** A server that was unreachable may have been restarted with another window. */
  const forgetAsked = (server: Id): void => {
    for (const known of asked) if (known.startsWith(`${server}/`)) asked.delete(known)
  }
  /**
   * Once as long as the server is there: a model that has answered is loaded, and only then some servers tell what it
   * was given.
   */
  const lookAgain = async (server: Server, name: string, { kind, ...more }: ServerMetadata): Promise<void> => {
    if (kind === undefined || asked.has(`${server.id}/${name}`)) return
    asked.add(`${server.id}/${name}`)
    try {
      const { probeModels } = await import('./catalogue/list-models.ts')
      const { windows, abilities } = await probeModels(
        server,
        kind,
        server.models,
        fetch,
        AbortSignal.timeout(lookLimit),
      )
      if (Object.keys(windows).length + Object.keys(abilities).length > 0)
        await store.saveSetting(serverMetadataKey(server.id), {
          kind,
          ...more,
          windows: { ...more.windows, ...windows },
          abilities: { ...more.abilities, ...abilities },
        })
    } catch {
      /* the answer is there; what was known of the window stays */
    }
  }

  return {
    ...(options.local ? { local: options.local } : {}),
    keys: secrets,
    async list() {
      const infos: ModelInfo[] = [
        recallInfo,
        ...more.map(entry => entry.info),
        ...((await options.local?.list()) ?? []),
      ]
      for (const row of await rows.list()) {
        const said = await told(row)
        for (const name of row.models) {
          const effort = await effortOf(row, name, said)
          infos.push({
            id: `${row.id}/${name}`,
            name,
            kind: 'remote',
            server: row.id,
            serverName: row.name,
            ...windowOf(row, name, said),
            ...(effort ? { efforts: effort.efforts } : {}),
            local: isLocalAddress(row.baseUrl),
            tools: said.abilities?.[name]?.tools ?? true,
            ...abilitiesOf(row, name, said),
          })
        }
      }
      return infos.map(info => ({ ...info, toolUse: info.tools ? toolUse(info) : 'no' }))
    },

    async get(id) {
      if (id === recallInfo.id) return (await import('./recall/recall.ts')).recall
      const entry = more.find(candidate => candidate.info.id === id)
      if (entry) return entry.model()
      const local = await options.local?.get(id)
      if (local) return local
      const row = (await rows.list()).find(candidate => id.startsWith(`${candidate.id}/`))
      if (!row)
        throw new AgentError(
          'model_unavailable',
          `The model ${id} belongs to a server that is not configured here. Choose another model, or add the server again in Settings.`,
        )
      const name = id.slice(row.id.length + 1)
      const [server, said, quirks, { remote }, { withTextTools }, { readQuirks, withQuirks }] = await Promise.all([
        rows.withSecrets(row),
        told(row),
        store.setting(quirksOf(row.id)),
        import('./remote/remote.ts'),
        import('./tool-calls/with-text-tools.ts'),
        import('./remote/known-quirks.ts'),
      ])
      const place = { baseUrl: row.baseUrl, model: name }
      const effort = await effortOf(server, name, said)
      return withTextTools(
        remote({
          server,
          name,
          effort,
          abilities: said.abilities?.[name],
          outputLimit: row.outputLimits?.[name] ?? row.outputLimits?.['*'],
          contextWindow: windowOf(row, name, said).contextWindow,
          local: isLocalAddress(row.baseUrl),
          needsNetwork: needsNetwork(row.baseUrl),
          price: priceOf(row, name, said),
          onAnswered: () => lookAgain(server, name, said),
          onUnavailable: () => {
            forgetAsked(server.id)
          },
          storedQuirks: readQuirks(quirks, { ...place, now: Date.now() }),
          saveQuirks: async kept => {
            try {
              await store.saveSetting(
                quirksOf(row.id),
                withQuirks(await store.setting(quirksOf(row.id)), { ...place, now: Date.now(), kept }),
              )
            } catch {
              /* learnt again after a reload */
            }
          },
          fetch,
          ...(options.image ? { image: options.image } : {}),
        }),
      )
    },

    async embedder(server, model) {
      const row = (await rows.list()).find(candidate => candidate.id === server)
      return row && (await import('./remote/embeddings.ts')).embeddings(await rows.withSecrets(row), model, fetch)
    },

    servers: () => rows.servers(),
    saveServer: server => rows.save(server),

    async removeServer(id) {
      await rows.remove(id)
      await store.saveSetting(serverMetadataKey(id), undefined)
      await store.saveSetting(quirksOf(id), undefined)
    },

    async probe(server, signal) {
      const { listModels } = await import('./catalogue/list-models.ts')
      const { models, kind, knownKind, windows, prices, abilities, contextWindow, baseUrl } = await listModels(
        await rows.withKey(server),
        fetch,
        signal,
      )
      await store.saveSetting(serverMetadataKey(server.id), {
        ...(kind ? { kind } : {}),
        windows,
        prices,
        abilities,
        baseUrl,
      } satisfies ServerMetadata)
      return {
        models,
        windows,
        ...(contextWindow ? { contextWindow } : {}),
        ...(baseUrl === server.baseUrl ? {} : { baseUrl }),
        ...(knownKind ? { kind: knownKind } : {}),
      }
    },

    async diagnose(server, signal, model) {
      const [{ diagnoseServer }, asked] = await Promise.all([
        import('./diagnosis/diagnose-server.ts'),
        rows.withKey(server),
      ])
      return diagnoseServer(asked, model, { fetch }, signal)
    },
  }
}

/** As the person typed it, else as the server's list tells it. */
function priceOf({ prices }: Pick<Server, 'prices'>, name: string, said: ServerMetadata): Price | undefined {
  return prices?.[name] ?? prices?.['*'] ?? said.prices?.[name]
}

/** What the server tells of a model beside its window, for who chooses. */
function abilitiesOf(server: Pick<Server, 'prices'>, name: string, said: ServerMetadata): Partial<ModelInfo> {
  const { images, efforts } = said.abilities?.[name] ?? {}
  const price = priceOf(server, name, said)
  return {
    ...(images === undefined ? {} : { images }),
    ...(efforts === undefined ? {} : { thinks: efforts.length > 0 }),
    ...(price ? { price } : {}),
  }
}

/** The kind of a server of this machine by its usual port, until its list tells. */
function presetKind(baseUrl: string): ServerKind | undefined {
  const preset = presetOf(baseUrl)
  return preset?.local ? (preset.id as ServerKind) : undefined
}
