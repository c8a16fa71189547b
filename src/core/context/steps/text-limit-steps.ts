/**
 * What makes each text short enough where a server bounds the characters of a single one (C5.6): no text leaves, and
 * the rest stays as it is.
 */
import { factsInView } from '../view/facts-in-view.ts'
import { hasLongArguments, isWithin, shortenCalls, shortenText } from '../view/shorten.ts'
import type { EntryDraft, Step } from '../strategy.ts'

/**
 * For the notice that stands between head and tail of what is shown. Unit: characters. Source: C3.3, and its line ends.
 */
const noticeRoom = 310

/** `characters`: as the server said. What it counts by that name may be bytes, so that is the second try. */
export const textLimitSteps = (characters: number): readonly Step[] =>
  (['chars', 'bytes'] as const).map((unit): Step => (log, env) => {
    const bound = { limit: characters, unit, headShare: 50 }
    const limits = { ...bound, limit: characters - noticeRoom }
    return factsInView(log)
      .flatMap(fact => [
        isWithin(fact, bound) ? undefined : shortenText(log, env, fact, limits, true),
        hasLongArguments(fact, bound) ? shortenCalls(log, env, fact, limits) : undefined,
      ])
      .filter((draft): draft is EntryDraft => draft !== undefined)
  })
