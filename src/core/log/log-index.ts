/**
 * Where the entries of a log are, by id, and which of them are no facts. Kept per chat, so that a log that grew costs
 * what is new.
 */
import type { Entry, FactEntry, Id, Log } from './entry.ts'

/** An edit or an aside, with its position. */
export type Rare = { readonly entry: Exclude<Entry, FactEntry>; readonly at: number }

/**
 * `at`: positions, of one id twice the first; `twice`: ids that come more than once; `rare`: what is no fact, oldest
 * first: few among many, and asked for by nearly every step.
 */
export type LogIndex = {
  readonly at: ReadonlyMap<Id, number>
  readonly twice: ReadonlySet<Id>
  readonly rare: readonly Rare[]
}

type Kept = { log: Log; entries: Entry[]; at: Map<Id, number>; twice: Set<Id>; rare: Rare[] }

/** By the first entry of the chat. */
const kept = new WeakMap<Entry, Kept>()
const nothing: LogIndex = { at: new Map(), twice: new Set(), rare: [] }

/**
 * The index of a log, good until it is asked for with another one. Of another log it looks for the first entry that
 * differs: one whose text was removed may be the only one.
 */
export function indexOf(log: Log): LogIndex {
  const [first] = log
  if (first === undefined) return nothing
  let known = kept.get(first)
  if (known === undefined)
    kept.set(first, (known = { log: [], entries: [], at: new Map(), twice: new Set(), rare: [] }))
  const { entries, at, twice, rare } = known
  if (known.log === log && entries.length === log.length) return known // asked for again and again
  known.log = log
  let same = 0
  while (same < entries.length && same < log.length && entries[same] === log[same]) same++
  if (same < entries.length && twice.size > 0) {
    // which of them is left is not known: rare enough to begin anew
    same = 0
    at.clear()
    twice.clear()
  } else for (let i = same; i < entries.length; i++) at.delete(entries[i]!.id)
  entries.length = same
  while (rare.length > 0 && rare.at(-1)!.at >= same) rare.pop()
  for (let i = same; i < log.length; i++) {
    const entry = log[i]!
    entries.push(entry)
    if (at.has(entry.id)) twice.add(entry.id)
    else at.set(entry.id, i)
    if (entry.type !== 'user' && entry.type !== 'assistant' && entry.type !== 'result') rare.push({ entry, at: i })
  }
  return known
}
