/** A chat of planted facts that one strategy with one summariser compacts, and what of them is left in its request. */
import { compactNow } from '../../src/core/context/steps/compact.ts'
import { lateSummary } from '../../src/core/context/compaction/late-summary.ts'
import { pendingSummaries } from '../../src/core/context/compaction/pending-summaries.ts'
import { runPipeline } from '../../src/core/context/run-pipeline.ts'
import { summaryCap } from '../../src/core/context/summary/summarize.ts'
import type { AskSummariser, Moment, Step, StepEnv, Strategy, StrategyName } from '../../src/core/context/strategy.ts'
import { byScript, bytesOver, type Counter } from '../../src/core/log/counter.ts'
import type { Entry, Id, ArchivePlace } from '../../src/core/log/entry.ts'
import { modelView } from '../../src/core/log/model-view/model-view.ts'
import { effectiveSummary } from '../../src/core/log/query.ts'
import { MemoryStore } from '../../src/storage/memory-store.ts'
import type { plantedChat, Planted } from '../chats/retention-facts.ts'
import { summarisers, type Mode } from '../shared/retention-modes.ts'
import { namedReads, readsTwice, toolContext, type NamedRead } from '../shared/two-calls.ts'
import { never, session, window, type Searched } from './retention-search.ts'

export type RetentionRow = {
  strategy: StrategyName
  mode: Mode
  rounds: number
  inView: number
  byPath: number
  neither: number
  reachable: number
  compactions: number
  calls: number
  largestCall: number /* share of the window */
  summaryTokens: number
  byModel: number
}

const readings = new Map<string, Promise<boolean>>()

export class RetentionRun {
  readonly store = new MemoryStore()
  readonly #strategy: Strategy
  readonly #mode: Mode
  readonly #counter: Counter
  readonly #ask: AskSummariser
  readonly #places = new Map<Id, ArchivePlace>()
  #log: readonly Entry[] = []
  #now = 0 // ms
  #ids = 0
  #steps = 0
  #calls = 0
  #largest = 0

  constructor(strategy: Strategy, mode: Mode) {
    this.#strategy = strategy
    this.#mode = mode
    // bytes / 4 stand for exact counting, as in replay: what is measured here is what stays, not how it is counted.
    this.#counter = strategy.counter === 'script' ? byScript() : bytesOver(strategy.divisor ?? 4)
    this.#ask = (prompt, limits) => {
      const text = prompt.messages.map(message => message.content).join('\n')
      this.#calls++
      this.#largest = Math.max(this.#largest, (this.#counter.text(prompt.system) + this.#counter.text(text)) / window)
      return summarisers[mode](text, limits.maxTokens, summaryCap(window), this.#calls)
    }
  }

  /** Feeds a chat with a compaction behind every so many turns, the last one behind the last turn. */
  async feedAll(facts: ReturnType<typeof plantedChat>['facts'], times: number): Promise<void> {
    for (const [index, fact] of facts.entries()) {
      await this.feed(fact)
      if (
        fact.fact.type === 'assistant' &&
        fact.fact.stop === 'stop' &&
        Math.floor(((index + 1) * times) / facts.length) > Math.floor(((index - 3) * times) / facts.length)
      )
        await this.compact()
    }
  }

  async feed({ id, at, fact }: ReturnType<typeof plantedChat>['facts'][number]): Promise<void> {
    if (fact.type === 'assistant') {
      if (this.#steps++ === 0) await this.#run(this.#strategy.onTurn, 'onTurn')
      await this.#run(this.#strategy.onCall, 'onCall')
    }
    this.#now = at
    await this.#append([{ ...fact, id, parent: this.#log.at(-1)?.id ?? null, at }])
    if (fact.type === 'result') await this.#run(this.#strategy.onResult, 'onResult')
    if (fact.type !== 'assistant' || fact.stop !== 'stop') return
    await this.#run(this.#strategy.onAnswer, 'onAnswer')
    this.#steps = 0
    const late = lateSummary(this.#strategy.summaryPlace)
    while (pendingSummaries(this.#log).length > 0) await this.#run([late], 'onAnswer')
  }

  compact(): Promise<void> {
    return this.#run([compactNow(this.#strategy)], 'onCall', true)
  }

  async measured(planted: readonly Planted[], search: Searched, times: number): Promise<RetentionRow> {
    // The next question would be sent with this view; a summary for the first question waits for it (C2.5).
    const log: readonly Entry[] = [
      ...this.#log,
      { id: 'next', parent: this.#log.at(-1)?.id ?? null, at: this.#now, type: 'user', text: 'And now?' },
    ]
    const view = modelView(log)
    const shown = shownIn(view)
    const request = view.map(part => JSON.stringify(part.message)).join('\n')
    let inView = 0
    let byPath = 0
    let neither = 0
    let reachable = 0
    for (const fact of planted) {
      const isShown = shown.includes(fact.answer)
      const isNamed = await this.#isNamed(fact, request)
      if (isShown) inView++
      if (isNamed) byPath++
      if (!isShown && !isNamed) neither++
      if (isShown || isNamed || search.found.has(fact)) reachable++
    }
    const summaries = log.filter(entry => entry.type === 'summary')
    const summary = effectiveSummary(log)
    return {
      strategy: this.#strategy.name,
      mode: this.#mode,
      rounds: times,
      inView,
      byPath,
      neither,
      reachable,
      compactions: summaries.length,
      calls: this.#calls,
      largestCall: Math.round(this.#largest * 1_000) / 1_000,
      summaryTokens: summary === null ? 0 : this.#counter.text(summary.text),
      byModel: summaries.filter(entry => entry.by === 'model').length,
    }
  }

  /** All that the model would read with the next question. */
  shown(): string {
    return shownIn(
      modelView([
        ...this.#log,
        { id: 'next', parent: this.#log.at(-1)?.id ?? null, at: this.#now, type: 'user', text: 'And now?' },
      ]),
    )
  }

  /**
   * At most two reads of what the request names: a result by its own path, or the fact's line of a day that the guide
   * gives.
   */
  async #isNamed(fact: Planted, request: string): Promise<boolean> {
    const fields = { id: fact.entry, place: this.#places.get(fact.entry), session }
    for (const read of namedReads(request, fields)) if (await this.#reads(fact, read)) return true
    return false
  }

  /** The stored facts are the same in all runs, so a path that was read once need not be read again. */
  #reads(fact: Planted, read: NamedRead): Promise<boolean> {
    const key = `${fact.answer} ${read.path} ${read.line}`
    const known = readings.get(key) ?? readsTwice(read, fact.answer, toolContext(this.store, { session, window }))
    readings.set(key, known)
    return known
  }

  async #run(steps: readonly Step[] | undefined, moment: Moment, forced = false): Promise<void> {
    if (steps !== undefined && steps.length > 0)
      await this.#append(await runPipeline(this.#log, steps, this.#env(moment, forced)))
  }

  async #append(entries: readonly Entry[]): Promise<void> {
    if (entries.length === 0) return
    if (this.#log.length === 0)
      await this.store.createSession({
        id: session,
        title: 'Bench',
        createdAt: this.#now,
        updatedAt: this.#now,
        leaf: null,
      })
    for (const { entry, day, line } of await this.store.append(session, entries))
      if (line !== null) this.#places.set(entry.id, { day, line, session, ownLine: line })
    this.#log = [...this.#log, ...entries]
  }

  #env(moment: Moment, forced: boolean): StepEnv {
    return {
      moment,
      contextWindow: window,
      outputReserve: 8_192,
      local: false,
      system: '',
      tools: [],
      counter: this.#counter,
      ask: this.#ask,
      askWindow: window,
      askModel: 'bench',
      language: 'en',
      signal: never,
      place: id => this.#places.get(id),
      newId: () => `edit~${this.#ids++}`,
      now: () => this.#now,
      group: `group~${this.#ids++}`,
      ...(forced && { forced }),
    }
  }
}

function shownIn(view: ReturnType<typeof modelView>): string {
  return (
    view.map(part => part.message.content).join('\n') +
    view
      .flatMap(part =>
        part.message.role === 'assistant' ? (part.message.toolCalls ?? []).map(call => call.arguments) : [],
      )
      .join('\n')
  )
}
