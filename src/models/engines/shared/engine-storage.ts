/** Free space on this device: checked before a download begins, so that it does not fail at its end. */
import type { AgentError } from '../../../core/errors.ts'
import { attempt } from '../../../core/attempt.ts'
import { engineError, thrownText } from './engine-errors.ts'

type Estimated = { quota?: number; usage?: number }
export type EstimateStorage = () => Promise<Estimated>

/** Browsers round their estimate and need some room for themselves. Share of what is needed. */
const reserve = 0.05

const size = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.ceil(bytes / 1e6)} MB`

/** Throws `storage_full` with both numbers when `bytes` more will not fit. A browser that does not tell is believed. */
export async function checkFreeSpace(bytes: number, estimate: EstimateStorage): Promise<void> {
  const { quota, usage = 0 } = await estimate().catch((): Estimated => ({}))
  if (quota === undefined) return
  const left = Math.max(0, quota - usage)
  if (left < bytes * (1 + reserve)) {
    throw engineError(
      'quota',
      `This needs ${size(bytes)} more, and the browser gives this page only ${size(left)}. Delete another model or free space on this device.`,
      undefined,
      { needed: bytes, left },
    )
  }
}

/**
 * The browser's caches; where it has none (plain http) or merely naming them throws, some that refuse everything, as
 * blocked ones do.
 */
export function cachesOf(take: () => CacheStorage | undefined): CacheStorage {
  const refuse = async (): Promise<never> => {
    throw new DOMException('This browser gives the page no caches.', 'SecurityError')
  }
  return attempt(take) ?? { open: refuse, has: refuse, keys: refuse, delete: refuse, match: refuse }
}

/**
 * Throws `no-storage`, before anything is fetched, where the browser keeps no files for this page. `look` asks it for
 * any of them.
 */
export async function checkStorageWorks(look: () => Promise<unknown>): Promise<void> {
  try {
    await look()
  } catch (thrown) {
    throw noStorage(thrown)
  }
}

/** The error of a browser, or a private window, that keeps no files. */
export function noStorage(thrown: unknown): AgentError {
  return engineError('no-storage', `The browser does not let this page keep files. (${thrownText(thrown)})`, thrown)
}

/** True for what browsers throw when a write does not fit. */
export function isQuota(thrown: unknown): boolean {
  return (
    typeof thrown === 'object' &&
    thrown !== null &&
    'name' in thrown &&
    (thrown.name === 'QuotaExceededError' || thrown.name === 'NS_ERROR_DOM_QUOTA_REACHED')
  )
}
