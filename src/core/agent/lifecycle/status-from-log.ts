/** The status of a session while nothing runs, by its log: idle, waiting for a permission, or interrupted. */
import type { Log } from '../../log/entry.ts'
import type { SessionInfo } from '../../ports/ports.ts'
import type { Status } from '../api/api.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import { newestTurnState } from '../session/turn-state.ts'

/** The status at rest. Permission requests are loaded only if a turn is open: most chats open without them. */
export async function statusFromLog(
  runtime: AgentRuntime,
  { log, info }: { log: Log; info: SessionInfo },
): Promise<Status> {
  const { state } = newestTurnState(log)
  if (state === 'closed' || state === 'stopped') return { state: 'idle' }
  const question =
    state === 'broken'
      ? undefined
      : await (await import('./pending-permission.ts')).pendingPermission(runtime, { log, info })
  return question ? { state: 'asking', question } : { state: 'interrupted' }
}
