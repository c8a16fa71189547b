/**
 * A small model of the graphics card on a server that misbehaves on demand, and an engine that keeps WebLLM's contract.
 */
import { createHash } from 'node:crypto'
import type { LocalModel } from '../../../core/ports/local-engine.ts'
import { createWeightsFetch, type WeightsFetch } from '../../../net/fetch-weights.ts'
import { fakeCaches, type FakeCaches } from './fake-caches.fixture.ts'
import type { ChatChunk, ChatEngine, ChatRequest } from './webllm-chat.ts'
import { WebllmHost, type WebllmHostDeps } from './webllm-host.ts'

export const tinyFolder = 'https://huggingface.co/somebody/Tiny-q4f32_1-MLC/resolve/main/'
export const tinyModel: LocalModel = {
  id: 'webllm:Tiny',
  kind: 'webllm',
  name: 'Tiny',
  contextWindow: 1_024,
  tools: false,
  webllm: { weights: tinyFolder, program: 'https://raw.githubusercontent.com/somebody/tiny.wasm', features: [] },
}
export const shardCount = 9
const shardBytes = 5_000

const shard = (n: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: shardBytes + n }, (_, i) => (i * 7 + n) & 255)
const md5 = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex')
export const totalBytes = Array.from({ length: shardCount }, (_, n) => shard(n).length).reduce((a, b) => a + b)

type Misbehaviour = (url: string, attempt: number) => Response | Error | undefined

export type ArtifactServer = {
  fetch: WeightsFetch
  asked: string[]
  misbehave(how: Misbehaviour | undefined): void
  online: boolean
}

/** Serves the tiny model. */
export function artifactServer(): ArtifactServer {
  const attempts = new Map<string, number>()
  let how: Misbehaviour | undefined
  const server: ArtifactServer = {
    asked: [],
    online: true,
    misbehave(next) {
      how = next
      attempts.clear()
    },
    fetch: createWeightsFetch({
      count: () => {},
      online: () => server.online,
      fetch: async (input, init) => {
        const url = String(input)
        init?.signal?.throwIfAborted()
        server.asked.push(url)
        const attempt = (attempts.get(url) ?? 0) + 1
        attempts.set(url, attempt)
        const answer = how?.(url, attempt)
        if (answer instanceof Error) throw answer
        return answer ?? new Response(fileAt(url) ?? 'not here', { status: fileAt(url) === undefined ? 404 : 200 })
      },
    }),
  }
  return server
}

/** A file of the tiny model, by the end of its address. */
export function fileAt(url: string): string | Uint8Array<ArrayBuffer> | undefined {
  const name = url.split('/').at(-1)!
  if (name === 'mlc-chat-config.json')
    return JSON.stringify({ tokenizer_files: ['tokenizer.json', 'tokenizer_config.json'], context_window_size: 1_024 })
  if (name === 'tensor-cache.json')
    return JSON.stringify({
      metadata: {},
      records: Array.from({ length: shardCount }, (_, n) => ({
        dataPath: `params_shard_${n}.bin`,
        format: 'raw-shard',
        nbytes: shard(n).length,
        md5sum: md5(shard(n)),
        records: [],
      })),
    })
  if (name === 'tokenizer.json') return '{"model":{}}'
  if (name === 'tiny.wasm') return Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 0])
  const n = /params_shard_(\d+)\.bin/.exec(name)?.[1]
  return n === undefined ? undefined : shard(Number(n))
}

export type FakeEngine = ChatEngine & {
  requests: ChatRequest[]
  loads: { model: string; options: unknown }[]
  unloads: number
  locked: boolean
}
/** What an engine does: answers these pieces, or fails in one of its ways. */
export type Behaviour = {
  pieces?: readonly string[]
  finish?: string
  everyMs?: number
  onCreate?: () => Error | string | undefined
  onLoad?: () => Promise<void>
  ignoresInterrupt?: boolean
}

/**
 * Keeps one lock, as the engine does: a request that was left in the middle blocks the next one until it was read to
 * its end.
 */
export function fakeEngine(behaviour: Behaviour): FakeEngine {
  let interrupted = false
  const engine: FakeEngine = {
    requests: [],
    loads: [],
    unloads: 0,
    locked: false,
    chat: {
      completions: {
        create: async request => {
          engine.requests.push(request)
          interrupted = false
          const failure = behaviour.onCreate?.()
          if (failure !== undefined) throw failure
          if (engine.locked) throw new Error('the lock was never released')
          if (request.messages.at(-1)?.role !== 'user')
            throw Object.assign(new Error('Last message should be from either `user` or `tool`.'), {
              name: 'MessageOrderError',
            })
          engine.locked = true
          return answer()
        },
      },
    },
    interruptGenerate() {
      if (!behaviour.ignoresInterrupt) interrupted = true
    },
    reload: async (model, options) => {
      engine.loads.push({ model, options })
      await behaviour.onLoad?.()
    },
    unload: async () => {
      engine.unloads++
      engine.locked = false
    },
  }
  async function* answer(): AsyncGenerator<ChatChunk> {
    for (const content of behaviour.pieces ?? ['Hello', ' there', '.']) {
      await new Promise(resolve => {
        setTimeout(resolve, behaviour.everyMs ?? 1)
      })
      if (interrupted) break
      yield { choices: [{ delta: { content } }] }
    }
    yield { choices: [{ delta: {}, finish_reason: interrupted ? 'abort' : (behaviour.finish ?? 'stop') }] }
    yield { choices: [], usage: { prompt_tokens: 12, completion_tokens: 3 } }
    engine.locked = false
  }
  return engine
}

export type TestHost = {
  host: WebllmHost
  caches: FakeCaches
  server: ArtifactServer
  engines: FakeEngine[]
  parts: WebllmHostDeps
  marker: { value: string | undefined }
}

/** A host over the fakes. `behave` is asked for each engine that is made. */
export function testHost(behave: () => Behaviour = () => ({}), changes: Partial<WebllmHostDeps> = {}): TestHost {
  const caches = fakeCaches()
  const server = artifactServer()
  const engines: FakeEngine[] = []
  const marker: { value: string | undefined } = { value: undefined }
  const parts: WebllmHostDeps = {
    caches,
    fetch: server.fetch,
    estimate: async () => ({ quota: 1e9, usage: 0 }),
    wait: async () => {},
    now: Date.now,
    adapter: async () => ({
      features: new Set(),
      limits: {
        maxBufferSize: 1 << 30,
        maxStorageBufferBindingSize: 1 << 30,
        maxComputeWorkgroupStorageSize: 32_768,
        maxStorageBuffersPerShaderStage: 10,
      },
      info: { description: 'A card' },
    }),
    makeEngine: async () => {
      const engine = fakeEngine(behave())
      engines.push(engine)
      return engine
    },
    fetchEngine: async () => {},
    engineKept: async () => true,
    marker: {
      read: async () => marker.value,
      write: async model => {
        marker.value = model
      },
    },
    ...changes,
  }
  return { host: new WebllmHost(parts), caches, server, engines, parts, marker }
}

/** The state that a host tells now. */
export function stateOf(host: WebllmHost): Parameters<Parameters<WebllmHost['watch']>[0]>[0] {
  let now: ReturnType<typeof stateOf> | undefined
  host.watch(state => {
    now ??= state
  })()
  return now!
}
