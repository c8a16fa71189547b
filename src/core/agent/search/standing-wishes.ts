/** Which standing wishes of the person bear on a question and still hold: none that was taken back or replaced. */
import type { RankHit } from '../../text/search/best-hits.ts'
import { wishTerm } from '../../text/search/corpus.ts'
import { contentTerms } from '../../text/search/terms.ts'
import { wishSign, withdrawalSign } from '../../text/search/text-features.ts'
import type { PassagePlace, PassagePlaces } from './passage-places.ts'
import type { PassageTable } from './passage-table.ts'
import { endsWish } from './replaced.ts'
import { statementsOf } from './statements-of.ts'

export type StandingWish = { passage: number; score: number; place: PassagePlace; wish: string }

/** Later statements about the same thing that are read for one wish. */
const mostLater = 8

/** Those that hold, in their order, `most` at most; of a passage with several the one that has most of the words. */
export async function standingWishes(
  ranked: readonly RankHit[],
  { table, places, query, most }: { table: PassageTable; places: PassagePlaces; query: string; most: number },
): Promise<StandingWish[]> {
  const asked = new Set(contentTerms(query).map(wishTerm))
  const found: StandingWish[] = []
  for (const { passage, score } of ranked) {
    if (found.length >= most) break
    const place = await places.resolve(passage)
    if (!place) continue
    const wishes = statementsOf(place.text)
      .filter(({ kinds }) => kinds.has('wish'))
      .map(({ text }) => ({ text, fit: contentTerms(text).filter(term => asked.has(wishTerm(term))).length }))
      .toSorted((a, b) => b.fit - a.fit)
    const wish = wishes[0]?.text
    if (wish === undefined || (await isEnded(passage, wish, { table, places }))) continue
    found.push({ passage, score, place, wish })
  }
  return found
}

/** Whether the person said later that it holds no more; what stands in the same passage behind it counts too. */
async function isEnded(
  passage: number,
  wish: string,
  { table, places }: { table: PassageTable; places: PassagePlaces },
): Promise<boolean> {
  const { corpus } = table
  const { at, head, statements, gone } = corpus.columns
  const shared = new Map<number, number>()
  for (const term of new Set(contentTerms(wish).map(wishTerm)))
    corpus.each(term, other => {
      const isLater = at[other]! > at[passage]! || (at[other] === at[passage] && other > passage)
      if (isLater && gone[other] === 0 && (statements[head[other]!]! & (wishSign | withdrawalSign)) !== 0)
        shared.set(other, (shared.get(other) ?? 0) + 1)
    })
  const nearest = [...shared].toSorted((a, b) => b[1] - a[1] || b[0] - a[0]).slice(0, mostLater)
  for (const [other] of nearest) {
    const place = await places.resolve(other)
    if (place && statementsOf(place.text).some(later => endsWish(later, wish))) return true
  }
  return false
}
