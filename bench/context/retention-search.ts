/** What of planted facts the tools of the app find in a store, and that they find nothing of what was deleted. */
import { memorySearch } from '../../src/core/agent/tools/memory-search.ts'
import { readFile } from '../../src/core/agent/tools/read-file.ts'
import type { ToolContext } from '../../src/core/agent/tools/tool.ts'
import { unindexedTools } from '../../src/core/agent/tools/index.ts'
import { createArchiveSearch } from '../../src/core/agent/search/archive-search.ts'
import { fullArchive } from '../../src/core/agent/archive/readable-archive.ts'
import { AgentError } from '../../src/core/errors.ts'
import type { Entry } from '../../src/core/log/entry.ts'
import { MemoryStore } from '../../src/storage/memory-store.ts'
import type { Planted } from '../chats/retention-facts.ts'
import { linearPattern } from '../../src/net/linear-pattern.ts'

/** The window of the chat and of its summariser, tokens: the 400 messages are about twice as much. */
export const window = 65_536
export const session = 'bench'
export const never = new AbortController().signal

export type Searched = { found: ReadonlySet<Planted>; inPassage: number }

/**
 * One memory_search each, with the budget of C7.6, and one read of the first passage that does not hold the answer
 * itself.
 */
export async function searched(store: MemoryStore, planted: readonly Planted[]): Promise<Searched> {
  const found = new Set<Planted>()
  const search = createArchiveSearch({ store, world, unindexedTools: async () => unindexedTools })
  let inPassage = 0
  for (const fact of planted) {
    const context = toolContext(store, search)
    const passages = await memorySearch.run({ query: fact.question }, context)
    if (passages.includes(fact.answer)) {
      inPassage++
      found.add(fact)
      continue
    }
    const first = /^\d+\. (\S+?):(\d+)(?:-(\d+))? /m.exec(passages)
    if (first === null) continue
    const text = await readFile.run({ path: first[1] ?? '', start_line: Number(first[2]) }, context)
    if (text.includes(fact.answer)) found.add(fact)
  }
  return { found, inPassage }
}

/** In a store of their own each tenth fact is deleted as the app deletes: afterwards no search may give its answer. */
export async function removedTenth(
  entries: readonly Entry[],
  planted: readonly Planted[],
): Promise<{ removed: number; foundBefore: number; foundAfter: number }> {
  const store = new MemoryStore()
  await store.createSession({ id: session, title: 'Bench', createdAt: 0, updatedAt: 0, leaf: null })
  await store.append(session, entries)
  const search = createArchiveSearch({ store, world, unindexedTools: async () => unindexedTools })
  const gone = planted.filter((_, at) => at % 10 === 0)
  const answered = async (): Promise<number> => {
    let count = 0
    for (const fact of gone)
      if ((await memorySearch.run({ query: fact.question }, toolContext(store, search))).includes(fact.answer)) count++
    return count
  }
  const foundBefore = await answered()
  const ids = [...new Set(gone.map(fact => fact.entry))]
  await search.withRemoval({ entries: ids }, () => store.removeTexts(ids, { day: '2026-01-01', why: 'deleted' }))
  return { removed: gone.length, foundBefore, foundAfter: await answered() }
}

const world = { now: () => 0, newId: () => 'x', sleep: () => Promise.resolve() }

export function toolContext(
  store: MemoryStore,
  search = createArchiveSearch({ store, world, unindexedTools: async () => unindexedTools }),
): ToolContext {
  return {
    session,
    archive: fullArchive(store),
    search,
    signal: never,
    givenPassages: new Set(),
    maxBytes: Math.min(50_000, Math.floor(0.3 * window * 4)),
    maxSearchTokens: Math.min(2_000, Math.floor(0.1 * window)),
    world,
    compilePattern: linearPattern,
    readPage: () => Promise.reject(new AgentError('tool_failed', 'no network here')),
  }
}
