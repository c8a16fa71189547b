/** What the workers of several tabs tell each other. Every tab keeps its own agent; the store is what they share. */
import type { AgentEvent } from '../core/agent/api.ts'
import { eventBatch } from './event-batch.ts'

/** How the storage of a tab stands, and which of its calls failed, is that tab's own affair. */
const told: ReadonlySet<AgentEvent['type']> = new Set(['appended', 'delta', 'status', 'context', 'leaf', 'sessions', 'models'])

export type OtherTabs = { broadcast(event: AgentEvent): void; hear(listener: (event: AgentEvent) => void): void; close(): void }

/** A channel of its own for each version of the messages, so that two versions of the app never misread each other. */
const channelName = 'haversack-events-1'

/** Without BroadcastChannel (old browsers) nobody hears: other tabs then see the change when they open the chat again. */
export function otherTabs(Channel: typeof BroadcastChannel | undefined): OtherTabs {
  if (!Channel) return { broadcast: () => {}, hear: () => {}, close: () => {} }
  const channel = new Channel(channelName)
  const send = eventBatch(channel.postMessage.bind(channel))
  return {
    broadcast: event => { if (told.has(event.type)) send(event) },
    hear: listener => {
      channel.addEventListener('message', ({ data }: MessageEvent<AgentEvent[]>) => { for (const event of data) listener(event) })
    },
    close: () => { channel.close() },
  }
}
