/** The agent's side of the engines: it asks the page for a channel when a local model is first used. */
import { AgentError } from '../../core/errors.ts'
import type { Engine, EngineKind, EnginePort } from '../../core/ports/local-engine.ts'
import type { RemoteEngine } from '../shared/engine-channel.ts'
import type { ContactReport } from '../shared/serve-channels.ts'

/** How long the page may take to start a thread and hand over its line, ms. */
const handOverMs = 20_000

export type EngineConnections = {
  connect(kind: EngineKind, port: EnginePort): Promise<void>
  /** Throws `model_unavailable` when the page hands over nothing. */
  get(kind: EngineKind): Promise<Engine>
}

export type EngineConnectionDeps = {
  /** Tells the page which engine's line is needed. */
  request: (kind: EngineKind) => void
  /** An engine's thread fetched files: for the ledger. */
  contacted?: (contact: ContactReport['contacted']) => void
  waitMs?: number
}

/** Makes the agent's side; asks for nothing yet. */
export function createEngineConnections({
  request,
  contacted,
  waitMs = handOverMs,
}: EngineConnectionDeps): EngineConnections {
  const lines = new Map<EngineKind, RemoteEngine>()
  const waiting = new Map<EngineKind, Set<(engine: Engine) => void>>()
  return {
    async connect(kind, port) {
      const { connectEngine, portChannel } = await import('../shared/engine-channel.ts') // most chats never need it
      lines
        .get(kind)
        ?.end(
          new AgentError('worker_lost', 'The engine of this device was started anew.', { data: { reason: 'busy' } }),
        )
      const channel = portChannel(port as MessagePort)
      if (contacted)
        channel.onMessage(message => {
          if (isContact(message)) contacted(message.contacted)
        })
      const engine = connectEngine(channel)
      lines.set(kind, engine)
      for (const told of waiting.get(kind) ?? []) told(engine)
      waiting.delete(kind)
    },
    async get(kind) {
      const known = lines.get(kind)
      if (known) return known
      return new Promise((resolve, reject) => {
        const all = waiting.get(kind) ?? new Set()
        waiting.set(kind, all)
        const timer = setTimeout(() => {
          all.delete(told)
          reject(
            new AgentError(
              'model_unavailable',
              'The page did not start the engine of this model. Reload the page and try again.',
              { data: { reason: 'no-page' } },
            ),
          )
        }, waitMs)
        const told = (engine: Engine): void => {
          clearTimeout(timer)
          resolve(engine)
        }
        all.add(told)
        if (all.size === 1) request(kind)
      })
    },
  }
}

function isContact(message: unknown): message is ContactReport {
  return typeof message === 'object' && message !== null && 'contacted' in message
}
