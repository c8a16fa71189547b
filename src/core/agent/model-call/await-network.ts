/**
 * A question for a server beyond the own network waits while this device has none (C12). The row of the chat remembers
 * it, so that it also goes out after a reload.
 */
import type { Model } from '../../ports/ports.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import type { Session } from '../session/session.ts'

type Run = { runtime: AgentRuntime; session: Session; signal: AbortSignal }

/** Whether a request to this model has to wait now. */
export function mustWait({ network }: AgentRuntime, model: Pick<Model, 'needsNetwork'>): boolean {
  return model.needsNetwork === true && !network.online
}

/** Waits until there is a network, where the model needs one. Throws `stopped`. */
export async function awaitNetwork(
  { runtime, session, signal }: Run,
  model: Pick<Model, 'needsNetwork'>,
): Promise<void> {
  if (mustWait(runtime, model)) {
    if (!session.info.awaitsNetwork) await session.update({ awaitsNetwork: true })
    runtime.setStatus(session.id, { state: 'offline' })
    await runtime.network.whenOnline(signal)
    runtime.setStatus(session.id, { state: 'thinking' })
  }
}

/**
 * The question waits no more, also not after a reload: its answer has begun, or the turn has ended. Until then a page
 * that is left in the middle of the request leaves a question that waits.
 */
export async function endNetworkWait(session: Session): Promise<void> {
  if (session.info.awaitsNetwork) await session.update({ awaitsNetwork: undefined })
}
