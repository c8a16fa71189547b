/** Older facts leave the view and a summary takes their place (C5.4). */
import type { Log } from '../../log/entry.ts'
import { boundaryOf } from '../../log/query.ts'
import {
  failureNotes,
  factsNewlyHidden,
  sizeWithDrafts,
  summaryDraft,
  summarizeFacts,
  type SummaryPlace,
} from '../compaction/cut-range.ts'
import { cutPoint } from '../size/cut-point.ts'
import { isMatched } from '../view/matched.ts'
import { requestSize, weighedFacts, type RequestSize } from '../size/measure.ts'
import { memoryDraft } from '../compaction/memory-draft.ts'
import { unsummarizedFacts } from '../compaction/pending-summaries.ts'
import { completeDrafts } from '../run-pipeline.ts'
import { sentTokens } from '../size/sent-tokens.ts'
import { editState, wasUndone } from '../view/edit-state.ts'
import type { EntryDraft, Step, StepEnv, Strategy } from '../strategy.ts'
import { breakerIsOpen, isCutAlready, alreadyNoted, tokensSinceRefusal } from '../compaction/compaction-backoff.ts'

export type Compact = {
  /** It compacts by itself from this size on, tokens. */
  threshold: (env: StepEnv) => number
  /** Tokens that stay as they are. */
  reserve: (env: StepEnv) => number
  /** The request is to be at most this afterwards, tokens; else the reserve is halved once. */
  target?: (env: StepEnv) => number
  place: SummaryPlace
  /** The summary becomes a memory of the day too (C6.7). */
  notes: boolean
  /** A log whose calls and results do not match is left as it is, unless a person asks (C7.4). */
  onlyMatched?: boolean
}

/** Fewer tokens than this before the cut are not worth a summary. Source: C5.4. */
const least = 300 // tokens
/** Share of the threshold that has to be gained, and of the window that has to be new after a refusal. Source: C5.4. */
const leastGain = 0.05

/**
 * Cut and summary together, from the threshold on or when a person asks (`env.forced`).
 * Adds a note instead where it would gain nothing or could not help; nothing at all below the threshold.
 */
export function compact(numbers: Compact): Step {
  return async (log, env) => {
    const size = requestSize(log, env)
    const threshold = numbers.threshold(env)
    // Asked each time, while it costs what is new.
    const matched = numbers.onlyMatched !== true || isMatched(log, boundaryOf(log, editState(log).edits).from)
    if (env.forced !== true) {
      if (size.total < threshold || isCutAlready(log)) return []
      const fixed = size.total - size.messages
      if (fixed >= threshold) return floorNote(log, size, threshold)
      const since = tokensSinceRefusal(log, env)
      const fits = size.total + env.outputReserve <= env.contextWindow
      if (fits && since !== undefined && since < leastGain * env.contextWindow) return []
      // What does not fit is tried again as soon as anything changed, but not for the very same request.
      if (alreadyNoted(log, 'compact_no_gain', size.total)) return []
    }
    if (env.forced !== true && !matched) return unmatchedNote(log)
    const reserve = numbers.reserve(env)
    let done = await run(log, reserve, numbers, threshold, env)
    if (done === undefined) return env.forced === true ? [nothingNote(size, reserve)] : []
    const target = numbers.target?.(env)
    if (env.forced !== true && target !== undefined && done.after > target) {
      done = await deeper(log, done, Math.floor(reserve / 2), numbers, threshold, env)
    }
    const gain = size.total - done.after
    if (gain < (env.forced === true ? 1 : leastGain * threshold))
      return [gainNote(size.total, done.after), ...done.drafts.filter(draft => draft.type === 'note')]
    return done.drafts
  }
}

type Done = { drafts: readonly EntryDraft[]; after: number /* tokens */ }

/** One cut with its summary; undefined where no cut is worth it. */
async function run(
  log: Log,
  reserve: number,
  { place, notes }: Compact,
  threshold: number,
  env: StepEnv,
): Promise<Done | undefined> {
  const size = requestSize(log, env)
  const { facts, ids } = weighedFacts(size)
  const point = cutPoint(facts, reserve)
  const before = point === null ? null : (ids[point.before] ?? null)
  if (point === null || before === null) return undefined
  let leaving = 0
  for (let at = 0; at < point.before; at++) if (at !== point.pin) leaving += facts[at]?.tokens ?? 0
  if (env.forced === true && leaving < least) return undefined
  const pin = point.pin === null ? null : (ids[point.pin] ?? null)
  const cut = {
    type: 'cut',
    group: env.group,
    id: env.newId(),
    before,
    reason: 'compact',
    ...(pin !== null && { pin }),
  } as const
  if (env.forced !== true) {
    if (wasUndone(log, cut)) return undefined
    // What leaves is too little whatever the summary will be: no model has to be asked to know that.
    if (leaving + size.summary < leastGain * threshold) return { drafts: [], after: size.total - leaving }
  }
  env.progress?.('compacting', 0)
  // A cut whose summary is still to come: what it took is told now, for its own summary would stand behind this one.
  const late = unsummarizedFacts(log)
  const leavingFacts = [...late, ...factsNewlyHidden(log, before)]
  const useModel = env.forced === true || !breakerIsOpen(log, env.askModel)
  const told = await summarizeFacts(
    log,
    leavingFacts,
    useModel,
    leaving + size.summary + sentTokens(late, env.counter),
    env,
  )
  const memory: EntryDraft[] = notes ? [memoryDraft(log, told.summary.text, { cut: cut.id })] : []
  const drafts: EntryDraft[] = [
    cut,
    summaryDraft(told, { log, with: [], cut, facts: leavingFacts }, place, env),
    ...memory,
    ...failureNotes(told.summary, env),
  ]
  return { drafts, after: sizeWithDrafts(log, drafts, env) }
}

/**
 * The same with a smaller reserve: what leaves in addition is summarized together with the summary just made. One cut
 * and one summary remain.
 */
async function deeper(
  log: Log,
  first: Done,
  reserve: number,
  numbers: Compact,
  threshold: number,
  env: StepEnv,
): Promise<Done> {
  const grown = [...log, ...completeDrafts(first.drafts, log, env)]
  const second = await run(grown, reserve, numbers, threshold, env)
  if (second === undefined || second.drafts.length === 0 || second.after >= first.after) return first
  const earlier = first.drafts.find(draft => draft.type === 'summary')
  const drafts = second.drafts.map(draft =>
    draft.type !== 'summary' || earlier?.type !== 'summary'
      ? draft
      : {
          ...draft,
          covers: { first: earlier.covers.first, last: draft.covers.last },
          stats: {
            ...draft.stats,
            entries: earlier.stats.entries + draft.stats.entries,
            before: earlier.stats.before,
            ms: earlier.stats.ms + draft.stats.ms,
          },
        },
  )
  return { drafts: [...drafts, ...first.drafts.filter(draft => draft.type === 'note')], after: second.after }
}

function floorNote(log: Log, size: RequestSize, threshold: number): EntryDraft[] {
  if (alreadyNoted(log, 'compact_floor')) return []
  const parts = [
    ['system prompt', size.system],
    ['tools', size.tools],
    ['summary', size.summary],
  ] as const
  const [name, tokens] = parts.toSorted((a, b) => b[1] - a[1])[0] ?? parts[0]
  const share = Math.round((tokens / threshold) * 100)
  return [
    {
      type: 'note',
      code: 'compact_floor',
      tokens,
      data: { part: name, share, threshold },
      text:
        `Compacting cannot help: system prompt, tools and summary alone reach the threshold of ${threshold} tokens. ` +
        `The largest part is the ${name} with ${tokens} tokens (${share}%).`,
    },
  ]
}

/** Said once, before anything was said since. */
function unmatchedNote(log: Log): EntryDraft[] {
  if (log.some(entry => entry.type === 'note' && entry.code === 'compact_unmatched')) return []
  return [
    {
      type: 'note',
      code: 'compact_unmatched',
      text: 'Nothing is compacted by itself in this chat: its calls and results do not match, and by its published rule CoPaw then leaves all messages as they are. /compact works.',
    },
  ]
}

/** Why there is nothing to compact although a person asked for it. */
function nothingNote(size: RequestSize, keep: number): EntryDraft {
  const { facts } = weighedFacts(size)
  const point = cutPoint(facts, keep)
  const tokens =
    point === null
      ? 0
      : facts.slice(0, point.before).reduce((sum, fact, at) => (at === point.pin ? sum : sum + fact.tokens), 0)
  const place = keep === 0 ? 'last step' : 'newest messages'
  const [why, text] =
    facts.length === 0
      ? ['empty', 'no message is in the window.']
      : point === null
        ? keep === 0 || cutPoint(facts, 0) === null
          ? ['one step', 'only the last step and its question are in the window, and these always stay.']
          : ['kept', `all messages are among the newest ${keep} tokens, which stay.`]
        : [
            'little',
            `what stands before the ${place} has ${tokens} tokens, less than the ${least} that are worth a summary.`,
          ]
  return {
    type: 'note',
    code: 'compact_nothing',
    tokens,
    data: { why, least, keep },
    text: `There is nothing to compact: ${text}`,
  }
}

function gainNote(before: number, after: number): EntryDraft {
  return {
    type: 'note',
    code: 'compact_no_gain',
    tokens: before,
    data: { before, after },
    text: `Compacting would have changed the request from ${before} to ${after} tokens: too little, so nothing was changed.`,
  }
}

/**
 * What a person runs, with `env.forced`, whatever the strategy's numbers are: the newest messages stay, at most `keep`
 * tokens of them. With 0, as `/compact` has it, all but the last step and its question leaves.
 */
export function compactNow(
  { summaryPlace, memoryNotes }: Pick<Strategy, 'summaryPlace' | 'memoryNotes'>,
  keep = 0,
): Step {
  return compact({ threshold: () => 0, reserve: () => keep, place: summaryPlace, notes: memoryNotes })
}
