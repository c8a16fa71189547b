/** What this device's graphics card can do for WebLLM. Asks for an adapter only: nothing is loaded. */
import type { EngineDevice, LocalModel } from '../../../core/ports/local-engine.ts'
import { engineError } from '../shared/engine-errors.ts'

/** What is used of `GPUAdapter`. */
export type Adapter = {
  features: { has(name: string): boolean }
  limits: {
    maxBufferSize: number
    maxStorageBufferBindingSize: number
    maxComputeWorkgroupStorageSize: number
    maxStorageBuffersPerShaderStage: number
  }
  info?: { description?: string; vendor?: string; architecture?: string; isFallbackAdapter?: boolean }
  isFallbackAdapter?: boolean
}

/** The engine asks for these or gives up; from its source, version 0.2.86. */
const least = {
  maxBufferSize: 1 << 28,
  maxStorageBufferBindingSize: 1 << 27,
  maxComputeWorkgroupStorageSize: 32 << 10,
  maxStorageBuffersPerShaderStage: 10,
}
/** It asks for a binding of 1 GiB, and where that is too much for one of 128 MiB: nothing between. Bytes. */
const wholeBinding = 1 << 30
const smallBinding = 1 << 27

/** Throws an error with `data.reason` where the engine cannot run at all. */
export function deviceOf(adapter: Adapter | null): EngineDevice {
  if (!adapter)
    throw engineError(
      'no-webgpu',
      'This browser gives no WebGPU: it is too old, switched off, or the driver of the graphics card is on its block list.',
    )
  for (const [name, needed] of Object.entries(least) as [keyof typeof least, number][]) {
    if (adapter.limits[name] < needed)
      throw engineError(
        'too-large',
        `The graphics card is too limited for the engine: ${name} is ${adapter.limits[name]}, ${needed} is needed.`,
      )
  }
  const { info } = adapter
  const fallback = info?.isFallbackAdapter ?? adapter.isFallbackAdapter ?? false
  return {
    f16: adapter.features.has('shader-f16'),
    bufferBytes: adapter.limits.maxStorageBufferBindingSize >= wholeBinding ? wholeBinding : smallBinding,
    fallback:
      fallback || /swiftshader|llvmpipe|basic render/i.test(`${info?.architecture ?? ''} ${info?.description ?? ''}`),
    name: info?.description || [info?.vendor, info?.architecture].filter(part => part).join(' '),
  }
}

/** Throws where this model cannot run on this device. */
export function checkDevice(model: LocalModel, device: EngineDevice): void {
  const { features = [], bufferBytes = 0 } = model.webllm ?? {}
  if (features.includes('shader-f16') && !device.f16)
    throw engineError(
      'no-f16',
      `${model.name} computes in half precision (shader-f16), which this graphics card cannot. Take the variant with f32 in its name.`,
    )
  if (bufferBytes > device.bufferBytes)
    throw engineError(
      'too-large',
      `${model.name} needs one buffer of ${Math.ceil(bufferBytes / 1e6)} MB, and this graphics card binds at most ${Math.ceil(device.bufferBytes / 1e6)} MB. Take a smaller model.`,
    )
}
