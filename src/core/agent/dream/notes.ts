/** What was noted in a time: memory entries, and summaries of what was compacted. */
import type { Id, Row } from '../../log/entry.ts'
import type { LogStore, SessionInfo } from '../../ports.ts'
import { dayOf } from '../../text/day.ts'
import type { MemoryNote } from '../memory-api.ts'
import { currentMemories } from '../memory-text.ts'

/** Rows that are read at once. */
const page = 500

/** The memory entries of all chats that count now, oldest first; those of one day only with `day`. */
export async function memoryNotes(store: LogStore, day?: string): Promise<MemoryNote[]> {
  const titles = new Map((await store.sessions()).map(({ id, title }) => [id, title]))
  const rows = (await store.memories(day)).map(({ session, row }) => ({ session, entry: row.entry, day: row.day }))
  const notes = await Promise.all(currentMemories(rows).map(async ({ session, entry, day: kept }): Promise<MemoryNote> => {
    const cut = entry.cut === undefined ? undefined : (await store.find(entry.cut))?.row.entry
    return {
      session, title: titles.get(session) ?? '', entry: entry.id, day: kept ?? dayOf(entry.at), at: entry.at, text: entry.text.trim(),
      ...(cut?.type === 'cut' ? { cut: cut.reason } : {}),
    }
  }))
  return notes.sort((a, b) => a.at - b.at)
}

/**
 * What was noted after `since` and not after `until` (ms), oldest first. Of the summaries of a chat the newest one of each day
 * counts, and none that stands as a memory already. `pause` lets other work go on between pages.
 */
export async function notesSince(store: LogStore, since: number, until: number, pause: () => Promise<void>): Promise<MemoryNote[]> {
  const isWithin = ({ at }: { at: number }): boolean => at > since && at <= until
  const notes = (await memoryNotes(store)).filter(isWithin)
  const remembered = new Set((await store.memories()).flatMap(({ row: { entry } }) => (entry.type === 'memory' && entry.cut !== undefined ? [entry.cut] : [])))
  for (const info of await store.sessions()) {
    if (info.updatedAt <= since) continue
    notes.push(...(await summariesOf(store, info, remembered, pause)).filter(isWithin))
  }
  return notes.sort((a, b) => a.at - b.at)
}

async function summariesOf(store: LogStore, { id, title }: SessionInfo, remembered: ReadonlySet<Id>, pause: () => Promise<void>): Promise<MemoryNote[]> {
  const found: { note: MemoryNote; group: Id }[] = []
  const undone = new Set<Id>()
  for (let from = 0; ;) {
    const rows: Row[] = await store.read(id, { from, limit: page })
    for (const { entry, day } of rows) {
      if (entry.type === 'undo') undone.add(entry.target)
      if (entry.type !== 'summary' || entry.gone || remembered.has(entry.of)) continue
      found.push({ group: entry.group, note: { session: id, title, entry: entry.id, day, at: entry.at, text: entry.text } })
    }
    if (rows.length < page) break
    from += rows.length
    await pause()
  }
  const newest = new Map<string, MemoryNote>()
  for (const { note, group } of found) if (!undone.has(group)) newest.set(note.day, note)
  return [...newest.values()]
}
