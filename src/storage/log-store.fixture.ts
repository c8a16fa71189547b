/** Entries to try a store with, and the few assertions that also run in a browser, where there is no test runner. */
import { codeOf, type Code } from '../core/errors.ts'
import type { Entry, Id } from '../core/log/entry.ts'
import type { LogStore, SessionInfo } from '../core/ports/ports.ts'

export type StoreLaw = { name: string; hold(store: LogStore): Promise<void> }

/** Noon of a local day, so that no time zone moves it to another. */
export const noon = (day: number, minute = 0): number => new Date(2026, 0, day, 12, minute).getTime()

export const chatInfo = (id: Id, more: globalThis.Partial<SessionInfo> = {}): SessionInfo => ({
  id,
  title: id,
  createdAt: noon(1),
  updatedAt: noon(1),
  leaf: null,
  ...more,
})

export const asked = (id: Id, text = `question ${id}`, at = noon(2)): Entry => ({
  id,
  parent: null,
  at,
  type: 'user',
  text,
})

export const answered = (id: Id, text = `answer ${id}`, at = noon(2)): Entry => ({
  id,
  parent: null,
  at,
  type: 'assistant',
  text,
  calls: [],
  model: 'scripted',
  local: true,
  stop: 'stop',
})

export const noted = (id: Id, text = `note ${id}`, at = noon(2)): Entry => ({
  id,
  parent: null,
  at,
  type: 'note',
  code: 'command',
  text,
})

export const remembered = (id: Id, text: string, at = noon(2)): Entry => ({
  id,
  parent: null,
  at,
  type: 'memory',
  text,
})

export const many = (prefix: string, count: number, at = noon(2)): Entry[] =>
  Array.from({ length: count }, (_, index) => asked(`${prefix}${index}`, undefined, at))

/** A store with these chats in it. */
export async function withChats(store: LogStore, ...ids: Id[]): Promise<LogStore> {
  for (const id of ids) await store.createSession(chatInfo(id))
  return store
}

/** Throws where two values differ; a missing field and an undefined one are the same. */
export function same(actual: unknown, expected: unknown, what = 'value'): void {
  const [is, wanted] = [canonical(actual), canonical(expected)]
  if (is !== wanted) throw new Error(`${what}: is ${is.slice(0, 600)}, should be ${wanted.slice(0, 600)}`)
}

/** Throws unless the work fails with this code. */
export async function fails(work: Promise<unknown>, code: Code): Promise<void> {
  const outcome = await work.then(() => 'it succeeded', codeOf)
  if (outcome !== code) throw new Error(`should fail with ${code}, but: ${outcome}`)
}

function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) => {
      if (part instanceof Uint8Array) return { bytes: Array.from(part) }
      if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
      return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
    }) ?? 'undefined'
  )
}

/** The ids of rows, in their order. */
export const rowIds = (rows: readonly { entry: Entry }[]): Id[] => rows.map(row => row.entry.id)
/** The same of rows that are found over all chats. */
export const placedIds = (found: readonly { row: { entry: Entry } }[]): Id[] => found.map(({ row }) => row.entry.id)

/** What a tombstone says after a Delete. */
export const gone = { day: '2026-01-09', why: 'deleted by you' }
