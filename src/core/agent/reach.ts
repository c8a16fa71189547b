/** What of other chats and of memory a model elsewhere may be given: nothing before the person has said yes, and what never left this device only by a yes of its own. */
import type { Entry, Row, SessionId } from '../log/entry.ts'
import type { ToolCall } from '../log/message.ts'
import type { LogStore, SessionInfo } from '../ports.ts'
import type { Question } from './api.ts'
import { fileStays } from './files-of-device.ts'
import type { SearchIndex } from './search-index.ts'
import { parseArguments, type Tool } from './tool.ts'

/** Grants of a chat, beside those of its tools: what a model elsewhere may read. */
export const grants = {
  /** Other chats, notes and MEMORY.md; without chats that were only ever answered on this device. */
  others: 'other chats',
  /** These too. */
  local: 'chats of this device',
  /** This chat itself, although it was only answered on this device until now. */
  own: 'this chat',
} as const

/** The call under which the question is asked whether this chat may leave the device; no model made it. */
export const leaving: ToolCall = { id: 'this chat', name: '', arguments: '{}' }

/** True for a chat that no model elsewhere has answered, as far as its answers tell. Reads the log of a chat that does not know it yet, once. */
export async function staysHere(store: LogStore, info: SessionInfo): Promise<boolean> {
  if (info.away !== undefined) return !info.away
  const away = answeredAway(await store.read(info.id))
  if (away !== undefined) await store.updateSession(info.id, { away }).catch(() => undefined)   // read-only or removed meanwhile: it is found out again
  return away !== true
}

/** The chats that a model elsewhere has answered. */
export async function leftAlready(store: LogStore): Promise<Set<SessionId>> {
  const chats = await store.sessions()
  const stay = await Promise.all(chats.map(info => staysHere(store, info)))
  return new Set(chats.flatMap(({ id }, n) => stay[n] ? [] : [id]))
}

/** Whether a model elsewhere has answered; undefined where none has at all. */
export function answeredAway(rows: readonly Pick<Row, 'entry'>[]): boolean | undefined {
  const answers = rows.flatMap(({ entry }) => entry.type === 'assistant' ? [entry] : [])
  return answers.length === 0 ? undefined : answers.some(({ local }) => !local)
}

/** Whether a chat that was only answered on this device would go to a model elsewhere before the person has said yes to that. */
export function leavesUnasked({ info, rows }: { info: SessionInfo; rows: readonly Pick<Row, 'entry'>[] }, model: { local: boolean }): boolean {
  return !model.local && !info.allowed?.includes(grants.own) && answeredAway(rows) === false
}

/** The question that a reading tool asks for a model elsewhere, once in a chat; undefined where it reads only what is this chat's. */
export function reachQuestion(tool: Tool, call: ToolCall, allowed: readonly string[]): Question | undefined {
  if (allowed.includes(grants.others) || !tool.reaches) return undefined
  const parsed = parseArguments(call.arguments)
  if ('fault' in parsed || !tool.reaches(parsed.args)) return undefined
  return { call, tool: tool.name, explanation: '', reach: 'other chats' }
}

/** The search as the tools of a model of this device use it: no server elsewhere hears their questions. */
export function staying(search: Pick<SearchIndex, 'find'>): Pick<SearchIndex, 'find'> {
  return { find: (query, options) => search.find(query, { ...options, stays: true }) }
}

type Reach = { store: LogStore; search: Pick<SearchIndex, 'find'> }

/**
 * Store and search as the tools of a model elsewhere see them. What the person has not allowed is not there; in the dialog of a
 * day a line stands for it, so that line numbers hold.
 */
export function outward({ store, search }: Reach, own: SessionId, allowed: readonly string[]): Reach {
  const others = allowed.includes(grants.others)
  const all = others && allowed.includes(grants.local)
  const known = new Map<SessionId, Promise<boolean>>()
  const may = (session: SessionId): Promise<boolean> => {
    if (session === own || all) return Promise.resolve(true)
    if (!others) return Promise.resolve(false)
    const answer = known.get(session) ?? store.session(session).then(info => info !== undefined && staysHere(store, info).then(stays => !stays))
    known.set(session, answer)
    return answer
  }
  const those = async <T extends { session: SessionId }>(list: readonly T[]): Promise<T[]> => {
    const yes = await Promise.all(list.map(({ session }) => may(session)))
    return list.filter((_, n) => yes[n])
  }
  const mayRead = async (path: string): Promise<boolean> => path === 'MEMORY.md' ? others : all || !await fileStays(store, path)
  const changed: Partial<LogStore> = {
    sessions: async () => (await those((await store.sessions()).map(info => ({ session: info.id, info })))).map(({ info }) => info),
    session: async id => await may(id) ? store.session(id) : undefined,
    read: async (id, range) => await may(id) ? store.read(id, range) : [],
    find: async id => {
      const found = await store.find(id)
      return found && await may(found.session) ? found : undefined
    },
    text: async (id, range) => {
      const found = await store.find(id)
      return found && await may(found.session) ? store.text(id, range) : undefined
    },
    lines: async (day, from, to, session) => Promise.all((await store.lines(day, from, to, session))
      .map(async line => await may(line.session) ? line : { ...line, row: { ...line.row, entry: withheld(line.row.entry) } })),
    memories: async day => those(await store.memories(day)),
    document: async (path, revision) => await mayRead(path) ? store.document(path, revision) : undefined,
    documents: async prefix => {
      const found = await store.documents(prefix)
      const yes = await Promise.all(found.map(({ path }) => mayRead(path)))
      return found.filter((_, n) => yes[n])
    },
  }
  return {
    store: new Proxy(store, {
      get(target, name) {
        const value: unknown = Reflect.get(Object.hasOwn(changed, name) ? changed : target, name)
        return typeof value === 'function' ? value.bind(target) as unknown : value
      },
    }),
    search: {
      find: async (query, options) => {
        if (all) return search.find(query, options)
        const chats = new Set((await those((await store.sessions()).map(({ id }) => ({ session: id })))).map(({ session }) => session))
        return search.find(query, { ...options, chats: id => id === '' ? others : chats.has(id) })
      },
    },
  }
}

function withheld(entry: Entry): Entry {
  const text = '[Said in a chat that may not be shown to a model elsewhere.]'
  const { id, parent, at } = entry
  switch (entry.type) {
    case 'user': return { id, parent, at, type: 'user', text }
    case 'assistant': return { id, parent, at, type: 'assistant', text, calls: [], model: '', local: true, stop: 'stop' }
    case 'result': return { id, parent, at, type: 'result', callId: entry.callId, tool: entry.tool, text, isError: false }
    default: return { id, parent, at, type: 'foreign', raw: '' }
  }
}
