/** Too many turns: the older half leaves, summarised later (C5.2). */
import { turnsInView } from '../view/facts-in-view.ts'
import type { Step } from '../strategy.ts'
import { wasUndone } from '../view/edit-state.ts'

/** While there are more than `max` turns the oldest half leaves; one cut, before a question. */
export function trimTurns({ max }: { max: number /* turns */ }): Step {
  return (log, env) => {
    const turns = turnsInView(log)
    let first = 0
    while (turns.length - first > max && turns.length - first > 1) first += Math.floor((turns.length - first) / 2)
    const before = turns[first]
    if (first === 0 || before === undefined || before === null) return []
    const cut = { type: 'cut', group: env.group, before, reason: 'turns' } as const
    return wasUndone(log, cut) ? [] : [cut]
  }
}
