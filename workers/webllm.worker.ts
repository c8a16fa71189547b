/**
 * The thread of the graphics card. The page starts it and hands it lines: one of its own, one for the agent's worker.
 */
import { serveEngine, portChannel } from '../src/bridge/shared/engine-channel.ts'
import { sharedEngine } from '../src/bridge/worker/shared-engine.ts'
import { attempt } from '../src/core/attempt.ts'
import { cachesOf } from '../src/models/engines/shared/engine-storage.ts'
import { pause } from '../src/models/shared/pause.ts'
import { isEngineStored, loadingMarker } from '../src/models/engines/shared/loading-marker.ts'
import { WebllmHost } from '../src/models/engines/webllm/webllm-host.ts'
import { createWeightsFetch } from '../src/net/fetch-weights.ts'
import { serveChannels } from '../src/bridge/shared/serve-channels.ts'

const caches = cachesOf(() => self.caches)
const lines = serveChannels(self, line => serveEngine(engine, portChannel(line)))
const engine = sharedEngine({
  name: 'haversack-webllm',
  locks: navigator.locks,
  channel: attempt(() => new BroadcastChannel('haversack-webllm-1')),
  engine: new WebllmHost({
    caches,
    fetch: createWeightsFetch({ count: lines.contacted }),
    estimate: async () => navigator.storage.estimate(),
    wait: pause,
    now: Date.now,
    adapter: async () =>
      (await (navigator.gpu as GPU | undefined)?.requestAdapter({ powerPreference: 'high-performance' })) ?? null,
    makeEngine: async (model, progress) =>
      (await import('../src/models/engines/webllm/webllm-engine.ts')).makeEngine(model, progress),
    fetchEngine: () => import('../src/models/engines/webllm/webllm-engine.ts'),
    engineKept: () => isEngineStored(caches, /webllm-engine/),
    marker: loadingMarker(caches, 'webllm'),
  }),
})
