/** Long results of turns that are over are shortened; the running turn is left alone (C7, CowAgent). */
import { resultsInView } from '../view/facts-in-view.ts'
import { shortenText } from '../view/shorten.ts'
import type { Step, StepEnv } from '../strategy.ts'

/** Results of earlier turns above `max` characters show `max`, half from each end. */
export function earlierResults(results: { max: (env: StepEnv) => number /* code points */ }): Step {
  return (log, env) => {
    const max = results.max(env)
    const question = log.findLastIndex(entry => entry.type === 'user')
    const running = new Set(log.slice(Math.max(0, question)).map(entry => entry.id))
    return resultsInView(log, env, max)
      .filter(({ fact, answered }) => answered && !running.has(fact.id))
      .flatMap(({ fact }) => shortenText(log, env, fact, { limit: max, unit: 'chars', headShare: 50 }) ?? [])
      .toReversed()
  }
}
