/** The search libraries that `bench memory` compares with, with their own defaults. */
import { textOf } from '../chats/conversations.ts'
import type { SearchPeer } from './peers.ts'

/** Throws, saying what to do, where they are not installed. */
export async function loadPeers(): Promise<{ minisearch: SearchPeer; orama: SearchPeer }> {
  try {
    const [{ default: MiniSearch }, orama, versions] = await Promise.all([
      import('minisearch'),
      import('@orama/orama'),
      readVersions(),
    ])
    return {
      minisearch: {
        version: versions['minisearch'] ?? '',
        async index(turns) {
          const index = new MiniSearch({ fields: ['text'] })
          index.addAll(turns.map((turn, id) => ({ id, text: textOf(turn) })))
          return {
            search: (query, most) =>
              index
                .search(query)
                .slice(0, most)
                .map(hit => Number(hit.id)),
          }
        },
      },
      orama: {
        version: versions['@orama/orama'] ?? '',
        async index(turns) {
          const index = orama.create({ schema: { text: 'string' } as const })
          await orama.insertMultiple(
            index,
            turns.map((turn, id) => ({ id: String(id), text: textOf(turn) })),
          )
          return {
            search: async (term, limit) => (await orama.search(index, { term, limit })).hits.map(hit => Number(hit.id)),
          }
        },
      },
    }
  } catch (cause) {
    throw new Error('the peers are not installed: npm ci --prefix bench', { cause })
  }
}

async function readVersions(): Promise<Record<string, string>> {
  const { default: manifest } = await import('../package.json')
  return manifest.dependencies
}
