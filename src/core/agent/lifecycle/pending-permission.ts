/** The permission request that an open turn waits for. */
import type { Log } from '../../log/entry.ts'
import type { SessionInfo } from '../../ports/ports.ts'
import type { PermissionRequest } from '../api/api.ts'
import { chosenModel, readDefaults } from '../session/defaults.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import { needsEgressConsent, egressRequest, readsForRemoteModel } from '../privacy/egress.ts'
import { permissionFor } from '../turn/run-calls.ts'
import { tools } from '../tools/index.ts'
import { newestTurnState } from '../session/turn-state.ts'

/**
 * What has to be allowed before the turn continues, also after a reload: that this chat may leave the device, or its
 * first open call.
 */
export async function pendingPermission(
  runtime: AgentRuntime,
  { log, info }: { log: Log; info: SessionInfo },
): Promise<PermissionRequest | undefined> {
  const turn = newestTurnState(log)
  if (turn.state === 'calls')
    return permissionForOpenCall(
      runtime,
      { log, info },
      turn.answeredRemotely || (await readsForRemoteModel(runtime, info)),
    )
  if (turn.state !== 'question') return undefined
  const model = chosenModel(await runtime.deps.models.list(), info, await readDefaults(runtime.deps.store))
  return model && needsEgressConsent({ info, rows: log.map(entry => ({ entry })) }, model) ? egressRequest : undefined
}

/**
 * The question that the first open call asks; undefined where it needs none. `away`: a model elsewhere reads the
 * result, now or when it next answers here.
 */
export async function permissionForOpenCall(
  runtime: AgentRuntime,
  { log, info }: { log: Log; info: Pick<SessionInfo, 'id' | 'allowed'> },
  away: boolean,
): Promise<PermissionRequest | undefined> {
  const turn = newestTurnState(log)
  const call = turn.state === 'calls' ? turn.calls[0] : undefined
  const tool = call && tools.find(tool => tool.name === call.name)
  return tool && call ? permissionFor(runtime.deps.store, tool, call, { info, away }) : undefined
}
