/** All results but the newest few are shortened (C7, CoPaw). */
import { resultsInView } from '../view/facts-in-view.ts'
import { shortenText } from '../view/shorten.ts'
import type { Step } from '../strategy.ts'

/** Answered results outside the newest `keep` above `max` characters show `max`, half from each end. */
export function allButNewestResults({
  keep,
  max,
}: {
  keep: number /* results */
  max: number /* code points */
}): Step {
  return (log, env) =>
    resultsInView(log, env, max)
      .filter(({ answered, age }) => answered && age >= keep)
      .flatMap(({ fact }) => shortenText(log, env, fact, { limit: max, unit: 'chars', headShare: 50 }) ?? [])
      .toReversed()
}
