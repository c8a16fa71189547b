/** The tables of bench/RESULTS.md about real sessions and dense records, out of the kept results. */
import type { LedgerMean, LedgerRow } from './real-work/ledger.ts'
import type { Share } from './real-work/measured-session.ts'
import type { TracesRow, TracesSet } from './real-work/traces.ts'
import { percent, read, table } from './results-table.ts'

type Traces = { windows: number[]; sets: TracesSet[]; machine: string; date: string }
type Ledger = {
  windows: number[]
  ledgers: unknown[]
  rows: LedgerRow[]
  means: LedgerMean[]
  published: string
  machine: string
  date: string
}

const thousands = (tokens: number): string => `${(tokens / 1_000).toFixed(1)} k`

/** A table for each set of sessions, and one for the records. */
export function realWorkTables(): string {
  const [traces, ledger] = [read<Traces>('traces'), read<Ledger>('ledger')]
  return [
    ...(traces?.sets.map(set => tracesTable(set, traces)) ?? []),
    ...(ledger === undefined ? [] : [ledgerTable(ledger)]),
  ].join('\n\n')
}

function tracesTable(
  { set, sessions, identifiers, moments, peer, rows }: TracesSet,
  { windows, machine, date }: Traces,
): string {
  const cell = (row: TracesRow | undefined): string =>
    row === undefined
      ? '–'
      : [
          `${percent(row.inView.share)} @ ${thousands(row.viewTokens)}`,
          row.summaryTokens === 0 ? '–' : `${percent(row.inSummary.share)} @ ${thousands(row.summaryTokens)}`,
          percent(row.withinTwo.share),
          percent(row.along),
        ].join(' · ')
  return [
    `${sessions.length} ${set} up to the moment when their own agent compacted; of ${identifiers} identifiers that it wrote next before anything showed them again: in the view @ its tokens · in the summary by rule alone @ its tokens · within two calls · and at ${moments} moments within the sessions, of what was written from memory in the next 60 messages, in the view (– is without a summary; tokens of o200k, mean of the sessions; no request above the window without the output reserve; ${machine}, ${date.slice(0, 10)}, \`npm run bench -- traces\`). For comparison ${peer.name}, its text alone: ${found(peer)} @ ${thousands(peer.tokens)}.`,
    table(
      ['window', ...windows.map(String)],
      runsOf(rows).map(({ strategy, counter }) => [
        `${strategy}, ${counter}`,
        ...windows.map(window => cell(rowIn(rows, { strategy, counter, window }))),
      ]),
    ),
  ].join('\n\n')
}

function ledgerTable({ windows, ledgers, rows, means, published, machine, date }: Ledger): string {
  return [
    `${ledgers.length} dense exact records with ${rows[0]?.inView.of ?? 0} questions: answers in the view @ its tokens · within two calls (tokens of o200k; ${machine}, ${date.slice(0, 10)}, \`npm run bench -- ledger\`). ${published}`,
    table(
      ['window', ...windows.map(String), 'mean'],
      means.map(mean => [
        `${mean.strategy}, ${mean.counter}`,
        ...windows.map(window => {
          const row = rowIn(rows, { ...mean, window })
          return row === undefined
            ? '–'
            : `${percent(row.inView.share)} @ ${thousands(row.viewTokens)} · ${percent(row.withinTwo.share)}`
        }),
        `${percent(mean.inView)} @ ${thousands(mean.viewTokens)} · ${percent(mean.withinTwo)}`,
      ]),
    ),
  ].join('\n\n')
}

const found = (share: Share): string => `${percent(share.share)} (${share.found} of ${share.of})`

type Run = { strategy: string; counter: string; window: number }

/** Each strategy with each of its counters, once. */
function runsOf<T extends Run>(rows: readonly T[]): T[] {
  return rows.filter(({ window }) => window === rows[0]?.window)
}

function rowIn<T extends Run>(rows: readonly T[], { strategy, counter, window }: Run): T | undefined {
  return rows.find(row => row.strategy === strategy && row.counter === counter && row.window === window)
}
