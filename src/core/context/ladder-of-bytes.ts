/** What to do when a server or a proxy takes fewer bytes than a request has (C5.6): another measure than the window, so another ladder. */
import { utf8Bytes } from '../text/bytes.ts'
import type { Entry, Log } from '../log/entry.ts'
import { modelView } from '../log/model-view.ts'
import { completed, prepare } from './prepare.ts'
import { byteRungs } from './steps/fewer-bytes.ts'
import type { StepEnv } from './strategy.ts'

/** The request is made again only where it became smaller by this share. Source: C5.6. */
const leastGain = 0.02

/** Bytes of the texts in a request. Images are not among them: they leave where they are sent from, before any text does. */
export function textBytes(log: Log, { system, tools, view }: Pick<StepEnv, 'system' | 'tools' | 'view'>): number {
  const messages = modelView(log, view).map(({ message }) => message)
  return utf8Bytes(system) + utf8Bytes(JSON.stringify(tools)) + utf8Bytes(JSON.stringify(messages))
}

export type Lighter = { entries: Entry[]; tried: number; before: number; after: number /* bytes */ }

/**
 * The next rungs from `tried` on that make the texts smaller, down to `limit` bytes where one was told; undefined where none of
 * them helps: then nothing is to be appended.
 */
export async function lighten(log: Log, env: StepEnv, tried: number, limit?: number): Promise<Lighter | undefined> {
  const before = textBytes(log, env)
  const entries: Entry[] = []
  for (let rung = tried; rung < byteRungs.length; rung++) {
    entries.push(...await prepare([...log, ...entries], byteRungs.slice(rung, rung + 1), env))
    const after = textBytes([...log, ...entries], env)
    if (after > before * (1 - leastGain) || limit !== undefined && after > limit) continue
    const note = {
      type: 'note', code: 'overflow_rung', data: { bytes: true, before, after },
      text: `The request had more bytes than the server or a proxy takes: long texts were shortened (${before} → ${after} bytes). Nothing was deleted.`,
    } as const
    return { entries: [...entries, ...completed([note], [...log, ...entries], env)], tried: rung + 1, before, after }
  }
  return undefined
}
