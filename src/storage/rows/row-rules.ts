/** Rules of rows that all stores share. Pure. */
import { AgentError } from '../../core/errors.ts'
import type { Entry, Id, LogRow, SessionId } from '../../core/log/entry.ts'
import type { AppendOptions, SessionChanges, SessionInfo, TextRow } from '../../core/ports/ports.ts'

export type PlacedRow = { session: SessionId; row: LogRow }

/** Throws `bad_input` where an append contradicts itself: an id twice, a text without its entry. */
export function checkAppend(entries: readonly Entry[], texts: readonly TextRow[]): void {
  const ids = new Set<Id>()
  for (const entry of entries) {
    if (ids.has(entry.id)) throw duplicate(entry.id)
    ids.add(entry.id)
  }
  for (const row of texts) {
    if (!ids.has(row.entry))
      throw new AgentError('bad_input', `A whole text came for ${row.entry}, which is not among the entries`)
  }
}

export const duplicate = (id: Id): AgentError =>
  new AgentError('bad_input', `An entry with the id ${id} exists already; nothing was stored`)

/**
 * The chat that an append goes to, with the changes that come along: the one that is there, or the one that it creates.
 */
export function targetSession(
  session: SessionId,
  stored: SessionInfo | undefined,
  { create, changes = {} }: Pick<AppendOptions, 'create' | 'changes'>,
): SessionInfo {
  if (stored && create) throw sessionExists(session)
  const info = stored ?? create
  if (info?.id !== session) throw noSession(session)
  return changedInfo(info, changes)
}

export const sessionExists = (id: SessionId, cause?: unknown): AgentError =>
  new AgentError('bad_input', `A chat with the id ${id} exists already`, { cause })

export const noSession = (id: Id): AgentError => new AgentError('not_found', `There is no chat ${id}`)

/** A copy of a session's row with the changes in it; `undefined` removes a field. */
export function changedInfo(info: SessionInfo, changes: SessionChanges): SessionInfo {
  const next: Record<string, unknown> = { ...info }
  for (const [key, value] of Object.entries(changes)) {
    if (key === 'id') continue
    if (value === undefined) delete next[key]
    else next[key] = value
  }
  return next as SessionInfo
}

/** Oldest first; of one moment by chat and position, so that every store gives the same order. */
export function byTime(a: PlacedRow, b: PlacedRow): number {
  return (
    a.row.entry.at - b.row.entry.at || (a.session < b.session ? -1 : a.session > b.session ? 1 : a.row.seq - b.row.seq)
  )
}

/** Somebody else saved the document since the writer read it. */
export function changedMeanwhile(path: string, newest: number, expected: number): AgentError {
  return new AgentError(
    'busy',
    `${path} was changed meanwhile: it is at revision ${newest}, this change was made to revision ${expected}`,
  )
}

/** Names the id that is not there. */
export function throwMissing(id: Id): never {
  throw new AgentError('not_found', `There is no entry ${id}`)
}
