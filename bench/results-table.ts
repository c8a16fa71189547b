/** The tables of bench/RESULTS.md out of the kept results; nothing is measured here. `npm run results` writes them. */
import { existsSync, readFileSync } from 'node:fs'

export type Times = { p50: number; p95: number }
export type Latency = {
  date: string
  machine: string
  haversack: {
    facts: number
    modelView: Record<string, Times>
    nothingChanges: Record<string, Record<string, Times>>
    cutAndEdits: Record<string, Times>
    fallback: Times & { longestSlice: number }
    audit: Times & { longestSlice: number }
  }[]
  prefix: { strategy: string; window: number; mean: number }[]
  peers: Record<string, number | Record<string, Times | null>>[] // `facts` beside the peers
}
export type Retention = {
  planted: number
  bySearch: number
  rows: {
    strategy: string
    mode: string
    rounds: number
    inView: number
    byPath: number
    reachable: number
    largestCall: number
  }[]
  typed?: { strategy: string; mode: string; rounds: number; inView: Record<string, number> }[]
  peers?: { peer: string; mode: string; rounds: number; inView: number; failed?: string }[]
}
type Strategies = {
  turns: number
  rows: { name: string; window: number; cost: number; prefix: number; inView: number; inViewRecent: number }[]
}
type Tokens = { rows: { kind: string; counter: string; error: number; errorCalibrated: number }[]; worstMs: number }
type Half = { recall: Record<string, number>; any: Record<string, number> }
export type Memory = Record<
  'haversack' | 'minisearch' | 'orama',
  { p50ms: number; p95ms: number; conversations1to5?: Half; conversations6to10?: Half }
>
export type Answerable = Record<'fitted' | 'checked', { questions: number; answered: number; unanswered: number }>
export type Overflow = {
  found: number
  overflows: number
  falseAlarms: number
  lookAlikes: number
  kindRight: number
  numbersRight: number
}

export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`
export const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n')
export const ms = (times: Times | null | undefined): string => (times ? `${times.p50} / ${times.p95}` : '–')

/** From the least to the most of them. */
export const span = (numbers: readonly number[]): string =>
  numbers.length === 0
    ? '–'
    : Math.min(...numbers) === Math.max(...numbers)
      ? `${numbers[0]}`
      : `${Math.min(...numbers)}–${Math.max(...numbers)}`

/** All tables of the measurements that need no browser, with a line above each. */
export function resultTables(): string {
  const parts = [
    latency(read<Latency>('latency')),
    retention(read<Retention>('retention')),
    memory(read<Memory>('memory')),
    answerable(read<Answerable>('answerable')),
    strategies(read<Strategies>('strategies')),
    overflow(read<Overflow>('overflow')),
    tokens(read<Tokens>('tokens')),
  ]
  return parts.filter(part => part !== '').join('\n\n')
}

/** What a measurement left in bench/results; undefined where it was never kept. */
export function read<T>(name: string): T | undefined {
  const file = new URL(`./results/${name}.json`, import.meta.url)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined
}

function latency(result: Latency | undefined): string {
  if (result === undefined) return ''
  const { haversack, peers, prefix } = result
  type Row = [string, (row: Latency['haversack'][number]) => Times | undefined]
  const own: Row[] = [
    ['Haversack: nothing changes (`balanced`)', row => row.nothingChanges['balanced']?.['warm']],
    ['Haversack: view', row => row.modelView['warm']],
    ...Object.keys(haversack[0]?.cutAndEdits ?? {}).map((name): Row => [
      `Haversack: cut and edits (\`${name}\`)`,
      row => row.cutAndEdits[name],
    ]),
    ['Haversack: check of a summary', row => row.audit],
    ['Haversack: summary by rule', row => row.fallback],
  ]
  const others = [
    ...new Set(
      peers.flatMap(row =>
        Object.entries(row).flatMap(([peer, measured]) =>
          typeof measured === 'number' ? [] : Object.keys(measured).map(what => `${peer}: ${what}`),
        ),
      ),
    ),
  ]
  const rows = [
    ...own.map(([title, of]) => [title, ...haversack.map(row => ms(of(row)))]),
    ...others.map(title => {
      const [peer = '', what = ''] = title.split(': ')
      return [
        title,
        ...peers.map(row => {
          const measured = row[peer]
          return ms(typeof measured === 'object' ? measured[what] : undefined)
        }),
      ]
    }),
  ]
  return [
    `Processor time in ms, p50 / p95 (${result.machine}, ${result.date.slice(0, 10)}, \`npm run bench -- latency\`):`,
    table(['', ...haversack.map(row => `${row.facts} facts`)], rows),
    table(
      ['of a request, already in the one before', ...prefix.map(row => `${row.strategy}, ${row.window}`)],
      [['mean of 200', ...prefix.map(row => percent(row.mean))]],
    ),
  ].join('\n\n')
}

function retention(result: Retention | undefined): string {
  if (result === undefined) return ''
  const strategies = [...new Set(result.rows.map(row => row.strategy))]
  const own = strategies.map(name => {
    const mine = result.rows.filter(row => row.strategy === name)
    return [
      name,
      span(mine.map(row => row.inView)),
      span(mine.map(row => row.byPath)),
      result.bySearch,
      span(mine.map(row => row.reachable)),
    ]
  })
  const others = [...new Set(result.peers?.map(row => row.peer))].map(name => {
    const mine = result.peers?.filter(row => row.peer === name) ?? []
    return [
      name,
      `${span(mine.filter(row => row.failed === undefined).map(row => row.inView))}${mine.some(row => row.failed !== undefined) ? '; throws where its summariser does' : ''}`,
      '–',
      '–',
      '–',
    ]
  })
  const lossy = result.typed?.filter(row => row.mode === '30 % lossy') ?? []
  const kinds = Object.keys(lossy[0]?.inView ?? {})
  const said =
    lossy.length === 0
      ? []
      : [
          `Of ten sentences each, word for word in view with a summariser that loses 30 %, over all strategies and rounds: ${kinds.map(kind => `${kind === 'Chinese' ? 'rules in Chinese' : `${kind}s`} ${span(lossy.map(row => row.inView[kind] ?? 0))}`).join(', ')}.`,
        ]
  return [
    `Of ${result.planted} planted facts, over all summarisers and rounds (\`npm run bench -- retention\`):`,
    table(['', 'in view', 'by path', 'by search', 'in reach'], [...own, ...others]),
    ...said,
  ].join('\n\n')
}

function strategies(result: Strategies | undefined): string {
  if (result === undefined) return ''
  const rows = result.rows.filter(row => !row.name.includes(','))
  const windows = [...new Set(rows.map(row => row.window))]
  const cell = (name: string, window: number): string => {
    const row = rows.find(one => one.name === name && one.window === window)
    return row === undefined
      ? '–'
      : `${percent(row.inViewRecent)} · ${percent(row.inView)} · ${(row.cost / 1e6).toFixed(2)} M`
  }
  return [
    `A chat of ${result.turns} turns of work with tools, a summariser that loses 30 %: in view of what the newest ten turns told · of all that was told · tokens paid, cached ones at a tenth (\`npm run bench -- strategies\`):`,
    table(
      ['window', ...windows.map(String)],
      [...new Set(rows.map(row => row.name))].map(name => [name, ...windows.map(window => cell(name, window))]),
    ),
  ].join('\n\n')
}

function overflow(result: Overflow | undefined): string {
  return result === undefined
    ? ''
    : `Overflow errors: ${result.found} of ${result.overflows} found, ${result.falseAlarms} false alarms among ${result.lookAlikes}, ${result.kindRight} kinds and ${result.numbersRight} numbers right (\`npm run bench -- overflow\`).`
}

function tokens(result: Tokens | undefined): string {
  if (result === undefined) return ''
  const counters = [...new Set(result.rows.map(row => row.counter))]
  const kinds = [...new Set(result.rows.map(row => row.kind))]
  const cell = (kind: string, counter: string): string => {
    const row = result.rows.find(one => one.kind === kind && one.counter === counter)
    return row === undefined ? '–' : `${percent(row.error)} → ${percent(row.errorCalibrated)}`
  }
  return [
    `Error of the counters, before → after calibration; worst time for 100 000 letters ${result.worstMs} ms (\`npm run bench -- tokens\`):`,
    table(
      ['', ...counters],
      kinds.map(kind => [kind, ...counters.map(counter => cell(kind, counter))]),
    ),
  ].join('\n\n')
}

function memory(result: Memory | undefined): string {
  if (result === undefined) return ''
  const of = (half: Half | undefined): string[] =>
    half === undefined ? ['–', '–'] : [half.recall['10'] ?? 0, half.any['10'] ?? 0].map(share => share.toFixed(3))
  const rows = (['haversack', 'minisearch', 'orama'] as const).map(name => [
    name,
    ...of(result[name].conversations1to5),
    ...of(result[name].conversations6to10),
    `${result[name].p50ms} / ${result[name].p95ms}`,
  ])
  return [
    'Questions about long chats: what of the evidence stands in the ten passages of one search, and how often some of it does (turns, no model; weights fitted on chats 1–5; `npm run bench -- memory`):',
    table(['', 'chats 1–5, recall@10', 'any@10', 'chats 6–10, recall@10', 'any@10', 'ms, p50 / p95'], rows),
  ].join('\n\n')
}

function answerable(result: Answerable | undefined): string {
  if (result === undefined) return ''
  const rows = (['fitted', 'checked'] as const).map(half => [
    half === 'fitted' ? 'questions that the threshold was fitted on' : 'questions in other words',
    result[half].questions,
    percent(result[half].answered),
    percent(result[half].unanswered),
  ])
  return [
    'Questions with and without an answer in a chat, half of each: with one, a search finds it and says so; without one, it says that nothing says it (`npm run bench -- answerable`):',
    table(['', 'questions', 'with an answer', 'without one'], rows),
  ].join('\n\n')
}
