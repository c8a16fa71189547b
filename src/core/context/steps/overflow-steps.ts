/** The steps of the overflow fallback (C5.6, 3 to 5). Each adds a note, and none deletes anything. */
import type { Edit, Entry, FactEntry, Id, Log } from '../../log/entry.ts'
import type { ExcerptLimits } from '../../text/excerpt.ts'
import { isFact, openTurnQuestion, unansweredResults } from '../../log/query.ts'
import {
  failureNotes,
  factsNewlyHidden,
  sizeWithDrafts,
  summaryDraft,
  summarizeFacts,
  type SummaryPlace,
} from '../compaction/cut-range.ts'
import { factsInView, turnsInView } from '../view/facts-in-view.ts'
import { requestSize } from '../size/measure.ts'
import { memoryDraft } from '../compaction/memory-draft.ts'
import { unsummarizedFacts } from '../compaction/pending-summaries.ts'
import { sentTokens } from '../size/sent-tokens.ts'
import { shortenCalls, shortenText } from '../view/shorten.ts'
import type { EntryDraft, Step, StepEnv } from '../strategy.ts'
import { breakerIsOpen } from '../compaction/compaction-backoff.ts'

/** What a long text may show, in characters, and the turns that stay. Source: CowAgent, C5.6. */
const longest = 10_000
const turnsKept = 5
/** In a small window that many characters would fill it: a share of the window. Source: C5.1. */
const longestShare = 0.3
/**
 * Characters of a token, at most: as in English. Of Chinese, or for a vocabulary of bytes, a token has fewer, and what
 * would fit by letters does not.
 */
const lettersOfToken = 4

/**
 * In an emergency the summary is in view at once, in every strategy: there may be no next question to put it before.
 */
const place: SummaryPlace = 'own message'

/** Rung 3: all is summarised, what was answered is shortened, the newest five turns stay. */
const summarizeAndShorten: Step = async (log, env) => {
  const facts = factsInView(log)
  const drafts: EntryDraft[] = [
    ...shortenAnswered(log, env, { limit: longestIn(log, env), unit: 'chars', headShare: 50 }),
  ]
  const turns = turnsInView(log)
  const before = turns.length > turnsKept ? (turns.at(-turnsKept) ?? null) : null
  const isTold = summaryJustMade(log).memory !== undefined
  if (facts.length === 0 || (before === null && isTold)) return drafts
  const size = requestSize(log, env)
  const useModel = env.forced === true || !breakerIsOpen(log, env.askModel)
  const late = before === null ? [] : unsummarizedFacts(log)
  const told = await summarizeFacts(
    log,
    [...late, ...facts],
    useModel,
    size.messages + size.summary + sentTokens(late, env.counter),
    env,
  )
  if (before === null) drafts.push(memoryDraft(log, told.summary.text, { reason: 'overflow' }))
  else {
    const cut = { type: 'cut', group: env.group, id: env.newId(), before, reason: 'overflow' } as const
    const behind = [
      ...late,
      ...facts.slice(
        0,
        facts.findIndex(fact => fact.id === before),
      ),
    ]
    drafts.push(
      cut,
      summaryDraft(told, { log, with: [...drafts], cut, facts: behind }, place, env),
      memoryDraft(log, told.summary.text, { cut: cut.id }),
    )
  }
  return [...drafts, ...failureNotes(told.summary, env)]
}

/** Step 4: shortens the results that the model has not read yet, largest first, then the question itself. */
const shortenRunning: Step = (log, env) => {
  const limits = { limit: longestIn(log, env), unit: 'chars', headShare: 50 } as const
  const estimateFits = isWithin(requestSize(log, env).total, env)
  const drafts: EntryDraft[] = []
  for (const fact of unreadResults(log)) {
    // Where our own count said that it fits, the provider knows better: then all of them are shortened.
    if (!estimateFits && isWithin(sizeWithDrafts(log, drafts, env), env)) break
    const draft = shortenText(log, env, fact, limits, true)
    if (draft !== undefined) drafts.push(draft)
  }
  return drafts
}

/**
 * Between rungs 4 and 5: as many of the newest turns as fit, with the summary that rung 3 made; where they fit by our
 * own count already, half of them, for then the server told no number that says how many.
 */
const fewerTurns: Step = (log, env) => {
  const turns = turnsInView(log)
  const estimateFits = isWithin(requestSize(log, env).total, env)
  for (let stay = estimateFits ? Math.floor(turns.length / 2) : turns.length - 1; stay > 0; stay--) {
    const before = turns.at(-stay) ?? null
    if (before === null) continue
    const drafts = cutWithSummary(log, before, env)
    if (!estimateFits && !isWithin(sizeWithDrafts(log, drafts, env), env)) continue
    const size = { before: requestSize(log, env).total, after: sizeWithDrafts(log, drafts, env) }
    return [
      ...drafts,
      {
        type: 'note',
        code: 'overflow_rung',
        tokens: size.after,
        data: { rung: 5, turns: stay, ...size },
        text: `The request did not fit: only the newest ${stay === 1 ? 'turn is' : `${stay} turns are`} sent, with a summary of the rest (${size.before} → ${size.after} tokens). Nothing was deleted.`,
      },
    ]
  }
  return []
}

/**
 * A cut with the summary that step 3 has just made of everything in view, so that no model is asked again; without that
 * summary the cut needs none.
 */
function cutWithSummary(log: Log, before: Id, env: StepEnv): EntryDraft[] {
  const { since, summary: earlier, memory } = summaryJustMade(log)
  const told = earlier ?? memory
  const cut = {
    type: 'cut',
    group: env.group,
    id: env.newId(),
    before,
    reason: told === undefined ? 'last resort' : 'overflow',
  } as const
  if (told === undefined) return [cut]
  const facts = factsNewlyHidden(log, before)
  const isByRule =
    told.type === 'summary'
      ? told.by !== 'model'
      : env.ask === undefined ||
        breakerIsOpen(log, env.askModel) ||
        since.some(entry => entry.type === 'note' && entry.code === 'summary_failed')
  const summary = { text: told.text, by: isByRule ? 'extractive' : 'model', ...modelOf(told, isByRule, env) } as const
  return [cut, summaryDraft({ summary, ms: 0 }, { log, with: [], cut, facts }, place, env)]
}

/** Who wrote it: a memory does not say, but it was made in this very climb. */
function modelOf(
  told: Extract<Entry, { type: 'summary' | 'memory' }>,
  isByRule: boolean,
  env: StepEnv,
): { model?: string } {
  if (told.type === 'summary') return told.stats.model === undefined ? {} : { model: told.stats.model }
  return isByRule ? {} : { model: env.askModel }
}

/**
 * What step 3 has made of everything in view since the newest fact: a summary of its cut, or a memory if nothing was
 * cut.
 */
function summaryJustMade(log: Log): {
  since: readonly Entry[]
  summary?: Extract<Entry, { type: 'summary' }>
  memory?: Extract<Entry, { type: 'memory' }>
} {
  const since = log.slice(log.findLastIndex(isFact) + 1)
  const cuts = new Set(since.flatMap(entry => (entry.type === 'cut' && entry.reason === 'overflow' ? [entry.id] : [])))
  const summary = since.findLast(entry => entry.type === 'summary' && cuts.has(entry.of))
  const memory = since.findLast(entry => entry.type === 'memory' && entry.reason === 'overflow')
  return { since, ...(summary?.type === 'summary' && { summary }), ...(memory?.type === 'memory' && { memory }) }
}

/** Step 5: only the question that is being answered is left. */
const onlyTheQuestion: Step = (log, env) => {
  const question = openTurnQuestion(log) ?? factsInView(log).findLast(fact => fact.type === 'user')
  const leaving = factsInView(log).filter(fact => fact.id !== question?.id)
  if (leaving.length === 0) return []
  const cut: Edit = {
    type: 'cut',
    group: env.group,
    before: null,
    reason: 'last resort',
    ...(question !== undefined && { pin: question.id }),
  }
  return [
    cut,
    {
      type: 'note',
      code: 'overflow_rung',
      data: { rung: 5, messages: leaving.length },
      text: `The request did not fit: ${leaving.length} earlier messages are not sent any more, only your question. Nothing was deleted, and Undo brings them back.`,
    },
  ]
}

/** The rungs in order. Each may be run on its own; running one again adds nothing. */
export const overflowSteps: readonly Step[] = [
  summarizeAndShorten,
  shortenRunning,
  fewerTurns,
  fewerTurns,
  onlyTheQuestion,
]

/**
 * What asks no model: where tokens a minute are the bound, a summary would use them up. Before the rungs, not in place
 * of them.
 */
export const shortenOnlySteps: readonly Step[] = [
  (log, env) => [...shortenAnswered(log, env, { limit: longestIn(log, env), unit: 'chars', headShare: 50 })],
  shortenRunning,
]

/** The results that the model has not read yet, largest first, then the question that is being answered. */
export function unreadResults(log: Log): FactEntry[] {
  const open = unansweredResults(log)
  const facts = factsInView(log)
  const question = facts.findLast(fact => fact.type === 'user')
  return [
    ...facts.filter(fact => open.has(fact.id)).toSorted((a, b) => sizeOf(b) - sizeOf(a)),
    ...(question === undefined ? [] : [question]),
  ]
}

/** Answered results, questions but the newest, long strings in the arguments of answered calls. */
export function* shortenAnswered(log: Log, env: StepEnv, limits: ExcerptLimits): Generator<EntryDraft> {
  const facts = factsInView(log)
  const open = unansweredResults(log)
  const newest = facts.findLast(fact => fact.type === 'user')
  const running = facts.findLastIndex(fact => fact.type === 'assistant')
  for (const [at, fact] of facts.entries()) {
    if (fact === newest || open.has(fact.id)) continue
    const draft =
      fact.type !== 'assistant'
        ? shortenText(log, env, fact, limits, true)
        : at < running || open.size === 0
          ? shortenCalls(log, env, fact, limits)
          : undefined
    if (draft !== undefined) yield draft
  }
}

function longestIn(log: Log, env: StepEnv): number {
  const tokens = Math.floor(longestShare * env.contextWindow)
  return tokens >= longest ? longest : Math.min(longest, Math.floor(tokens * lettersIn(log, env)))
}

/** Characters of a token in the longest text of the view, by the corrected count. */
function lettersIn(log: Log, env: StepEnv): number {
  const sample = factsInView(log)
    .reduce((most, { text }) => (text.length > most.length ? text : most), '')
    .slice(0, sampled)
  return sample === ''
    ? lettersOfToken
    : Math.min(lettersOfToken, sample.length / Math.max(1, env.counter.text(sample)))
}
/** How much of a text is sampled, UTF-16 units. */
const sampled = 4_000

function isWithin(total: number, env: StepEnv): boolean {
  return total + env.outputReserve <= env.contextWindow
}

function sizeOf(fact: FactEntry): number {
  return fact.rest?.bytes ?? fact.text.length
}
