/** The dialog guide (C6.3): which lines of the archive lie behind a cut. Made by code, never by a model. */
import type { Entry, FactEntry, GuideLine, Id, Log, ArchivePlace } from '../../log/entry.ts'
import { pathOf } from '../../log/paths.ts'
import { isFact } from '../../log/query.ts'

/**
 * For each day on which one of the facts was said: `dialog/<day>.jsonl` with the first and last line number (1-based,
 * inclusive) of these facts in it, days in calendar order. Where lines of other chats lie between them, it is the
 * chat's own `dialog/<session id>/<day>.jsonl` with its numbers: what the guide names never has to be asked for. A fact
 * that has no place yet is passed over. Never throws.
 */
export function dialogGuide(facts: readonly FactEntry[], place: PlaceOf): GuideLine[] {
  const days: Days = new Map()
  for (const fact of facts) addPlace(days, place(fact.id))
  return linesOf(days)
}

/** The same for all facts of a log before an index. Continues from where the last guide of the chat ended. */
export function guideUpTo(log: Log, to: number, place: PlaceOf): GuideLine[] {
  const [first] = log
  if (first === undefined) return []
  let known = guideCache.get(first)
  if (known === undefined || known.place !== place || known.to > to || log[known.to - 1] !== known.last)
    known = { place, to: 0, last: undefined, days: new Map() }
  const days: Days = new Map([...known.days].map(([day, range]) => [day, { ...range }]))
  let hasPlaces = true
  for (let at = known.to; at < to; at++) {
    const entry = log[at]
    if (entry !== undefined && isFact(entry) && !addPlace(days, place(entry.id))) hasPlaces = false
  }
  if (hasPlaces) guideCache.set(first, { place, to, last: log[to - 1], days })
  return linesOf(days)
}

type PlaceOf = (fact: Id) => ArchivePlace | undefined
type Days = Map<string, { from: ArchivePlace; to: ArchivePlace }>

/** By the first entry of the chat: how far its facts are told, and where they lie. */
const guideCache = new WeakMap<Entry, { place: PlaceOf; to: number; last: Entry | undefined; days: Days }>()

function addPlace(days: Days, at: ArchivePlace | undefined): boolean {
  if (at === undefined) return false
  const known = days.get(at.day)
  if (known === undefined) days.set(at.day, { from: at, to: at })
  else {
    if (at.line < known.from.line) known.from = at
    if (at.line > known.to.line) known.to = at
  }
  return true
}

function linesOf(days: Days): GuideLine[] {
  return [...days]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([day, { from, to }]) => {
      const isUnbroken = to.line - from.line === to.ownLine - from.ownLine
      return isUnbroken
        ? { path: pathOf({ kind: 'dialog', day }), from: from.line, to: to.line }
        : { path: pathOf({ kind: 'dialog', day, session: from.session }), from: from.ownLine, to: to.ownLine }
    })
}
