/** What was learnt about a model by using it: its true window, and how far our counts are off. Kept per server and model. */
import type { LogStore } from '../ports.ts'

export type Learnt = {
  window?: number   // tokens, from the provider's own numbers (C8)
  /** Reported / counted (C1.6), by the name of the counter that counted. */
  factors?: Readonly<Record<string, number>>
}

const keyOf = (model: string): string => `learnt:${model}`

export async function readLearnt(store: LogStore, model: { id: string }): Promise<Learnt> {
  const kept = await store.setting(keyOf(model.id))
  if (typeof kept !== 'object' || kept === null) return {}
  const { window, factors } = kept as Learnt
  const sound = Object.entries(factors ?? {}).filter(([, factor]) => isPositive(factor)).map(([name, factor]) => [name, bounded(factor)])
  return { ...(isPositive(window) ? { window } : {}), factors: Object.fromEntries(sound) as Record<string, number> }
}

export async function saveLearnt(store: LogStore, model: { id: string }, changes: Learnt): Promise<void> {
  await store.saveSetting(keyOf(model.id), { ...await readLearnt(store, model), ...changes })
}

/** The window is learnt anew; how far our counts are off stays known. */
export async function forgetWindow(store: LogStore, model: string): Promise<void> {
  const { factors } = await readLearnt(store, { id: model })
  await store.saveSetting(keyOf(model), factors && Object.keys(factors).length > 0 ? { factors } : undefined)
}

/** A share of the expected number below which a report means that the server cut something off. Source: C1.6. */
const suspicious = 0.6

/**
 * What one report teaches: `reported` and `counted` are tokens of the same request, counted without any factor. A report
 * far below what is expected teaches nothing; it is a suspicion of silent truncation (C1.6). Where the window was full
 * (`isFull`) a larger number counts at once: the next request has to fit.
 */
export function calibrate(factor: number | undefined, reported: number, counted: number, isFull = false): { factor: number } | { suspicion: number } {
  const expected = counted * (factor ?? 1)
  if (reported < suspicious * expected) return { suspicion: Math.round(expected) }
  const ratio = reported / Math.max(1, counted)
  return { factor: bounded(factor === undefined || isFull && ratio > factor ? ratio : 0.7 * factor + 0.3 * ratio) }
}

function bounded(factor: number): number {
  return Math.min(5, Math.max(0.5, factor))
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
}
