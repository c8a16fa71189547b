/**
 * What makes each text short enough where a server bounds the characters of a single one (C5.6): no text leaves, and
 * the rest stays as it is.
 */
import { factsInView } from '../view/facts-in-view.ts'
import { shortenCalls, shortenText } from '../view/shorten.ts'
import type { EntryDraft, Step } from '../strategy.ts'

/**
 * For the notice that stands between head and tail of what is shown. Unit: characters. Source: C3.3, and its line ends.
 */
const noticeRoom = 310

/** `characters`: as the server said. What it counts by that name may be bytes, so that is the second try. */
export const textLimitSteps = (characters: number): readonly Step[] =>
  (['chars', 'bytes'] as const).map((unit): Step => (log, env) => {
    const limits = { limit: characters - noticeRoom, unit, headShare: 50 }
    return factsInView(log)
      .flatMap(fact => [shortenText(log, env, fact, limits, true), shortenCalls(log, env, fact, limits)])
      .filter((draft): draft is EntryDraft => draft !== undefined)
  })
