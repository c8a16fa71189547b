/**
 * What to do when a server or proxy accepts fewer bytes than the request has, or fewer characters than one of its texts
 * has (C5.6). These limits have nothing to do with the window, so they have a fallback of their own.
 */
import { utf8Bytes } from '../../text/bytes.ts'
import type { Entry, Log } from '../../log/entry.ts'
import { modelView } from '../../log/model-view/model-view.ts'
import { isEdit } from '../../log/query.ts'
import type { Verdict } from './verdict.ts'
import { completeDrafts, runPipeline } from '../run-pipeline.ts'
import { byteLimitSteps } from '../steps/byte-limit-steps.ts'
import { textLimitSteps } from '../steps/text-limit-steps.ts'
import type { StepEnv } from '../strategy.ts'

/** The request is sent again only if it became smaller by at least this share. Source: C5.6. */
const leastGain = 0.02

/**
 * Bytes of the texts in a request. Images are not among them: they leave where they are sent from, before any text
 * does.
 */
export function textBytes(log: Log, { system, tools, view }: Pick<StepEnv, 'system' | 'tools' | 'view'>): number {
  const messages = modelView(log, view).map(({ message }) => message)
  return utf8Bytes(system) + utf8Bytes(JSON.stringify(tools)) + utf8Bytes(JSON.stringify(messages))
}

export type ShrunkRequest = { entries: Entry[]; tried: number; before: number; after: number /* bytes */ }

/**
 * The next rungs from `tried` on that make the texts smaller, as a refusal wants them: all together down to the bytes
 * that it told, or each to the characters; undefined where none of them helps: then nothing is to be appended.
 */
export async function shrinkBytes(
  log: Log,
  env: StepEnv,
  tried: number,
  { bytes: limit, characters }: Pick<Verdict, 'bytes' | 'characters'>,
): Promise<ShrunkRequest | undefined> {
  const before = textBytes(log, env)
  const rungs = characters === undefined ? byteLimitSteps : textLimitSteps(characters)
  const entries: Entry[] = []
  for (let rung = tried; rung < rungs.length; rung++) {
    entries.push(...(await runPipeline([...log, ...entries], rungs.slice(rung, rung + 1), env)))
    const after = textBytes([...log, ...entries], env)
    const helps =
      characters === undefined
        ? after <= before * (1 - leastGain) && (limit === undefined || after <= limit)
        : entries.some(isEdit)
    if (!helps) continue
    const why =
      characters === undefined
        ? 'The request had more bytes than the server or a proxy takes'
        : `The server takes at most ${characters} characters in one text`
    const note = {
      type: 'note',
      code: 'overflow_rung',
      data: { bytes: true, before, after, ...(characters === undefined ? {} : { characters }) },
      text: `${why}: long texts were shortened (${before} → ${after} bytes). Nothing was deleted.`,
    } as const
    return {
      entries: [...entries, ...completeDrafts([note], [...log, ...entries], env)],
      tried: rung + 1,
      before,
      after,
    }
  }
  return undefined
}
