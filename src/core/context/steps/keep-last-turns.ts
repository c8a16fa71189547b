/** After an idle time a chat goes on with its last turns, without their tool calls (C5.5). */
import { openTurnQuestion } from '../../log/query.ts'
import { turnsInView } from '../view/facts-in-view.ts'
import { wasUndone } from '../view/edit-state.ts'
import type { EntryDraft, Step } from '../strategy.ts'
import { isStripped } from './fit-budget.ts'

/**
 * The newest `turns` turns stay, stripped; nothing while a turn is open. The caller decides that the chat was idle, and
 * has shown it to the person.
 */
export function keepLastTurns({ turns: most }: { turns: number }): Step {
  return (log, env) => {
    const turns = turnsInView(log)
    if (turns.length === 0 || openTurnQuestion(log) !== null) return []
    const drafts: EntryDraft[] = []
    const before = turns.at(-most)
    if (turns.length > most && before !== undefined && before !== null)
      drafts.push({ type: 'cut', group: env.group, before, reason: 'open' })
    if (!isStripped(log, null)) drafts.push({ type: 'strip', group: env.group, before: null })
    return drafts.filter(draft => (draft.type !== 'cut' && draft.type !== 'strip') || !wasUndone(log, draft))
  }
}
