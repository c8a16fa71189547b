/**
 * Forecast of what the next message would do: runs the strategy's own steps and then the guard on a copy of the log, so
 * that every limit is covered (C9.6).
 */
import { initialFallback, escalate, fits } from '../../context/overflow/overflow-fallback.ts'
import { requestSize } from '../../context/size/measure.ts'
import { runPipeline } from '../../context/run-pipeline.ts'
import { codeOf } from '../../errors.ts'
import type { Entry, FactEntry, Log } from '../../log/entry.ts'
import { asStored } from '../../log/huge.ts'
import { factsRemovedBy, questionsIn } from '../../log/model-view/removed-counts.ts'
import type { Forecast } from '../api/context-api.ts'
import { viewInTurn, type RequestSetup } from './request-setup.ts'

/** The next message as far as it is known: edits that come before it, and what is typed in the message box. */
export type NextMessage = { first?: readonly Entry[]; draft?: string | undefined }

/**
 * The log with the next question appended, the edits before it, and what is added before its first call. `tooLong`: all
 * of that is not enough.
 */
export type SimulatedLog = { asked: Log; first: readonly Entry[]; added: Entry[]; tooLong: boolean }

/** Summaries are made by rule: no model is asked. */
export async function simulateNext(
  log: Log,
  setup: RequestSetup,
  { first = [], draft = '' }: NextMessage = {},
): Promise<SimulatedLog> {
  const { ask: _, ...env } = setup.env('onTurn')
  const { entry: question } = asStored({
    type: 'user',
    text: messageOf(draft),
    id: env.newId(),
    parent: (first.at(-1) ?? log.at(-1))?.id ?? null,
    at: env.now(),
  })
  const asked: Log = [...log, ...first, question]
  const onTurn = await runPipeline(asked, setup.strategy.onTurn ?? [], env)
  const onCall = await runPipeline([...asked, ...onTurn], setup.strategy.onCall ?? [], { ...env, moment: 'onCall' })
  const planned = [...onTurn, ...onCall]
  const guarded = await guard([...asked, ...planned], setup)
  return { asked, first, added: [...planned, ...(guarded ?? [])], tooLong: guarded === undefined }
}

/** The edits that make a request fit before it is sent (C5.7); undefined if none do. */
async function guard(log: Log, setup: RequestSetup): Promise<Entry[] | undefined> {
  const { ask: _, ...env } = setup.env('onOverflow', { view: viewInTurn(setup.model), counter: setup.guardCounter })
  const foot = initialFallback(setup)
  if (fits(log, env, foot)) return []
  try {
    return (await escalate(log, env, foot, setup.strategy.onOverflow ?? [])).entries
  } catch (thrown) {
    if (codeOf(thrown) !== 'model_overflow') throw thrown
    return undefined
  }
}

/** A draft as it would be sent: a command is not a message, and `//` becomes `/`. */
function messageOf(draft: string): string {
  if (draft.startsWith('//')) return draft.slice(1)
  return draft.startsWith('/') || draft.trim() === '' ? '' : draft
}

export async function forecast(log: Log, setup: RequestSetup, next: NextMessage = {}): Promise<Forecast> {
  return forecastOf(log, setup, await simulateNext(log, setup, next))
}

export function forecastOf(log: Log, setup: RequestSetup, { asked, first, added, tooLong }: SimulatedLog): Forecast {
  const env = setup.env('onCall')
  const left: FactEntry[] = [...factsRemovedBy(log, first), ...factsRemovedBy(asked, added)]
  const edits = [...first, ...added]
  const why =
    edits.findLast(entry => entry.type === 'cut')?.reason ??
    (edits.some(entry => entry.type === 'strip') ? 'strip' : undefined)
  return {
    messages: left.length,
    turns: questionsIn(left),
    shortened: added.filter(entry => entry.type === 'shorten').length,
    before: requestSize([...log, ...asked.slice(-1)], env).total,
    after: requestSize([...asked, ...added], env).total,
    ...(why === undefined ? {} : { why }),
    ...(tooLong && { tooLong }),
  }
}
