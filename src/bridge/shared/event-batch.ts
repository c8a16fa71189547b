/** Batches events: a stream of 200 tokens a second becomes 30 messages a second. */
import type { AgentEvent } from '../../core/agent/api/api.ts'

/** Two frames of a screen: nobody sees the difference, and the page is woken half as often (ms). */
const batchMs = 33

/**
 * Sends at once what comes after a silence, and what follows within 33 ms together. Order is kept; neighbouring pieces
 * of one text become one piece, and of the counters of one answer only the newest is sent.
 */
export function eventBatch(send: (events: AgentEvent[]) => void): (event: AgentEvent) => void {
  let waiting: AgentEvent[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  const flush = (): void => {
    if (waiting.length === 0) {
      timer = undefined
      return
    }
    const events = waiting
    waiting = []
    timer = setTimeout(flush, batchMs)
    send(events)
  }
  return event => {
    add(waiting, event)
    if (timer === undefined) flush()
  }
}

function add(waiting: AgentEvent[], event: AgentEvent): void {
  if (!isCounter(event) && event.type !== 'delta') {
    waiting.push(event)
    return
  }
  for (let index = waiting.length - 1; index >= 0; index--) {
    const earlier = waiting[index]!
    if (!('session' in earlier) || earlier.session !== event.session) continue
    if (isCounter(event) && isCounter(earlier)) {
      waiting[index] = event
      return
    }
    const one = joined(earlier, event)
    if (one) {
      waiting[index] = one
      return
    }
    // A counter may stand between two pieces of a text, and pieces between two counters; nothing else may be passed.
    if (!isCounter(earlier) && !(isCounter(event) && earlier.type === 'delta')) break
  }
  waiting.push(event)
}

type StatusEvent = Extract<AgentEvent, { type: 'status' }>

function isCounter(event: AgentEvent): event is StatusEvent {
  return event.type === 'status' && event.status.state === 'writing'
}

function joined(earlier: AgentEvent, later: AgentEvent): AgentEvent | undefined {
  if (earlier.type !== 'delta' || later.type !== 'delta') return undefined
  const [a, b] = [earlier.part, later.part]
  if (a.type === 'text' && b.type === 'text') return { ...earlier, part: { type: 'text', text: a.text + b.text } }
  if (a.type === 'reasoning' && b.type === 'reasoning')
    return { ...earlier, part: { type: 'reasoning', text: a.text + b.text } }
  if (a.type === 'calling' && b.type === 'calling' && a.name === b.name) return later
  return undefined
}
