/** The row of a chat as the page gets it. Pure. */
import type { Queued, SessionInfo } from '../../ports/ports.ts'

/** So much of a waiting message is shown, UTF-16 units: a row of the list must stay light. */
const shownOfQueued = 600

/** A chat's row for the page, without the whole of long texts that wait. */
export function shownInfo(info: SessionInfo): SessionInfo {
  return info.queued === undefined ? info : { ...info, queued: shownQueued(info.queued) }
}

export function shownQueued(queued: readonly Queued[]): Queued[] {
  return queued.map(one => ({ ...one, text: one.text.slice(0, shownOfQueued) }))
}
