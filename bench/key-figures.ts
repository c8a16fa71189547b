/** The ten figures of the README, out of the kept results. */
import { budget } from '../.ci/size-budget.ts'
import { longTasks, type Browser, type FirstToken, type MemoryBrowser } from './results-browser.ts'
import {
  ms,
  percent,
  read,
  span,
  table,
  type Latency,
  type Memory,
  type Overflow,
  type Retention,
} from './results-table.ts'

/** The table: what, how much, and the command that measures it. A measurement that was never kept has no row. */
export function keyFigures(): string {
  const rows = [
    firstLoad(),
    facts(read('retention')),
    evidence(read('memory')),
    prefix(read('latency')),
    view(read('latency')),
    overflow(read('overflow')),
    ...longChat(read('browser')),
    firstToken(read('browser-first-token')),
    search(read('memory-browser')),
  ]
  return table(
    ['', 'measured', 'by'],
    rows.flatMap(row => (row === undefined ? [] : [[row[0], row[1], `\`${row[2]}\``]])),
  )
}

type Row = [what: string, measured: string, by: string] | undefined
const n = (number: number): string => number.toLocaleString('en').replaceAll(',', ' ')
const bench = (name: string): string => `npm run bench -- ${name}`

function firstLoad(): Row {
  return ['first load, gzipped script of page and worker', `at most ${budget / 1000} kB`, 'npm run build']
}

function facts(result: Retention | undefined): Row {
  const mine = result?.rows.filter(({ strategy }) => strategy === 'balanced')
  return (
    result &&
    mine && [
      `of ${result.planted} planted facts, after all compactions: in view · in reach`,
      `${span(mine.map(row => row.inView))} · ${span(mine.map(row => row.reachable))}`,
      bench('retention'),
    ]
  )
}

function evidence(result: Memory | undefined): Row {
  const of = (name: keyof Memory): string | undefined => result?.[name].conversations6to10?.recall['10']?.toFixed(3)
  return (
    result && [
      'evidence in the ten passages of one search: here · MiniSearch · Orama',
      `${of('haversack')} · ${of('minisearch')} · ${of('orama')}`,
      bench('memory'),
    ]
  )
}

function prefix(result: Latency | undefined): Row {
  const row = result?.prefix.find(({ strategy, window }) => strategy === 'balanced' && window === 32_768)
  return (
    row && [
      'of a request, already in the one before it (window 32 768), mean of 200',
      percent(row.mean),
      bench('latency'),
    ]
  )
}

function view(result: Latency | undefined): Row {
  const row = result?.haversack.at(-1)
  return (
    row && [
      `what the model sees of ${n(row.facts)} facts, worked out after two more, p50 / p95`,
      `${ms(row.modelView['warm'])} ms`,
      bench('latency'),
    ]
  )
}

function overflow(result: Overflow | undefined): Row {
  return (
    result && [
      'provider errors that say “too long”: recognised · false alarms',
      `${result.found} of ${result.overflows} · ${result.falseAlarms} of ${result.lookAlikes}`,
      bench('overflow'),
    ]
  )
}

function longChat(result: Browser | undefined): Row[] {
  if (result === undefined) return []
  const {
    facts,
    open,
    streaming: { keyToPaint, tokensPerSecond },
  } = result
  return [
    [
      `chat of ${n(facts)} messages: newest ones painted after a reload · long tasks while scrolling`,
      `${span(open.runs.map(({ newestMs }) => Math.round(newestMs)))} ms · ${longTasks(result)}`,
      bench('browser'),
    ],
    [
      `key to letter while ${tokensPerSecond.toFixed(0)} tokens/s stream in, p50 / p95`,
      `${keyToPaint.p50} / ${keyToPaint.p95} ms`,
      bench('browser'),
    ],
  ]
}

function firstToken(result: FirstToken | undefined): Row {
  const spread = result?.firstToken.shortChat
  return (
    spread && [
      "first token, from the server's write to the drawn frame, p50 / p95",
      `${spread.p50} / ${spread.p95} ms`,
      bench('browser'),
    ]
  )
}

function search(result: MemoryBrowser | undefined): Row {
  return (
    result && [
      `search over ${n(result.facts)} facts in the browser, p50 / p95`,
      `${result.p50ms.toFixed(0)} / ${result.p95ms.toFixed(0)} ms`,
      bench('memory-browser'),
    ]
  )
}
