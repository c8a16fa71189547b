/** Chats by when they were last used. Pure. */
import type { SessionId } from '../../core/log/entry.ts'
import type { SessionInfo } from '../../core/ports/ports.ts'

export type DayGroup = 'pinned' | 'today' | 'yesterday' | 'earlier'

/**
 * The groups that have chats, newest chat first: the pinned ones, then the newest `most` others and the one that is
 * `open`, however old; and how many more are older. `now` in ms. Days are local days.
 */
export function byDay(
  chats: readonly SessionInfo[],
  now: number,
  most: number,
  open?: SessionId,
): { groups: { group: DayGroup; chats: SessionInfo[] }[]; older: number } {
  const today = new Date(now).setHours(0, 0, 0, 0)
  const yesterday = new Date(today - 1).setHours(0, 0, 0, 0) // not minus 24 h: days of 23 and 25 hours exist
  const groups: Record<DayGroup, SessionInfo[]> = { pinned: [], today: [], yesterday: [], earlier: [] }
  const listed = chats.filter(({ hidden }) => hidden !== true).toSorted((a, b) => b.updatedAt - a.updatedAt)
  const others = listed.filter(({ pinned }) => pinned !== true)
  const shown = others.filter(({ id }, at) => at < most || id === open)
  groups.pinned = listed.filter(({ pinned }) => pinned === true)
  for (const chat of shown) {
    groups[chat.updatedAt >= today ? 'today' : chat.updatedAt >= yesterday ? 'yesterday' : 'earlier'].push(chat)
  }
  const filled = (Object.keys(groups) as DayGroup[]).filter(group => groups[group].length > 0)
  return { groups: filled.map(group => ({ group, chats: groups[group] })), older: others.length - shown.length }
}
