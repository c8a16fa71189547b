/** What was noted in a time: memory entries, and summaries of what was compacted. */
import type { CutReason, Entry, Id, LogRow } from '../../log/entry.ts'
import type { LogStore, SessionInfo } from '../../ports/ports.ts'
import { dayOf } from '../../text/day.ts'
import type { MemoryNote } from '../api/memory-api.ts'
import { currentMemories } from '../archive/memory-text.ts'

/** Rows that are read at once. */
const page = 500

/** The memory entries of all chats that count now, oldest first; those of one day only with `day`. */
export async function memoryNotes(store: LogStore, day?: string): Promise<MemoryNote[]> {
  const titles = new Map((await store.sessions()).map(({ id, title }) => [id, title]))
  const rows = (await store.memories(day)).map(({ session, row }) => ({ session, entry: row.entry, day: row.day }))
  const known = new Map(rows.map(({ entry }) => [entry.id, entry]))
  const notes = await Promise.all(
    currentMemories(rows).map(async ({ session, entry, day: kept }): Promise<MemoryNote> => {
      const reason = await reasonOf(store, firstWording(entry, known))
      return {
        session,
        title: titles.get(session) ?? '',
        entry: entry.id,
        day: kept ?? dayOf(entry.at),
        at: entry.at,
        text: entry.text.trim(),
        ...(reason === undefined ? {} : { cut: reason }),
      }
    }),
  )
  return notes.sort((a, b) => a.at - b.at)
}

/** A reworded note has the origin of its first wording. */
function firstWording(memory: Entry & { type: 'memory' }, known: ReadonlyMap<Id, Entry>): Entry & { type: 'memory' } {
  let first = memory
  for (const seen = new Set<Id>(); first.supersedes !== undefined && !seen.has(first.id);) {
    seen.add(first.id)
    const earlier = known.get(first.supersedes)
    if (earlier?.type !== 'memory') break
    first = earlier
  }
  return first
}

async function reasonOf(
  store: LogStore,
  { cut: id, reason }: Entry & { type: 'memory' },
): Promise<CutReason | undefined> {
  if (id === undefined) return reason
  const cut = (await store.find(id))?.row.entry
  return cut?.type === 'cut' ? cut.reason : undefined
}

/**
 * What was noted after `since` and not after `until` (ms), oldest first. Of the summaries of a chat the newest one of
 * each day counts, and none that stands as a memory already. `pause` lets other work go on between pages.
 */
export async function notesSince(
  store: LogStore,
  since: number,
  until: number,
  pause: () => Promise<void>,
): Promise<MemoryNote[]> {
  const isWithin = ({ at }: { at: number }): boolean => at > since && at <= until
  const notes = (await memoryNotes(store)).filter(isWithin)
  const memories = (await store.memories()).flatMap(({ session, row: { entry } }) =>
    entry.type === 'memory' ? [{ session, entry }] : [],
  )
  const remembered = new Set(memories.flatMap(({ entry }) => (entry.cut === undefined ? [] : [entry.cut])))
  for (const info of await store.sessions()) {
    if (info.updatedAt <= since) continue
    // In an emergency a memory may come first, and a cut with the same words as its summary later.
    const words = new Set(
      memories.flatMap(({ session, entry }) => (session === info.id && entry.reason !== undefined ? [entry.text] : [])),
    )
    notes.push(
      ...(await summariesOf(store, info, remembered, pause)).filter(note => isWithin(note) && !words.has(note.text)),
    )
  }
  return notes.sort((a, b) => a.at - b.at)
}

async function summariesOf(
  store: LogStore,
  { id, title }: SessionInfo,
  remembered: ReadonlySet<Id>,
  pause: () => Promise<void>,
): Promise<MemoryNote[]> {
  const found: { note: MemoryNote; group: Id }[] = []
  const undone = new Set<Id>()
  for (let from = 0; ;) {
    const rows: LogRow[] = await store.read(id, { from, limit: page })
    for (const { entry, day } of rows) {
      if (entry.type === 'undo') undone.add(entry.target)
      if (entry.type !== 'summary' || entry.gone || remembered.has(entry.of)) continue
      found.push({
        group: entry.group,
        note: { session: id, title, entry: entry.id, day, at: entry.at, text: entry.text },
      })
    }
    if (rows.length < page) break
    from += rows.length
    await pause()
  }
  const newest = new Map<string, MemoryNote>()
  for (const { note, group } of found) if (!undone.has(group)) newest.set(note.day, note)
  return [...newest.values()]
}
