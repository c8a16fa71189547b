/** What a cut takes out of view, and the summary that goes with it. */
import type { FactEntry, Id, Log } from '../log/entry.ts'
import { boundaryOf, factsBetween, isFact, positions, storedSummary, type CutEntry } from '../log/query.ts'
import { guideUpTo } from './guide.ts'
import { requestSize } from './measure.ts'
import { completed } from './prepare.ts'
import { standing } from './standing.ts'
import type { Summary } from './summarize.ts'
import type { Draft, Strategy, StepEnv } from './strategy.ts'

export type SummaryPlace = Strategy['summaryPlace']

/** Facts that are in view until a cut before `before` (null: before everything) hides them; the question it pins is among them. */
export function newlyBehind(log: Log, before: Id | null): FactEntry[] {
  const { from } = boundaryOf(log, standing(log).edits)
  if (from === 0) return allBehind(log, before)
  const to = before === null ? log.length : positions(log, new Set([before])).get(before) ?? from
  return factsBetween(log, from, to)
}

/** Facts that a cut of the log took out of view when it was made; undone edits count as never made. */
export function takenBy(log: Log, cut: CutEntry): FactEntry[] {
  const edits = new Set(standing(log).edits.map(edit => edit.id))
  const own = log.findIndex(entry => entry.id === cut.id)
  const before = log.slice(0, own).filter(entry => isFact(entry) || edits.has(entry.id))
  return newlyBehind(before, cut.before)
}

/** Facts behind every cut up to this border. */
export function allBehind(log: Log, before: Id | null): FactEntry[] {
  return factsBetween(log, 0, borderOf(log, before))
}

/** Index of the border; 0 where nothing has its id. */
function borderOf(log: Log, before: Id | null): number {
  return before === null ? log.length : positions(log, new Set([before])).get(before) ?? 0
}

export type Told = { summary: Summary; ms: number; before: number /* tokens of the request */ }

/** Summarises facts together with the summary so far; `replaces` tokens. `useModel: false` answers by rule at once. */
export async function tell(log: Log, facts: readonly FactEntry[], useModel: boolean, replaces: number, env: StepEnv, mayBeNothing = false): Promise<Told> {
  const started = env.now()
  // The first load is small: what makes summaries comes with the first compaction.
  const { summarize } = await import('./summarize.ts')
  const previous = storedSummary(log)?.text
  const summary = await summarize({ facts, replaces, useModel, mayBeNothing, ...previous !== undefined && { previous } }, env)
  return { summary, ms: env.now() - started, before: requestSize(log, env).total }
}

/** The note of a run in which the model was asked and rule had to answer; the breaker counts them. */
export function failedNotes({ by, calls, failures, nothing }: Summary, env: StepEnv): Draft[] {
  if (by === 'model' || nothing === true || calls === 0) return []
  return [{
    type: 'note', code: 'summary_failed', data: { model: env.askModel, calls, failures: failures.map(failure => failure.slice(0, 300)) },
    text: `${env.askModel || 'The model'} gave no usable summary (${failures.at(-1) ?? 'no answer'}). It was made without a model.`,
  }]
}

export type CutToTell = { id: Id; before: Id | null }

/** The summary of a cut, as an edit; `after` is measured on the log with the drafts in front of it. */
export function summaryDraft(told: Told, cut: CutToTell, facts: readonly FactEntry[], place: SummaryPlace, log: Log, env: StepEnv, drafts: readonly Draft[] = []): Draft {
  const { summary, ms, before } = told
  const guide = guideUpTo(log, borderOf(log, cut.before), env.place)
  const draft = (after: number): Draft => ({
    type: 'summary', group: env.group, of: cut.id, text: summary.text, by: summary.by, place, guide,
    covers: { first: facts[0]?.id ?? cut.id, last: facts.at(-1)?.id ?? cut.id },
    stats: { entries: facts.length, before, after, ms, ...summary.model !== undefined && { model: summary.model } },
  })
  return draft(sizeWith(log, [...drafts, draft(0)], env))
}

/** Tokens of the request with these drafts appended. */
export function sizeWith(log: Log, drafts: readonly Draft[], env: StepEnv): number {
  if (drafts.length === 0) return requestSize(log, env).total
  let n = 0
  return requestSize([...log, ...completed(drafts, log, { now: env.now, newId: () => `draft ${++n}` })], env).total
}
