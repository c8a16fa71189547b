/** Use cases of permission: what was allowed for good, and taking it back. */
import type { AgentApi } from '../api/api.ts'
import type { Kit } from '../session/agent-runtime.ts'
import type { Work } from '../lifecycle/session-tasks.ts'

export function permissions(kit: Kit, work: Work): Pick<AgentApi, 'permissions' | 'revoke'> {
  return {
    permissions: async () =>
      (await kit.parts.store.sessions()).flatMap(({ id, title, allowed = [] }) =>
        allowed.map(grant => ({ session: id, title, grant })),
      ),

    revoke: (id, grant) =>
      work.change(id, async session => {
        await session.update({ allowed: (session.info.allowed ?? []).filter(one => one !== grant) })
      }),
  }
}
