/**
 * `npm run bench -- retention`: what of 500 planted facts is still in view, by path, by search, after compactions
 * (C14).
 */
import { memorySearch } from '../../src/core/agent/tools/memory-search.ts'
import { readFile } from '../../src/core/agent/tools/read-file.ts'
import type { ToolContext } from '../../src/core/agent/tools/tool.ts'
import { createArchiveSearch } from '../../src/core/agent/search/archive-search.ts'
import { fullArchive } from '../../src/core/agent/archive/readable-archive.ts'
import { AgentError } from '../../src/core/errors.ts'
import { compactNow } from '../../src/core/context/steps/compact.ts'
import { lateSummary } from '../../src/core/context/compaction/late-summary.ts'
import { pendingSummaries } from '../../src/core/context/compaction/pending-summaries.ts'
import { runPipeline } from '../../src/core/context/run-pipeline.ts'
import { defaultsOf } from '../../src/core/context/config/config.ts'
import { summaryCap } from '../../src/core/context/summary/summarize.ts'
import { strategies } from '../../src/core/context/strategies/index.ts'
import type { AskSummariser, Moment, Step, StepEnv, Strategy, StrategyName } from '../../src/core/context/strategy.ts'
import { byScript, bytesOver, type Counter } from '../../src/core/log/counter.ts'
import type { Entry, Id, ArchivePlace } from '../../src/core/log/entry.ts'
import { modelView } from '../../src/core/log/model-view/model-view.ts'
import { effectiveSummary } from '../../src/core/log/query.ts'
import { MemoryStore } from '../../src/storage/memory-store.ts'
import type { Bench } from '../shared/machine.ts'
import { plantedChat, type Planted } from '../chats/retention-facts.ts'
import { summarisers, type Mode } from '../shared/retention-modes.ts'
import { peersOf } from '../peers/peers.ts'
import { typedChat } from '../chats/retention-typed.ts'
import { linearPattern } from '../../src/net/linear-pattern.ts'

/** The window of the chat and of its summariser, tokens: the 400 messages are about twice as much. */
const window = 65_536
const rounds = [1, 3, 5, 10]
const modes = Object.keys(summarisers) as Mode[]

type Row = {
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

export const retention: Bench = async () => {
  const { facts, planted } = plantedChat()
  const rows: Row[] = []
  let search: Searched | undefined
  for (const name of Object.keys(strategies) as StrategyName[]) {
    for (const mode of modes) {
      for (const times of rounds) {
        const run = new Run(strategies[name](defaultsOf(name)), mode)
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

const session = 'bench'

class Run {
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

  async measured(planted: readonly Planted[], search: Searched, times: number): Promise<Row> {
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
    const own = [`tool_result/${fact.entry}.txt`, `user_text/${fact.entry}.txt`, `answer/${fact.entry}.txt`].find(
      path => request.includes(path),
    )
    if (own !== undefined && (await this.#reads(fact, own, 1))) return true
    const place = this.#places.get(fact.entry)
    if (place === undefined) return false
    const range = new RegExp(`dialog/(?:${session}/)?${place.day}\\.jsonl[^\\d\\n]*?(\\d+)[^\\d\\n]+?(\\d+)`).exec(
      request,
    )
    if (range === null || place.line < Number(range[1]) || place.line > Number(range[2])) return false
    return this.#reads(fact, `dialog/${place.day}.jsonl`, place.line)
  }

  /** The stored facts are the same in all runs, so a path that was read once need not be read again. */
  #reads(fact: Planted, path: string, line: number): Promise<boolean> {
    const key = `${fact.answer} ${path} ${line}`
    const known = readings.get(key) ?? this.#readTwice(fact, path, line)
    readings.set(key, known)
    return known
  }

  async #readTwice(fact: Planted, path: string, line: number): Promise<boolean> {
    const context = toolContext(this.store)
    const text = await readFile.run({ path, start_line: line }, context)
    if (text.includes(fact.answer) || text.includes(JSON.stringify(fact.answer).slice(1, -1))) return true
    const more = /start_(?:line|byte) (\d+)\]$/.exec(text)
    if (more === null) return false
    return (
      await readFile.run(
        { path, [text.includes('start_byte') ? 'start_byte' : 'start_line']: Number(more[1]) },
        context,
      )
    ).includes(fact.answer)
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

type TypedRow = { strategy: StrategyName; mode: Mode; rounds: number; inView: Record<string, number>; stale: number }

/** What was said and is no identifier, word for word in view; paths and search reach it as they reach the others. */
async function typed(): Promise<TypedRow[]> {
  const { facts, said } = typedChat()
  const rows: TypedRow[] = []
  for (const name of Object.keys(strategies) as StrategyName[]) {
    for (const mode of ['echo', '30 % lossy', 'throws'] as const) {
      for (const times of [1, 10]) {
        const run = new Run(strategies[name](defaultsOf(name)), mode)
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

const never = new AbortController().signal
const readings = new Map<string, Promise<boolean>>()

type Searched = { found: ReadonlySet<Planted>; inPassage: number }

/**
 * One memory_search each, with the budget of C7.6, and one read of the first passage that does not hold the answer
 * itself.
 */
async function searched(store: MemoryStore, planted: readonly Planted[]): Promise<Searched> {
  const found = new Set<Planted>()
  const search = createArchiveSearch({ store, world })
  let inPassage = 0
  for (const fact of planted) {
    const context = toolContext(store, search)
    const passages = await memorySearch.run({ query: fact.question }, context)
    if (passages.includes(fact.answer)) {
      inPassage++
      found.add(fact)
      continue
    }
    const first = /^\d+\. (\S+?):(\d+)(?:-(\d+))? /m.exec(passages)
    if (first === null) continue
    const text = await readFile.run({ path: first[1] ?? '', start_line: Number(first[2]) }, context)
    if (text.includes(fact.answer)) found.add(fact)
  }
  return { found, inPassage }
}

/** In a store of their own each tenth fact is deleted as the app deletes: afterwards no search may give its answer. */
async function removedTenth(
  entries: readonly Entry[],
  planted: readonly Planted[],
): Promise<{ removed: number; foundBefore: number; foundAfter: number }> {
  const store = new MemoryStore()
  await store.createSession({ id: session, title: 'Bench', createdAt: 0, updatedAt: 0, leaf: null })
  await store.append(session, entries)
  const search = createArchiveSearch({ store, world })
  const gone = planted.filter((_, at) => at % 10 === 0)
  const answered = async (): Promise<number> => {
    let count = 0
    for (const fact of gone)
      if ((await memorySearch.run({ query: fact.question }, toolContext(store, search))).includes(fact.answer)) count++
    return count
  }
  const foundBefore = await answered()
  const ids = [...new Set(gone.map(fact => fact.entry))]
  await search.withRemoval({ entries: ids }, () => store.removeTexts(ids, { day: '2026-01-01', why: 'deleted' }))
  return { removed: gone.length, foundBefore, foundAfter: await answered() }
}

const world = { now: () => 0, newId: () => 'x', sleep: () => Promise.resolve() }

function toolContext(store: MemoryStore, search = createArchiveSearch({ store, world })): ToolContext {
  return {
    session,
    archive: fullArchive(store),
    search,
    signal: never,
    givenPassages: new Set(),
    maxBytes: Math.min(50_000, Math.floor(0.3 * window * 4)),
    maxSearchTokens: Math.min(2_000, Math.floor(0.1 * window)),
    world,
    compilePattern: linearPattern,
    readPage: () => Promise.reject(new AgentError('tool_failed', 'no network here')),
  }
}
