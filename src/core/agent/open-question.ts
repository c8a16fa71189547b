/** The question that a call waits with for the person. Pure. */
import type { Log } from '../log/entry.ts'
import type { Question } from './api.ts'
import { questionOf } from './run-calls.ts'
import { tools } from './tools/index.ts'
import { newestTurn } from './turn-state.ts'

/** The question that the first open call asks, also after a reload; undefined where it needs none. `away`: a model elsewhere would read the result. */
export function openQuestion(log: Log, allowed: readonly string[], away = newestTurn(log).away): Question | undefined {
  const turn = newestTurn(log)
  const call = turn.state === 'calls' ? turn.calls[0] : undefined
  const tool = call && tools.find(tool => tool.name === call.name)
  return tool && call ? questionOf(tool, call, { allowed, away }) : undefined
}
