/**
 * The peers that the benchmarks compare with are installed apart (`npm ci --prefix bench`). What uses them stands in
 * `*-peers.ts`; nothing else may need them, not even their types, so these files are loaded here and checked by
 * `tsc -p bench/tsconfig.peers.json` where the peers are installed.
 */
import { BadUsage } from '../shared/bad-usage.ts'
import type { Turn } from '../chats/conversations.ts'
import type { FactEntry } from '../../src/core/log/entry.ts'
import type { Planted } from '../chats/retention-facts.ts'
import type { Mode } from '../shared/retention-modes.ts'

/** Finds the best turns, best first, as their positions. */
export type Searcher = { search(query: string, most: number): Promise<number[]> | number[] }
export type SearchPeer = { version: string; index(turns: readonly Turn[]): Promise<Searcher> }

export type PeerRow = {
  peer: string
  mode: Mode | 'whole echo'
  rounds: number
  inView: number
  largestCall: number /* UTF-16 units */
  failed?: string
}

/** What is read of what Lighthouse says. */
export type LighthouseReport = {
  lighthouseVersion: string
  categories: Record<string, { score: number | null; auditRefs: { id: string; weight: number }[] }>
  audits: Record<string, { score: number | null; numericValue?: number; title: string }>
}

type Peers = {
  lighthouse: {
    lighthouse(url: string, port: number, categories: readonly string[]): Promise<LighthouseReport>
  }
  latency: { peerTimes(count: number): Promise<object> }
  memory: { loadPeers(): Promise<{ minisearch: SearchPeer; orama: SearchPeer }> }
  retention: {
    peersKeep(
      facts: readonly FactEntry[],
      planted: readonly Planted[],
      allRounds: readonly number[],
      window: number,
    ): Promise<PeerRow[]>
  }
}

/** Throws `BadUsage`, saying what to do, where they are not installed. */
export async function peersOf<Name extends keyof Peers>(name: Name): Promise<Peers[Name]> {
  const file = `./${name}-peers.ts`
  try {
    return (await import(file)) as Peers[Name]
  } catch (thrown) {
    throw new BadUsage(
      `The peers are not installed; run: npm ci --prefix bench (${thrown instanceof Error ? thrown.message.split('\n')[0] : String(thrown)})`,
    )
  }
}
