/** Makes a request smaller without asking a model: where tokens are few a minute, a summary would use them up. */
import type { Entry, Log } from '../../log/entry.ts'
import { isEdit } from '../../log/query.ts'
import { completeDrafts, runPipeline } from '../run-pipeline.ts'
import { requestSize } from '../size/measure.ts'
import { shortenOnlySteps } from '../steps/overflow-steps.ts'
import type { StepEnv } from '../strategy.ts'
import { fits, type FallbackState } from './overflow-fallback.ts'

/** What is to be appended so that the request fits, with a note; undefined where shortening is not enough. */
export async function shortenOnly(log: Log, env: StepEnv, state: FallbackState): Promise<Entry[] | undefined> {
  const added = await runPipeline(log, shortenOnlySteps, env)
  const grown = [...log, ...added]
  if (!added.some(isEdit) || !fits(grown, env, state)) return undefined
  const [before, after] = [requestSize(log, env).total, requestSize(grown, env).total]
  const note = {
    type: 'note',
    code: 'overflow_rung',
    tokens: after,
    data: { rung: 3, before, after },
    text: `The request did not fit: long texts were shortened (${before} → ${after} tokens). Nothing was deleted.`,
  } as const
  return [...added, ...completeDrafts([note], grown, env)]
}
