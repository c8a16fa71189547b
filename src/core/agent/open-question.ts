/** The question that a call waits with for the person. Pure. */
import type { Log } from '../log/entry.ts'
import type { SessionInfo } from '../ports.ts'
import type { Question } from './api.ts'
import { questionOf } from './run-calls.ts'
import { tools } from './tools/index.ts'
import { newestTurn } from './turn-state.ts'

/** The question that the first open call asks, also after a reload; undefined where it needs none. `away`: a model elsewhere has answered in this chat, or is about to. */
export function openQuestion(log: Log, { allowed = [], away = false }: Pick<SessionInfo, 'allowed' | 'away'>): Question | undefined {
  const turn = newestTurn(log)
  const call = turn.state === 'calls' ? turn.calls[0] : undefined
  const tool = call && tools.find(tool => tool.name === call.name)
  return tool && call ? questionOf(tool, call, { allowed, away: away || turn.away }) : undefined
}
