/** Chats by when they were last used. Pure. */
import type { SessionInfo } from '../../core/ports.ts'

export type DayGroup = 'today' | 'yesterday' | 'earlier'

/** The groups that have chats, newest chat first; `now` in ms. Days are local days. */
export function byDay(chats: readonly SessionInfo[], now: number): { group: DayGroup; chats: SessionInfo[] }[] {
  const today = new Date(now).setHours(0, 0, 0, 0)
  const yesterday = new Date(today - 1).setHours(0, 0, 0, 0) // not minus 24 h: days of 23 and 25 hours exist
  const groups: Record<DayGroup, SessionInfo[]> = { today: [], yesterday: [], earlier: [] }
  for (const chat of chats.filter(({ hidden }) => hidden !== true).toSorted((a, b) => b.updatedAt - a.updatedAt)) {
    groups[chat.updatedAt >= today ? 'today' : chat.updatedAt >= yesterday ? 'yesterday' : 'earlier'].push(chat)
  }
  return (Object.keys(groups) as DayGroup[]).filter(group => groups[group].length > 0).map(group => ({ group, chats: groups[group] }))
}
