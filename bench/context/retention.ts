/**
 * `npm run bench -- retention`: what of 500 planted facts is still in view, by path, by search, after compactions
 * (C14).
 */
import { defaultsOf } from '../../src/core/context/config/config.ts'
import { strategies } from '../../src/core/context/strategies/index.ts'
import { strategyNames, type StrategyName } from '../../src/core/context/strategy.ts'
import type { Bench } from '../shared/machine.ts'
import { plantedChat } from '../chats/retention-facts.ts'
import { summarisers, type Mode } from '../shared/retention-modes.ts'
import { peersOf } from '../peers/peers.ts'
import { typedChat } from '../chats/retention-typed.ts'
import { RetentionRun, type RetentionRow } from './retention-run.ts'
import { removedTenth, searched, window, type Searched } from './retention-search.ts'

const rounds = [1, 3, 5, 10]
const modes = Object.keys(summarisers) as Mode[]

export const retention: Bench = async () => {
  const { facts, planted } = plantedChat()
  const rows: RetentionRow[] = []
  let search: Searched | undefined
  for (const name of strategyNames) {
    for (const mode of modes) {
      for (const times of rounds) {
        const run = new RetentionRun(strategies[name](defaultsOf(name)), mode)
        await run.feedAll(facts, times)
        search ??= await searched(run.store, planted)
        rows.push(await run.measured(planted, search, times))
      }
      const last = rows.at(-1)
      console.error(
        `${name} / ${mode}: in view ${rows
          .slice(-rounds.length)
          .map(row => row.inView)
          .join(', ')} · by path ${last?.byPath} · reachable ${rows
          .slice(-rounds.length)
          .map(row => row.reachable)
          .join(', ')}`,
      )
    }
  }
  const said = await typed()
  const entries = facts.map(({ id, at, fact }, index) => ({ ...fact, id, at, parent: facts[index - 1]?.id ?? null }))
  const peers = await (await peersOf('retention')).peersKeep(entries, planted, rounds, window)
  return {
    planted: planted.length,
    messages: facts.length,
    window,
    note:
      'inView: the answer stands in the request. byPath: at most two read_file calls on paths and lines that the request names. bySearch: one memory_search with a question that has no word of the answer, then one read_file where a passage does not hold it; the stored facts are the same in all runs, so it is measured once; deleted: in a store of their own each tenth fact is deleted and asked for again. reachable: any of the three. ' +
      'neither: not in view and by no path. What byPath lacks is said in the newest step: no cut hides it, so it stands in the request and no path names it. ' +
      'typed: no identifiers but what was said, ten of each kind, word for word; stale: a decision of which only the wording stands that a later one replaced. ' +
      'peers: their own defaults, one compaction at the end of each round; `failed`: it threw, and its chat stays as long as it was.',
    bySearch: search?.found.size ?? 0,
    searchAlone: search?.inPassage ?? 0,
    deleted: await removedTenth(entries, planted),
    rows,
    typed: said,
    peers,
  }
}

type TypedRow = { strategy: StrategyName; mode: Mode; rounds: number; inView: Record<string, number>; stale: number }

/** What was said and is no identifier, word for word in view; paths and search reach it as they reach the others. */
async function typed(): Promise<TypedRow[]> {
  const { facts, said } = typedChat()
  const rows: TypedRow[] = []
  for (const name of strategyNames) {
    for (const mode of ['echo', '30 % lossy', 'throws'] as const) {
      for (const times of [1, 10]) {
        const run = new RetentionRun(strategies[name](defaultsOf(name)), mode)
        await run.feedAll(facts, times)
        const shown = run.shown()
        const inView: Record<string, number> = {}
        for (const { kind, says } of said) inView[kind] = (inView[kind] ?? 0) + (shown.includes(says) ? 1 : 0)
        rows.push({
          strategy: name,
          mode,
          rounds: times,
          inView,
          stale: said.filter(
            ({ says, replaced }) => replaced !== undefined && shown.includes(replaced) && !shown.includes(says),
          ).length,
        })
      }
    }
  }
  return rows
}
