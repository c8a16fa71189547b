/**
 * The store as tools see it: only these methods, and only what the reader may see. It is built by hand, so that a
 * method that is added to the store later is closed.
 */
import { AgentError } from '../../errors.ts'
import type { Id, LogRow, SessionId } from '../../log/entry.ts'
import { strictestMark, type EgressMark } from '../../log/egress-mark.ts'
import type { ArchiveDocument, ArchiveDocumentInfo, LogStore } from '../../ports/ports.ts'
import { memoryFilePath } from './long-term-memory.ts'

type Placed = { session: SessionId; row: LogRow }

export type ReadableArchive = {
  find(id: Id): Promise<Placed | undefined>
  text(id: Id, range: { bytes: [number, number] } | { lines: [number, number] } | 'all'): Promise<string | undefined>
  read(session: SessionId, range?: { from?: number; limit?: number }): Promise<LogRow[]>
  /**
   * Facts of a day by line. A fact that may not be seen keeps its line, because line numbers are fixed, but shows
   * nothing.
   */
  lines(day: string, from: number, to: number, session?: SessionId): Promise<(Placed | 'withheld')[]>
  /** Lines of a day up to the last one that may be seen; 0: there is none. */
  lineCount(day: string, session?: SessionId): Promise<number>
  /** The days that have such a line, oldest first. */
  days(): Promise<string[]>
  memories(day?: string): Promise<Placed[]>
  /** The days that have notes, oldest first. */
  memoryDays(): Promise<string[]>
  document(path: string, revision?: number): Promise<ArchiveDocument | undefined>
  documents(prefix?: string): Promise<ArchiveDocumentInfo[]>
  /** As in the store; what is written gets the mark of its writer. */
  saveDocument(path: string, text: string, at: number, expected: number): Promise<number>
}

/** Who reads, and what of the store they may see. */
export type ArchiveReader = {
  /** Always seen: the chat that the reader works for. */
  session?: SessionId
  /** `own`: nothing else. `asks`: also what may leave after an ordinary yes. `all`: everything. */
  access: 'own' | 'asks' | 'all'
  /** A file that the person has allowed this call to change: seen as after an ordinary yes. */
  file?: string
  /** The mark of what this reader writes now. */
  writeMark?: () => EgressMark
  /** Called with the mark of everything read that is not this chat's own, even if only a name or a day. */
  onRead?: (mark: EgressMark) => void
}

/** How a search sees the store: which passages it may find, and where it reads their texts. */
export type SearchView = {
  archive: Pick<ReadableArchive, 'read' | 'document' | 'memories'>
  has(place: { session: SessionId } | { path: string }): boolean
}

/** The one access rule. */
function maySee(sees: ArchiveReader['access'], mark: unknown): boolean {
  return sees === 'all' || (sees === 'asks' && strictestMark(mark) === 'asks')
}

/** MEMORY.md is part of every request, so it is never local-only. */
export function documentMark({ path, leaves }: { path: string; leaves?: unknown }): EgressMark {
  return path === memoryFilePath ? 'asks' : strictestMark(leaves)
}

function maySeeDocument({ access, file }: ArchiveReader, document: { path: string; leaves: EgressMark }): boolean {
  return maySee(access === 'own' && document.path === file ? 'asks' : access, documentMark(document))
}

/** The whole archive, as the person reads it. */
export function fullArchive(store: LogStore): ReadableArchive {
  return readableArchive(store, { access: 'all' })
}

/** Lines that are read at once when the last one that may be seen is looked for. */
const page = 200

/** The store as this reader sees it. */
export function readableArchive(store: LogStore, reader: ArchiveReader): ReadableArchive {
  const { session: own, access, writeMark = () => 'stays', onRead } = reader
  const tell = (marks: readonly EgressMark[]): void => {
    if (marks.length > 0) onRead?.(strictestMark(...marks))
  }
  /** The marks of these chats; one that was removed has none left. */
  const marksOf = async (list: readonly { session: SessionId }[]): Promise<ReadonlyMap<SessionId, unknown>> => {
    const chats = [...new Set(list.map(({ session }) => session))]
    const rows = await Promise.all(chats.map(id => store.session(id)))
    return new Map(chats.map((id, n) => [id, id === own ? 'asks' : rows[n]?.leaves]))
  }
  const maySeeChat = async (session: SessionId): Promise<boolean> =>
    session === own || access === 'all' || maySee(access, (await store.session(session))?.leaves)
  /**
   * Those that may be seen, `withheld` in place of the others; they are handed over, which is told where one of them
   * stays.
   */
  const given = async (found: readonly Placed[]): Promise<(Placed | 'withheld')[]> => {
    if (access === 'all' && !onRead) return [...found] // the person's own reading asks for no marks
    const marks = await marksOf(found)
    const shown = found.map(one => (one.session === own || maySee(access, marks.get(one.session)) ? one : 'withheld'))
    // Of what was removed nothing is left that could stay.
    tell(
      shown.flatMap(one =>
        one === 'withheld' || one.session === own
          ? []
          : [one.row.entry.gone ? 'asks' : strictestMark(marks.get(one.session))],
      ),
    )
    return shown
  }
  const find = async (id: Id): Promise<Placed | undefined> => {
    const found = await store.find(id)
    return found && (await given([found])).find(one => one !== 'withheld')
  }
  return {
    find,
    text: async (id, range) => ((await find(id)) ? store.text(id, range) : undefined),
    read: async (session, range) => {
      if (!(await maySeeChat(session))) return []
      const rows = await store.read(session, range)
      await given(rows.map(row => ({ session, row })))
      return rows
    },
    lines: async (day, from, to, session) => given(await store.lines(day, from, to, session)),
    lineCount: async (day, session) => {
      const count = (await store.days(session)).find(known => known.day === day)?.lines ?? 0
      if (access === 'all') return count
      if (session !== undefined) return (await maySeeChat(session)) ? count : 0
      for (let to = count; to > 0; to -= page) {
        const from = Math.max(1, to - page + 1)
        const lines = await store.lines(day, from, to)
        const marks = await marksOf(lines)
        const last = lines.findLastIndex(line => line.session === own || maySee(access, marks.get(line.session)))
        if (last >= 0) return from + last
      }
      return 0
    },
    days: async () => {
      const chats =
        access === 'all' && !onRead
          ? []
          : (await store.sessions()).filter(({ id, leaves }) => id === own || maySee(access, leaves))
      tell(chats.flatMap(({ id, leaves, size }) => (id !== own && size !== undefined ? [strictestMark(leaves)] : [])))
      if (access === 'all') return (await store.days()).map(({ day }) => day)
      const days = await Promise.all(chats.map(({ id }) => store.days(id)))
      return [...new Set(days.flat().map(({ day }) => day))].sort()
    },
    memories: async day => (await given(await store.memories(day))).filter(one => one !== 'withheld'),
    memoryDays: async () => {
      const found = await store.memories()
      const marks = await marksOf(found)
      const shown = found.filter(({ session }) => session === own || maySee(access, marks.get(session)))
      tell(shown.flatMap(({ session }) => (session === own ? [] : [strictestMark(marks.get(session))])))
      return [...new Set(shown.map(({ row }) => row.day))].sort()
    },
    document: async (path, revision) => {
      const found = await store.document(path, revision)
      if (!found || !maySeeDocument(reader, found)) return undefined
      tell([documentMark(found)])
      return found
    },
    documents: async prefix => {
      const shown = (await store.documents(prefix)).filter(document => maySeeDocument(reader, document))
      tell(shown.map(documentMark))
      return shown
    },
    saveDocument: async (path, text, at, expected) => {
      const before = (await store.documents(path)).find(document => document.path === path)
      if (before && !maySeeDocument(reader, before)) {
        throw new AgentError(
          'denied',
          `A model that does not run on this device may not change ${path} here. Choose another path.`,
        )
      }
      return store.saveDocument(path, text, at, expected, writeMark())
    },
  } satisfies ReadableArchive
}

/** The same rule for a search, which ranks passages before it reads their texts. */
export async function searchView(store: LogStore, reader: ArchiveReader): Promise<SearchView> {
  const archive = readableArchive(store, reader)
  if (reader.access === 'all') return { archive, has: () => true }
  const chats = new Set(
    (await store.sessions()).flatMap(({ id, leaves }) =>
      id === reader.session || maySee(reader.access, leaves) ? [id] : [],
    ),
  )
  const paths = new Set(
    (await store.documents()).flatMap(document => (maySeeDocument(reader, document) ? [document.path] : [])),
  )
  return { archive, has: place => ('path' in place ? paths.has(place.path) : chats.has(place.session)) }
}
