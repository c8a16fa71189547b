/** Use case: export as lines, a page at a time, so that memory stays flat (C9.4). */
import { AgentError } from '../errors.ts'
import type { Row, SessionId } from '../log/entry.ts'
import { blobLines, documentLine, entryLine, sessionLine } from '../log/jsonl.ts'
import { isFact } from '../log/query.ts'
import type { LogStore, SessionInfo } from '../ports.ts'
import type { AgentApi, ExportWhat } from './api.ts'
import type { Kit } from './kit.ts'
import { markOfDocument } from './readable-archive.ts'

/** A page ends after this many entries or characters, whichever comes first. A page is held in memory twice. */
const pageEntries = 400
const pageCharacters = 1_000_000

/** Where the next page begins: a chat by its place in the list and its seq, or a document by its place and revision. */
type Cursor = { part: 'chats' | 'documents'; index: number; at: number; open?: SessionId }

type Page = { lines: string[]; characters: number; next?: Cursor }

export function exporting(kit: Kit): Pick<AgentApi, 'exportLines'> {
  return {
    exportLines: async (what, cursor, options = {}) => {
      const from = readCursor(cursor)
      const page: Page = { lines: [], characters: 0 }
      if (from.part === 'chats') await chats(kit.parts.store, what, from, options.strict === true, page)
      else await documents(kit.parts.store, from, page)
      return { lines: page.lines, ...(page.next ? { next: JSON.stringify(page.next) } : {}) }
    },
  }
}

async function chats(store: LogStore, what: ExportWhat, from: Cursor, strict: boolean, page: Page): Promise<void> {
  const list = await chatsOf(store, what)
  const info = list[from.index]
  if (info && (from.open === undefined || from.open === info.id)) {
    const done = await chat(store, info, from.at, { strict, ...(what.kind === 'day' ? { day: what.day } : {}) }, page)
    if (done !== 'whole') {
      page.next = { ...from, at: done.seq, open: info.id }
      return
    }
  }
  if (from.index + 1 < list.length) page.next = { part: 'chats', index: from.index + 1, at: 0 }
  else if (what.kind === 'all' && !strict) page.next = { part: 'documents', index: 0, at: 1 }
}

/** The chats in an order that new messages do not change. */
async function chatsOf(store: LogStore, what: ExportWhat): Promise<SessionInfo[]> {
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

type ChatOptions = { strict: boolean; day?: string }

/** Lines of one chat from a seq on; answers where to go on when the page is full. */
async function chat(store: LogStore, info: SessionInfo, from: number, options: ChatOptions, page: Page): Promise<'whole' | { seq: number }> {
  const total = await store.count(info.id)
  if (from === 0) {
    const last = total === 0 ? undefined : (await store.read(info.id, { from: total - 1, limit: 1 }))[0]
    const leaf = info.leaf !== null && info.leaf !== last?.entry.id ? { leaf: info.leaf } : {}
    add(page, sessionLine({ id: info.id, name: info.title, createdAt: info.createdAt, ...leaf, ...(info.leaves ? { leaves: info.leaves } : {}) }))
  }
  for (let seq = from; seq < total;) {
    const rows = await store.read(info.id, { from: seq, limit: 50 })
    if (rows.length === 0) break
    for (const row of rows) {
      if (options.day === undefined || row.day === options.day) await entry(store, row, options.strict, page)
      seq = row.seq + 1
      if (page.lines.length >= pageEntries || page.characters >= pageCharacters) return seq < total ? { seq } : 'whole'
    }
  }
  return 'whole'
}

async function entry(store: LogStore, { entry, seq }: Row, strict: boolean, page: Page): Promise<void> {
  if (!strict && entry.type === 'user') {
    for (const { blob } of entry.attachments ?? []) {
      const found = blob === undefined ? undefined : await store.blob(blob)
      if (blob !== undefined && found) for (const line of blobLines(blob, found.mime, found.bytes)) add(page, line)
    }
  }
  const whole = isFact(entry) && entry.rest ? await store.text(entry.id, 'all') : undefined
  const line = entryLine(entry, seq, { strict, ...(whole === undefined ? {} : { whole }) })
  if (line !== null) add(page, line)
}

async function documents(store: LogStore, from: Cursor, page: Page): Promise<void> {
  const list = (await store.documents()).sort((a, b) => (a.path < b.path ? -1 : 1))
  let revision = from.at
  for (let index = from.index; index < list.length; index++) {
    const { path, revision: newest } = list[index]!
    for (; revision <= newest; revision++) {
      if (page.characters >= pageCharacters) {
        page.next = { part: 'documents', index, at: revision }
        return
      }
      const document = await store.document(path, revision)
      if (document) add(page, documentLine({ ...document, leaves: markOfDocument(document) }))
    }
    revision = 1
  }
}

function add(page: Page, line: string): void {
  page.lines.push(line)
  page.characters += line.length
}

function readCursor(cursor: string | undefined): Cursor {
  if (cursor === undefined) return { part: 'chats', index: 0, at: 0 }
  try {
    const { part, index, at, open } = JSON.parse(cursor) as Cursor
    if ((part === 'chats' || part === 'documents') && Number.isInteger(index) && Number.isInteger(at)) {
      return { part, index, at, ...(typeof open === 'string' ? { open } : {}) }
    }
  } catch { /* said below */ }
  throw new AgentError('bad_input', 'This is no place in an export')
}
