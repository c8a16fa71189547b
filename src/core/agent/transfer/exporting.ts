/** Use case: export as lines, a page at a time, so that memory use stays constant (C9.4). */
import { AgentError } from '../../errors.ts'
import type { Entry, Id, LogRow, SessionId } from '../../log/entry.ts'
import { blobLines, documentLine, entryLine, isLineOfItsOwn, sessionLine } from '../../log/file-format/jsonl.ts'
import { isFact } from '../../log/query.ts'
import type { LogStore, SessionInfo } from '../../ports/ports.ts'
import type { AgentApi } from '../api/api.ts'
import type { ExportOptions, ExportScope } from '../api/transfer-api.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import { documentMark } from '../archive/readable-archive.ts'

/** A page ends after this many entries or characters, whichever comes first. A page is held in memory twice. */
const pageEntries = 400
const pageCharacters = 1_000_000
/** Rows that are read at once. Of entries in another order, those between them come along, at most so many for each. */
const readAtOnce = 50
const readBetween = 4

/**
 * Where the next page begins: in or behind a chat, or at a revision of a document. It names things, not places in a
 * list: chats and documents may come and go between two pages. `after`: the last entry that was given; `lines`: entries
 * given of the chat.
 */
type Cursor =
  | { part: 'chats'; createdAt: number; id: SessionId; after?: Position; lines: number; whole: boolean }
  | { part: 'documents'; path: string; revision: number }

/** An entry's place: by its seq, which never changes, or in the canonical order by its time and id. */
type Position = { seq: number } | Key

type Page = { lines: string[]; characters: number }

type Key = { at: number; id: Id; seq: number }

/**
 * Order of the chat that is being exported, cached between pages: sorting it for each page would take quadratic time.
 */
type Sorted = { session: SessionId; count: number; order: Key[] }

/** Later than every time that an entry can have; unit: ms. */
const afterAllTimes = Number.MAX_SAFE_INTEGER

export function exporting(runtime: AgentRuntime): Pick<AgentApi, 'exportLines'> {
  const { store } = runtime.deps
  let sorted: Sorted | undefined
  const orderOf = async (session: SessionId): Promise<Key[]> => {
    const count = await store.count(session)
    if (sorted?.session !== session || sorted.count !== count)
      sorted = { session, count, order: await canonicalOrder(store, session) }
    return sorted.order
  }
  return {
    exportLines: async (what, cursor, options = {}) => {
      const page: Page = { lines: [], characters: 0 }
      const from = readCursor(cursor)
      const next =
        from?.part === 'documents'
          ? await documents(store, from, page)
          : await chats({ store, orderOf, what, options }, from, page)
      if (!next) sorted = undefined
      return { lines: page.lines, ...(next ? { next: JSON.stringify(next) } : {}) }
    },
  }
}

type Export = {
  store: LogStore
  orderOf: (session: SessionId) => Promise<Key[]>
  what: ExportScope
  options: ExportOptions
}

async function chats(
  it: Export,
  from: (Cursor & { part: 'chats' }) | undefined,
  page: Page,
): Promise<Cursor | undefined> {
  const {
    what,
    options: { strict = false },
  } = it
  if (what.kind === 'session' && from?.whole) return undefined
  const info = (await chatsOf(it.store, what)).find(
    info => !from || isBehind(info, from) || (info.id === from.id && !from.whole),
  )
  if (info) {
    const begun = info.id === from?.id ? from : undefined
    return { part: 'chats', createdAt: info.createdAt, id: info.id, ...(await chat(it, info, begun, page)) }
  }
  return what.kind === 'all' && !strict ? { part: 'documents', path: '', revision: 1 } : undefined
}

function isBehind(info: SessionInfo, { createdAt, id }: Pick<SessionInfo, 'createdAt' | 'id'>): boolean {
  return info.createdAt > createdAt || (info.createdAt === createdAt && info.id > id)
}

/** The chats in an order that new messages do not change. */
async function chatsOf(store: LogStore, what: ExportScope): Promise<SessionInfo[]> {
  if (what.kind === 'session') {
    const info = await store.session(what.session)
    if (!info) throw new AgentError('not_found', `There is no chat ${what.session}`)
    return [info]
  }
  const all = (await store.sessions()).sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  if (what.kind === 'all') return all
  const those: SessionInfo[] = []
  for (const info of all) if ((await store.days(info.id)).some(({ day }) => day === what.day)) those.push(info)
  return those
}

/** Lines of one chat behind a position; answers where to go on. */
async function chat(
  it: Export,
  info: SessionInfo,
  begun: { after?: Position; lines: number } | undefined,
  page: Page,
): Promise<{ after?: Position; lines: number; whole: boolean }> {
  const {
    store,
    what,
    options: { strict = false, canonical = false },
  } = it
  if (!begun)
    add(
      page,
      sessionLine(
        {
          id: info.id,
          name: info.title,
          createdAt: info.createdAt,
          ...(await leafOf(store, info)),
          ...(info.leaves ? { leaves: info.leaves } : {}),
          ...(info.pinned ? { pinned: true as const } : {}),
        },
        { canonical },
      ),
    )
  let { after, lines } = begun ?? { lines: 0 }
  for await (const row of canonical
    ? sortedRows(store, info.id, await it.orderOf(info.id), after)
    : rowsBehind(store, info.id, after)) {
    if (page.lines.length >= pageEntries || page.characters >= pageCharacters)
      return { ...(after ? { after } : {}), lines, whole: false }
    if (what.kind !== 'day' || row.day === what.day) lines += await entry(store, row.entry, lines, strict, page)
    after = canonical ? keyOf(row) : { seq: row.seq }
  }
  return { lines, whole: true }
}

/** The leaf in view, if a reader would not find it by itself: readers take the last line. */
async function leafOf(store: LogStore, { id, leaf }: SessionInfo): Promise<{ leaf?: Id }> {
  if (leaf === null) return {}
  for (let from = (await store.count(id)) - 1; from >= 0; from--) {
    const last = (await store.read(id, { from, limit: 1 }))[0]?.entry
    if (last && isLineOfItsOwn(last)) continue
    return last?.id === leaf ? {} : { leaf }
  }
  return {}
}

async function* rowsBehind(store: LogStore, session: SessionId, after: Position | undefined): AsyncGenerator<LogRow> {
  let from = after && 'seq' in after ? after.seq + 1 : 0
  for (;;) {
    const rows = await store.read(session, { from, limit: readAtOnce })
    if (rows.length === 0) return
    yield* rows
    from = rows.at(-1)!.seq + 1
  }
}

async function* sortedRows(
  store: LogStore,
  session: SessionId,
  order: readonly Key[],
  after: Position | undefined,
): AsyncGenerator<LogRow> {
  let next = after && 'id' in after ? order.findIndex(key => byTime(key, after) > 0) : 0
  while (next >= 0 && next < order.length) {
    const keys = order.slice(next, next + readAtOnce)
    next += keys.length
    const rows = await rowsAt(
      store,
      session,
      keys.map(({ seq }) => seq),
    )
    for (const { seq } of keys) {
      const row = rows.get(seq)
      if (row) yield row
    }
  }
}

/** Rows by seq: mostly they lie close together, and then one read gives all. */
async function rowsAt(store: LogStore, session: SessionId, seqs: readonly number[]): Promise<Map<number, LogRow>> {
  const [first, last] = [Math.min(...seqs), Math.max(...seqs)]
  const rows =
    last - first < seqs.length * readBetween
      ? await store.read(session, { from: first, limit: last - first + 1 })
      : (await Promise.all(seqs.map(from => store.read(session, { from, limit: 1 })))).flat()
  return new Map(rows.map(row => [row.seq, row]))
}

/** By time and id (C9.4). Lines that have neither come last, in the order of their text. */
async function canonicalOrder(store: LogStore, session: SessionId): Promise<Key[]> {
  const keys: Key[] = []
  for await (const row of rowsBehind(store, session, undefined)) keys.push(keyOf(row))
  return keys.sort(byTime)
}

function keyOf({ entry, seq }: LogRow): Key {
  return isLineOfItsOwn(entry) ? { at: afterAllTimes, id: entry.raw, seq } : { at: entry.at, id: entry.id, seq }
}

function byTime(a: Key, b: Key): number {
  if (a.at !== b.at) return a.at - b.at
  if (a.id !== b.id) return a.id < b.id ? -1 : 1
  return a.seq - b.seq // of two equal lines the one that was stored first
}

/** Answers with the number of lines that the entry itself got: none where `strict` leaves it out. */
async function entry(store: LogStore, entry: Entry, place: number, strict: boolean, page: Page): Promise<0 | 1> {
  if (!strict && entry.type === 'user') {
    for (const { blob } of entry.attachments ?? []) {
      const found = blob === undefined ? undefined : await store.blob(blob)
      if (blob !== undefined && found) for (const line of blobLines(blob, found.mime, found.bytes)) add(page, line)
    }
  }
  const whole = isFact(entry) && entry.rest ? await store.text(entry.id, 'all') : undefined
  const line = entryLine(entry, place, { strict, ...(whole === undefined ? {} : { whole }) })
  if (line === null) return 0
  add(page, line)
  return 1
}

async function documents(
  store: LogStore,
  from: Cursor & { part: 'documents' },
  page: Page,
): Promise<Cursor | undefined> {
  const list = (await store.documents()).sort((a, b) => (a.path < b.path ? -1 : 1))
  for (const { path, revision: newest } of list) {
    if (path < from.path) continue
    for (let revision = path === from.path ? from.revision : 1; revision <= newest; revision++) {
      if (page.characters >= pageCharacters) return { part: 'documents', path, revision }
      const document = await store.document(path, revision)
      if (document) add(page, documentLine({ ...document, leaves: documentMark(document) }))
    }
  }
  return undefined
}

function add(page: Page, line: string): void {
  page.lines.push(line)
  page.characters += line.length
}

function readCursor(cursor: string | undefined): Cursor | undefined {
  if (cursor === undefined) return undefined
  try {
    const read = JSON.parse(cursor) as Cursor
    if (read.part === 'documents' && typeof read.path === 'string' && Number.isInteger(read.revision)) return read
    if (
      read.part === 'chats' &&
      typeof read.id === 'string' &&
      Number.isFinite(read.createdAt) &&
      Number.isInteger(read.lines)
    )
      return read
  } catch {
    /* said below */
  }
  throw new AgentError('bad_input', 'This is no place in an export')
}
