/** Which model this device can run, by what was measured of it. Loaded on demand, with the lists. Pure. */
import { smallModels } from '../../models/engines/llamacpp/cpu-list.ts'
import { deviceOf } from '../../models/engines/webllm/webllm-device.ts'
import { aboutBytes, adviceFor } from '../../models/engines/webllm/webllm-list.ts'
import { attempt } from '../../core/attempt.ts'
import type { Device } from '../local-models/device.ts'

/** `bytes`: to download once; absent where nobody tells. */
export type DeviceOffer =
  | { on: 'browser' }
  | { on: 'card' | 'processor'; name: string; bytes?: number }
  | { on: 'nothing'; why: 'insecure' | 'files' }
  | { on: 'nothing'; why: 'space'; bytes: number }

/**
 * The best that needs no trial: the browser's own model where it is downloaded, else the one that most surely fits the
 * graphics card, else the smallest of the processor. Offers nothing that the free space does not hold.
 */
export function deviceOffer(device: Device, { secure, browser }: { secure: boolean; browser: boolean }): DeviceOffer {
  if (browser) return { on: 'browser' }
  if (!secure) return { on: 'nothing', why: 'insecure' }
  const { adapter } = device.webgpu ?? {}
  const card = adapter && attempt(() => deviceOf(adapter)) // throws for one that the engine cannot use at all
  const advice = device.keepsCaches && card ? adviceFor(card, device.memory) : undefined
  const holds = (bytes: number): boolean => device.free === undefined || bytes < device.free
  if (advice) {
    const bytes = aboutBytes(advice.row)
    if (bytes === undefined || holds(bytes))
      return { on: 'card', name: advice.choice.name, ...(bytes === undefined ? {} : { bytes }) }
  }
  const [smallest] = smallModels
  if (!device.keepsFiles || smallest === undefined) return { on: 'nothing', why: 'files' }
  return holds(smallest.bytes)
    ? { on: 'processor', name: smallest.name, bytes: smallest.bytes }
    : { on: 'nothing', why: 'space', bytes: smallest.bytes }
}
