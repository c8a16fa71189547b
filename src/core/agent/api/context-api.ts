/**
 * What the page asks about the context of a chat: what is in the window, what left it, by which settings. Types only.
 */
import type { Zone } from '../../context/size/measure.ts'
import type { CutReason, Id, SessionId, ShortenReason } from '../../log/entry.ts'
import type { ToolCall, Usage } from '../../log/message.ts'
import type { RemovedCounts } from '../../log/model-view/removed-counts.ts'
import type { StoredConfigValue } from '../../ports/ports.ts'
import type { StrategyName } from '../../context/strategy.ts'
import type { Timeline, TimelineMessage } from './timeline.ts'

/** A thing in the window, or `count` small ones of a zone that follow each other; `entry` is then the first of them. */
export type Tile = {
  entry: Id | null
  kind: 'system' | 'tools' | 'summary' | 'user' | 'assistant' | 'result'
  label: string
  about?: string // of a result: the file, the page or the question of its call
  at?: number // ms since epoch; of several `until` the last one
  until?: number
  tokens: number
  count: number
  zone: Zone
  pinned: boolean
  shortened: boolean
}

/**
 * What sending the next message (as it is typed now) would do first. Found by running the strategy's own steps and the
 * guard on a copy of the log.
 */
export type Forecast = {
  messages: number // that would leave the view
  turns: number // whose question is among them
  shortened: number // texts
  before: number // tokens of the request without the steps and with them
  after: number
  why?: CutReason | 'strip'
  tooLong?: true // it would not fit the window even so
}

/**
 * One thing that was removed from the window, and where it can be read now. `count`: messages of a cut, turns of a
 * strip.
 */
export type RemovedItem = {
  group: Id
  kind: 'shortened' | 'cut' | 'stripped'
  entry?: Id
  label: string
  count: number
  path?: string
  line?: number /* of the first thing, where the path is a day */
  bytes?: number
  shown?: number
  reason?: ShortenReason
  at: number
}

/**
 * An act of the history. `count`: messages of a summary, a cut, a clear or a rest, turns of a strip, texts of a
 * shortening; of Put back what came back, as `of` counts it. `label`: of the one message that it is about.
 */
export type HistoryAct = {
  group: Id
  what: EditAct | 'put back'
  of?: EditAct | 'put back'
  count: number
  label: string
}
type EditAct = 'pin' | 'unpin' | 'summary' | 'cut' | 'clear' | 'rest' | 'strip' | 'shorten' | 'reword'

/** An act that took something out of the window or brought it back, with all that is known of it. */
export type HappenedAct = HistoryAct & {
  at: number // ms since epoch
  stands: boolean // else it was undone
  /** `too large`: the request did not fit, by the guard's count or by what the server said. */
  why?: 'automatic' | 'you' | 'agent' | 'too large' | 'rested'
  tokens?: { before: number; after: number } // of the request
  bytes?: { before: number; after: number } // of the texts that were shortened
  by?: 'model' | 'rule' // who made the summary
  model?: string
  ms?: number // how long that took
  summary?: Id
  path?: string // where what left lies, with its first line
  line?: number
}

/**
 * What Put back would do. `fits`: the next message would not take it out again. `part`: where not all fits, the newest
 * messages of it that do, with a summary for the others; the tokens by a summary made by rule.
 */
export type PutBackPreview = {
  messages: number
  before: number // tokens of the request
  after: number
  fits: boolean
  part?: { messages: number; after: number }
}

/** A message of a preview. `after`: its tokens then, 0 where it is not sent any more. */
export type PreviewItem = { entry: Id; tokens: number; after: number; pinned?: true }

/** What the next request would be: the numbers that decide (C1.5). */
export type ContextInfo = {
  window: number // W, tokens
  configuredWindow?: number // what was typed or catalogued, where a smaller one was learnt
  reportedWindow?: number // a smaller one that the server named, where the person typed `window` for it
  // tokens that one request may have, where the provider bounds them by the minute to less than the window
  ceiling?: number
  total: number // tokens of the request
  threshold?: number // tokens at which it compacts
  outputReserve: number // tokens
  zones: Record<Zone, number> // tokens
  reserve: number // tokens of the newest messages that a compaction by itself would keep now
  counter: string
  factor: number // calibration in use, 1 without
  messages: number // facts in view; a summary is none
  roles: { user: number; assistant: number; tool: number }
  turns: number
  turnLimit?: number // with more turns the strategy takes out the oldest
  characters: number // of these messages as they are sent
  pendingSummary?: Id // a summary that is sent from the next message on (C2.5)
  next: Forecast
  unmatched?: true // C7.4: calls and results do not match, so nothing is compacted by itself
  removedByEdit: Record<Id, RemovedCounts> // what each cut and each strip of this path took
  tiles: Tile[] // in order of the request, small things together
  largest: Tile[] // the three that take the most tokens, most first
  removed: RemovedItem[] // newest first
  spent?: Usage // all answers of this chat together, as far as servers told
  undo: HistoryAct | null // what Undo lifts now
  redo: HistoryAct | null
  instructionsCut?: number // characters of the person's instructions that have no room (C7.8)
  toolsReduced?: 'short prompt' | 'two tools' | 'no tools' // C7.6
}

/** The exact request, as a readable view. */
export type ViewedMessage = {
  entry: Id | null
  role: 'system' | 'tools' | 'user' | 'assistant' | 'tool' // `tools`: what the model is told about them
  content: string
  reasoning?: string // what is sent back of it to a provider that wants it
  toolCalls?: readonly ToolCall[]
  name?: string
  tokens: number
  shortened?: { bytes: number; omitted: number; startLine: number; path: string }
}

/** What the next message removes from the window, because nobody used the chat for a while (C5.5). */
export type IdleTrim = {
  turns: number // that it goes on with, as question and answer
  messages: number // that leave the window
  before: number // tokens
  after: number // tokens
}

/** `keep`: tokens of the newest messages that stay as they are; the cut falls where C4 puts it for that many. */
export type CompactOptions = { instruction?: string; keep?: number }
export type PreviewOptions = { strategy?: StrategyName; keep?: number }

/** What a compaction would do or did. */
export type Preview = {
  strategy: StrategyName
  before: number // tokens
  after: number // tokens
  entries: number // facts that would leave the view
  shortened: number
  why?: Forecast['why'] // with another strategy: by what they would leave
  // with another strategy: to how many turns it goes on, because the chat has rested; what leaves by that is not
  // summarised
  idleTrimTurns?: number
  tooLong?: true // with another strategy: it would not fit the window even so
  items: PreviewItem[] // the messages in view now, oldest first
  summary?: string
  nothing?: string // why it would do nothing
}

/** What a chat shall run with; what is not named stays. `summariser` null: the one of all chats. */
export type SessionChoice = {
  strategy?: StrategyName
  model?: string
  summariser?: string | null
  instructions?: string
}

export type ConfigRow = {
  key: string
  value: StoredConfigValue
  source: 'default' | 'all' | 'chat'
  strategies: StrategyName[] | 'all'
  description: string
  min?: number
  max?: number
}

export interface ContextApi {
  context(id: SessionId): Promise<ContextInfo>
  /**
   * What sending a message now would remove first; null: nothing. `send` does exactly what this has answered: nothing
   * is removed without having been shown.
   */
  idleTrim(id: SessionId): Promise<IdleTrim | null>
  /** Keeps all turns after all, until the chat is opened again after another idle time. */
  skipIdleTrim(id: SessionId): Promise<void>
  view(id: SessionId): Promise<ViewedMessage[]>
  /** `keep`: tokens of the newest messages that a compaction shall keep; absent: as many as the strategy does. */
  timeline(id: SessionId, keep?: number): Promise<Timeline>
  /** The message at this place of the timeline. Throws `not_found`. */
  timelineMessage(id: SessionId, at: number): Promise<TimelineMessage>
  /** Without `keep` as `/compact` does it: only the last step and its question stay (C5.4). */
  compact(id: SessionId, how?: CompactOptions): Promise<void>
  /** Without `strategy` what `compact` would do with the same `keep`; with one what the next message would do. */
  preview(id: SessionId, how?: PreviewOptions): Promise<Preview>
  /** Without a group the newest act; with one that is put back, which is an act of its own. */
  undo(id: SessionId, group?: Id): Promise<void>
  /** Reads only, and asks no model. */
  previewPutBack(id: SessionId, group: Id): Promise<PutBackPreview>
  /** Puts back the newest part of a cut that fits; the rest is summarised anew. One act. Throws `bad_input`. */
  putBackPart(id: SessionId, group: Id): Promise<void>
  /** What was taken out and put back in this chat, newest first. */
  happened(id: SessionId): Promise<HappenedAct[]>
  redo(id: SessionId): Promise<void>
  pin(id: SessionId, entry: Id, on: boolean): Promise<void>
  editSummary(id: SessionId, entry: Id, text: string): Promise<void>
  /** `instructions`: '' takes them away. Throws `bad_input` for ones that are too long. */
  choose(id: SessionId, choice: SessionChoice): Promise<void>
  config(id: SessionId): Promise<ConfigRow[]>
  setConfig(id: SessionId | null, changes: Record<string, StoredConfigValue | null>): Promise<void>
}
