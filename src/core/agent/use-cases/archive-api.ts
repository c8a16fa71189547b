/** Use cases of reading the archive and of documents that are edited in place. */
import { AgentError } from '../../errors.ts'
import { parsePath } from '../../log/paths.ts'
import type { AgentApi } from '../api/api.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'

/** Most bytes that the page gets at once: it shows texts piece by piece. */
const pageBytes = 200_000

type ArchiveApi = Pick<AgentApi, 'search' | 'readPath' | 'documents' | 'days' | 'saveDocument'>

/** Most hits of a search on the page, and the length of each. Units: hits; UTF-16 units. */
const mostHits = 50
const longestHit = 300

export function createArchiveApi(runtime: AgentRuntime): ArchiveApi {
  const { store, world } = runtime.deps
  return {
    search: async (query, filter) => {
      const found = await runtime.search.find(query, {
        limit: mostHits,
        maxLength: longestHit,
        literalOnly: true,
        distinct: true,
        now: world.now(),
        ...(filter ? { filter } : {}),
      })
      return found.map(({ passage: _passage, ...hit }) => hit)
    },
    readPath: async (path, range = {}) => {
      const [{ readPath }, { fullArchive }] = await Promise.all([
        import('../archive/read-path.ts'),
        import('../archive/readable-archive.ts'),
      ])
      return readPath(fullArchive(store), path, range, pageBytes)
    },
    documents: () => store.documents(),
    days: () => store.days(),
    saveDocument: async (path, text, expected) => {
      const parsed = parsePath(path)
      if (parsed?.kind !== 'workspace' && parsed?.kind !== 'memory file')
        throw new AgentError('bad_input', `"${path}" cannot be written: only MEMORY.md and files below workspace/ can`)
      const revision = await store.saveDocument(path, text, world.now(), expected, 'asks')
      if (parsed.kind === 'memory file') runtime.emit({ type: 'memory' })
      return revision
    },
  }
}
