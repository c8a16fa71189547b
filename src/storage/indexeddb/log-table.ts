/**
 * Entries in the database: appending, reading by position, day and id, blanking. Each function runs inside one task.
 */
import type { Entry, Id, LogRow, SessionId, Tombstone } from '../../core/log/entry.ts'
import { isFact } from '../../core/log/query.ts'
import type { AppendOptions } from '../../core/ports/ports.ts'
import { dayOf } from '../../core/text/day.ts'
import { withoutTexts, blobsOf } from '../rows/without-texts.ts'
import type { Database, EntryRow } from './database.ts'
import { checkAppend, duplicate, byTime, throwMissing, targetSession, type PlacedRow } from '../rows/row-rules.ts'
import { isDuplicate } from './store-errors.ts'
import { splitText } from '../rows/text-pieces.ts'

/**
 * One short transaction, all or nothing (C9.1); `again` finds what an earlier try may have stored before its answer was
 * lost.
 */
export async function appendRows(
  db: Database,
  session: SessionId,
  entries: readonly Entry[],
  options: AppendOptions & { again: boolean },
): Promise<LogRow[]> {
  checkAppend(entries, options.texts ?? [])
  const pieces = (options.texts ?? []).flatMap(({ entry, text }) => splitText(text).map(piece => ({ entry, ...piece })))
  return db.transaction('rw', [db.sessions, db.entries, db.texts, db.partials], async () => {
    const stored = await db.sessions.get(session)
    if (options.again && stored) {
      const rows = await storedBefore(db, session, entries)
      if (rows) return rows
    }
    const info = targetSession(session, stored, options)
    const last = entries.at(-1)
    if (!last) return []
    const rows = await numbered(db, session, entries, new Set(pieces.map(piece => piece.entry)))
    try {
      await db.entries.bulkAdd(rows)
    } catch (thrown) {
      throw isDuplicate(thrown) ? duplicate((await firstKnown(db, entries)) ?? last.id) : thrown
    }
    if (pieces.length > 0) await db.texts.bulkAdd(pieces)
    if (entries.some(entry => entry.type === 'assistant')) await db.partials.delete(session)
    await db.sessions.put({
      ...info,
      ...options.changes,
      leaf: options.keepLeaf ? info.leaf : last.id,
      updatedAt: Math.max(info.updatedAt, last.at),
      size: (rows.at(-1)?.seq ?? -1) + 1,
    })
    return rows.map(asRow)
  })
}

/** Rows of a session from `from` (0-based) on. */
export async function readRows(
  db: Database,
  session: SessionId,
  { from = 0, limit }: { from?: number; limit?: number },
): Promise<LogRow[]> {
  const found = db.entries.where('[session+seq]').between([session, Math.max(0, from)], [session, Infinity])
  return (await (limit === undefined ? found : found.limit(limit)).toArray()).map(asRow)
}

/** Facts of a day by line; of one session by position among its own lines of that day. */
export async function dayRows(
  db: Database,
  day: string,
  range: { from: number; to: number },
  session?: SessionId,
): Promise<PlacedRow[]> {
  const from = Math.max(1, range.from)
  if (range.to < from) return []
  const found =
    session === undefined
      ? db.entries.where('[day+line]').between([day, from], [day, range.to], true, true)
      : db.entries
          .where('[session+day+line]')
          .between([session, day, 0], [session, day, Infinity])
          .offset(from - 1)
          .limit(range.to - from + 1)
  return (await found.toArray()).map(asPlaced)
}

/** Days with their number of lines, oldest first: one step of an index for each day, not for each fact. */
export async function dayCounts(db: Database, session?: SessionId): Promise<{ day: string; lines: number }[]> {
  return db.transaction('r', [db.entries], async () => {
    const days: { day: string; lines: number }[] = []
    for (let before: string | undefined; ;) {
      const last = await lastLine(db, before, session)
      if (!last) return days.toReversed()
      const lines =
        session === undefined
          ? last.line
          : await db.entries
              .where('[session+day+line]')
              .between([session, last.day, 0], [session, last.day, Infinity])
              .count()
      days.push({ day: last.day, lines })
      before = last.day
    }
  })
}

/** Memory of a day or of all days, oldest first. */
export async function memoryRows(db: Database, day?: string): Promise<PlacedRow[]> {
  const rows = await (
    day === undefined ? db.entries.orderBy('memory') : db.entries.where('memory').equals(day)
  ).toArray()
  return rows.map(asPlaced).sort(byTime)
}

/** Those of the ids that are taken. */
export async function knownIds(db: Database, ids: readonly Id[]): Promise<Set<Id>> {
  return new Set(
    (await db.entries
      .where('id')
      .anyOf(ids as Id[])
      .keys()) as Id[],
  )
}

/** One entry by id. */
export async function findRow(db: Database, id: Id): Promise<PlacedRow | undefined> {
  const row = await db.entries.where('id').equals(id).first()
  return row && asPlaced(row)
}

/** Takes the texts of these entries away, leaves tombstones. Runs in the caller's transaction. */
export async function blankRows(db: Database, ids: readonly Id[], tombstone: Omit<Tombstone, 'bytes'>): Promise<void> {
  const rows = await db.entries
    .where('id')
    .anyOf(ids as Id[])
    .toArray()
  if (rows.length < new Set(ids).size) throwMissing(ids.find(id => !rows.some(row => row.id === id)) ?? '')
  await blankFound(db, rows, tombstone)
}

/** The same for all entries of a chat. */
export async function blankSession(
  db: Database,
  session: SessionId,
  tombstone: Omit<Tombstone, 'bytes'>,
): Promise<void> {
  await blankFound(
    db,
    await db.entries.where('[session+seq]').between([session, 0], [session, Infinity]).toArray(),
    tombstone,
  )
}

/** Also removes blobs that no entry names any more. */
async function blankFound(db: Database, rows: readonly EntryRow[], tombstone: Omit<Tombstone, 'bytes'>): Promise<void> {
  await db.entries.bulkPut(
    rows.map(({ blobs: _blobs, long: _long, ...row }) => ({ ...row, entry: withoutTexts(row.entry, tombstone) })),
  )
  for (const { id, long } of rows)
    if (long) await db.texts.where('[entry+from]').between([id, 0], [id, Infinity]).delete()
  for (const blob of new Set(rows.flatMap(row => row.blobs ?? []))) {
    if ((await db.entries.where('blobs').equals(blob).count()) === 0) await db.blobs.delete(blob)
  }
}

async function numbered(
  db: Database,
  session: SessionId,
  entries: readonly Entry[],
  long: ReadonlySet<Id>,
): Promise<EntryRow[]> {
  const newest = (await db.entries.where('[session+seq]').between([session, 0], [session, Infinity]).lastKey()) as
    | [SessionId, number]
    | undefined
  const lines = new Map<string, number>()
  for (const day of new Set(entries.filter(isFact).map(entry => dayOf(entry.at)))) {
    const key = (await db.entries.where('[day+line]').between([day, 0], [day, Infinity]).lastKey()) as
      | [string, number]
      | undefined
    lines.set(day, key?.[1] ?? 0)
  }
  let seq = newest?.[1] ?? -1
  return entries.map(entry => {
    const day = dayOf(entry.at)
    const blobs = blobsOf(entry)
    const row: EntryRow = { session, seq: ++seq, id: entry.id, day, entry }
    if (isFact(entry)) {
      row.line = (lines.get(day) ?? 0) + 1
      lines.set(day, row.line)
    }
    if (entry.type === 'memory') row.memory = day
    if (blobs.length > 0) row.blobs = blobs
    if (long.has(entry.id)) row.long = true
    return row
  })
}

/** The rows of an append that was stored although its answer was lost; undefined where it was not. */
async function storedBefore(
  db: Database,
  session: SessionId,
  entries: readonly Entry[],
): Promise<LogRow[] | undefined> {
  const rows = await db.entries
    .where('id')
    .anyOf(entries.map(entry => entry.id))
    .toArray()
  const mine = rows.filter(row => row.session === session).sort((a, b) => a.seq - b.seq)
  const same =
    mine.length === entries.length &&
    mine.every((row, index) => JSON.stringify(row.entry) === JSON.stringify(entries[index]))
  return same ? mine.map(asRow) : undefined
}

async function firstKnown(db: Database, entries: readonly Entry[]): Promise<Id | undefined> {
  return (
    await db.entries
      .where('id')
      .anyOf(entries.map(entry => entry.id))
      .first()
  )?.id
}

async function lastLine(
  db: Database,
  before: string | undefined,
  session?: SessionId,
): Promise<{ day: string; line: number } | undefined> {
  if (session === undefined) {
    const found =
      before === undefined
        ? db.entries.where('[day+line]').above([''])
        : db.entries.where('[day+line]').between([''], [before])
    const key = (await found.lastKey()) as [string, number] | undefined
    return key && { day: key[0], line: key[1] }
  }
  const found = db.entries.where('[session+day+line]').between([session, ''], [session, before ?? '\uffff'])
  const key = (await found.lastKey()) as [SessionId, string, number] | undefined
  return key && { day: key[1], line: key[2] }
}

function asRow({ entry, seq, day, line }: EntryRow): LogRow {
  return { entry, seq, day, line: line ?? null }
}

function asPlaced(row: EntryRow): PlacedRow {
  return { session: row.session, row: asRow(row) }
}
