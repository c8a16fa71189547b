/**
 * Positions of the entries of a log by id, and which of them are not facts. Cached per chat: for a log that grew only
 * new entries are read.
 */
import type { Entry, FactEntry, Id, Log } from './entry.ts'

/** An edit or an aside, with its position. */
export type NonFact = { readonly entry: Exclude<Entry, FactEntry>; readonly at: number }

/**
 * `positions`: for an id that occurs twice, the first; `duplicateIds`: ids that occur more than once; `nonFacts`:
 * everything that is not a fact, oldest first: few among many, and asked for by nearly every step.
 */
export type LogIndex = {
  readonly positions: ReadonlyMap<Id, number>
  readonly duplicateIds: ReadonlySet<Id>
  readonly nonFacts: readonly NonFact[]
}

type CachedIndex = {
  log: Log
  entries: Entry[]
  positions: Map<Id, number>
  duplicateIds: Set<Id>
  nonFacts: NonFact[]
}

/** By the first entry of the chat. */
const indexCache = new WeakMap<Entry, CachedIndex>()
const nothing: LogIndex = { positions: new Map(), duplicateIds: new Set(), nonFacts: [] }

/**
 * The index of a log, good until it is asked for with another one. Of another log it looks for the first entry that
 * differs: one whose text was removed may be the only one.
 */
export function logIndex(log: Log): LogIndex {
  const [first] = log
  if (first === undefined) return nothing
  let known = indexCache.get(first)
  if (known === undefined)
    indexCache.set(
      first,
      (known = { log: [], entries: [], positions: new Map(), duplicateIds: new Set(), nonFacts: [] }),
    )
  const { entries, positions, duplicateIds, nonFacts } = known
  if (known.log === log && entries.length === log.length) return known // asked for again and again
  known.log = log
  let same = 0
  while (same < entries.length && same < log.length && entries[same] === log[same]) same++
  if (same < entries.length && duplicateIds.size > 0) {
    // which of them is left is not known: rare enough to begin anew
    same = 0
    positions.clear()
    duplicateIds.clear()
  } else for (let i = same; i < entries.length; i++) positions.delete(entries[i]!.id)
  entries.length = same
  while (nonFacts.length > 0 && nonFacts.at(-1)!.at >= same) nonFacts.pop()
  for (let i = same; i < log.length; i++) {
    const entry = log[i]!
    entries.push(entry)
    if (positions.has(entry.id)) duplicateIds.add(entry.id)
    else positions.set(entry.id, i)
    if (entry.type !== 'user' && entry.type !== 'assistant' && entry.type !== 'result') nonFacts.push({ entry, at: i })
  }
  return known
}
