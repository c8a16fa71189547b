/** The row of a chat as the page gets it. Pure. */
import type { QueuedMessage, SessionInfo } from '../../ports/ports.ts'

/** How much of a queued message is shown, UTF-16 units: a row of the list must stay small. */
const shownOfQueued = 600

/** A chat's row for the page, without the whole of long texts that wait. */
export function infoForPage(info: SessionInfo): SessionInfo {
  return info.queued === undefined ? info : { ...info, queued: queuedForPage(info.queued) }
}

export function queuedForPage(queued: readonly QueuedMessage[]): QueuedMessage[] {
  return queued.map(one => ({ ...one, text: one.text.slice(0, shownOfQueued) }))
}
