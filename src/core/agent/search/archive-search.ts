/** The one search of an agent: its index is loaded when somebody first searches, and forgets what is removed. */
import type { Embedder, Locks, LogStore, World } from '../../ports/ports.ts'
import type { Found, Search, SearchIndex } from './search-index.ts'
import type { Gone } from './search-segments.ts'

export type KeptSearch = {
  find(query: string, options: Search): Promise<Found[]>
  /**
   * Removes texts by the task, and their words from the index; after a crash in between the next opening finishes it.
   */
  removing(gone: Gone, task: () => Promise<void>): Promise<void>
  /**
   * Takes in what was appended, so that the next search finds it there: after an import, a crash, or whenever there is
   * time.
   */
  catchUp(mayGoOn?: () => boolean): Promise<void>
}

/** `embedder`: who makes vectors, where the person wants the search to go by meaning too. */
export function keptSearch({
  store,
  world,
  locks,
  embedder,
}: {
  store: LogStore
  world: World
  locks?: Locks
  embedder?: () => Promise<Embedder | undefined>
}): KeptSearch {
  let loading: Promise<SearchIndex> | undefined
  const never = new AbortController().signal
  const index = (): Promise<SearchIndex> => {
    loading ??= Promise.all([
      import('./search-index.ts'),
      import('./search-segments.ts'),
      import('./embedding-index.ts'),
    ]).then(
      ([{ SearchIndex }, { SearchSegments }, { Meaning }]) =>
        new SearchIndex(
          store,
          () => world.sleep(0, never),
          new SearchSegments(store, locks),
          embedder && new Meaning({ store, world, embedder }),
        ),
    )
    loading.catch(() => {
      loading = undefined
    }) // a part of the app that could not be loaded is asked for again
    return loading
  }
  return {
    find: async (query, options) => (await index()).find(query, options),
    removing: async (gone, task) => {
      const { oweForgetting } = await import('./search-segments.ts')
      await oweForgetting(store, gone)
      await task()
      await (await index()).settle(gone)
    },
    catchUp: async (mayGoOn = () => true) => {
      await (await index()).update()
      const found = await embedder?.()
      if (!found) return
      const { searchView } = await import('../archive/readable-archive.ts')
      // The person's choice of a server for this is the ordinary yes; what stays needs one of its own, which nobody was
      // asked for.
      await (await index()).coverMeaning(mayGoOn, await searchView(store, { sees: found.local ? 'all' : 'asks' }))
    },
  }
}
