/**
 * What was learnt about a model by using it: its real window, and how far our counts are off. Stored per server and
 * model.
 */
import type { LogStore } from '../../ports/ports.ts'

export type ModelCalibration = {
  window?: number // tokens, from the provider's own numbers (C8)
  /** Reported / counted (C1.6), by the name of the counter that counted. */
  factors?: Readonly<Record<string, number>>
  /** The largest prompt that was answered since the window was learnt, by the provider's own numbers; tokens. */
  answered?: number
  /**
   * What one request may have where the provider bounds tokens a minute, and when it said so (ms since epoch): a plan
   * changes.
   */
  ceiling?: { tokens: number; at: number }
}

/** How long a throughput limit is assumed to hold, ms. */
const ceilingHolds = 24 * 3_600_000

/** The most tokens that one request may have now; undefined if there is no limit, or it is outdated. */
export function currentCeiling({ ceiling }: ModelCalibration, now: number): number | undefined {
  return ceiling !== undefined && now - ceiling.at < ceilingHolds ? ceiling.tokens : undefined
}

const keyOf = (model: string): string => `learnt:${model}`

export async function readCalibration(store: LogStore, model: { id: string }): Promise<ModelCalibration> {
  const kept = await store.setting(keyOf(model.id))
  if (typeof kept !== 'object' || kept === null) return {}
  const { window, factors, answered, ceiling } = kept as ModelCalibration
  const sound = Object.entries(factors ?? {})
    .filter(([, factor]) => isPositive(factor))
    .map(([name, factor]) => [name, bounded(factor)])
  return {
    ...(isPositive(window) ? { window } : {}),
    ...(isPositive(answered) ? { answered } : {}),
    ...(isPositive(ceiling?.tokens) && isPositive(ceiling.at)
      ? { ceiling: { tokens: ceiling.tokens, at: ceiling.at } }
      : {}),
    factors: Object.fromEntries(sound) as Record<string, number>,
  }
}

export async function saveCalibration(
  store: LogStore,
  model: { id: string },
  changes: ModelCalibration,
): Promise<void> {
  const { answered, ...before } = await readCalibration(store, model)
  await store.saveSetting(keyOf(model.id), {
    ...before,
    ...(answered === undefined || changes.window !== undefined ? {} : { answered }),
    ...changes,
  })
}

/** Forgets the learnt window; the calibration factors stay. */
export async function resetWindow(store: LogStore, model: string): Promise<void> {
  const { factors } = await readCalibration(store, { id: model })
  await store.saveSetting(keyOf(model), factors && Object.keys(factors).length > 0 ? { factors } : undefined)
}

/** Below this share of the expected number, a report means that the server cut something off. Source: C1.6. */
const suspicious = 0.6

/**
 * What one report teaches: `reported` and `counted` are tokens of the same request, counted without any factor. A
 * report far below what is expected teaches nothing; it is a suspicion of silent truncation (C1.6). Where the window
 * was full (`isFull`) a larger number counts at once: the next request has to fit.
 */
export function calibrate(
  factor: number | undefined,
  reported: number,
  counted: number,
  isFull = false,
): { factor: number } | { suspicion: number } {
  const expected = counted * (factor ?? 1)
  if (reported < suspicious * expected) return { suspicion: Math.round(expected) }
  const ratio = reported / Math.max(1, counted)
  return { factor: bounded(factor === undefined || (isFull && ratio > factor) ? ratio : 0.7 * factor + 0.3 * ratio) }
}

/** The calibration factor for a prompt that we counted as `counted` and that has `actual` tokens. */
export function calibrationFactor(actual: number, counted: number): number {
  return bounded(actual / Math.max(1, counted))
}

function bounded(factor: number): number {
  return Math.min(5, Math.max(0.5, factor))
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
}
