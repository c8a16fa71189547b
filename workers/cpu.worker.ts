/**
 * The thread of the processor's engine. The page starts it and hands it lines: one of its own, one for the agent's
 * worker.
 */
import { serveEngine, portChannel } from '../src/bridge/shared/engine-channel.ts'
import { serveChannels } from '../src/bridge/shared/serve-channels.ts'
import { sharedEngine } from '../src/bridge/worker/shared-engine.ts'
import { attempt } from '../src/core/attempt.ts'
import { CpuHost } from '../src/models/engines/llamacpp/cpu-host.ts'
import { weightsPerSecond } from '../src/models/engines/llamacpp/cpu-speed.ts'
import { isEngineStored, loadingMarker } from '../src/models/engines/shared/loading-marker.ts'
import { cachesOf } from '../src/models/engines/shared/engine-storage.ts'
import { opfsFiles } from '../src/models/engines/shared/opfs-files.ts'
import { pause } from '../src/models/shared/pause.ts'
import { createWeightsFetch } from '../src/net/fetch-weights.ts'

/**
 * Only a page that is isolated from others may share memory between threads; half the cores, since each thinks it has
 * one.
 */
const threads = self.crossOriginIsolated ? Math.max(1, Math.floor(navigator.hardwareConcurrency / 2)) : 1

const caches = cachesOf(() => self.caches)
const lines = serveChannels(self, line => serveEngine(engine, portChannel(line)))
const engine = sharedEngine({
  name: 'haversack-cpu',
  locks: navigator.locks,
  channel: attempt(() => new BroadcastChannel('haversack-cpu-1')),
  engine: new CpuHost({
    files: opfsFiles('cpu-models', navigator.storage),
    fetch: createWeightsFetch({ count: lines.contacted }),
    estimate: async () => navigator.storage.estimate(),
    wait: pause,
    now: Date.now,
    makeEngine: async () => (await import('../src/models/engines/llamacpp/wllama-engine.ts')).makeCpuEngine(threads),
    fetchEngine: async () => (await import('../src/models/engines/llamacpp/wllama-engine.ts')).fetchPrograms(threads),
    engineKept: () => isEngineStored(caches, /wllama-engine/, /wllama-\w+-thread/, /wllama-.*\.wasm$/),
    speed: () => weightsPerSecond(threads),
    marker: loadingMarker(caches, 'cpu'),
  }),
})
