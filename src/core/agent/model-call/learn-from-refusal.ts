/** Learns from a refusal about length: the model's window, its ceiling, and how far our counts are off (C1.6, C8). */
import { windowFromRefusal } from '../../context/overflow/overflow.ts'
import type { Verdict } from '../../context/overflow/verdict.ts'
import { probeWindow } from './learn-from-usage.ts'
import type { AgentRuntime } from '../session/agent-runtime.ts'
import { calibrate, currentCeiling, calibrationFactor, saveCalibration } from '../request/model-calibration.ts'
import { saveReportedWindow } from './reported-window.ts'
import type { Session } from '../session/session.ts'
import type { RequestSetup } from '../request/request-setup.ts'
import { noteTexts } from '../i18n/note-texts.ts'

/** The refused request in tokens: `counted` by the plain counter, `total` by the corrected one. */
export type RefusedRequest = { counted: number; total: number; maxTokens: number }

/**
 * The factor by which our count of this request is off, the learnt window (tokens), and whether model, window or
 * ceiling have to be looked up again.
 */
export type RefusalFindings = { factor?: number; window?: number; changed: boolean }

/** Stores what was learnt, and adds a note if a window or ceiling is smaller than assumed. */
export async function learnFromRefusal(
  runtime: AgentRuntime,
  session: Session,
  setup: RequestSetup,
  verdict: Verdict,
  sent: RefusedRequest,
): Promise<RefusalFindings> {
  if (verdict.kind === 'tpm_single_request') return learnCeiling(runtime, session, setup, verdict, sent)
  const factor = await reportOfSize(runtime, setup, verdict, sent)
  const window = windowFromRefusal(verdict, setup.window)
  if (window !== undefined && window < setup.window) {
    await saveReportedWindow(runtime, session, setup, window, true)
    return { ...factor, window, changed: true }
  }
  // Without a number the assumed window is no better than a guess: the server may say what it is.
  const asks =
    verdict.limit === undefined &&
    (verdict.kind === 'overflow_prompt' || verdict.kind === 'overflow_total' || verdict.kind === 'soft_stop')
  const bounded = currentCeiling(setup.calibration, runtime.deps.world.now()) !== undefined
  const said = asks && !bounded ? await probeWindow(runtime, session, setup, true) : undefined
  return { ...factor, ...(said === undefined ? {} : { window: said }), changed: said !== undefined }
}

/**
 * The size of the prompt in the provider's own tokens is a report like one of an answer: whole for this request,
 * smoothed for the next (C1.6).
 */
async function reportOfSize(
  runtime: AgentRuntime,
  setup: RequestSetup,
  { kind, actual, ofPrompt }: Verdict,
  { counted }: RefusedRequest,
): Promise<{ factor?: number }> {
  if (!ofPrompt || actual === undefined || counted <= 0 || (kind !== 'overflow_prompt' && kind !== 'overflow_total'))
    return {}
  const { name } = setup.plainCounter
  const taught = calibrate(setup.calibration.factors?.[name], actual, counted)
  if ('factor' in taught)
    await saveCalibration(runtime.deps.store, setup.model, {
      factors: { ...setup.calibration.factors, [name]: taught.factor },
    })
  return { factor: calibrationFactor(actual, counted) }
}

/**
 * A limit of tokens per minute also limits a single request: a larger one can never be accepted. The size in the error
 * may include the output limit, so it is compared with both.
 */
async function learnCeiling(
  runtime: AgentRuntime,
  session: Session,
  setup: RequestSetup,
  { limit, actual }: Verdict,
  { counted, total, maxTokens }: RefusedRequest,
): Promise<RefusalFindings> {
  if (limit === undefined) return { changed: false }
  const known = currentCeiling(setup.calibration, runtime.deps.world.now())
  const off =
    actual !== undefined && actual > total + maxTokens ? { factor: calibrationFactor(actual - maxTokens, counted) } : {}
  if (known === limit) return { ...off, changed: false }
  await saveCalibration(runtime.deps.store, setup.model, { ceiling: { tokens: limit, at: runtime.deps.world.now() } })
  await session.append([
    {
      type: 'note',
      code: 'window_learnt',
      text: noteTexts(runtime).ceilingLearnt(limit),
      tokens: limit,
      data: { ceiling: limit, before: setup.window },
    },
  ])
  return { ...off, changed: true }
}
