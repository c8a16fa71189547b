/** The servers that the person named: their rows, and apart from these what is sealed of them. */
import { AgentError } from '../core/errors.ts'
import type { Id } from '../core/log/entry.ts'
import type { LogStore, Secrets, Server } from '../core/ports/ports.ts'
import { isolated } from '../core/text/display/isolate.ts'
import { cleanBaseUrl } from './catalogue/catalog.ts'

/** A server as it is stored: never with its key and headers, which are sealed apart. */
export type ServerRow = Omit<Server, 'key' | 'hasKey' | 'headers'>

const serversKey = 'models.servers'
/** Where earlier versions stored keys, unsealed. */
const plainKeyOf = (id: Id): string => `models.key.${id}`
const keyOf = (id: Id): string => `key ${id}`
const headersOf = (id: Id): string => `headers ${id}`

export type ServerRows = {
  /** Read anew each time: another tab may have changed them. */
  list(): Promise<ServerRow[]>
  /** As the page may see them: whether there is a key, never the key. */
  servers(): Promise<Server[]>
  /**
   * What goes with a request to this server. Throws where its key was kept and cannot be read any more, instead of
   * asking without it.
   */
  withSecrets(row: ServerRow): Promise<Server>
  /** As typed; a key that was not typed is the kept one, but only for the host that it was typed for. */
  withKey(server: Server): Promise<Server>
  /**
   * A key that is absent stays as it was, unless the address moved to another host: no host gets a key it was not
   * given. An empty key is removed.
   */
  save(server: Server): Promise<void>
  remove(id: Id): Promise<void>
}

/** `allow` is called with the base URLs of all rows, at each reading and after each change. */
export function serverRows({
  store,
  secrets,
  allow,
}: {
  store: Pick<LogStore, 'setting' | 'saveSetting'>
  secrets: Secrets
  allow: (baseUrls: readonly string[]) => void
}): ServerRows {
  const list = async (): Promise<ServerRow[]> => {
    const value = await store.setting(serversKey)
    const rows = Array.isArray(value) ? await sealed(value.filter(isServerRow)) : []
    allow(rows.map(row => row.baseUrl))
    return rows
  }
  /** Keys and headers that an earlier version left in the open are sealed the first time they are met. */
  const sealed = async (rows: readonly (ServerRow & Pick<Server, 'headers'>)[]): Promise<ServerRow[]> => {
    const plain = await Promise.all(rows.map(({ id }) => store.setting(plainKeyOf(id))))
    const found: Record<string, string> = {}
    for (const [n, { id, headers }] of rows.entries()) {
      const key = plain[n]
      if (typeof key === 'string' && key !== '') found[keyOf(id)] = key
      if (headers && Object.keys(headers).length > 0) found[headersOf(id)] = JSON.stringify(headers)
    }
    const clean = rows.map(row => {
      const bare = { ...row }
      delete bare.headers
      return bare
    })
    if (Object.keys(found).length === 0 || (await secrets.state()).locked) return clean
    try {
      await secrets.set(found)
      await store.saveSetting(serversKey, clean)
      for (const [n, { id }] of rows.entries())
        if (plain[n] !== undefined) await store.saveSetting(plainKeyOf(id), undefined)
    } catch {
      /* a full or failing storage: next time; meanwhile the list of models is there */
    }
    return clean
  }
  const saveAll = async (rows: ServerRow[]): Promise<void> => {
    await store.saveSetting(serversKey, rows)
    allow(rows.map(row => row.baseUrl))
  }
  const headersFor = async (id: Id): Promise<Pick<Server, 'headers'>> => {
    const text = await secrets.get(headersOf(id))
    return text === undefined ? {} : { headers: JSON.parse(text) as Record<string, string> }
  }

  return {
    list,

    async servers() {
      const { locked } = await secrets.state()
      return Promise.all(
        (await list()).map(async row =>
          locked
            ? { ...row, hasKey: await secrets.has(keyOf(row.id)) }
            : { ...row, hasKey: (await secrets.get(keyOf(row.id))) !== undefined, ...(await headersFor(row.id)) },
        ),
      )
    },

    async withSecrets(row) {
      const key = await secrets.get(keyOf(row.id))
      if (key === undefined && (await secrets.has(keyOf(row.id)))) {
        throw new AgentError(
          'model_auth',
          `The key of ${isolated(row.name)} cannot be read any more: what is kept of it is damaged. Type it again in Settings, Servers.`,
          { data: { server: row.name, why: 'damaged' } },
        )
      }
      return { ...row, ...(key ? { key } : {}), ...(await headersFor(row.id)) }
    },

    async withKey({ key: typed, ...server }) {
      const saved = (await list()).find(row => row.id === server.id)
      const mayUseSaved =
        typed === undefined && saved !== undefined && originOf(saved.baseUrl) === originOf(server.baseUrl)
      const key = mayUseSaved ? await secrets.get(keyOf(server.id)) : typed?.trim()
      return { ...server, ...(key ? { key } : {}) }
    },

    async save({ key, headers, ...given }) {
      const row: ServerRow & Pick<Server, 'hasKey'> = { ...given }
      delete row.hasKey
      if (!isServerRow(row))
        throw new AgentError(
          'bad_input',
          'A server needs a name, an address that starts with http:// or https://, and a list of models.',
        )
      const clean = { ...row, baseUrl: cleanBaseUrl(row.baseUrl), models: [...new Set(row.models)] }
      const rows = await list()
      const before = rows.find(other => other.id === row.id)
      const moved = !before || originOf(before.baseUrl) !== originOf(clean.baseUrl)
      const typed = headers && Object.keys(headers).length > 0 ? JSON.stringify(headers) : undefined
      await secrets.set({
        [headersOf(row.id)]: typed,
        ...(key !== undefined || moved ? { [keyOf(row.id)]: key?.trim() || undefined } : {}),
      })
      await saveAll(before ? rows.map(other => (other === before ? clean : other)) : [...rows, clean])
    },

    async remove(id) {
      // First what is sealed: while that is locked, the server stays and can be removed later.
      await secrets.set({ [keyOf(id)]: undefined, [headersOf(id)]: undefined })
      await saveAll((await list()).filter(row => row.id !== id))
    },
  }
}

/** Of an address; undefined where it is none. */
export function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined
}

function isServerRow(value: unknown): value is ServerRow {
  if (typeof value !== 'object' || value === null) return false
  const row = value as Partial<ServerRow>
  return (
    typeof row.id === 'string' &&
    row.id !== '' &&
    !row.id.includes('/') &&
    typeof row.name === 'string' &&
    typeof row.baseUrl === 'string' &&
    /^https?:\/\/[^/\s]/i.test(row.baseUrl.trim()) &&
    Array.isArray(row.models) &&
    row.models.every(name => typeof name === 'string')
  )
}
