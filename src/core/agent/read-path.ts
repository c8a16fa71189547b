/** What a path of the archive reads (C9.2, C9.3). The page and the agent's `read_file` use the same function. */
import { AgentError } from '../errors.ts'
import type { FactEntry, SessionId, Tombstone } from '../log/entry.ts'
import { dialogLine } from '../log/jsonl.ts'
import { parsePath, pathOf, textAtPath, type FactPathKind, type Path } from '../log/paths.ts'
import { isFact } from '../log/query.ts'
import type { LogStore } from '../ports.ts'
import { utf8Bytes } from '../text/bytes.ts'
import { dayOf } from '../text/day.ts'
import { nearest } from '../text/nearest.ts'
import type { PathText, Range } from './api.ts'
import { memoryText } from './memory-text.ts'
import { readRange, textSource, type Source } from './read-range.ts'

/** Reads a range of what a path names, at most 2 000 lines and `maxBytes`. Throws `not_found` with the nearest names. */
export async function readPath(store: LogStore, path: string, range: Range, maxBytes: number): Promise<PathText> {
  const parsed = parsePath(path.trim())
  if (!parsed) throw new AgentError('not_found', `There is nothing at "${path}". ${await nearestWords(store, path)}`)
  const found = await sourceOf(store, parsed)
  if (!found) throw new AgentError('not_found', `There is nothing at "${path}". ${await nearestWords(store, path)}`)
  if ('gone' in found) {
    const { bytes, day, why } = found.gone
    return { path: pathOf(parsed), text: '', from: 0, to: 0, lines: 0, bytes: 0, more: false, gone: { day, why, bytes } }
  }
  const read = await readRange(found, range, maxBytes)
  return { path: found.path, lines: found.lines, bytes: Number.isFinite(found.bytes) ? found.bytes : utf8Bytes(read.text), ...read }
}

async function sourceOf(store: LogStore, path: Path): Promise<Source | { gone: Tombstone } | undefined> {
  switch (path.kind) {
    case 'tool_result': case 'user_text': case 'answer': case 'call': return factSource(store, path.kind, path.id)
    case 'dialog': return dialogSource(store, path.day, path.session)
    case 'memory': return memorySource(store, path.day)
    case 'memory file': return documentSource(store, 'MEMORY.md')
    case 'workspace': return documentSource(store, path.path)
    default: return path satisfies never
  }
}

async function factSource(store: LogStore, kind: FactPathKind, id: string): Promise<Source | { gone: Tombstone } | undefined> {
  const entry = (await store.find(id))?.row.entry
  if (!entry || !isFact(entry)) return undefined
  if (entry.gone) return { gone: entry.gone }
  const path = pathOf({ kind, id })
  const text = textAtPath(entry, kind)
  if (text === undefined) return undefined
  return entry.rest && kind !== 'call' ? hugeSource(store, entry, path) : textSource(path, text)
}

/** The whole of a huge text lies in the store, which gives ranges of it. */
function hugeSource(store: LogStore, fact: FactEntry, path: string): Source {
  const part = async (range: { lines: [number, number] } | { bytes: [number, number] }): Promise<string> => {
    const text = await store.text(fact.id, range)
    if (text === undefined) throw new AgentError('storage_lost', `The whole text of ${path} is missing from storage; the chat holds its beginning and its end`)
    return text
  }
  return {
    path, lines: fact.rest!.lines, bytes: fact.rest!.bytes,
    lineText: (from, to) => part({ lines: [from, to] }),
    byteText: (from, to) => part({ bytes: [from, to] }),
  }
}

async function dialogSource(store: LogStore, day: string, session?: SessionId): Promise<Source | undefined> {
  const known = (await store.days(session)).find(known => known.day === day)
  if (!known) return undefined
  const path = pathOf({ kind: 'dialog', day, ...(session === undefined ? {} : { session }) })
  const lineText = async (from: number, to: number): Promise<string> => (await store.lines(day, from, to, session))
    .map(({ session, row }) => (isFact(row.entry) ? `${dialogLine(row.entry, session)}\n` : '')).join('')
  return {
    path, lines: known.lines, bytes: Infinity, lineText, // its size is known only by reading it all
    byteText: async (from, to) => textSource(path, await lineText(1, known.lines)).byteText(from, to),
  }
}

async function memorySource(store: LogStore, day: string): Promise<Source | undefined> {
  const text = memoryText(day, (await store.memories(day)).map(({ session, row }) => ({ session, entry: row.entry })))
  return text === undefined ? undefined : textSource(pathOf({ kind: 'memory', day }), text)
}

async function documentSource(store: LogStore, path: string): Promise<Source | undefined> {
  const document = await store.document(path)
  return document && textSource(path, document.text)
}

/** The paths that can be named without knowing an id, newest days first. */
export async function knownPaths(store: LogStore): Promise<string[]> {
  const documents = (await store.documents()).map(({ path }) => path)
  const dialogs = (await store.days()).map(({ day }) => `dialog/${day}.jsonl`).toReversed()
  const memories = [...new Set((await store.memories()).map(({ row }) => `memory/${dayOf(row.entry.at)}.md`))].sort().toReversed()
  return [...documents, ...memories, ...dialogs]
}

async function nearestWords(store: LogStore, path: string): Promise<string> {
  const paths = await knownPaths(store)
  const near = nearest(path, paths, 5)
  const names = near.length > 0 ? near : paths.slice(0, 5)
  return names.length > 0 ? `Nearest: ${names.join(', ')}` : 'Nothing is stored yet.'
}
