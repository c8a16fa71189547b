/** What this device can do for a model, measured. Never throws. */
import { attempt } from '../../core/attempt.ts'
import type { Adapter } from '../../models/engines/webllm/webllm-device.ts'

export type Device = {
  webgpu: { buffer: number /* bytes of the largest one */; adapter: Adapter } | null
  memory?: number // GiB as the browser tells it: rounded, at most 8
  cores?: number
  free?: number // bytes that this page may still keep
  keepsFiles: boolean // gives this page files of its own, for models of the processor
  keepsCaches: boolean // the same of caches, for models of the graphics card
  safari: boolean
  installed: boolean // runs in a window of its own
}

type Gpu = { requestAdapter(): Promise<Adapter | null> }

export async function measureDevice(): Promise<Device> {
  const gpu = (navigator as { gpu?: Gpu }).gpu
  const memory = (navigator as { deviceMemory?: number }).deviceMemory
  const [adapter, estimate, keepsFiles, keepsCaches] = await Promise.all([
    gpu?.requestAdapter().catch(() => null) ?? null, // no adapter: a driver on the browser's block list
    // missing on plain http, refused where site data is blocked
    attempt(() => navigator.storage.estimate())?.catch(() => undefined),
    works(() => navigator.storage.getDirectory()), // Firefox and Safari refuse it in private windows
    works(() => caches.keys()),
  ])
  return {
    webgpu: adapter === null ? null : { buffer: adapter.limits.maxBufferSize, adapter },
    ...(memory === undefined ? {} : { memory }),
    ...(navigator.hardwareConcurrency > 0 ? { cores: navigator.hardwareConcurrency } : {}),
    ...(estimate?.quota === undefined ? {} : { free: Math.max(0, estimate.quota - (estimate.usage ?? 0)) }),
    keepsFiles,
    keepsCaches,
    safari: isSafari(navigator.userAgent),
    installed:
      matchMedia('(display-mode: standalone)').matches || (navigator as { standalone?: boolean }).standalone === true,
  }
}

/** Whether the browser grants it: what exists may still be refused. */
async function works(task: () => Promise<unknown>): Promise<boolean> {
  return (
    (await attempt(task)?.then(
      () => true,
      () => false,
    )) ?? false
  )
}

/** Safari, and every browser on iOS: those delete what a page keeps after seven days of use without a visit. */
export function isSafari(userAgent: string): boolean {
  if (/iPhone|iPad|iPod/.test(userAgent)) return true
  return /Safari\//.test(userAgent) && /Version\//.test(userAgent) && !/Chrome|Chromium|Edg|OPR|Android/.test(userAgent)
}
