/** Reads a path of the archive (C9.2, C9.3). The page and the agent's `read_file` use the same function. */
import { AgentError } from '../../errors.ts'
import type { FactEntry, SessionId, Tombstone } from '../../log/entry.ts'
import { dialogLine } from '../../log/file-format/jsonl.ts'
import { parsePath, pathOf, textAtPath, type FactPathKind, type ArchivePath } from '../../log/paths.ts'
import { isFact } from '../../log/query.ts'
import { utf8Bytes } from '../../text/bytes.ts'
import { dayBeside } from '../../text/day.ts'
import { nearest } from '../../text/nearest.ts'
import type { PathText, ReadRange } from '../api/api.ts'
import { memoryText } from './memory-text.ts'
import { maxLines, readRange, textSource, type TextSource } from './read-range.ts'
import type { ReadableArchive } from './readable-archive.ts'

/**
 * Reads a range of what a path names, at most 2 000 lines and `maxBytes`. Throws `not_found` with the nearest names.
 */
export async function readPath(
  archive: ReadableArchive,
  path: string,
  range: ReadRange,
  maxBytes: number,
): Promise<PathText> {
  const named = parsePath(path.trim())
  if (!named) throw new AgentError('not_found', `There is nothing at "${path}". ${await nearestWords(archive, path)}`)
  const parsed = await asKept(archive, named)
  const found = await sourceOf(archive, parsed)
  if (!found) throw new AgentError('not_found', `There is nothing at "${path}". ${await nearestWords(archive, path)}`)
  if ('gone' in found) {
    const { bytes, day, why } = found.gone
    return {
      path: pathOf(parsed),
      text: '',
      from: 0,
      to: 0,
      lines: 0,
      bytes: 0,
      more: false,
      gone: { day, why, bytes },
    }
  }
  const read = await readRange(found, range, maxBytes)
  return {
    path: found.path,
    lines: found.lines,
    bytes: 'bytes' in found ? found.bytes : utf8Bytes(read.text),
    ...read,
  }
}

/**
 * Looks at all that a range of what a path names may give, without reading it out, for an archive that tells what it
 * has given. Of a chat's own paths nothing is looked at, and entries are looked up by their id in this chat alone.
 */
export async function dryReadPath(
  { archive, session: own }: { archive: ReadableArchive; session: SessionId },
  path: string,
  { startLine = 1, endLine = Infinity, startByte }: ReadRange,
): Promise<void> {
  const named = parsePath(path.trim())
  const parsed = named && (await asKept(archive, named))
  if (parsed && ('id' in parsed || (parsed.kind === 'dialog' && parsed.session === own))) return
  if (parsed?.kind === 'dialog') {
    const { day, session } = parsed
    // Bytes are counted from the beginning of the day.
    const [from, to] =
      startByte === undefined ? [Math.max(1, startLine), Math.min(endLine, startLine + maxLines - 1)] : [1, Infinity]
    if ((await archive.lines(day, from, to, session)).length > 0 || (await archive.lineCount(day, session)) > 0) return
  } else if (parsed && (await sourceOf(archive, parsed))) return
  await knownPaths(archive) // the nearest of these would be named
}

/** Time zones are up to 26 hours apart, so a moment may have other days by up to two. */
const daysApart = [-1, 1, -2, 2]

/**
 * What came with an export lies under the day that it had here, which after travel is not always the one that a hint in
 * it names: where nothing lies under that one, its neighbours are looked at. Who reads is told the path that was read.
 */
async function asKept(archive: ReadableArchive, path: ArchivePath): Promise<ArchivePath> {
  if (path.kind !== 'dialog' && path.kind !== 'memory') return path
  const has = async (day: string): Promise<boolean> =>
    path.kind === 'dialog' ? (await archive.lineCount(day, path.session)) > 0 : (await archive.memories(day)).length > 0
  if (await has(path.day)) return path
  for (const by of daysApart) {
    const day = dayBeside(path.day, by)
    if (await has(day)) return { ...path, day }
  }
  return path
}

async function sourceOf(
  archive: ReadableArchive,
  path: ArchivePath,
): Promise<TextSource | { gone: Tombstone } | undefined> {
  switch (path.kind) {
    case 'tool_result':
    case 'user_text':
    case 'answer':
    case 'call':
      return factSource(archive, path.kind, path.id)
    case 'dialog':
      return dialogSource(archive, path.day, path.session)
    case 'memory':
      return memorySource(archive, path.day)
    case 'memory file':
      return documentSource(archive, 'MEMORY.md')
    case 'workspace':
      return documentSource(archive, path.path)
    default:
      return path satisfies never
  }
}

async function factSource(
  archive: ReadableArchive,
  kind: FactPathKind,
  id: string,
): Promise<TextSource | { gone: Tombstone } | undefined> {
  const entry = (await archive.find(id))?.row.entry
  if (!entry || !isFact(entry)) return undefined
  if (entry.gone) return { gone: entry.gone }
  const path = pathOf({ kind, id })
  const text = textAtPath(entry, kind)
  if (text === undefined) return undefined
  return entry.rest && kind !== 'call' ? hugeSource(archive, entry, path) : textSource(path, text)
}

/** The whole of a huge text lies in the store, which gives ranges of it. */
function hugeSource(archive: ReadableArchive, fact: FactEntry, path: string): TextSource {
  const part = async (range: { lines: [number, number] } | { bytes: [number, number] }): Promise<string> => {
    const text = await archive.text(fact.id, range)
    if (text === undefined)
      throw new AgentError(
        'storage_lost',
        `The whole text of ${path} is missing from storage; the chat holds its beginning and its end`,
      )
    return text
  }
  return {
    path,
    lines: fact.rest!.lines,
    bytes: fact.rest!.bytes,
    lineText: (from, to) => part({ lines: [from, to] }),
    byteText: (from, to) => part({ bytes: [from, to] }),
  }
}

/** Stands for a line that the reader may not see. */
const withheld = `${JSON.stringify({ type: 'withheld', content: '[Said in a chat that may not be shown to a model elsewhere.]' })}\n`

async function dialogSource(
  archive: ReadableArchive,
  day: string,
  session?: SessionId,
): Promise<TextSource | undefined> {
  const count = await archive.lineCount(day, session)
  if (count === 0) return undefined
  const path = pathOf({ kind: 'dialog', day, ...(session === undefined ? {} : { session }) })
  const lineText = async (from: number, to: number): Promise<string> =>
    (await archive.lines(day, from, to, session))
      .map(line =>
        line === 'withheld' ? withheld : isFact(line.row.entry) ? `${dialogLine(line.row.entry, line.session)}\n` : '',
      )
      .join('')
  return {
    path,
    lines: count,
    lineText,
    whole: async () => textSource(path, await lineText(1, count)),
  }
}

async function memorySource(archive: ReadableArchive, day: string): Promise<TextSource | undefined> {
  const text = memoryText(
    day,
    (await archive.memories(day)).map(({ session, row }) => ({ session, entry: row.entry, day: row.day })),
  )
  return text === undefined ? undefined : textSource(pathOf({ kind: 'memory', day }), text)
}

async function documentSource(archive: ReadableArchive, path: string): Promise<TextSource | undefined> {
  const document = await archive.document(path)
  return document && textSource(path, document.text)
}

/** The paths that can be named without knowing an id, newest days first. */
export async function knownPaths(archive: ReadableArchive): Promise<string[]> {
  const documents = (await archive.documents()).map(({ path }) => path)
  const dialogs = (await archive.days()).map(day => `dialog/${day}.jsonl`).toReversed()
  const memories = (await archive.memoryDays()).map(day => `memory/${day}.md`).toReversed()
  return [...documents, ...memories, ...dialogs]
}

async function nearestWords(archive: ReadableArchive, path: string): Promise<string> {
  const paths = await knownPaths(archive)
  const near = nearest(path, paths, 5)
  const names = near.length > 0 ? near : paths.slice(0, 5)
  return names.length > 0 ? `Nearest: ${names.join(', ')}` : 'Nothing is stored yet.'
}
