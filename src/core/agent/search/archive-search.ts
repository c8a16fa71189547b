/** The search of an agent: its index is loaded at the first search and forgets what is removed. */
import type { Embedder, Locks, LogStore, World } from '../../ports/ports.ts'
import type { SearchOptions, SearchIndex } from './search-index.ts'
import type { SearchResult } from './search-result.ts'
import type { RemovedTexts } from './search-segments.ts'

export type ArchiveSearch = {
  find(query: string, options: SearchOptions): Promise<SearchResult[]>
  /**
   * Removes texts by the task, and their words from the index; after a crash in between the next opening finishes it.
   */
  withRemoval(gone: RemovedTexts, task: () => Promise<void>): Promise<void>
  /**
   * Takes in what was appended, so that the next search finds it there: after an import, a crash, or whenever there is
   * time.
   */
  catchUp(mayGoOn?: () => boolean): Promise<void>
}

/**
 * `embedder`: who makes vectors, where the person wants the search to go by meaning too. `unindexedTools`: whose
 * results are not found.
 */
export function createArchiveSearch({
  store,
  world,
  locks,
  embedder,
  unindexedTools,
}: {
  store: LogStore
  world: World
  locks?: Locks
  embedder?: () => Promise<Embedder | undefined>
  unindexedTools?: () => Promise<ReadonlySet<string>>
}): ArchiveSearch {
  let loading: Promise<SearchIndex> | undefined
  const never = new AbortController().signal
  const index = (): Promise<SearchIndex> => {
    loading ??= Promise.all([
      import('./search-index.ts'),
      import('./search-segments.ts'),
      import('./embedding-index.ts'),
      unindexedTools?.(),
    ]).then(
      ([{ SearchIndex }, { SearchSegments }, { EmbeddingIndex }, unindexed]) =>
        new SearchIndex(store, {
          pause: () => world.sleep(0, never),
          segments: new SearchSegments(store, locks),
          embeddings: embedder && new EmbeddingIndex({ store, world, embedder }),
          ...(unindexed ? { unindexedTools: unindexed } : {}),
        }),
    )
    loading.catch(() => {
      loading = undefined
    }) // a part of the app that could not be loaded is asked for again
    return loading
  }
  return {
    find: async (query, options) => (await index()).find(query, options),
    withRemoval: async (gone, task) => {
      const { markForRemoval } = await import('./search-segments.ts')
      await markForRemoval(store, gone)
      await task()
      await (await index()).finishRemoval(gone)
    },
    catchUp: async (mayGoOn = () => true) => {
      await (await index()).update()
      const found = await embedder?.()
      if (!found) return
      const { searchView } = await import('../archive/readable-archive.ts')
      // Choosing a server for embeddings is the ordinary consent; local-only data needs a separate one, which was never
      // asked for.
      await (await index()).embedMissing(mayGoOn, await searchView(store, { access: found.local ? 'all' : 'asks' }))
    },
  }
}
