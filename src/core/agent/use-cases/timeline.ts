/** What the model sees of each message of a chat, and where the next compaction can cut (C2.8). Pure. */
import { cutPoint, cutStops } from '../../context/size/cut-point.ts'
import {
  measure,
  requestSize,
  weighedFacts,
  type CountedMessage,
  type RequestSize,
} from '../../context/size/measure.ts'
import type { Strategy, StepEnv } from '../../context/strategy.ts'
import type { Entry, FactEntry, Id, Log } from '../../log/entry.ts'
import { effectiveSummary, isEdit, isFact, positions, storedSummary, type SummaryEntry } from '../../log/query.ts'
import { viewMessage } from '../../log/model-view/view-message.ts'
import { timelineMark, type Sending, type Speaker, type Timeline } from '../api/timeline.ts'

/**
 * What a timeline is made with. `keep`: tokens of the newest messages that a compaction shall keep; absent: as many as
 * the strategy does.
 */
export type TimelineRequest = {
  env: StepEnv
  strategy: Pick<Strategy, 'threshold' | 'reserve' | 'keepsTurns'>
  keep?: number | undefined
}

/** The messages of a path: what the timeline has a number for, in its order. */
export function timelineEntries(log: Log): Entry[] {
  return log.filter(entry => !isEdit(entry))
}

/**
 * The timeline of this log: what its marks say of a message is what `modelView` holds of it. Counts each message once;
 * messages that are not sent want to be counted before (`unsentMessages`), where that must not take long.
 */
export function timelineOf(log: Log, { env, strategy, keep }: TimelineRequest): Timeline {
  const { size, reserve } = measure(log, env, strategy)
  const sent = sentParts(size)
  const told = summarisedAt(log)
  const entries = timelineEntries(log)
  const tokens = new Uint32Array(entries.length)
  const marks = new Uint8Array(entries.length)
  const at = new Map<Id, number>()
  for (const [i, entry] of entries.entries()) {
    if (!isFact(entry)) {
      marks[i] = timelineMark('note', 'unsent', false)
      continue
    }
    if (!at.has(entry.id)) at.set(entry.id, i)
    const part = sent.get(entry.id)
    tokens[i] = part === undefined ? wholeTokens(entry, env) : part.tokens - part.summary
    marks[i] = timelineMark(
      speakerOfFact(entry),
      sendingOfFact(entry, part, told.has(entry)),
      part?.view.pinned === true,
    )
  }
  const { facts, ids } = weighedFacts(size)
  const stops = cutStops(facts).flatMap(({ before, keeps }) => {
    const message = at.get(ids[before] ?? '')
    return message === undefined ? [] : [{ message, keeps }]
  })
  const stopOf = (reserve: number): number => {
    const before = cutPoint(facts, reserve)?.before
    const message = before === undefined ? undefined : at.get(ids[before] ?? '')
    return message === undefined ? -1 : stops.findIndex(stop => stop.message === message)
  }
  const automatic = stopOf(reserve)
  const summary = size.parts.find(part => part.summary > 0)
  return {
    tokens,
    marks,
    ...(summary === undefined ? {} : { summary: { entry: summaryEntryOf(summary), tokens: summary.summary } }),
    stops: Uint32Array.from(stops, ({ message }) => message),
    keeps: Uint32Array.from(stops, ({ keeps }) => keeps),
    automatic,
    border: keep === undefined ? automatic : stopOf(keep),
    window: env.contextWindow,
  }
}

/** The messages that are not sent, whole: counting these is what takes time in a chat of which little is sent. */
export function unsentMessages(log: Log, env: StepEnv): FactEntry[] {
  const sent = sentParts(requestSize(log, env))
  return log.filter((entry): entry is FactEntry => isFact(entry) && !sent.has(entry.id))
}

/** Tokens of a message as it would be sent without any edit. */
export function wholeTokens(fact: FactEntry, { counter }: Pick<StepEnv, 'counter'>): number {
  const view = viewMessage(fact)
  return view === null ? 0 : counter.message(view.message)
}

/** What of this request each fact is, by its id. */
export function sentParts(size: RequestSize): ReadonlyMap<Id, CountedMessage> {
  const sent = new Map<Id, CountedMessage>()
  for (const part of size.parts)
    if (part.view.kind === 'fact' && part.entry !== null && !sent.has(part.entry)) sent.set(part.entry, part)
  return sent
}

export function speakerOfFact(fact: FactEntry): Speaker {
  switch (fact.type) {
    case 'user':
      return 'person'
    case 'assistant':
      return 'assistant'
    case 'result':
      return 'tool'
    default:
      return fact satisfies never
  }
}

/** What the model sees of a fact: `part` is what of the request it is, `told` that the summary in view tells it. */
export function sendingOfFact(fact: FactEntry, part: CountedMessage | undefined, told: boolean): Sending {
  if (part === undefined) return told ? 'summarised' : 'unsent'
  const { shortened, message } = part.view
  const calls = message.role === 'assistant' ? (message.toolCalls?.length ?? 0) : 0
  const isLess =
    shortened !== undefined || fact.gone !== undefined || (fact.type === 'assistant' && calls < fact.calls.length)
  return isLess ? 'shortened' : 'whole'
}

/** The facts that the summary in view tells, itself or through those that it was made from. */
export function summarisedAt(log: Log): ReadonlySet<Entry> {
  const told = new Set<Entry>()
  const summary = effectiveSummary(log)
  if (summary === null) return told
  for (const [first, last] of rangesOf(log, summary)) {
    for (const entry of log.slice(first, last + 1)) if (isFact(entry)) told.add(entry)
  }
  return told
}

type Span = readonly [first: number, last: number] // positions in the log

/** What a summary tells: what left with its cut, and what the one told that was in use when it was made. */
function rangesOf(log: Log, summary: SummaryEntry): readonly Span[] {
  const known = spans.get(summary)
  if (known !== undefined) return known
  const { id, covers } = summary
  const at = positions(log, new Set([id, covers.first, covers.last]))
  const own = at.get(id) ?? 0
  const first = at.get(covers.first)
  const last = at.get(covers.last)
  const before = log.slice(0, own)
  const previous = own > 0 ? storedSummary(before) : null
  const found: Span[] = [
    ...(first === undefined || last === undefined ? [] : [[first, last] as const]),
    ...(previous === null ? [] : rangesOf(before, previous)),
  ]
  spans.set(summary, found)
  return found
}
/** An entry follows the same entries on each path through a chat. */
const spans = new WeakMap<SummaryEntry, readonly Span[]>()

function summaryEntryOf({ view }: CountedMessage): Id {
  return (view.kind === 'summary' ? view.entry : view.summary?.entry) ?? ''
}
