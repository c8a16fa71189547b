/** From ranked passages to the few that are shown: by their own wording and spread, with what replaces what. */
import type { Id } from '../../log/entry.ts'
import type { RankHit } from '../../text/search/best-hits.ts'
import { phraseBonus } from '../../text/search/phrases.ts'
import { spreadOverSittings, type QuestionKind } from '../../text/search/question-kinds.ts'
import { isPerson } from '../../text/search/text-features.ts'
import type { PassagePlace, PassagePlaces } from './passage-places.ts'
import type { PassageTable } from './passage-table.ts'
import { replaces } from './replaced.ts'
import { standingWishes } from './standing-wishes.ts'

/**
 * A passage to be shown. `wish`: a standing wish in it that holds. `replaces`, `replacedBy`: passages about the same
 * thing, of an earlier and of a later day or hour.
 */
export type Candidate = {
  passage: number
  score: number
  place: PassagePlace
  wish?: string
  replaces?: number
  replacedBy?: number
}

/** Texts that are read for each that is wanted, before their own wording and spread decide. */
const readFor: Record<QuestionKind, number> = { order: 4, summary: 4, list: 2, advice: 2, plain: 2 }
/** Places for standing wishes that the question would not have brought. */
const wishesFor: Record<QuestionKind, number> = { order: 0, summary: 0, list: 1, advice: 2, plain: 1 }

export type Chosen = {
  table: PassageTable
  places: PassagePlaces
  query: string
  kind: QuestionKind
  limit: number
  exclude: ReadonlySet<Id>
  distinct: boolean
}

/** The best `limit`, best first, and what was read beside them. What is gone is left out. */
export async function chooseHits(
  ranked: readonly RankHit[],
  chosen: Chosen,
): Promise<{ hits: Candidate[]; spare: Candidate[] }> {
  const { limit, exclude, distinct } = chosen
  const found: Candidate[] = []
  const again: Candidate[] = []
  const seen = new Set<string>()
  for await (const lot of literalFirst(ranked, chosen)) {
    for (const one of lot) {
      const { place } = one
      if ((place.entry !== null && exclude.has(place.entry)) || seen.has(`${place.path} ${place.from}`)) continue
      seen.add(`${place.path} ${place.from}`)
      const isAgain = distinct && seen.has(`= ${place.text}`)
      seen.add(`= ${place.text}`)
      ;(isAgain ? again : found).push(one)
    }
    if (found.length >= limit) break
  }
  return { hits: [...found, ...again].slice(0, limit), spare: found.slice(limit) }
}

/**
 * The same hits with the standing wishes that bear on the question, and with the other one where only the newer or the
 * older of two statements is among them: the last hits give way. The newer of two stands first.
 */
export async function withStatements(
  { hits, spare }: { hits: readonly Candidate[]; spare: readonly Candidate[] },
  wishes: readonly RankHit[],
  chosen: Chosen,
): Promise<Candidate[]> {
  const { table, limit, exclude, kind } = chosen
  const most = Math.min(limit, wishesFor[kind])
  const holding = (await standingWishes(wishes, { ...chosen, most })).filter(
    ({ place }) => place.entry === null || !exclude.has(place.entry),
  )
  const wishOf = new Map(holding.map(({ passage, wish }) => [passage, wish]))
  const added = holding.filter(({ passage }) => !hits.some(hit => hit.passage === passage))
  const kept = [...hits.slice(0, Math.max(0, limit - added.length)), ...added].map(hit => {
    const wish = wishOf.get(hit.passage)
    return wish === undefined ? { ...hit } : { ...hit, wish }
  })
  return newerFirst(withOtherHalves(kept, spare, { table, limit }), table)
}

/** Brings in what replaces a hit, or is replaced by one, in the place of the last hit without a part in such a pair. */
function withOtherHalves(
  hits: readonly Candidate[],
  spare: readonly Candidate[],
  { table, limit }: { table: PassageTable; limit: number },
): Candidate[] {
  const all = [...hits]
  const needed = new Set<Candidate>()
  for (const other of spare) {
    const half = hits.find(hit => isReplaced(hit, other, table) || isReplaced(other, hit, table))
    if (!half || all.includes(other)) continue
    needed.add(half).add(other)
    const last = all.findLastIndex(hit => !needed.has(hit) && hit.wish === undefined)
    if (all.length >= limit && last <= 0) break
    if (all.length >= limit) all.splice(last, 1)
    all.push({ ...other })
  }
  return all
}

/** Whether the person plainly replaced what one hit tells by what the other one tells. */
function isReplaced(older: Candidate, newer: Candidate, table: PassageTable): boolean {
  const { at, features, kind } = table.corpus.columns
  const [before, after] = [older.passage, newer.passage]
  const isOwn = (passage: number): boolean => isPerson(features[passage]!) || table.kindOf(passage) === 'memory'
  return (
    (at[after]! > at[before]! || (at[after] === at[before] && after > before)) &&
    kind[after] === kind[before] &&
    isOwn(after) &&
    isOwn(before) &&
    replaces(newer.place.text, older.place.text)
  )
}

/** Marks what replaces what: the newest of those that replace it. The newer stands before the older. */
function newerFirst(hits: readonly Candidate[], table: PassageTable): Candidate[] {
  const { at } = table.corpus.columns
  const newest = hits.toSorted((a, b) => at[b.passage]! - at[a.passage]! || b.passage - a.passage)
  const ordered = [...hits]
  for (const [n, newer] of newest.entries()) {
    for (const older of newest.slice(n + 1)) {
      if (older.replacedBy !== undefined || !isReplaced(older, newer, table)) continue
      newer.replaces ??= older.passage
      older.replacedBy = newer.passage
      const [from, to] = [ordered.indexOf(newer), ordered.indexOf(older)]
      if (from > to) ordered.splice(to, 0, ...ordered.splice(from, 1))
    }
  }
  return ordered
}

/**
 * What can be read of the passages, `limit` at a time: the first lots in the order that their own wording gives, which
 * no index of single words knows.
 */
async function* literalFirst(
  ranked: readonly RankHit[],
  { table, query, kind, limit, places }: Chosen,
): AsyncGenerator<readonly Candidate[]> {
  const bonus = phraseBonus(query)
  const { episode } = table.corpus.columns
  for (let at = 0, size = readFor[kind] * limit; at < ranked.length; at += size, size = limit) {
    const batch = ranked.slice(at, at + size)
    const read = await Promise.all(batch.map(({ passage }) => places.resolve(passage)))
    const candidates = batch.flatMap(({ passage, score }, n): Candidate[] => {
      const place = read[n]
      return place ? [{ passage, score: at === 0 ? score + bonus(place.text) : score, place }] : []
    })
    candidates.sort((a, b) => b.score - a.score)
    yield spreadOverSittings(newestOfAlike(candidates), kind, ({ passage }) => episode[passage]!)
  }
}

/**
 * The same candidates; those of the very same words stand in the places of these, the newest first, and a title or a
 * document behind a message.
 */
function newestOfAlike(candidates: readonly Candidate[]): Candidate[] {
  const alike = new Map<string, Candidate[]>()
  for (const one of candidates) alike.set(one.place.text, [...(alike.get(one.place.text) ?? []), one])
  const isLoose = ({ place }: Candidate): number => (place.entry === null ? 1 : 0)
  for (const list of alike.values()) list.sort((a, b) => isLoose(b) - isLoose(a) || a.place.at - b.place.at)
  return candidates.map(one => alike.get(one.place.text)?.pop() ?? one)
}
