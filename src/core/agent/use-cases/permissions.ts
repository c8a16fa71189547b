/** Use cases of permission: what was allowed for good, and taking it back. */
import type { AgentApi } from '../api/api.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import type { SessionTasks } from '../lifecycle/session-tasks.ts'

export function permissions(runtime: AgentRuntime, tasks: SessionTasks): Pick<AgentApi, 'permissions' | 'revoke'> {
  return {
    permissions: async () =>
      (await runtime.deps.store.sessions()).flatMap(({ id, title, allowed = [] }) =>
        allowed.map(grant => ({ session: id, title, grant })),
      ),

    revoke: (id, grant) =>
      tasks.withSession(id, async session => {
        await session.update({ allowed: (session.info.allowed ?? []).filter(one => one !== grant) })
      }),
  }
}
