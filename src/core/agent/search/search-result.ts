/** A passage that was found, as it is handed out: the part around its marks, and what stands beside it. */
import type { Id } from '../../log/entry.ts'
import { borderAt, clip } from '../../text/display/graphemes.ts'
import type { FoundText } from '../../text/search/coverage.ts'
import { marksOf } from '../../text/search/terms.ts'
import type { SearchHit } from '../api/api.ts'
import type { Candidate } from './choose-hits.ts'
import { passageAround } from './passages.ts'
import type { PassagePlaces } from './passage-places.ts'
import type { PassageTable } from './passage-table.ts'

/**
 * A hit with the id of its passage and its neighbours. `nth`: its place among the rows of its chat. `wish`: a standing
 * wish of the person in it that holds. `replaces`, `replacedBy`: the ids of passages about the same thing.
 * `coverage`: how much of what the query names it says, 0…1, with what stands beside it.
 */
export type SearchResult = SearchHit & {
  passage: Id
  nth: number
  before?: Neighbour
  after?: Neighbour
  wish?: string
  replaces?: Id
  replacedBy?: Id
  coverage?: number
}
/** A neighbour of a hit: its id, and the part of it that lies nearer. */
export type Neighbour = { passage: Id; text: string }

/** `marked`: whose words are marked; `longest` text, UTF-16 units. */
export function searchResult(
  table: PassageTable,
  {
    passage,
    score,
    place,
    marked,
    longest,
    wish,
    replaces,
    replacedBy,
  }: Candidate & { marked: string; longest: number },
): SearchResult {
  const { session, seq } = table.corpus.rows[passage]!
  const whole = place.text.trim()
  const all = marksOf(whole, marked)
  const part = passageAround(whole, all, longest)
  const end = part.from + part.text.length
  const marks = all.flatMap(([from, to]): [number, number][] =>
    from >= part.from && to <= end ? [[from - part.from, to - part.from]] : [],
  )
  return {
    session,
    title: table.titleOf(passage),
    entry: place.entry,
    path: place.path,
    from: place.from,
    to: place.to,
    at: place.at,
    score,
    text: part.text,
    marks,
    kind: table.kindOf(passage),
    passage: table.idOf(passage),
    nth: seq,
    ...(wish === undefined ? {} : { wish }),
    ...(replaces === undefined ? {} : { replaces: table.idOf(replaces) }),
    ...(replacedBy === undefined ? {} : { replacedBy: table.idOf(replacedBy) }),
  }
}

/**
 * Adds the end of what stands before and the beginning of what stands after, each `longest` UTF-16 units at most;
 * answers with all three texts, whole.
 */
export async function addNeighbours(
  hit: SearchResult,
  { table, passage, places, longest }: { table: PassageTable; passage: number; places: PassagePlaces; longest: number },
): Promise<FoundText> {
  const { corpus } = table
  const textOf = async (next: number | undefined): Promise<string> =>
    next === undefined || next < 0 || corpus.isGone(next) ? '' : ((await places.resolve(next))?.text.trim() ?? '')
  const [back, on] = [corpus.columns.before[passage], corpus.columns.after[passage]]
  const [own, ...beside] = await Promise.all([textOf(passage), textOf(back), textOf(on)])
  const [before, after] = beside.map(text => text.replace(/\s+/g, ' ')) as [string, string]
  if (before !== '')
    hit.before = {
      passage: table.idOf(back!),
      text: before.length <= longest ? before : `…${before.slice(borderAt(before, before.length - longest))}`,
    }
  if (after !== '')
    hit.after = { passage: table.idOf(on!), text: after.length <= longest ? after : `${clip(after, longest)}…` }
  return { text: own, before: beside[0]!, after: beside[1]!, at: hit.at }
}

/** From this share on a passage says all that is asked, and no other is looked at: each costs a part of a ms. */
const enough = 0.9

/** Adds how much of the question the hits say, best first, until one says enough. */
export function addCoverage(
  found: readonly { hit: SearchResult; text: FoundText }[],
  coverage: (text: FoundText) => number,
): void {
  for (const { hit, text } of found) {
    hit.coverage = coverage(text)
    if (hit.coverage >= enough) return
  }
}
