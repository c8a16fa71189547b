/** CowAgent's short-term memory: turns, a budget, summaries that come later. */
import type { Config } from '../config/config.ts'
import type { Strategy } from '../strategy.ts'
import { bytesPerToken } from '../view/facts-in-view.ts'
import { capPins } from '../steps/cap-pins.ts'
import { earlierResults } from '../steps/earlier-results.ts'
import { fewTurns, fitBudget } from '../steps/fit-budget.ts'
import { keepLastTurns } from '../steps/keep-last-turns.ts'
import { overflowSteps } from '../steps/overflow-steps.ts'
import { trimTurns } from '../steps/trim-turns.ts'
import { inputBudget } from '../size/input-budget.ts'

/** Most characters of a result of an earlier turn. Source: the published text. */
export const earlierResultMax = 20_000
/** Most of a small window that one such result may have. Source: C5.1, for the newest results. */
export const resultShare = 0.3

/** How many turns come back after a rest of the chat. Source: the published text. */
export function restoredTurns(mostTurns: number): number {
  return Math.max(3, Math.floor(mostTurns / 6))
}

/**
 * Of so many turns in view, those that stay when the oldest half leaves with the next one; fewer than five are never
 * halved for a budget.
 */
function keptOf(inView: number, mostTurns: number): number {
  let all = inView + 1
  if (all > mostTurns || all >= fewTurns)
    do all -= Math.floor(all / 2)
    while (all > mostTurns && all > 1)
  return all - 1
}

/** Numbers: chatgpt-on-wechat's published text, "Short-term Memory"; C7. */
export function cowagent(config: Config): Strategy {
  const turns = config.agent_max_context_turns
  // Published for windows that hold all of it; in a smaller one both are what fits (C7.7).
  const budget = (window: number) => Math.min(config.agent_max_context_tokens, inputBudget(window))
  const results = earlierResults({
    max: env => Math.min(earlierResultMax, Math.floor(resultShare * env.contextWindow * bytesPerToken)),
  })
  return {
    name: 'cowagent',
    publishedIn: 'CowAgent (chatgpt-on-wechat), Short-term Memory',
    maxSteps: config.agent_max_steps,
    calibrated: false,
    counter: 'script',
    threshold: budget,
    turnLimit: turns,
    keepsTurns: inView => keptOf(inView, turns),
    reserve: window => Math.floor(budget(window) / 2), // it drops halves
    summaryPlace: 'first question',
    memoryNotes: true,
    ...(config.session_retention_days > 0 && { retention: { of: 'sessions', days: config.session_retention_days } }),
    restoreAfter: config.restore_after * 3_600_000,
    onOpen: [keepLastTurns({ turns: restoredTurns(turns) })],
    onTurn: [results, trimTurns({ max: turns }), fitBudget({ max: env => budget(env.contextWindow) })],
    onCall: [capPins, results],
    onOverflow: overflowSteps,
  }
}
