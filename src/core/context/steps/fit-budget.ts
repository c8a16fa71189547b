/** Over the budget: few turns lose their tool calls, many lose their older half, until it fits (C5.3). */
import type { Edit, Id, Log } from '../../log/entry.ts'
import { positions } from '../../log/query.ts'
import { sizeWithDrafts } from '../compaction/cut-range.ts'
import { turnsInView } from '../view/facts-in-view.ts'
import { requestSize } from '../size/measure.ts'
import { editState, wasUndone } from '../view/edit-state.ts'
import type { EntryDraft, Step, StepEnv } from '../strategy.ts'

/** Below this number of turns they are stripped before one is dropped. Source: CowAgent, C5.3. */
export const fewTurns = 5

/** A request above `max` tokens is stripped and cut until it fits; the newest turn always stays whole. */
export function fitBudget(budget: { max: (env: StepEnv) => number /* tokens */ }): Step {
  return (log, env) => {
    const max = budget.max(env)
    if (requestSize(log, env).total <= max) return []
    const turns = turnsInView(log)
    let drafts: EntryDraft[] = []
    let first = 0
    let mayStrip = true
    for (;;) {
      const total = sizeWithDrafts(log, drafts, env)
      if (total <= max) return drafts
      const left = turns.length - first
      if (left < 2) return [...drafts, ...overBudget(log, env, total, max)]
      if (left < fewTurns && mayStrip) {
        mayStrip = false
        const strip = { type: 'strip', group: env.group, before: turns.at(-1) ?? null } as const
        if (!isStripped(log, strip.before) && !wasUndone(log, strip)) drafts = [...drafts, strip]
        continue
      }
      first += left < fewTurns ? 1 : Math.floor(left / 2)
      drafts = [...drafts.filter(draft => draft.type !== 'cut'), ...cutBefore(log, turns[first], env)]
    }
  }
}

/** Whether all turns before this question are stripped already. */
export function isStripped(log: Log, before: Id | null): boolean {
  const strips = editState(log).edits.filter(edit => edit.type === 'strip')
  if (strips.length === 0) return false
  const at = positions(
    log,
    new Set([...strips.flatMap(strip => [strip.id, strip.before]), before].filter(id => id !== null)),
  )
  const wanted = before === null ? log.length : (at.get(before) ?? 0)
  return strips.some(edit => {
    const own = at.get(edit.id) ?? 0
    const upTo = edit.before === null ? own : Math.min(own, at.get(edit.before) ?? 0)
    return (
      upTo >= wanted ||
      log
        .slice(upTo, wanted)
        .every(entry => entry.type !== 'user' && entry.type !== 'assistant' && entry.type !== 'result')
    )
  })
}

function cutBefore(log: Log, before: Id | null | undefined, env: StepEnv): Edit[] {
  if (before === undefined || before === null) return []
  const cut = { type: 'cut', group: env.group, before, reason: 'budget' } as const
  return wasUndone(log, cut) ? [] : [cut]
}

/** The note is added once per question. */
function overBudget(log: Log, env: StepEnv, tokens: number, max: number): EntryDraft[] {
  const question = log.findLastIndex(entry => entry.type === 'user')
  if (log.slice(question + 1).some(entry => entry.type === 'note' && entry.code === 'over_budget')) return []
  const text =
    `This message alone needs ${tokens} tokens, more than the budget of ${max}. ` +
    (tokens < env.contextWindow ? 'It is sent whole.' : 'It is shortened before it is sent.')
  return [{ type: 'note', code: 'over_budget', text, tokens, data: { max, window: env.contextWindow } }]
}
