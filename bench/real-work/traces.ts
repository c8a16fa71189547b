/**
 * `npm run bench -- traces [FOLDER]`: real sessions of agents up to the moment when their own agent compacted, and what
 * of that which it needed next is left (C14).
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConversation, type FiledFact } from '../replay/replay-file.ts'
import type { Bench } from '../shared/machine.ts'
import { o200kBase } from '../shared/tokenizer.ts'
import {
  mean,
  measuredSession,
  rounded,
  settings,
  shareOf,
  type MeasuredSession,
  type Setting,
  type Share,
} from './measured-session.ts'
import { momentsOf } from './needed-names.ts'
import { piCompactions } from './pi-session.ts'
import { TwoCalls } from './within-two-calls.ts'

/** Tokens. */
const windows = [16_384, 32_768, 65_536]

type Peer = { name: string; found: number; tokens: number }
type Trace = {
  name: string
  facts: FiledFact[]
  needed: string[]
  peer: Peer
  moments: ReadonlyMap<number, readonly string[]>
}

export type TracesRow = {
  strategy: string
  counter: string
  window: number
  inView: Share
  inSummary: Share
  withinTwo: Share
  along: number // share, mean of the moments of all sessions
  viewTokens: number // o200k, mean of the sessions
  summaryTokens: number // the same
  largest: number // share of the window without the output reserve
  refused: number
  sessions: { name: string; inView: number; inSummary: number; withinTwo: number; of: number }[]
  notWithinTwo: string[]
}
export type TracesSet = {
  set: string
  sessions: { name: string; messages: number; identifiers: number; peer: Peer }[]
  identifiers: number
  moments: number
  peer: Share & { name: string; tokens: number }
  rows: TracesRow[]
}

export const traces: Bench = async (
  folder = fileURLToPath(new URL('../../../shared/data/traces', import.meta.url)),
) => {
  if (!existsSync(folder))
    return { skipped: `there is no folder ${folder}; name one with NAME.jsonl and NAME.needed.json` }
  const count = await o200kBase()
  const sets = [
    await measuredSet('sessions of Claude Code', tracesIn(folder), count),
    await measuredSet('sessions of pi', piTracesIn(join(dirname(folder), 'sessions'), count), count),
  ]
  return {
    windows,
    sets: sets.filter(({ sessions }) => sessions.length > 0),
    note:
      'Replayed with guard and overflow fallback as in the app; summaries by rule. Identifiers: what the agent of the session wrote after its own compaction before anything showed it again. ' +
      'inView: they stand in what the model would read after the last message. inSummary: in the newest stored summary alone. withinTwo: in view, or by two read_file calls at a path and line that the request names, or by one memory_search with the words of the newest question and a read of the first passage. ' +
      'along: at moments within each session, how much of what its agent wrote from memory in its next 60 messages stood in the request; the mean of all moments. ' +
      'viewTokens, summaryTokens: o200k, mean of the sessions. largest: the largest request sent, by the strategy’s counter, as a share of the window without the output reserve. peer: the summary that the agent of the session wrote itself, its text alone.',
  }
}

function tracesIn(folder: string): Trace[] {
  return readdirSync(folder)
    .filter(file => file.endsWith('.needed.json'))
    .toSorted()
    .map(file => {
      const name = basename(file, '.needed.json')
      const { needed, peer } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { needed: string[]; peer: Peer }
      const path = join(folder, `${name}.jsonl`)
      const facts = readConversation(readFileSync(path, 'utf8'), path)
      return { name, needed, peer, facts, moments: momentsOf(facts) }
    })
}

/** Session files of pi beside the traces, each as often as its agent compacted. */
function piTracesIn(folder: string, count: (text: string) => number): Trace[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter(file => file.startsWith('pi-') && file.endsWith('.jsonl'))
    .toSorted()
    .flatMap(file => piCompactions(readFileSync(join(folder, file), 'utf8'), basename(file, '.jsonl')))
    .map(({ name, facts, needed, summary }) => ({
      name,
      facts,
      needed,
      moments: momentsOf(facts),
      peer: {
        name: 'pi, its own summary',
        found: needed.filter(one => summary.includes(one)).length,
        tokens: count(summary),
      },
    }))
}

async function measuredSet(set: string, all: readonly Trace[], count: (text: string) => number): Promise<TracesSet> {
  const reached = new Map(all.map(trace => [trace, new TwoCalls()]))
  const rows: TracesRow[] = []
  for (const setting of all.length === 0 ? [] : settings(windows)) {
    rows.push(await rowOf(setting, all, reached, count))
    const row = rows.at(-1)!
    console.error(
      `${set} ${row.strategy} ${row.counter} ${row.window}: in view ${row.inView.found} of ${row.inView.of} @ ${row.viewTokens}, in summary ${row.inSummary.found} @ ${row.summaryTokens}, within two ${row.withinTwo.found}, along ${row.along}, largest ${row.largest}, refused ${row.refused}`,
    )
  }
  const identifiers = all.reduce((sum, { needed }) => sum + needed.length, 0)
  return {
    set,
    sessions: all.map(({ name, facts, needed, peer }) => ({
      name,
      messages: facts.length,
      identifiers: needed.length,
      peer,
    })),
    identifiers,
    moments: all.reduce((sum, { moments }) => sum + moments.size, 0),
    peer: {
      name: all[0]?.peer.name ?? '',
      ...shareOf(
        all.reduce((sum, { peer }) => sum + peer.found, 0),
        identifiers,
      ),
      tokens: Math.round(mean(all.map(({ peer }) => peer.tokens))),
    },
    rows,
  }
}

async function rowOf(
  setting: Setting,
  all: readonly Trace[],
  reached: ReadonlyMap<Trace, TwoCalls>,
  count: (text: string) => number,
): Promise<TracesRow> {
  const measured: (MeasuredSession & TracesRow['sessions'][number] & { missed: string[] })[] = []
  for (const trace of all) {
    const run = await measuredSession(trace.facts, setting, { count, asked: false, moments: trace.moments })
    const question = trace.facts.findLast(({ fact }) => fact.type === 'user')?.fact.text ?? ''
    const missed: string[] = []
    for (const name of trace.needed)
      if (
        !run.view.includes(name) &&
        !(await reached.get(trace)?.byPath(run.replayed, run.view, name)) &&
        !(await reached.get(trace)?.bySearch(run.replayed, question, name))
      )
        missed.push(name)
    measured.push({
      ...run,
      name: trace.name,
      inView: trace.needed.filter(name => run.view.includes(name)).length,
      inSummary: trace.needed.filter(name => run.summary.includes(name)).length,
      withinTwo: trace.needed.length - missed.length,
      missed,
      of: trace.needed.length,
    })
  }
  const of = measured.reduce((sum, one) => sum + one.of, 0)
  const share = (what: 'inView' | 'inSummary' | 'withinTwo'): Share =>
    shareOf(
      measured.reduce((sum, one) => sum + one[what], 0),
      of,
    )
  return {
    strategy: setting.strategy,
    counter: measured[0]?.counter ?? '',
    window: setting.window,
    inView: share('inView'),
    inSummary: share('inSummary'),
    withinTwo: share('withinTwo'),
    along: rounded(mean(measured.flatMap(one => one.along))),
    viewTokens: Math.round(mean(measured.map(one => one.viewTokens))),
    summaryTokens: Math.round(mean(measured.map(one => one.summaryTokens))),
    largest: rounded(Math.max(...measured.map(one => one.largest))),
    refused: measured.reduce((sum, one) => sum + one.refused, 0),
    sessions: measured.map(one => ({
      name: one.name,
      inView: one.inView,
      inSummary: one.inSummary,
      withinTwo: one.withinTwo,
      of: one.of,
    })),
    notWithinTwo: measured.flatMap(one => one.missed),
  }
}
