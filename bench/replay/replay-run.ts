/**
 * Feeds a conversation through the engine as if it happened, on the in-memory store, with fixed ids and times (C13).
 */
import { o200kBase } from '../shared/tokenizer.ts'
import { toolLimits } from '../../src/core/agent/request/window-limits.ts'
import { rereadableTools, toolsWithReadOnLine } from '../../src/core/agent/tools/index.ts'
import { lateSummary } from '../../src/core/context/compaction/late-summary.ts'
import { pendingSummaries } from '../../src/core/context/compaction/pending-summaries.ts'
import { escalate, fits, initialFallback } from '../../src/core/context/overflow/overflow-fallback.ts'
import { stepsAfterResult } from '../../src/core/context/steps/cap-pages.ts'
import { requestSize, type RequestSize } from '../../src/core/context/size/measure.ts'
import { completeDrafts, runPipeline } from '../../src/core/context/run-pipeline.ts'
import type { AskSummariser, Moment, Step, StepEnv, Strategy } from '../../src/core/context/strategy.ts'
import { AgentError, codeOf } from '../../src/core/errors.ts'
import { bpe, byScript, bytesOver, type Counter } from '../../src/core/log/counter.ts'
import type { Entry, Id, ArchivePlace } from '../../src/core/log/entry.ts'
import { splitHuge } from '../../src/core/log/huge.ts'
import { MemoryStore } from '../../src/storage/memory-store.ts'
import type { FiledFact } from './replay-file.ts'

/** An answer of the summariser. */
export type ScriptLine = { text: string } | { error: string }

export type ReplayOptions = {
  strategy: Strategy
  /** Balanced counts exactly only where the settings say so: here bytes / 4 stand for it. */
  countsExactly: boolean
  window: number // tokens
  outputLimit?: number // tokens, where one is set
  system: string
  script: readonly ScriptLine[]
  /** Guard and overflow fallback act before each call, as in the app (C5.6, C5.7). */
  guard?: boolean
  /** Told of each request: in front of which answer it was made, and what it held. */
  onRequest?: (beforeSeq: number, size: RequestSize) => void
}

/**
 * A model call that the file holds the answer of: the request in front of it. `refused`: it could not be made to fit,
 * and was not sent.
 */
export type Call = { beforeSeq: number; tokens: number; messages: number; refused?: true }

export type Replayed = {
  strategy: Strategy
  window: number
  log: readonly Entry[]
  calls: readonly Call[]
  size: RequestSize
  counter: Counter
  /** Where all of it was stored, under this session, for who wants to read or search there. */
  store: MemoryStore
  session: string
  placeOf: (fact: Id) => ArchivePlace | undefined
}

/** Everything that happened, in the end as a log. */
export async function replay(facts: readonly FiledFact[], options: ReplayOptions): Promise<Replayed> {
  const run = new Run(options, await counterOf(options))
  for (const fact of facts) await run.feed(fact)
  await run.endTurn()
  return run.done()
}

const session = 'replay'

class Run {
  readonly #options: ReplayOptions
  readonly #counter: Counter
  readonly #store = new MemoryStore()
  readonly #places = new Map<Id, ArchivePlace>()
  readonly #calls: Call[] = []
  readonly #ask: AskSummariser
  #log: readonly Entry[] = []
  #now = 0 // ms
  #ids = 0
  #asked = 0
  /** Model calls of the running turn. */
  #steps = 0

  constructor(options: ReplayOptions, counter: Counter) {
    this.#options = options
    this.#counter = counter
    this.#ask = () => {
      const line = options.script[this.#asked++]
      if (line === undefined) return Promise.reject(new Error('the script has ended'))
      return 'error' in line
        ? Promise.reject(new Error(line.error))
        : Promise.resolve({ text: line.text, finish: 'stop' })
    }
  }

  async feed({ seq, id, at, fact }: FiledFact): Promise<void> {
    if (fact.type === 'user') await this.endTurn()
    if (fact.type === 'assistant') {
      if (this.#steps === 0) await this.#moment('onTurn')
      await this.#moment('onCall')
      const isSent = await this.#guard()
      const size = requestSize(this.#log, this.#env('onCall'))
      const { total, parts } = size
      this.#options.onRequest?.(seq, size)
      this.#calls.push({
        beforeSeq: seq,
        tokens: total,
        messages: parts.length,
        ...(!isSent && { refused: true as const }),
      })
      this.#steps += 1
    }
    this.#now = at
    const { whole, ...kept } = splitHuge(fact.text)
    await this.#append(
      [{ ...fact, ...kept, id, parent: this.#log.at(-1)?.id ?? null, at }],
      whole === undefined ? [] : [{ entry: id, text: whole }],
    )
    if (fact.type === 'result') await this.#moment('onResult')
  }

  async endTurn(): Promise<void> {
    if (this.#steps > 0) await this.#moment('onAnswer')
    this.#steps = 0
    const late = lateSummary(this.#options.strategy.summaryPlace)
    while (pendingSummaries(this.#log).length > 0) await this.#run([late], 'onAnswer')
  }

  done(): Replayed {
    const { strategy, window } = this.#options
    return {
      strategy,
      window,
      log: this.#log,
      calls: this.#calls,
      size: requestSize(this.#log, this.#env('onCall')),
      counter: this.#counter,
      store: this.#store,
      session,
      placeOf: id => this.#places.get(id),
    }
  }

  #moment(moment: Moment): Promise<void> {
    const { strategy, window } = this.#options
    const { maxBytes } = toolLimits(window)
    return this.#run(moment === 'onResult' ? stepsAfterResult(strategy, maxBytes) : (strategy[moment] ?? []), moment)
  }

  /** Makes the request fit beside the whole output reserve. Answers whether it may be sent; if not, a note says why. */
  async #guard(): Promise<boolean> {
    if (!this.#options.guard) return true
    const env = this.#env('onOverflow')
    const state = initialFallback(env, env.outputReserve)
    if (fits(this.#log, env, state)) return true
    try {
      const { entries } = await escalate(this.#log, env, state, this.#options.strategy.onOverflow ?? [])
      await this.#append(entries)
      return true
    } catch (thrown) {
      if (!(thrown instanceof AgentError) || codeOf(thrown) !== 'model_overflow') throw thrown
      await this.#append(
        completeDrafts([{ type: 'note', code: 'model_overflow', text: thrown.message }], this.#log, env),
      )
      return false
    }
  }

  async #run(steps: readonly Step[], moment: Moment): Promise<void> {
    await this.#append(await runPipeline(this.#log, steps, this.#env(moment)))
  }

  async #append(entries: readonly Entry[], texts: { entry: Id; text: string }[] = []): Promise<void> {
    if (entries.length === 0) return
    if (this.#log.length === 0)
      await this.#store.createSession({
        id: session,
        title: 'Replay',
        createdAt: this.#now,
        updatedAt: this.#now,
        leaf: null,
      })
    for (const { entry, day, line } of await this.#store.append(session, entries, { texts }))
      if (line !== null) this.#places.set(entry.id, { day, line, session, ownLine: line })
    this.#log = [...this.#log, ...entries]
  }

  #env(moment: Moment): StepEnv {
    const { window, system, script, outputLimit } = this.#options
    const outputReserve = outputLimit
      ? Math.min(outputLimit, Math.floor(window / 2))
      : Math.min(8_192, Math.floor(window / 5))
    return {
      moment,
      contextWindow: window,
      outputReserve,
      local: false,
      system,
      tools,
      view,
      rereadableTools,
      counter: this.#counter,
      ...(this.#asked < script.length && { ask: this.#ask }),
      askWindow: window,
      askModel: 'script',
      language: 'en',
      signal: never,
      place: id => this.#places.get(id),
      newId: this.#newId,
      now: () => this.#now,
      group: this.#newId(),
    }
  }

  readonly #newId = (): Id => `edit~${this.#ids++}`
}

const tools: StepEnv['tools'] = []
/** Marks that tools have by name hold here too. */
const view: StepEnv['view'] = { toolsWithReadOnLine }
const never = new AbortController().signal

async function counterOf({ strategy, countsExactly }: ReplayOptions): Promise<Counter> {
  if (strategy.counter === 'script') return byScript()
  if (strategy.counter === 'bpe' && countsExactly) return bpe(await o200kBase())
  return bytesOver(strategy.divisor ?? 4)
}
