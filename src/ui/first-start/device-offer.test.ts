import { describe, expect, it } from 'vitest'
import type { Device } from '../local-models/device.ts'
import { deviceOffer } from './device-offer.ts'

const adapter = (more: { description?: string } = {}): NonNullable<Device['webgpu']> => ({
  buffer: 2 ** 31,
  adapter: {
    features: { has: name => name === 'shader-f16' },
    limits: {
      maxBufferSize: 2 ** 31,
      maxStorageBufferBindingSize: 2 ** 31,
      maxComputeWorkgroupStorageSize: 2 ** 15,
      maxStorageBuffersPerShaderStage: 10,
    },
    info: { description: more.description ?? 'A card' },
  },
})
const device = (more: Partial<Device> = {}): Device => ({
  webgpu: adapter(),
  memory: 8,
  free: 20e9,
  keepsFiles: true,
  keepsCaches: true,
  safari: false,
  installed: false,
  ...more,
})
const here = { secure: true, browser: false }

describe('what this device is offered', () => {
  it('is the browser’s own model where that is downloaded, also over plain http', () => {
    expect(deviceOffer(device(), { secure: false, browser: true })).toEqual({ on: 'browser' })
  })
  it('is a model of the graphics card with its size', () => {
    const offer = deviceOffer(device(), here)
    expect(offer).toMatchObject({ on: 'card', name: expect.stringContaining('Qwen3') as string })
    expect((offer as { bytes: number }).bytes).toBeGreaterThan(5e8)
  })
  it.each([
    ['there is no card', { webgpu: null }],
    ['it is software', { webgpu: adapter({ description: 'SwiftShader' }) }],
    ['no cache is kept', { keepsCaches: false }],
    ['the card’s model does not fit the free space', { free: 6e8 }],
  ] as const)('is the smallest of the processor where %s', (_, more) => {
    expect(deviceOffer(device(more), here)).toEqual({ on: 'processor', name: 'Qwen2.5 0.5B', bytes: 491_000_000 })
  })
  it('is nothing, with the reason, where nothing can run', () => {
    expect(deviceOffer(device(), { secure: false, browser: false })).toEqual({ on: 'nothing', why: 'insecure' })
    const kept = { webgpu: null, keepsFiles: false }
    expect(deviceOffer(device(kept), here)).toEqual({ on: 'nothing', why: 'files' })
    expect(deviceOffer(device({ free: 1e8 }), here)).toEqual({ on: 'nothing', why: 'space', bytes: 491_000_000 })
  })
})
