/** The worker's side of the connection: calls reach the agent, its events go to the page in batches. */
import { expose, releaseProxy, type Endpoint, type ProxyMethods } from 'comlink'
import type { AgentApi, AgentEvent } from '../../core/agent/api/api.ts'
import { claimThread } from '../shared/claim-thread.ts'
import { eventBatch } from '../shared/event-batch.ts'

type Tell = ((events: AgentEvent[]) => Promise<void> | void) & Partial<ProxyMethods>

/**
 * Builds the agent and answers calls from now on, also before the agent is there: each call then waits for it. `tell`
 * sends the page what the agent does not know, such as how storage stands; what is told before the page listens is kept
 * for it. Throws, and builds nothing, where this end is served already.
 */
export function serveAgent(build: () => Promise<AgentApi>, endpoint: Endpoint): { tell(event: AgentEvent): void } {
  claimThread(endpoint)
  const ready = Promise.resolve().then(build) // what it tells finds the answer of this function
  const early: AgentEvent[] = []
  let listener: Tell | undefined
  const batch = eventBatch(events => {
    void listener?.(events)
  })
  const tell = (event: AgentEvent): void => {
    if (listener) batch(event)
    else early.push(event)
  }

  void ready.then(
    agent =>
      agent.subscribe(events => {
        for (const event of events) tell(event)
      }),
    () => {
      // Each call rejects with the reason why the agent did not start; nobody else needs it.
    },
  )
  const own: Partial<AgentApi> = {
    // Answers for the thread, not for the agent, which may be waiting for another tab.
    ping: async () => {},
    subscribe: async (next: Tell) => {
      listener?.[releaseProxy]?.()
      listener = next
      for (const event of early.splice(0)) batch(event)
    },
  }
  expose(
    new Proxy(
      {},
      {
        get: (_, name) =>
          Object.hasOwn(own, name)
            ? own[name as keyof AgentApi]
            : (...args: unknown[]) => ready.then(agent => called(agent, name, args)),
      },
    ),
    endpoint,
  )
  return { tell }
}

function called(agent: AgentApi, name: string | symbol, args: unknown[]): unknown {
  const method: unknown = Object.hasOwn(agent, name) ? agent[name as keyof AgentApi] : undefined
  if (typeof method !== 'function') throw new TypeError(`The agent has no method ${String(name)}`)
  return method.apply(agent, args)
}
