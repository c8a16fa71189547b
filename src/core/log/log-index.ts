/** Where the entries of a log are, by id. Kept per chat, so that a log that grew costs what is new. */
import type { Entry, Id, Log } from './entry.ts'

/** `at`: positions, of one id twice the first; `twice`: ids that come more than once. */
export type LogIndex = { readonly at: ReadonlyMap<Id, number>; readonly twice: ReadonlySet<Id> }

type Kept = { entries: Entry[]; at: Map<Id, number>; twice: Set<Id> }

/** By the first entry of the chat. */
const kept = new WeakMap<Entry, Kept>()
const nothing: LogIndex = { at: new Map(), twice: new Set() }

/**
 * The index of a log, good until it is asked for with another one. A log is a path: where the same entry stands at the
 * same place, all before it is the same.
 */
export function indexOf(log: Log): LogIndex {
  const [first] = log
  if (first === undefined) return nothing
  let known = kept.get(first)
  if (known === undefined) kept.set(first, known = { entries: [], at: new Map(), twice: new Set() })
  const { entries, at, twice } = known
  let same = Math.min(entries.length, log.length)
  while (same > 0 && entries[same - 1] !== log[same - 1]) same--
  if (same < entries.length && twice.size > 0) { // which of them is left is not known: rare enough to begin anew
    same = 0
    at.clear()
    twice.clear()
  } else for (let i = same; i < entries.length; i++) at.delete(entries[i]!.id)
  entries.length = same
  for (let i = same; i < log.length; i++) {
    const entry = log[i]!
    entries.push(entry)
    if (at.has(entry.id)) twice.add(entry.id)
    else at.set(entry.id, i)
  }
  return known
}
