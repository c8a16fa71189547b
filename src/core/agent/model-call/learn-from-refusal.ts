/** What a refusal about length teaches of the model that it came from (C1.6, C8). */
import { learntWindow, type Verdict } from '../../context/overflow/overflow.ts'
import { askForWindow } from './learn-from-usage.ts'
import type { Kit } from '../session/agent-runtime.ts'
import { calibrate, ceilingNow, factorOf, saveLearnt } from '../request/model-calibration.ts'
import { keepWindow } from './reported-window.ts'
import type { Session } from '../session/session.ts'
import type { Setup } from '../request/request-setup.ts'
import { wordsOf } from '../i18n/note-texts.ts'

/** The request as it was refused, in tokens: `counted` by the plain counter, `total` by the corrected one. */
export type Sent = { counted: number; total: number; maxTokens: number }

/**
 * How far our count is off for this very request, the window that was learnt (tokens), and whether model, window or
 * ceiling are to be looked up anew.
 */
export type Lesson = { factor?: number; window?: number; changed: boolean }

/** Keeps what was learnt, and says it where a window or a ceiling is smaller than was known. */
export async function learnFromRefusal(
  kit: Kit,
  session: Session,
  setup: Setup,
  verdict: Verdict,
  sent: Sent,
): Promise<Lesson> {
  if (verdict.kind === 'tpm_single_request') return learnCeiling(kit, session, setup, verdict, sent)
  const factor = await reportOfSize(kit, setup, verdict, sent)
  const window = learntWindow(verdict, setup.window)
  if (window !== undefined && window < setup.window) {
    await keepWindow(kit, session, setup, window, true)
    return { ...factor, window, changed: true }
  }
  // Without a number the assumed window is no better than a guess: the server may say what it is.
  const asks =
    verdict.limit === undefined &&
    (verdict.kind === 'overflow_prompt' || verdict.kind === 'overflow_total' || verdict.kind === 'soft_stop')
  const bounded = ceilingNow(setup.learnt, kit.parts.world.now()) !== undefined
  const said = asks && !bounded ? await askForWindow(kit, session, setup, true) : undefined
  return { ...factor, ...(said === undefined ? {} : { window: said }), changed: said !== undefined }
}

/**
 * The size of the prompt in the provider's own tokens is a report like one of an answer: whole for this request,
 * smoothed for the next (C1.6).
 */
async function reportOfSize(
  kit: Kit,
  setup: Setup,
  { kind, actual, ofPrompt }: Verdict,
  { counted }: Sent,
): Promise<{ factor?: number }> {
  if (!ofPrompt || actual === undefined || counted <= 0 || (kind !== 'overflow_prompt' && kind !== 'overflow_total'))
    return {}
  const { name } = setup.plainCounter
  const taught = calibrate(setup.learnt.factors?.[name], actual, counted)
  if ('factor' in taught)
    await saveLearnt(kit.parts.store, setup.model, { factors: { ...setup.learnt.factors, [name]: taught.factor } })
  return { factor: factorOf(actual, counted) }
}

/**
 * Tokens a minute bound one request: a larger one can never be taken. Its told size may hold the output limit, so it is
 * compared with both.
 */
async function learnCeiling(
  kit: Kit,
  session: Session,
  setup: Setup,
  { limit, actual }: Verdict,
  { counted, total, maxTokens }: Sent,
): Promise<Lesson> {
  if (limit === undefined) return { changed: false }
  const known = ceilingNow(setup.learnt, kit.parts.world.now())
  const off =
    actual !== undefined && actual > total + maxTokens ? { factor: factorOf(actual - maxTokens, counted) } : {}
  if (known === limit) return { ...off, changed: false }
  await saveLearnt(kit.parts.store, setup.model, { ceiling: { tokens: limit, at: kit.parts.world.now() } })
  await session.append([
    {
      type: 'note',
      code: 'window_learnt',
      text: wordsOf(kit).ceilingLearnt(limit),
      tokens: limit,
      data: { ceiling: limit, before: setup.window },
    },
  ])
  return { ...off, changed: true }
}
