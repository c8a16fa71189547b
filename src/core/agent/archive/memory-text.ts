/** The text of memory/<day>.md: the memory entries of a day. Pure. */
import type { Entry, Id, SessionId } from '../../log/entry.ts'
import { dayOf } from '../../text/day.ts'

/** `day`: under which it is kept; absent: the local day of its time. */
export type MemoryRow = { session: SessionId; entry: Entry; day?: string }

/**
 * The notes of a day with their times, oldest first; undefined where there are none. A later note that supersedes one,
 * or that the same chat made for a later cut or emergency of the same day, stands for the earlier (C6.7), unless a
 * clear lies between them: what was before it no later summary tells.
 */
export function memoryText(day: string, rows: readonly MemoryRow[]): string | undefined {
  const kept = currentMemories(rows)
  if (kept.length === 0) return undefined
  const notes = kept.map(({ entry }) => `\n## ${clock(entry.at)}\n\n${entry.text.trim()}\n`)
  return `# ${day}\n${notes.join('')}`
}

/** The memory entries that count now; `rows` are of one day or of many, oldest first. */
export function currentMemories(rows: readonly MemoryRow[]): (MemoryRow & { entry: Entry & { type: 'memory' } })[] {
  const memories = rows.flatMap(({ entry, ...row }) =>
    entry.type === 'memory' && !entry.gone && entry.text.trim() !== '' ? [{ ...row, entry }] : [],
  )
  const superseded = new Set<Id>(
    memories.flatMap(({ entry }) => (entry.supersedes === undefined ? [] : [entry.supersedes])),
  )
  const newest = new Map<string, Id>()
  for (const memory of memories) if (isOfContext(memory.entry)) newest.set(keyOf(memory), memory.entry.id)
  return memories.filter(
    memory =>
      !superseded.has(memory.entry.id) && (!isOfContext(memory.entry) || newest.get(keyOf(memory)) === memory.entry.id),
  )
}

/**
 * The note, and what it stands for (C6.7), which without it would count again: earlier wordings, and what was noted at
 * earlier cuts of that day. `rows`: of its chat.
 */
export function withSuperseded(rows: readonly MemoryRow[], note: Id): Id[] {
  const memories = rows.flatMap(({ entry, ...row }) =>
    entry.type === 'memory' && !entry.gone ? [{ ...row, entry }] : [],
  )
  const ids = new Set<Id>([note])
  for (const id of ids) {
    // also the ones that it grows by
    const at = memories.findIndex(({ entry }) => entry.id === id)
    const own = memories[at]
    if (own === undefined) continue
    if (own.entry.supersedes !== undefined && memories.some(({ entry }) => entry.id === own.entry.supersedes))
      ids.add(own.entry.supersedes)
    if (!isOfContext(own.entry)) continue
    for (const memory of memories.slice(0, at))
      if (isOfContext(memory.entry) && keyOf(memory) === keyOf(own)) ids.add(memory.entry.id)
  }
  return [...ids]
}

/** Whether it was made from what was in view, and not typed: a later one covers it. */
function isOfContext({ cut, reason }: Entry & { type: 'memory' }): boolean {
  return cut !== undefined || reason !== undefined
}

function keyOf({ session, entry, day }: MemoryRow): string {
  const since = entry.type === 'memory' && entry.since
  return `${session} ${day ?? dayOf(entry.at)}${since ? ` ${since}` : ''}`
}

function clock(at: number): string {
  const date = new Date(at)
  return `${String(date.getHours()).padStart(2, '0')}:${String(date.getMinutes()).padStart(2, '0')}`
}
