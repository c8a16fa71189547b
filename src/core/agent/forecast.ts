/** What the strategy's own steps would do with the next message, on a copy of the log: a limit of turns is foretold like one of tokens (C9.6). */
import { requestSize } from '../context/measure.ts'
import { prepare } from '../context/prepare.ts'
import type { Entry, Log } from '../log/entry.ts'
import { leftBy, questionsIn } from '../log/took.ts'
import type { Forecast } from './api.ts'
import type { Setup } from './setup.ts'

/**
 * The log with the next question behind it, and what the steps before its first call add; `first`: edits that come in front of the
 * question. Summaries are made by rule: no model is asked.
 */
export async function withNext(log: Log, setup: Setup, first: readonly Entry[] = []): Promise<{ asked: Log; added: Entry[] }> {
  const { ask: _, ...env } = setup.env('onTurn')
  const asked: Log = [...log, ...first, { type: 'user', text: '', id: env.newId(), parent: (first.at(-1) ?? log.at(-1))?.id ?? null, at: env.now() }]
  const onTurn = await prepare(asked, setup.strategy.onTurn ?? [], env)
  const onCall = await prepare([...asked, ...onTurn], setup.strategy.onCall ?? [], { ...env, moment: 'onCall' })
  return { asked, added: [...onTurn, ...onCall] }
}

export async function forecast(log: Log, setup: Setup, first: readonly Entry[] = []): Promise<Forecast> {
  const { asked, added } = await withNext(log, setup, first)
  const env = setup.env('onCall')
  const left = [...leftBy(log, first), ...leftBy(asked, added)]
  const edits = [...first, ...added]
  const why = edits.findLast(entry => entry.type === 'cut')?.reason ?? (edits.some(entry => entry.type === 'strip') ? 'strip' : undefined)
  return {
    messages: left.length, turns: questionsIn(left), shortened: added.filter(entry => entry.type === 'shorten').length,
    before: requestSize([...log, ...asked.slice(-1)], env).total, after: requestSize([...asked, ...added], env).total, ...(why === undefined ? {} : { why }),
  }
}
