/** The question that an open turn waits with for the person. */
import type { Log } from '../../log/entry.ts'
import type { SessionInfo } from '../../ports/ports.ts'
import type { Question } from '../api/api.ts'
import { chosenModel, readDefaults } from '../session/defaults.ts'
import type { Kit } from '../session/agent-runtime.ts'
import { leavesUnasked, leavingQuestion, readsForElsewhere } from '../privacy/egress.ts'
import { questionOf } from '../turn/run-calls.ts'
import { tools } from '../tools/index.ts'
import { newestTurn } from '../session/turn-state.ts'

/**
 * What is asked before the turn goes on, also after a reload: whether this chat may leave the device, or what its first
 * open call asks.
 */
export async function waitingQuestion(
  kit: Kit,
  { log, info }: { log: Log; info: SessionInfo },
): Promise<Question | undefined> {
  const turn = newestTurn(log)
  if (turn.state === 'calls') return openQuestion(kit, { log, info }, turn.away || (await readsForElsewhere(kit, info)))
  if (turn.state !== 'question') return undefined
  const model = chosenModel(await kit.parts.models.list(), info, await readDefaults(kit.parts.store))
  return model && leavesUnasked({ info, rows: log.map(entry => ({ entry })) }, model) ? leavingQuestion : undefined
}

/**
 * The question that the first open call asks; undefined where it needs none. `away`: a model elsewhere reads the
 * result, now or when it next answers here.
 */
export async function openQuestion(
  kit: Kit,
  { log, info }: { log: Log; info: Pick<SessionInfo, 'id' | 'allowed'> },
  away: boolean,
): Promise<Question | undefined> {
  const turn = newestTurn(log)
  const call = turn.state === 'calls' ? turn.calls[0] : undefined
  const tool = call && tools.find(tool => tool.name === call.name)
  return tool && call ? questionOf(kit.parts.store, tool, call, { info, away }) : undefined
}
