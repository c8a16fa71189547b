/** Events between the workers of several tabs. Every tab has its own agent; they share the store. */
import type { AgentEvent } from '../../core/agent/api/api.ts'
import { attempt } from '../../core/attempt.ts'
import { eventBatch } from '../shared/event-batch.ts'

/** The events that other tabs get. The state of a tab's storage and its failed calls concern that tab only. */
const sharedEventTypes: ReadonlySet<AgentEvent['type']> = new Set([
  'appended',
  'delta',
  'status',
  'context',
  'leaf',
  'stop',
  'sessions',
  'models',
])

export type OtherTabs = {
  broadcast(event: AgentEvent): void
  onEvent(listener: (event: AgentEvent) => void): void
  close(): void
}

/** A channel of its own for each version of the messages, so that two versions of the app never misread each other. */
const channelName = 'haversack-events-1'

/**
 * Without BroadcastChannel (old browsers, blocked site data) no events are exchanged: other tabs see a change when they
 * open the chat again.
 */
export function otherTabs(Channel: typeof BroadcastChannel | undefined): OtherTabs {
  const channel = Channel && attempt(() => new Channel(channelName))
  if (!channel) return { broadcast: () => {}, onEvent: () => {}, close: () => {} }
  const send = eventBatch(channel.postMessage.bind(channel))
  return {
    broadcast: event => {
      if (sharedEventTypes.has(event.type)) send(event)
    },
    onEvent: listener => {
      channel.addEventListener('message', ({ data }: MessageEvent<AgentEvent[]>) => {
        for (const event of data) listener(seenFromHere(event))
      })
    },
    close: () => {
      channel.close()
    },
  }
}

/**
 * What another tab is busy with is its own: this tab sees it and waits, and may ask it to stop. A question can be
 * answered in either.
 */
function seenFromHere(event: AgentEvent): AgentEvent {
  if (event.type !== 'status') return event
  switch (event.status.state) {
    case 'thinking':
    case 'writing':
    case 'running':
    case 'compacting':
    case 'retrying':
    case 'offline':
      return { ...event, status: { state: 'waiting' } }
    case 'idle':
    case 'waiting':
    case 'asking':
    case 'interrupted':
      return event
    default:
      return event.status satisfies never
  }
}
