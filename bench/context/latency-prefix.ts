/**
 * How much of each request was already in the one before: what a prompt cache, or a local model, need not read again.
 */
import { defaultsOf } from '../../src/core/context/config/config.ts'
import { lateSummary } from '../../src/core/context/compaction/late-summary.ts'
import { requestSize } from '../../src/core/context/size/measure.ts'
import { runPipeline } from '../../src/core/context/run-pipeline.ts'
import { strategies } from '../../src/core/context/strategies/index.ts'
import { strategyNames, type Step, type StepEnv, type StrategyName } from '../../src/core/context/strategy.ts'
import { byScript, bytesOver } from '../../src/core/log/counter.ts'
import type { Log } from '../../src/core/log/entry.ts'
import { modelView } from '../../src/core/log/model-view/model-view.ts'
import { cutsOwingSummary } from '../../src/core/log/query.ts'
import { envOf } from './latency-env.ts'
import { factAt } from '../chats/long-chat.ts'

/** Tokens. */
const windows = [32_768, 131_072]
const steps = 200

export type Prefix = {
  strategy: StrategyName
  window: number
  mean: number
  whole: number
  edits: number
  requests: number
}

/**
 * 200 requests behind 200 others: the mean share that they begin with, and how many begin with all of the one before.
 */
export async function prefixes(): Promise<Prefix[]> {
  const rows: Prefix[] = []
  for (const strategy of strategyNames) for (const window of windows) rows.push(await prefixOf(strategy, window))
  return rows
}

async function prefixOf(name: StrategyName, window: number): Promise<Prefix> {
  const strategy = strategies[name](defaultsOf(name))
  const env = envOf(window, strategy.counter === 'script' ? byScript() : bytesOver(strategy.divisor ?? 4))
  let log: Log = []
  let before: string | undefined
  let edits = 0
  const shares: number[] = []
  const run = async (wanted: readonly Step[] | undefined, moment: StepEnv['moment']) => {
    const added = await runPipeline(log, wanted ?? [], { ...env, moment, group: `group-${log.length}` })
    edits += added.filter(entry => 'group' in entry).length
    log = [...log, ...added]
  }
  // The chat is full before it is measured: 200 steps of a chat that fits say nothing.
  for (let at = 0; shares.length < steps; at++) {
    const fact = factAt(at)
    if (fact.type === 'assistant') {
      if (fact.calls.length > 0) await run(strategy.onTurn, 'onTurn')
      await run(strategy.onCall, 'onCall')
      const request =
        env.system +
        modelView(log)
          .map(({ message }) => JSON.stringify(message))
          .join('\n')
      if (before !== undefined && isFull(log, window, env)) shares.push(common(before, request) / before.length)
      else edits = 0
      before = request
    }
    log = [...log, { ...fact, id: `fact-${at}`, parent: log.at(-1)?.id ?? null }]
    if (fact.type === 'result') await run(strategy.onResult, 'onResult')
    if (fact.type === 'assistant' && fact.calls.length === 0) {
      await run(strategy.onAnswer, 'onAnswer')
      while (cutsOwingSummary(log).length > 0) await run([lateSummary(strategy.summaryPlace)], 'onAnswer')
    }
  }
  return {
    strategy: name,
    window,
    requests: shares.length,
    edits,
    mean: Math.round((shares.reduce((sum, share) => sum + share, 0) / shares.length) * 10_000) / 10_000,
    whole: shares.filter(share => share === 1).length,
  }
}

/** Once a cut was made, or half the window is used. */
function isFull(log: Log, window: number, env: StepEnv): boolean {
  return log.some(entry => entry.type === 'cut') || requestSize(log, env).total > window / 2
}

function common(a: string, b: string): number {
  let at = 0
  while (at < a.length && at < b.length && a.charCodeAt(at) === b.charCodeAt(at)) at++
  return at
}
