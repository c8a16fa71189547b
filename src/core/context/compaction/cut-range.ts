/** Which facts a cut hides, and the summary that stands for them. */
import type { EditEntry, FactEntry, Id, Log } from '../../log/entry.ts'
import { boundaryOf, factsBetween, isFact, positions, storedSummary, type CutEntry } from '../../log/query.ts'
import { factsRemovedBy } from '../../log/model-view/removed-counts.ts'
import { guideUpTo } from './guide.ts'
import { requestSize } from '../size/measure.ts'
import { completeDrafts } from '../run-pipeline.ts'
import { editState } from '../view/edit-state.ts'
import type { Summary } from '../summary/summarize.ts'
import type { EntryDraft, Strategy, StepEnv } from '../strategy.ts'

export type SummaryPlace = Strategy['summaryPlace']

/**
 * Facts that are in view until a cut before `before` (null: before everything) hides them; the question it pins is
 * among them.
 */
export function factsNewlyHidden(log: Log, before: Id | null): FactEntry[] {
  const { from } = boundaryOf(log, editState(log).edits)
  if (from === 0) return factsBefore(log, before)
  const to = before === null ? log.length : (positions(log, new Set([before])).get(before) ?? from)
  return factsBetween(log, from, to)
}

/** Facts that a cut of the log took out of view when it was made; undone edits count as never made. */
export function factsHiddenBy(log: Log, cut: CutEntry): FactEntry[] {
  const edits = new Set(editState(log).edits.map(edit => edit.id))
  const own = log.findIndex(entry => entry.id === cut.id)
  const before = log.slice(0, own).filter(entry => isFact(entry) || edits.has(entry.id))
  return factsNewlyHidden(before, cut.before)
}

/** All facts before this border. */
export function factsBefore(log: Log, before: Id | null): FactEntry[] {
  return factsBetween(log, 0, borderOf(log, before))
}

/** The log as it was when this edit was made; whole where it is not in it. */
export function logBefore(log: Log, { id }: EditEntry): Log {
  const at = log.findIndex(entry => entry.id === id)
  return at < 0 ? log : log.slice(0, at)
}

/** Index of the border; 0 where nothing has its id. */
function borderOf(log: Log, before: Id | null): number {
  return before === null ? log.length : (positions(log, new Set([before])).get(before) ?? 0)
}

export type SummaryRun = { summary: Summary; ms: number }

/**
 * Summarizes facts together with the previous summary; `replaces`: tokens that the new one stands for. `useModel:
 * false` makes it by rule at once.
 */
export async function summarizeFacts(
  log: Log,
  facts: readonly FactEntry[],
  useModel: boolean,
  replaces: number,
  env: StepEnv,
  mayBeNothing = false,
): Promise<SummaryRun> {
  const started = env.now()
  // The first load is small: what makes summaries comes with the first compaction.
  const { summarize } = await import('../summary/summarize.ts')
  const previous = storedSummary(log)?.text
  const summary = await summarize(
    { facts, replaces, useModel, mayBeNothing, ...(previous !== undefined && { previous }) },
    env,
  )
  return { summary, ms: env.now() - started }
}

/** The note of a summary for which the model failed and the rules had to be used; the breaker counts these notes. */
export function failureNotes({ by, calls, failures, nothing }: Summary, env: StepEnv): EntryDraft[] {
  if (by === 'model' || nothing === true || calls === 0) return []
  return [
    {
      type: 'note',
      code: 'summary_failed',
      data: {
        model: env.askModel,
        calls,
        failures: failures.map(failure => failure.slice(0, 300)),
        ...(isPersonsInstruction(env) && { unfollowed: true }),
      },
      text:
        `${env.askModel || 'The model'} gave no usable summary (${failures.at(-1) ?? 'no answer'}). It was made without a model.` +
        (isPersonsInstruction(env) ? ' So your instruction could not be followed.' : ''),
    },
  ]
}

/** What the agent wanted kept is told to the agent. */
function isPersonsInstruction({ instruction, asked }: StepEnv): boolean {
  return instruction !== undefined && asked === undefined
}

/** A cut with what is appended with it, behind a log; `facts` are those that its summary tells. */
export type PlannedCut = {
  log: Log
  with: readonly EntryDraft[]
  cut: EntryDraft & { type: 'cut'; id: Id }
  facts: readonly FactEntry[]
}

/**
 * The summary of a cut, as an edit. Its numbers are those of the cut, whenever the summary comes: what left with it,
 * the request before it and after both (C9.6).
 */
export function summaryDraft(
  { summary, ms }: { summary: Pick<Summary, 'text' | 'by' | 'model'>; ms: number },
  { log, with: others, cut, facts }: PlannedCut,
  place: SummaryPlace,
  env: StepEnv,
): EntryDraft {
  const guide = guideUpTo(log, borderOf(log, cut.before), env.place)
  const left = factsRemovedBy(log, completeDrafts([cut], log, env))
  const draft = (after: number, place: SummaryPlace): EntryDraft => ({
    type: 'summary',
    group: env.group,
    of: cut.id,
    text: summary.text,
    by: summary.by,
    place,
    guide,
    covers: { first: facts[0]?.id ?? cut.id, last: facts.at(-1)?.id ?? cut.id },
    stats: {
      entries: left.length,
      before: requestSize(log, env).total,
      after,
      ms,
      ...(summary.model !== undefined && { model: summary.model }),
      // rules cannot read what a person asks for
      ...(summary.by === 'extractive' && isPersonsInstruction(env) && { unfollowed: true }),
      ...(env.forced === true && { asked: env.asked ?? ('person' as const) }),
    },
  })
  // In front of the first question it stands only once a question follows; it is counted from the first.
  return draft(sizeWithDrafts(log, [...others, cut, draft(0, 'own message')], env), place)
}

/** Tokens of the request with these drafts appended. */
export function sizeWithDrafts(log: Log, drafts: readonly EntryDraft[], env: StepEnv): number {
  if (drafts.length === 0) return requestSize(log, env).total
  let n = 0
  return requestSize([...log, ...completeDrafts(drafts, log, { now: env.now, newId: () => `draft ${++n}` })], env).total
}
