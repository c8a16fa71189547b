/** The rungs that make a request smaller when nothing else did (C5.6, 3 to 5). They say so in notes, and delete nothing. */
import type { Edit, FactEntry, Log } from '../../log/entry.ts'
import { isFact, openQuestion, unansweredResults } from '../../log/query.ts'
import { failedNotes, sizeWith, summaryDraft, tell, type SummaryPlace } from '../behind.ts'
import { active, turnsInView } from '../in-view.ts'
import { requestSize } from '../measure.ts'
import { untold } from '../owed.ts'
import { sentTokens } from '../sent-tokens.ts'
import { shortenCalls, shortenText } from '../shorten.ts'
import type { Draft, Step, StepEnv } from '../strategy.ts'
import { breakerIsOpen } from '../waits.ts'

/** What a long text may show, in characters, and the turns that stay. Source: CowAgent, C5.6. */
const longest = 10_000
const turnsKept = 5
/** In a small window that many characters would fill it: a share of the window, at 4 characters a token. Source: C5.1. */
const longestShare = 0.3

/** The rungs in order. Each may be run on its own; running one again adds nothing. */
export function rungs(place: SummaryPlace): readonly Step[] {
  return [tellAndShorten(place), shortenRunning, onlyTheQuestion]
}

/** Rung 3: all is summarised, what was answered is shortened, the newest five turns stay. */
function tellAndShorten(place: SummaryPlace): Step {
  return async (log, env) => {
    const facts = active(log)
    const drafts: Draft[] = [...shortened(log, facts, env)]
    const turns = turnsInView(log)
    const before = turns.length > turnsKept ? turns.at(-turnsKept) ?? null : null
    const isTold = log.slice(log.findLastIndex(isFact) + 1).some(entry => entry.type === 'memory')
    if (facts.length === 0 || (before === null && isTold)) return drafts
    const size = requestSize(log, env)
    const useModel = env.forced === true || !breakerIsOpen(log, env.askModel)
    const late = before === null ? [] : untold(log)
    const told = await tell(log, [...late, ...facts], useModel, size.messages + size.summary + sentTokens(late, env.counter), env)
    if (before === null) drafts.push({ type: 'memory', text: told.summary.text })
    else {
      const cut = { type: 'cut', group: env.group, id: env.newId(), before, reason: 'overflow' } as const
      const behind = [...late, ...facts.slice(0, facts.findIndex(fact => fact.id === before))]
      drafts.push(cut, summaryDraft(told, { log, with: [...drafts], cut, facts: behind }, place, env), { type: 'memory', text: told.summary.text, cut: cut.id })
    }
    return [...drafts, ...failedNotes(told.summary, env)]
  }
}

/** Rung 4: the results that the model has not read yet, largest first, then the question itself. */
const shortenRunning: Step = (log, env) => {
  const limits = { limit: longestIn(env), unit: 'chars', headShare: 50 } as const
  const open = unansweredResults(log)
  const facts = active(log)
  const results = facts.filter(fact => open.has(fact.id)).toSorted((a, b) => sizeOf(b) - sizeOf(a))
  const question = facts.findLast(fact => fact.type === 'user')
  const estimateFits = isWithin(requestSize(log, env).total, env)
  const drafts: Draft[] = []
  for (const fact of [...results, ...question === undefined ? [] : [question]]) {
    // Where our own count said that it fits, the provider knows better: then all of them are shortened.
    if (!estimateFits && isWithin(sizeWith(log, drafts, env), env)) break
    const draft = shortenText(log, env, fact, limits, true)
    if (draft !== undefined) drafts.push(draft)
  }
  return drafts
}

/** Rung 5: nothing but the question that is being answered. */
const onlyTheQuestion: Step = (log, env) => {
  const question = openQuestion(log) ?? active(log).findLast(fact => fact.type === 'user')
  const leaving = active(log).filter(fact => fact.id !== question?.id)
  if (leaving.length === 0) return []
  const cut: Edit = { type: 'cut', group: env.group, before: null, reason: 'last resort', ...question !== undefined && { pin: question.id } }
  return [cut, {
    type: 'note', code: 'overflow_rung', data: { rung: 5, messages: leaving.length },
    text: `The request did not fit: ${leaving.length} earlier messages are not sent any more, only your question. Nothing was deleted, and Undo brings them back.`,
  }]
}

/** Answered results, questions but the newest, long strings in the arguments of answered calls. */
function* shortened(log: Log, facts: readonly FactEntry[], env: StepEnv): Generator<Draft> {
  const limits = { limit: longestIn(env), unit: 'chars', headShare: 50 } as const
  const open = unansweredResults(log)
  const newest = facts.findLast(fact => fact.type === 'user')
  const running = facts.findLastIndex(fact => fact.type === 'assistant')
  for (const [at, fact] of facts.entries()) {
    if (fact === newest || open.has(fact.id)) continue
    const draft = fact.type !== 'assistant' ? shortenText(log, env, fact, limits, true)
      : at < running || open.size === 0 ? shortenCalls(log, env, fact, limits) : undefined
    if (draft !== undefined) yield draft
  }
}

function longestIn(env: StepEnv): number {
  return Math.min(longest, Math.floor(longestShare * env.contextWindow * 4))
}

function isWithin(total: number, env: StepEnv): boolean {
  return total + env.outputReserve <= env.contextWindow
}

function sizeOf(fact: FactEntry): number {
  return fact.rest?.bytes ?? fact.text.length
}
