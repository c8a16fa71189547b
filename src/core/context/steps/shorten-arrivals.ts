/** A result that would fill a large part of the window is shortened before the model reads it (C7.5 a). */
import { bytesPerToken, resultsInView } from '../view/facts-in-view.ts'
import { requestSize } from '../size/measure.ts'
import { shortenText } from '../view/shorten.ts'
import type { Step, StepEnv } from '../strategy.ts'

export type ShortenArrivals = {
  above: (env: StepEnv) => number /* tokens */
  keep: (env: StepEnv) => number /* tokens */
}

/** Results that are not answered yet and have more than `above` tokens show about `keep`. */
export function shortenArrivals({ above, keep }: ShortenArrivals): Step {
  return (log, env) => {
    const tokens = new Map(requestSize(log, env).parts.map(part => [part.view.entry, part.tokens]))
    return resultsInView(log, env)
      .filter(({ fact, answered }) => !answered && (tokens.get(fact.id) ?? 0) > above(env))
      .flatMap(
        ({ fact }) =>
          shortenText(log, env, fact, { limit: keep(env) * bytesPerToken, unit: 'bytes', headShare: 70 }) ?? [],
      )
      .toReversed()
  }
}
