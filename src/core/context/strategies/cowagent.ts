/** CowAgent's short-term memory: turns, a budget, summaries that come later. */
import type { Config } from '../config.ts'
import type { Strategy } from '../strategy.ts'
import { capPins } from '../steps/cap-pins.ts'
import { earlierResults } from '../steps/earlier-results.ts'
import { fitBudget } from '../steps/fit-budget.ts'
import { keepLastTurns } from '../steps/keep-last-turns.ts'
import { rungs } from '../steps/ladder.ts'
import { trimTurns } from '../steps/trim-turns.ts'

/** Numbers: chatgpt-on-wechat's published text, "Short-term Memory"; C7. */
export function cowagent(config: Config): Strategy {
  const turns = config.agent_max_context_turns
  const budget = config.agent_max_context_tokens
  const results = earlierResults({ max: 20_000 })
  return {
    name: 'cowagent',
    source: 'CowAgent (chatgpt-on-wechat), Short-term Memory',
    maxSteps: config.agent_max_steps,
    calibrated: false,
    counter: 'script',
    threshold: window => Math.min(budget, window),
    reserve: window => Math.floor(Math.min(budget, window) / 2), // it drops halves
    summaryPlace: 'first question',
    ...config.session_retention_days > 0 && { retention: { of: 'sessions', days: config.session_retention_days } },
    onOpen: [keepLastTurns({ turns: Math.max(3, Math.floor(turns / 6)) })],
    onTurn: [results, trimTurns({ max: turns }), fitBudget({ max: budget })],
    onCall: [capPins, results],
    onOverflow: rungs('first question'),
  }
}
