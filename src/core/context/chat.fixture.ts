/**
 * A chat under a strategy, driven like the agent drives one, with a summariser that fails in every way: for the laws.
 */
import type { Entry, Fact, Id, Log, NewEntry, ArchivePlace } from '../log/entry.ts'
import { bytesOver, byScript, type Counter } from '../log/counter.ts'
import { entryLine, parseLine } from '../log/file-format/jsonl.ts'
import { isFact, redoTarget, undoTarget } from '../log/query.ts'
import { splitHuge } from '../log/huge.ts'
import { defaultsOf } from './config/config.ts'
import { effectiveConfig } from './config/effective-config.ts'
import type { ConfigValue } from './config/config.ts'
import { initialFallback, escalate, fits } from './overflow/overflow-fallback.ts'
import { lateSummary } from './compaction/late-summary.ts'
import { pendingSummaries } from './compaction/pending-summaries.ts'
import { completeDrafts, runPipeline } from './run-pipeline.ts'
import { compactNow } from './steps/compact.ts'
import { strategies } from './strategies/index.ts'
import type { AskSummariser, Moment, Step, StepEnv, Strategy, StrategyName } from './strategy.ts'

export const summarisers = [
  'good',
  'echo',
  'throws',
  'empty',
  'no headings',
  'cut off',
  'too long',
  'reasoning only',
  'error text',
  'invented',
  'none',
] as const
export type Summariser = (typeof summarisers)[number]

const sections = ['Goal', 'Constraints & Preferences', 'Progress', 'Key Decisions', 'Next Steps', 'Critical Context']
const inSections = (text: string) => sections.map(name => `## ${name}\n- ${text}`).join('\n\n')

function asking(mode: Summariser): AskSummariser | undefined {
  if (mode === 'none') return undefined
  return ({ messages }) => {
    const said = messages.map(message => message.content).join('\n')
    switch (mode) {
      case 'good':
        return answer(inSections('tend the garden'))
      case 'echo':
        return answer(inSections(said.slice(0, 2_000).replaceAll('\n', ' ')))
      case 'throws':
        return Promise.reject(new Error('503 overloaded'))
      case 'empty':
        return answer('  \n')
      case 'no headings':
        return answer('They talked about a garden for a while.')
      case 'cut off':
        return Promise.resolve({ text: inSections('tend the'), finish: 'length' })
      case 'too long':
        return answer(inSections(said + said))
      case 'reasoning only':
        return answer('<think>What did they say? ## Goal ## Progress</think>')
      case 'error text':
        return answer('Error: 429 rate limit exceeded')
      case 'invented':
        return answer(inSections('see https://example.org/made-up and /srv/nowhere.txt, 4711 ms'))
      default:
        return mode satisfies never
    }
  }
}

function answer(text: string): ReturnType<AskSummariser> {
  return Promise.resolve({ text, finish: 'stop' })
}

export class Chat {
  log: Log = []
  window: number
  strategyName: StrategyName
  local = false
  summariser: Summariser = 'good'
  readonly #config: Readonly<Record<string, ConfigValue>>
  #strategy: Strategy | undefined
  #n = 0
  #now = Date.UTC(2026, 2, 2, 23)
  system = ''
  /** Told what one moment adds, before it is there. */
  onAdded: ((before: Log, added: readonly Entry[]) => void) | undefined

  constructor(strategy: StrategyName, window: number, config: Readonly<Record<string, ConfigValue>> = {}) {
    this.strategyName = strategy
    this.window = window
    this.#config = config
  }

  get strategy(): Strategy {
    if (this.#strategy?.name !== this.strategyName)
      this.#strategy = strategies[this.strategyName](effectiveConfig(defaultsOf(this.strategyName), this.#config))
    return this.#strategy
  }

  get counter(): Counter {
    return this.strategy.counter === 'script' ? byScript() : bytesOver(4)
  }

  add(entry: NewEntry): Entry {
    const [made] = completeDrafts([entry], this.log, this) as [Entry]
    this.log = [...this.log, made]
    return made
  }

  say(fact: Fact): Entry {
    return this.add({ ...fact, ...kept(fact.text) } as Fact)
  }

  /** Runs a moment and appends what it adds. */
  async moment(moment: Moment): Promise<Entry[]> {
    return this.run(this.strategy[moment] ?? [], this.env(moment))
  }

  async run(steps: readonly Step[], env: StepEnv): Promise<Entry[]> {
    return this.#append(await runPipeline(this.log, steps, env))
  }

  #append(added: Entry[]): Entry[] {
    this.onAdded?.(this.log, added)
    this.log = [...this.log, ...added]
    return added
  }

  /** What the agent does before it asks the model; false where the request cannot be made to fit. */
  async beforeCall(first: boolean): Promise<boolean> {
    if (first) await this.moment('onTurn')
    await this.moment('onCall')
    let env = this.env('onOverflow')
    let ladder = initialFallback(env)
    for (let round = 0; !fits(this.log, env, ladder); round++) {
      if (round > 4) throw new Error('the ladder has no end')
      try {
        const up = await escalate(this.log, env, ladder, this.strategy.onOverflow ?? [])
        this.#append(up.entries)
        env = this.env('onOverflow')
        ladder = up.state
      } catch (error) {
        if (error instanceof Error && error.name === 'model_overflow') return false
        throw error
      }
    }
    return true
  }

  async lateSummaries(most = Infinity): Promise<void> {
    for (let n = 0; n < most && pendingSummaries(this.log).length > 0; n++) {
      const added = await this.run([lateSummary(this.strategy.summaryPlace)], this.env('onAnswer'))
      if (added.length === 0) throw new Error('a cut owes a summary and does not get one')
    }
  }

  async compactByHand(): Promise<void> {
    await this.run([compactNow(this.strategy)], { ...this.env('onCall'), forced: true, instruction: 'keep the names' })
  }

  undo(): boolean {
    const target = undoTarget(this.log)
    if (target === null) return false
    this.add({ type: 'undo', group: this.newId(), target })
    return true
  }

  redo(): boolean {
    const target = redoTarget(this.log)
    if (target === null) return false
    this.add({ type: 'undo', group: this.newId(), target })
    return true
  }

  /** The log as it comes back from a file. */
  reload(): void {
    this.log = reread(this.log)
  }

  /** The app went away: the last entries were not stored yet. A transaction is all or nothing, so groups stay whole. */
  crash(lost: number): void {
    let length = Math.max(0, this.log.length - lost)
    const group = (at: number) => {
      const entry = this.log[at]
      return entry !== undefined && 'group' in entry ? entry.group : undefined
    }
    while (length > 0 && length < this.log.length && group(length) !== undefined && group(length) === group(length - 1))
      length--
    this.log = this.log.slice(0, length)
  }

  env(moment: Moment): StepEnv {
    const ask = asking(this.summariser)
    return {
      moment,
      contextWindow: this.window,
      outputReserve: Math.min(8_192, Math.floor(this.window / 5)),
      local: this.local,
      system: this.system,
      tools: none,
      rereadableTools: rereadable,
      counter: this.counter,
      ...(ask && { ask }),
      askWindow: this.window,
      askModel: this.summariser,
      language: 'en',
      signal: never,
      place: id => this.place(id),
      newId: this.newId,
      now: this.now,
      group: this.newId(),
    }
  }

  place(id: Id): ArchivePlace | undefined {
    let line = 0
    for (const entry of this.log) {
      if (!isFact(entry)) continue
      line++
      if (entry.id === id) return { day: '2026-03-02', line, session: 's', ownLine: line }
    }
    return undefined
  }

  readonly newId = (): Id => `i${this.#n++}`
  readonly now = (): number => this.#now++
}

export function reread(log: Log): Log {
  return log.map((entry, seq) => {
    const line = entryLine(entry, seq)
    const parsed = parseLine(line ?? '', { ours: true })
    if (parsed.kind !== 'entry') throw new Error(`not read back: ${line}`)
    return { ...parsed.entry, id: parsed.id ?? '', parent: parsed.parent ?? null, at: parsed.at ?? 0 }
  })
}

function kept(text: string): Partial<Fact> {
  const { whole: _whole, ...rest } = splitHuge(text)
  return rest
}

const none: StepEnv['tools'] = []
const rereadable: StepEnv['rereadableTools'] = new Set(['read_file'])
const never = new AbortController().signal
