/** What of planted facts the tools of the app find in a store, and that they find nothing of what was deleted. */
import type { Entry } from '../../src/core/log/entry.ts'
import { MemoryStore } from '../../src/storage/memory-store.ts'
import type { Planted } from '../chats/retention-facts.ts'
import { foundBySearch, searchIn, toolContext } from '../shared/two-calls.ts'

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
  const search = searchIn(store)
  let inPassage = 0
  for (const fact of planted) {
    const where = await foundBySearch(fact.question, fact.answer, toolContext(store, { session, window, search }))
    if (where === 'passage') inPassage++
    if (where !== undefined) found.add(fact)
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
  const search = searchIn(store)
  const gone = planted.filter((_, at) => at % 10 === 0)
  const answered = async (): Promise<number> => {
    let count = 0
    for (const fact of gone)
      if (
        (await foundBySearch(fact.question, fact.answer, toolContext(store, { session, window, search }))) === 'passage'
      )
        count++
    return count
  }
  const foundBefore = await answered()
  const ids = [...new Set(gone.map(fact => fact.entry))]
  await search.withRemoval({ entries: ids }, () => store.removeTexts(ids, { day: '2026-01-01', why: 'deleted' }))
  return { removed: gone.length, foundBefore, foundAfter: await answered() }
}
