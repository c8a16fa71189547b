/** How far a long step has come is the status of its chat. */
import type { StepEnv } from '../../context/strategy.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import type { Session } from '../session/session.ts'

/** Reports the progress of long steps as the status. */
export function progressReporter(runtime: AgentRuntime, session: Session): NonNullable<StepEnv['progress']> {
  return (_what, share) => {
    runtime.setStatus(session.id, { state: 'compacting', share })
  }
}
