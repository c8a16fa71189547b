/** The search libraries that `bench memory` compares with, with their own defaults. */
import type { Turn } from './conversations.ts'

/** Finds the best turns, best first, as their positions. */
export type Searcher = { search(query: string, most: number): Promise<number[]> | number[] }
export type Peer = { version: string; index(turns: readonly Turn[]): Promise<Searcher> }

/** What a turn is to every searcher: who says it, what, and what a picture shows. */
export const textOf = ({ speaker, text, caption }: Turn): string => `${speaker}: ${text}${caption === undefined ? '' : ` (${caption})`}`

/** Throws, saying what to do, where they are not installed. */
export async function loadPeers(): Promise<{ minisearch: Peer; orama: Peer }> {
  try {
    const [{ default: MiniSearch }, orama, versions] = await Promise.all([import('minisearch'), import('@orama/orama'), readVersions()])
    return {
      minisearch: {
        version: versions['minisearch'] ?? '',
        async index(turns) {
          const index = new MiniSearch({ fields: ['text'] })
          index.addAll(turns.map((turn, id) => ({ id, text: textOf(turn) })))
          return { search: (query, most) => index.search(query).slice(0, most).map(hit => Number(hit.id)) }
        },
      },
      orama: {
        version: versions['@orama/orama'] ?? '',
        async index(turns) {
          const index = orama.create({ schema: { text: 'string' } as const })
          await orama.insertMultiple(index, turns.map((turn, id) => ({ id: String(id), text: textOf(turn) })))
          return { search: async (term, limit) => (await orama.search(index, { term, limit })).hits.map(hit => Number(hit.id)) }
        },
      },
    }
  } catch (cause) {
    throw new Error('the peers are not installed: npm ci --prefix bench', { cause })
  }
}

async function readVersions(): Promise<Record<string, string>> {
  const { default: manifest } = await import('./package.json')
  return manifest.dependencies
}
