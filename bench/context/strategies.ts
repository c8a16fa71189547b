/**
 * `npm run bench -- strategies`: the four strategies, and other numbers for `balanced`, on the same long chat of work.
 */
import { defaultsOf } from '../../src/core/context/config/config.ts'
import { lateSummary } from '../../src/core/context/compaction/late-summary.ts'
import { requestSize } from '../../src/core/context/size/measure.ts'
import { pendingSummaries } from '../../src/core/context/compaction/pending-summaries.ts'
import { runPipeline } from '../../src/core/context/run-pipeline.ts'
import { balanced, tuned, type BalancedNumbers } from '../../src/core/context/strategies/balanced.ts'
import { strategies } from '../../src/core/context/strategies/index.ts'
import type { AskSummariser, Step, StepEnv, Strategy } from '../../src/core/context/strategy.ts'
import { summaryCap } from '../../src/core/context/summary/summarize.ts'
import { bytesOver, byScript } from '../../src/core/log/counter.ts'
import type { Entry, Log } from '../../src/core/log/entry.ts'
import type { Message } from '../../src/core/log/message.ts'
import { modelView } from '../../src/core/log/model-view/model-view.ts'
import { envOf } from './latency-env.ts'
import type { Bench } from '../shared/machine.ts'
import { mixedChat, type Told } from '../chats/mixed-chat.ts'
import { summarisers } from '../shared/retention-modes.ts'

/** Tokens. */
const windows = [16_384, 32_768, 65_536, 131_072]
const turns = 100
/** What a token costs that a prompt cache already holds. Source: the usual price list, a tenth. */
const cached = 0.1
/** "Of the newest": what was told in so many turns before. */
const recent = 10

const others: Record<string, Partial<BalancedNumbers>> = {
  'arrivals 0.3 / 0.15': { arrivalAbove: 0.3, arrivalKeep: 0.15 },
  'arrivals 0.15 / 0.08': { arrivalAbove: 0.15, arrivalKeep: 0.08 },
  'arrivals 0.1 / 0.05': { arrivalAbove: 0.1, arrivalKeep: 0.05 },
  'arrivals never': { arrivalAbove: 9 },
  'compacts at 0.92, older from 0.5': { compactAt: 0.92, olderFrom: 0.5 },
  'compacts at 0.7': { compactAt: 0.7, olderFrom: 0.6, target: 0.5 },
  'compacts at 0.92': { compactAt: 0.92 },
  'reserve 0.2': { reserve: 0.2 },
  'reserve 0.45': { reserve: 0.45, target: 0.7 },
  'older from 0.5': { olderFrom: 0.5 },
  'older never': { olderFrom: 9 },
  'older all 3 000': { olderKeep: { repeated: 3_000, edited: 3_000, unused: 3_000, used: 3_000 } },
  'older unused 1 000': { olderKeep: { ...tuned.olderKeep, unused: 1_000 } },
  'older unused 2 000': { olderKeep: { ...tuned.olderKeep, unused: 2_000 } },
  'older gain 0.15': { olderGain: 0.15 },
  'older behind 0.35': { olderWhole: 0.35 },
}

/** As `mixedChat` plants them. */
const marks = /\b[qra][a-z0-9]+-\d+x/g

type Row = {
  name: string
  window: number
  calls: number
  sent: number // tokens of all requests, bytes / 4
  prefix: number // share of it that began the request before
  cost: number // tokens, cached ones at a tenth, the summariser's input added
  compactions: number
  overflows: number // requests above the window
  inView: number // share of what was told so far, mean over the turns
  inViewRecent: number // the same of the newest turns
}

export const compareStrategies: Bench = async () => {
  const rows: Row[] = []
  const chat = mixedChat(turns)
  for (const window of windows) {
    const named: [string, Strategy][] = [
      ...Object.entries(strategies).map(
        ([name, make]) => [name, make(defaultsOf(name as keyof typeof strategies))] as [string, Strategy],
      ),
      ...Object.entries(others).map(
        ([name, changes]) =>
          [`balanced, ${name}`, balanced(defaultsOf('balanced'), { ...tuned, ...changes })] as [string, Strategy],
      ),
    ]
    for (const [name, strategy] of named) {
      const row = await run(name, strategy, window, chat)
      rows.push(row)
      console.error(
        `${window} ${name}: sent ${row.sent} prefix ${row.prefix} cost ${row.cost} compactions ${row.compactions} over ${row.overflows} in view ${row.inView} recent ${row.inViewRecent}`,
      )
    }
  }
  return {
    turns,
    facts: chat.facts.length,
    told: chat.told.length,
    rows,
    note:
      'One chat of work with tools, results of 400 bytes to 70 kB. The summariser loses 30 % of what it is shown. sent: tokens of all requests, bytes / 4 for every strategy. prefix: share of them that the request before began with. ' +
      'cost: tokens, those of the prefix at a tenth, the input of summaries added. inView: of all that was told until then, how much the request holds, mean over the turns; inViewRecent: of the newest ten turns.',
  }
}

async function run(
  name: string,
  strategy: Strategy,
  window: number,
  { facts, told }: ReturnType<typeof mixedChat>,
): Promise<Row> {
  const plain = bytesOver(4)
  const row: Row = {
    name,
    window,
    calls: 0,
    sent: 0,
    prefix: 0,
    cost: 0,
    compactions: 0,
    overflows: 0,
    inView: 0,
    inViewRecent: 0,
  }
  const ask: AskSummariser = (prompt, limits) => {
    const text = prompt.messages.map(message => message.content).join('\n')
    row.cost += plain.text(text)
    return summarisers['30 % lossy'](text, limits.maxTokens, summaryCap(window), 1)
  }
  const base = envOf(window, strategy.counter === 'script' ? byScript() : bytesOver(strategy.divisor ?? 4))
  let log: Log = []
  let before: Message[] = []
  let turn = -1
  let asked = 0
  const steps = async (wanted: readonly Step[] | undefined, moment: StepEnv['moment']): Promise<void> => {
    const added: Entry[] = await runPipeline(log, wanted ?? [], {
      ...base,
      ask,
      askModel: 'bench',
      moment,
      place: () => ({ day: '2026-03-02', line: 1, session: 'bench', ownLine: 1 }),
      group: `group-${log.length}`,
    })
    row.compactions += added.filter(entry => entry.type === 'cut').length
    log = [...log, ...added]
  }
  for (const fact of facts) {
    if (fact.type === 'user') turn++
    if (fact.type === 'assistant') {
      if (log.at(-1)?.type === 'user') await steps(strategy.onTurn, 'onTurn')
      await steps(strategy.onCall, 'onCall')
      const messages = modelView(log).map(({ message }) => message)
      const first = messages.findIndex((message, at) => message !== before[at])
      const same = messages
        .slice(0, first < 0 ? messages.length : first)
        .reduce((sum, message) => sum + plain.message(message), 0)
      const { total } = requestSize(log, { ...base, counter: plain })
      row.calls++
      row.sent += total
      row.prefix += same
      row.cost += total - same + cached * same
      if (total > window) row.overflows++
      before = messages
      if (fact.calls.length === 0) {
        const shown = new Set(messages.flatMap(message => message.content.match(marks) ?? []))
        row.inView += shareOf(told, shown, 0, turn)
        row.inViewRecent += shareOf(told, shown, turn - recent, turn)
        asked++
      }
    }
    log = [...log, { ...fact, parent: log.at(-1)?.id ?? null }]
    if (fact.type === 'result') await steps(strategy.onResult, 'onResult')
    if (fact.type !== 'assistant' || fact.calls.length > 0) continue
    await steps(strategy.onAnswer, 'onAnswer')
    while (pendingSummaries(log).length > 0) await steps([lateSummary(strategy.summaryPlace)], 'onAnswer')
  }
  const share = (value: number): number => Math.round(value * 1_000) / 1_000
  return {
    ...row,
    prefix: share(row.prefix / row.sent),
    cost: Math.round(row.cost),
    inView: share(row.inView / asked),
    inViewRecent: share(row.inViewRecent / asked),
  }
}

function shareOf(told: readonly Told[], shown: ReadonlySet<string>, from: number, before: number): number {
  const asked = told.filter(({ turn }) => turn >= from && turn < before)
  return asked.length === 0 ? 1 : asked.filter(({ value }) => shown.has(value)).length / asked.length
}
