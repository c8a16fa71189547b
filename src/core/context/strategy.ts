/** What a step and a strategy are, and which strategies there are. */
import type { Entry, Id, Log, NewEntry, ArchivePlace } from '../log/entry.ts'
import type { Message, StopReason, ToolSchema, Usage } from '../log/message.ts'
import type { Counter } from '../log/counter.ts'
import type { ViewOptions } from '../log/model-view/model-view.ts'

/**
 * When steps run: with the first message after an opening (`restoreAfter`), before a turn's first call, before each
 * call, after each result, after the answer, when the provider said "too long".
 */
export type Moment = 'onOpen' | 'onTurn' | 'onCall' | 'onResult' | 'onAnswer' | 'onOverflow'

/** Every strategy, in the order of menus. The one list: types, checks, menus and tests are made of it. */
export const strategyNames = ['balanced', 'qwenpaw', 'copaw', 'cowagent'] as const
export type StrategyName = (typeof strategyNames)[number]

/** What a chat runs with that chose nothing. */
export const defaultStrategy: StrategyName = 'balanced'

/** The strategy of this name, as an import or a person gives it; undefined where there is none. */
export function strategyNamed(name: string | undefined): StrategyName | undefined {
  return strategyNames.find(known => known === name)
}

/**
 * Asks the summariser once. Throws AgentError. Bounded by `maxTokens`, the signal and `until` (ms since epoch); idle
 * timeouts are its own (C6.5).
 * `model`: the name of who answered, where that may be another one than `askModel`.
 */
export type AskSummariser = (
  prompt: { system: string; messages: readonly Message[] },
  limits: { maxTokens: number; signal: AbortSignal; until?: number },
) => Promise<{ text: string; finish: StopReason; usage?: Usage; model?: string }>

/** All that a step may use; nothing here touches a platform. */
export type StepEnv = {
  readonly moment: Moment
  readonly contextWindow: number // W, tokens (C7.2)
  readonly outputReserve: number // tokens kept free for the answer
  readonly local: boolean // the chat's model runs on this device
  readonly system: string // the system prompt as sent
  readonly tools: readonly ToolSchema[] // as sent
  readonly view?: ViewOptions // as the request is made with
  readonly rereadableTools?: ReadonlySet<string> // the same call gives the text of their results again (C5.1)
  readonly counter: Counter // the strategy's own counter, calibrated where it wants that
  /** The summariser; undefined where no model may be asked (then the extractive fallback answers at once). */
  readonly ask?: AskSummariser
  readonly askWindow: number // window of the summariser, tokens
  readonly askModel: string // its name
  readonly language: 'en' | 'zh' // of the summary prompts
  readonly signal: AbortSignal
  readonly instruction?: string // from "/compact keep the decisions"
  readonly forced?: boolean // a person asked for it, or the agent where `asked` says so
  readonly asked?: 'agent' // its summary tells that (C5.8)
  /** Where a fact lies in the archive; undefined for one that is not stored yet. */
  readonly place: (fact: Id) => ArchivePlace | undefined
  readonly newId: () => Id
  readonly now: () => number // ms since epoch
  /** All edits of one moment share it. */
  readonly group: Id
  /** Lets other work run: awaited between slices of long work (C6.5). Absent: nothing else waits. */
  readonly pause?: () => Promise<void>
  /** Called with the progress of a long step (for the status line). */
  readonly progress?: (what: 'compacting', share: number) => void
}

/**
 * Reads the log and answers with what should be appended. It compares what should hold with what the log already says
 * and returns only the difference: run again, it adds nothing. It never makes again what a person has undone.
 * An entry that another one names (a cut) brings its own id.
 */
export type Step = (log: Log, env: StepEnv) => readonly EntryDraft[] | Promise<readonly EntryDraft[]>
export type EntryDraft = NewEntry & { readonly id?: Id }

export type Strategy = {
  readonly name: StrategyName
  /** The published text that it implements; absent: it is our own. */
  readonly publishedIn?: string
  readonly maxSteps: number // model calls per turn (C12)
  readonly calibrated: boolean // decides by calibrated counts (C1.6)
  readonly counter: 'script' | 'bytes' | 'bpe'
  readonly divisor?: number // of `bytes`
  /** From this request size on it compacts, tokens; undefined where it has no such number. For meter and /context. */
  readonly threshold: (window: number, local: boolean) => number | undefined
  /** Smallest request size at which one of its steps acts, where that is below the threshold; tokens. */
  readonly actsFrom?: (window: number) => number
  /** A log whose calls and results do not match is left as it is (C7.4). */
  readonly onlyMatched?: true
  /** With more turns in view than this the oldest leave; undefined where turns are not counted. */
  readonly turnLimit?: number
  /** Of so many turns in view, those that its next trimming keeps: the "reserved" zone where turns are counted. */
  readonly keepsTurns?: (turns: number) => number
  /** What a compaction now would keep, tokens: the "reserved" zone. */
  readonly reserve: (window: number) => number
  /** Where the summary stands in the view (C2.4). */
  readonly summaryPlace: 'own message' | 'first question'
  /** What a compaction summarises becomes a note of the day too (C6.7). */
  readonly memoryNotes: boolean
  /**
   * Idle time after which the steps of `onOpen` run for a chat that is opened again, ms; 0: whenever the app was loaded
   * (C5.5).
   */
  readonly restoreAfter?: number
  /** C10: what may be forgotten under this strategy. */
  readonly retention?: { of: 'sessions' | 'results'; days: number }
} & { readonly [moment in Moment]?: readonly Step[] }

/** Entries as `runPipeline` returns them: complete, in order, ready to be appended in one transaction. */
export type PipelineResult = readonly Entry[]
