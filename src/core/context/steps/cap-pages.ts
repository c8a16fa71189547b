/** A page that was read is stored whole, and shown up to the limit of one tool result (C7.6). */
import { resultsInView } from '../view/facts-in-view.ts'
import { shortenText } from '../view/shorten.ts'
import type { Step, Strategy } from '../strategy.ts'

/** The steps after each result: the strategy's own, then pages are shown up to `maxBytes`. */
export function stepsAfterResult({ onResult = [] }: Pick<Strategy, 'onResult'>, maxBytes: number): readonly Step[] {
  return [...onResult, capPages(maxBytes)]
}

/**
 * Results of tools that read pages which are not answered yet and have more than `maxBytes` show so much, with the path
 * of the whole.
 */
export function capPages(maxBytes: number): Step {
  return (log, env) =>
    resultsInView(log, env, Math.floor(maxBytes / 3)) // no shorter text can be above it
      .filter(({ fact, answered }) => !answered && !fact.isError && env.view?.toolsWithReadOnLine?.has(fact.tool))
      .flatMap(({ fact }) => shortenText(log, env, fact, { limit: maxBytes, unit: 'bytes', headShare: 70 }) ?? [])
      .toReversed()
}
