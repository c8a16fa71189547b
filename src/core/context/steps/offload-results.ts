/** Tool results get shorter with age; the whole stays readable by its path (C5.1). */
import type { Unit } from '../../text/bytes.ts'
import { bytesPerToken, resultsInView } from '../view/facts-in-view.ts'
import { shortenText } from '../view/shorten.ts'
import type { Step } from '../strategy.ts'

export type OffloadResults = {
  recent: number // results
  recentMax: number // in `unit`
  oldMax: number // in `unit`
  unit: Unit
  headShare: number // percent
  recentShare: number // of the window, at 4 bytes a token
  oldShare: number
}

/** The newest results, and all that are not answered yet, have one limit, the others a smaller one. */
export function offloadResults(numbers: OffloadResults): Step {
  return (log, env) => {
    const { unit, headShare } = numbers
    const recent = Math.min(numbers.recentMax, Math.floor(numbers.recentShare * env.contextWindow * bytesPerToken))
    const old = Math.min(numbers.oldMax, Math.floor(numbers.oldShare * env.contextWindow * bytesPerToken))
    const least = Math.floor(Math.min(recent, old) / (unit === 'bytes' ? 3 : 1)) // no shorter text can be above a limit
    return resultsInView(log, env, least)
      .flatMap(({ fact, answered, age }) => {
        const isRecent = age < numbers.recent || !answered
        // What can be read again by the same call is left whole as long as it is recent.
        if (isRecent && env.rereadableTools?.has(fact.tool)) return []
        return shortenText(log, env, fact, { limit: isRecent ? recent : old, unit, headShare }) ?? []
      })
      .toReversed()
  }
}
