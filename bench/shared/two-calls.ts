/**
 * What an agent reaches within two calls of the app's own tools, with their ordinary output budgets: two reads of what
 * its request names, or one search and a read of the first passage.
 */
import { readFile } from '../../src/core/agent/tools/read-file.ts'
import { unindexedTools } from '../../src/core/agent/tools/index.ts'
import { memorySearch } from '../../src/core/agent/tools/memory-search.ts'
import type { ToolContext } from '../../src/core/agent/tools/tool.ts'
import { createArchiveSearch } from '../../src/core/agent/search/archive-search.ts'
import { fullArchive } from '../../src/core/agent/archive/readable-archive.ts'
import { toolLimits } from '../../src/core/agent/request/window-limits.ts'
import { AgentError } from '../../src/core/errors.ts'
import type { ArchivePlace, Id } from '../../src/core/log/entry.ts'
import type { LogStore } from '../../src/core/ports/ports.ts'
import { linearPattern } from '../../src/net/linear-pattern.ts'

const world = { now: () => 0, newId: () => 'x', sleep: () => Promise.resolve() }
const never = new AbortController().signal

export type Search = ReturnType<typeof createArchiveSearch>

export function searchIn(store: LogStore): Search {
  return createArchiveSearch({ store, world, unindexedTools: async () => unindexedTools })
}

/** What the tools run with, as the app gives it for a window (tokens) of this size. */
export function toolContext(
  store: LogStore,
  { session, window, search = searchIn(store) }: { session: string; window: number; search?: Search },
): ToolContext {
  return {
    session,
    archive: fullArchive(store),
    search,
    signal: never,
    givenPassages: new Set(),
    ...toolLimits(window),
    world,
    compilePattern: linearPattern,
    readPage: () => Promise.reject(new AgentError('tool_failed', 'no network here')),
  }
}

export type NamedRead = { path: string; line: number }

/**
 * The reads of a fact that a request names: a text of it by its own path, and its line of a day, where the lines that
 * the request gives of that day hold it.
 */
export function namedReads(
  request: string,
  fact: { id: Id; place: Pick<ArchivePlace, 'day' | 'line'> | undefined; session: string },
): NamedRead[] {
  const reads = [`tool_result/${fact.id}.txt`, `user_text/${fact.id}.txt`, `answer/${fact.id}.txt`]
    .filter(path => request.includes(path))
    .slice(0, 1)
    .map(path => ({ path, line: 1 }))
  if (fact.place === undefined) return reads
  const { day, line } = fact.place
  const range = new RegExp(`dialog/(?:${fact.session}/)?${day}\\.jsonl[^\\d\\n]*?(\\d+)[^\\d\\n]+?(\\d+)`).exec(request)
  if (range !== null && line >= Number(range[1]) && line <= Number(range[2]))
    reads.push({ path: `dialog/${day}.jsonl`, line })
  return reads
}

/** Whether an answer stands in what is read, or in what one more read gives that goes on where the first one ended. */
export async function readsTwice({ path, line }: NamedRead, answer: string, context: ToolContext): Promise<boolean> {
  const text = await readFile.run({ path, start_line: line }, context)
  if (holds(text, answer)) return true
  const more = /start_(?:line|byte) (\d+)\]$/.exec(text)
  if (more === null) return false
  const from = text.includes('start_byte') ? 'start_byte' : 'start_line'
  return holds(await readFile.run({ path, [from]: Number(more[1]) }, context), answer)
}

/**
 * Where an answer is found by one search with the words of a question: in a passage, or by one read at the first one;
 * undefined where it is in neither.
 */
export async function foundBySearch(
  question: string,
  answer: string,
  context: ToolContext,
): Promise<'passage' | 'read' | undefined> {
  const passages = await memorySearch.run({ query: question }, context)
  if (holds(passages, answer)) return 'passage'
  const first = /^\d+\. (\S+?):(\d+)(?:-(\d+))? /m.exec(passages)
  if (first === null) return undefined
  const text = await readFile.run({ path: first[1] ?? '', start_line: Number(first[2]) }, context)
  return holds(text, answer) ? 'read' : undefined
}

/** Lines of a day are JSON. */
function holds(text: string, answer: string): boolean {
  return text.includes(answer) || text.includes(JSON.stringify(answer).slice(1, -1))
}
