import { describe, expect, it } from 'vitest'
import type { AgentError } from '../../../core/errors.ts'
import type { EngineAct, EngineState, LocalModel } from '../../../core/ports/local-engine.ts'
import type { Model } from '../../../core/ports/ports.ts'
import type { CpuChunk, CpuEngine } from './cpu-engine.ts'
import { CpuHost, type CpuHostDeps } from './cpu-host.ts'
import { localModel } from '../local-model.ts'
import { gguf, memoryFiles, rangeServer } from '../shared/memory-files.fixture.ts'
import { modelLaws, collectParts, thrownBy } from '../../model.laws.ts'

const never = new AbortController().signal
const model: LocalModel = {
  id: 'cpu:tiny.gguf',
  kind: 'cpu',
  name: 'tiny',
  contextWindow: 512,
  tools: false,
  cpu: { url: 'https://example.org/tiny.gguf', file: 'tiny.gguf' },
}

type Behaviour = {
  pieces?: readonly string[]
  everyMs?: number
  fail?: unknown
  log?: string[]
  load?: () => Promise<void>
}
type Fake = CpuEngine & { loads: number[]; schemas: unknown[]; asked: number; exits: number }

/** The engine as far as it is used: ends at its signal with an error of its own kind. */
function fakeEngine(behaviour: Behaviour): Fake {
  async function* answer(signal: AbortSignal): AsyncGenerator<CpuChunk> {
    for (const content of behaviour.pieces ?? ['a', 'b']) {
      await new Promise(resolve => {
        setTimeout(resolve, behaviour.everyMs ?? 1)
      })
      if (signal.aborted) throw Object.assign(new Error('Operation aborted'), { name: 'AbortError' })
      yield { choices: [{ delta: { content }, finish_reason: null }] }
    }
    if (behaviour.fail !== undefined) throw behaviour.fail
    yield { choices: [{ delta: {}, finish_reason: 'stop' }] }
    yield {
      choices: [],
      usage: {
        prompt_tokens: 5,
        completion_tokens: 2,
        prompt_tokens_details: { cached_tokens: engine.asked > 1 ? 4 : 0 },
      },
    }
  }
  const engine: Fake = {
    loads: [],
    schemas: [],
    asked: 0,
    exits: 0,
    log: () => behaviour.log ?? [],
    async load(_, window) {
      engine.loads.push(window)
      await behaviour.load?.()
    },
    async chat({ schema }, signal) {
      engine.asked++
      engine.schemas.push(schema)
      return answer(signal)
    },
    async exit() {
      engine.exits++
    },
  }
  return engine
}

type Bench = {
  host: CpuHost
  files: ReturnType<typeof memoryFiles>
  engines: Fake[]
  state(): EngineState
  marker: { value: string | undefined }
  fails(act: EngineAct): Promise<unknown>
}

function bench(behave: () => Behaviour = () => ({}), changes: Partial<CpuHostDeps> = {}, files = memoryFiles()): Bench {
  const engines: Fake[] = []
  const marker: { value: string | undefined } = { value: undefined }
  const host = new CpuHost({
    files,
    fetch: rangeServer(gguf(9_000)).fetch,
    estimate: async () => ({ quota: 1e9, usage: 0 }),
    now: Date.now,
    wait: async () => {},
    makeEngine: async () => {
      const engine = fakeEngine(behave())
      engines.push(engine)
      return engine
    },
    fetchEngine: async () => {},
    engineKept: async () => true,
    speed: () => 2e9,
    marker: {
      read: async () => marker.value,
      write: async value => {
        marker.value = value
      },
    },
    ...changes,
  })
  return {
    host,
    files,
    engines,
    marker,
    state() {
      let now: EngineState | undefined
      host.watch(state => {
        now ??= state
      })()
      return now!
    },
    fails: act =>
      host.act(act, never).then(
        () => 'went well',
        (error: AgentError) => error.data['reason'],
      ),
  }
}

async function whole(behave: () => Behaviour = () => ({})): Promise<Bench & { model: Model }> {
  const made = bench(behave)
  await made.host.act({ type: 'download', model }, never)
  return { ...made, model: localModel(model, async () => made.host) }
}

modelLaws('A model of the processor', {
  answers: async () => (await whole()).model,
  goesOn: async () =>
    (await whole(() => ({ pieces: Array.from({ length: 60 }, (_, n) => `w${n} `), everyMs: 5 }))).model,
  overflows: async () =>
    (
      await whole(() => ({
        pieces: [],
        fail: Object.assign(
          new Error('request (12020 tokens) exceeds the available context size (512 tokens), try increasing it'),
          { type: 'inference_error' },
        ),
      }))
    ).model,
  fails: {
    'not downloaded': async () => localModel(model, async () => bench().host),
    'too little memory': async () =>
      (
        await whole(() => ({
          load: async () => {
            throw new RangeError('WebAssembly.Memory(): could not allocate memory')
          },
        }))
      ).model,
    'words nobody knows': async () => (await whole(() => ({ pieces: [], fail: 'abort(undefined)' }))).model,
  },
})

describe('the engine of the processor', () => {
  it('loads at the first question with the chosen window, once, and tells what it used', async () => {
    const made = await whole()
    const first = await collectParts(made.model)
    const second = await collectParts(made.model)
    expect(made.engines).toHaveLength(1)
    expect(made.engines[0]!.loads).toEqual([512])
    expect(first.at(-1)).toEqual({ type: 'finish', stop: 'stop', usage: { input: 5, output: 2 } })
    expect(second.at(-1)).toEqual({ type: 'finish', stop: 'stop', usage: { input: 1, cacheRead: 4, output: 2 } })
    expect(made.state()).toMatchObject({
      work: { state: 'ready', model: model.id },
      disk: { [model.id]: { bytes: 9_000, total: 9_000, missing: [] } },
      engineKept: true,
    })
  })

  it('holds an answer to a schema where one is wanted', async () => {
    const made = await whole()
    const schema = { type: 'object', properties: { a: { type: 'number' } } }
    await collectParts(made.model, {
      system: '',
      messages: [{ role: 'user', content: 'hi' }],
      tools: [],
      shape: { whole: schema },
    })
    expect(made.engines[0]!.schemas).toEqual([schema])
  })

  it('a larger window is another loading; deleting frees memory and disk', async () => {
    const made = await whole()
    await collectParts(made.model)
    await collectParts(localModel({ ...model, contextWindow: 1_024 }, async () => made.host))
    expect(made.engines.map(({ loads, exits }) => [loads, exits])).toEqual([
      [[512], 1],
      [[1_024], 0],
    ])
    await made.host.act({ type: 'delete', model, others: [] }, never)
    expect(made.engines[1]!.exits).toBe(1)
    expect(made.files.names()).toEqual([])
    expect(made.state()).toMatchObject({
      work: { state: 'idle' },
      disk: { [model.id]: { bytes: 0, missing: ['weights'] } },
    })
  })

  it('tells an overflow with its numbers and keeps the engine; an engine that broke is loaded anew', async () => {
    let fail: unknown = new Error('request (12020 tokens) exceeds the available context size (512 tokens)')
    const made = await whole(() => ({
      pieces: [],
      get fail() {
        return fail
      },
    }))
    expect(((await thrownBy(made.model)) as AgentError).data).toMatchObject({
      kind: 'overflow_prompt',
      limit: 512,
      actual: 12_020,
    })
    expect(made.engines[0]!.exits).toBe(0)
    fail = Object.assign(new Error('(ABORT) '), { name: 'RuntimeError' })
    expect(((await thrownBy(made.model)) as AgentError).code).toBe('model_unavailable')
    expect(made.engines[0]!.exits).toBe(1)
    fail = undefined
    expect(await thrownBy(made.model)).toBeUndefined()
    expect(made.engines).toHaveLength(2)
  })

  it('a stop is answered at once, though the engine is in the middle of a step', async () => {
    const made = await whole(() => ({ pieces: ['a', 'b', 'c'], everyMs: 5_000 }))
    await made.host.act({ type: 'load', model }, never)
    const control = new AbortController()
    const begun = Date.now()
    setTimeout(() => {
      control.abort()
    }, 30)
    expect(((await thrownBy(made.model, undefined, control.signal)) as AgentError).code).toBe('stopped')
    expect(Date.now() - begun).toBeLessThan(4_000)
    expect(made.state().work).toEqual({ state: 'ready', model: model.id })
  })

  it('asks the address for the size and keeps nothing', async () => {
    const made = bench()
    await made.host.act({ type: 'ask', model }, never)
    expect(made.state().disk[model.id]).toEqual({ bytes: 0, total: 9_000, missing: ['weights'] })
    expect(made.files.names()).toEqual([])
    const page = bench(() => ({}), { fetch: async () => new Response('<html>') })
    expect(await page.fails({ type: 'ask', model })).toBe('damaged')
    await made.host.act({ type: 'measure' }, never)
    expect(made.state().device).toMatchObject({ weightsPerSecond: 2e9 })
  })

  it('a repair fetches all anew, and a failed loading tells what the log knows', async () => {
    const made = await whole(() => ({
      load: async () => {
        throw Object.assign(new Error('The model could not be loaded.'), { type: 'load_error' })
      },
      log: ['ggml_aligned_malloc: insufficient memory (attempted to allocate 14648.50 MB)'],
    }))
    expect(await made.fails({ type: 'load', model })).toBe('out-of-memory')
    expect(made.state().work).toMatchObject({ state: 'failed', problem: { reason: 'out-of-memory' } })
    expect(made.engines[0]!.exits).toBe(1)
    await made.host.act({ type: 'repair', model }, never)
    expect(made.files.names()).toEqual(['tiny.gguf'])
  })

  it('an engine that could not be had is no loading that never ended, and one that was stopped meanwhile loads nothing', async () => {
    let fail = true
    const control = new AbortController()
    const engine = fakeEngine({})
    const made = bench(() => ({}), {
      makeEngine: async () => {
        if (fail) throw new TypeError('Failed to fetch dynamically imported module: http://x/wllama-engine-1.js')
        control.abort()
        return engine
      },
    })
    await made.host.act({ type: 'download', model }, never)
    expect(await made.fails({ type: 'load', model })).toBe('program')
    expect([
      made.marker.value,
      await thrownBy(localModel(model, async () => made.host)).then(error => (error as AgentError).data['reason']),
    ]).toEqual([undefined, 'program'])
    fail = false
    await expect(made.host.act({ type: 'load', model }, control.signal)).rejects.toMatchObject({ code: 'stopped' })
    expect([engine.loads, engine.exits, made.marker.value, made.state().work.state]).toEqual([[], 1, undefined, 'idle'])
  })

  it('does not load again by itself what never came to its end', async () => {
    const made = await whole()
    made.marker.value = model.id
    await made.host.act({ type: 'measure' }, never)
    expect(made.state().unfinished).toBe(model.id)
    expect(((await thrownBy(made.model)) as AgentError).data['reason']).toBe('unfinished')
    await made.host.act({ type: 'load', model }, never)
    expect((await collectParts(made.model)).at(-1)?.type).toBe('finish')
    expect([made.marker.value, made.state().unfinished]).toEqual([undefined, undefined])
  })
})
