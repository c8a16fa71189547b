/**
 * `npm run bench -- latency`: what the engine costs the processor, at 400, 2 000 and 20 000 facts of 800 bytes (C14).
 */
import { defaultsOf } from '../../src/core/context/config/config.ts'
import { requestSize } from '../../src/core/context/size/measure.ts'
import { runPipeline } from '../../src/core/context/run-pipeline.ts'
import { strategies } from '../../src/core/context/strategies/index.ts'
import { strategyNames, type Strategy } from '../../src/core/context/strategy.ts'
import { bpe, byScript, bytesOver, type Counter } from '../../src/core/log/counter.ts'
import type { Entry, Log } from '../../src/core/log/entry.ts'
import { modelView } from '../../src/core/log/model-view/model-view.ts'
import { envOf, place } from './latency-env.ts'
import { prefixes } from './latency-prefix.ts'
import { summaryTimes } from './summaries.ts'
import { peersOf } from '../peers/peers.ts'
import { goneOn, longChat } from '../chats/long-chat.ts'
import type { Bench } from '../shared/machine.ts'
import { cpuMs, percentiles, rounded, timesOf, type Times } from '../shared/measuring.ts'
import { o200kBase } from '../shared/tokenizer.ts'

const sizes = [400, 2_000, 20_000]

export const latency: Bench = async () => {
  const tokenizer = await o200kBase()
  const yardstick = { before: yardstickMs(), after: 0 }
  const haversack = []
  for (const facts of sizes) {
    haversack.push({ facts, ...(await ours(facts, tokenizer)) })
    console.error(`${facts} facts: ours measured`)
  }
  const peers = []
  for (const facts of sizes) {
    peers.push({ facts, ...(await (await peersOf('latency')).peerTimes(facts)) })
    console.error(`${facts} facts: peers measured`)
  }
  yardstick.after = yardstickMs()
  return {
    unit: "ms of processor time, helper threads included; factBytes: UTF-8 bytes of a fact's text",
    factBytes: 800,
    note:
      'Warm: the log was known and has grown by two facts. Cold: entries never seen before, exact counting included (`coldCounted`: counted before). ' +
      'cutAndEdits: prepare(onCall) from the threshold on, without the summary that it makes; for cowagent, whose summary comes later, prepare(onTurn); `first`: the very first of the process, whose code is not compiled yet. ' +
      'yardstick: sorting 200 000 fixed numbers, before and after, to tell a busy machine from an idle one. ' +
      'audit and fallback: one summary of all the facts that leave, and the longest stretch in which no other work could run.',
    yardstick,
    haversack,
    prefix: await prefixes(),
    peers,
  }
}

async function ours(count: number, tokenizer: (text: string) => number): Promise<object> {
  const runs = count > 10_000 ? 20 : 60
  const few = count > 10_000 ? 3 : 10
  const fresh = (): Log => longChat(count)
  const view = {
    warm: await grown(runs, fresh(), log => modelView(log)),
    cold: await timesOf(few, fresh, log => modelView(log)),
    afterCut: await timesOf(
      few,
      () => edited(fresh()),
      log => modelView(log),
    ),
  }
  const nothing: Record<string, object> = {}
  const cutAndEdits: Record<string, object> = {}
  for (const name of strategyNames) {
    const strategy = strategies[name](defaultsOf(name))
    const counter = counterOf(strategy, tokenizer)
    const wide = envOf(10_000_000, counter)
    const steps = strategy.onCall ?? []
    const log = fresh()
    await runPipeline(log, steps, wide)
    const warm = await grown(runs, log, grownLog => runPipeline(grownLog, steps, wide))
    const again = await timesOf(
      runs,
      () => log,
      same => runPipeline(same, steps, wide),
    )
    // Counting 16 MB exactly takes seconds: it is not repeated.
    const cold = await timesOf(1, fresh, unknown => runPipeline(unknown, steps, wide))
    const coldCounted = await timesOf(
      few,
      () => {
        const unknown = fresh()
        for (const { message } of modelView(unknown)) counter.message(message)
        return [...unknown]
      },
      unknown => runPipeline(unknown, steps, wide),
    )
    nothing[name] = { warm, again, cold, coldCounted }
    cutAndEdits[name] = await cutsOf(strategy, counter, log, count > 10_000 ? 20 : few)
  }
  return {
    modelView: view,
    nothingChanges: nothing,
    cutAndEdits,
    ...(await summaryTimes(count, few)),
    heapMB: await heap(count),
  }
}

/** A log that grows by two facts each time, known from the step before. */
async function grown(runs: number, start: Log, run: (log: Log) => unknown): Promise<Times> {
  let log: Log = start
  await run(log)
  return timesOf(runs, () => (log = goneOn(log)), run)
}

/** The largest window in which a request of this size has reached the threshold; at most twice the request. */
function windowReached({ threshold }: Strategy, size: number): number {
  let [low, high] = [1, 2 * size]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((threshold(middle, false) ?? 0) <= size) low = middle
    else high = middle - 1
  }
  return low
}

/** Compactions before the measured ones: until then the processor runs this code for the first time. */
const warmUp = 3

/** The step that cuts, apart from the summary: `tell` reads the clock where it starts and where it ends. */
async function cutsOf(strategy: Strategy, counter: Counter, log: Log, runs: number): Promise<object> {
  // One that counts turns cuts before the first call of a turn.
  const steps = (strategy.turnLimit === undefined ? strategy.onCall : strategy.onTurn) ?? []
  const all = requestSize(log, envOf(10_000_000, counter)).total
  const window = windowReached(strategy, all)
  const times: number[] = []
  let cut = 0
  let known = log
  for (const { id } of goneOn(log, 4 * (runs + warmUp))) place(id) // a session knows them
  for (let at = 0; at < runs + warmUp; at++) {
    known = goneOn(known, 4) // whole turns: copaw leaves a log alone whose calls are open
    requestSize(known, envOf(10_000_000, counter))
    const clock: number[] = []
    const env = {
      ...envOf(window, counter),
      now: () => {
        clock.push(cpuMs())
        return 0
      },
    }
    const before = cpuMs()
    const added = await runPipeline(known, steps, env)
    const spent = cpuMs() - before
    if (added.some(entry => entry.type === 'cut')) cut++
    const summary = added.find(entry => entry.type === 'summary')
    // First readings: start of the summary, its own start, its end; what follows completes the entries.
    times.push(spent - (summary === undefined ? 0 : (clock[2] ?? 0) - (clock[0] ?? 0)))
  }
  if (cut < times.length)
    throw new Error(`${strategy.name} made ${cut} cuts in ${times.length} runs: this measures nothing`)
  return {
    ...percentiles(times.slice(warmUp)),
    max: rounded(Math.max(...times.slice(warmUp))),
    first: rounded(times[0] ?? Number.NaN),
  }
}

/** One summary by rule, and one check of a model's summary, over all facts. */

/** MB of heap that the entries take, and what view and sizes add to it. */
async function heap(count: number): Promise<object> {
  const { setFlagsFromString } = await import('node:v8')
  const { runInNewContext } = await import('node:vm')
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used = () => {
    collect()
    return process.memoryUsage().heapUsed / 2 ** 20
  }
  const before = used()
  const log = longChat(count)
  const withLog = used()
  const size = requestSize(log, envOf(10_000_000, bytesOver(4)))
  const withView = used()
  return { log: rounded(withLog - before), viewAndSizes: rounded(withView - withLog), messages: size.parts.length }
}

/**
 * ms of processor time for a fixed piece of work: on a machine that others use, everything here takes longer by as
 * much.
 */
function yardstickMs(): number {
  const numbers = Array.from({ length: 200_000 }, (_, at) => Math.imul(at, 2_654_435_761) >>> 0)
  const before = cpuMs()
  numbers.sort((a, b) => a - b)
  return rounded(cpuMs() - before)
}

/** The log with a cut before its middle: a view that no part of is known. */
function edited(log: Log): Log {
  modelView(log)
  const cut: Entry = {
    type: 'cut',
    group: 'g',
    before: log[Math.floor(log.length / 8) * 4]?.id ?? null,
    reason: 'compact',
    id: `cut-${log.length}`,
    parent: log.at(-1)?.id ?? null,
    at: 0,
  }
  return [...log, cut]
}

function counterOf(strategy: Strategy, tokenizer: (text: string) => number): Counter {
  return strategy.counter === 'script'
    ? byScript()
    : strategy.counter === 'bpe'
      ? bpe(tokenizer)
      : bytesOver(strategy.divisor ?? 4)
}
