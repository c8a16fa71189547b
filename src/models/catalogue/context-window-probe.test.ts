import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startFakeServer, type FakeServer, type Switches } from '../../../e2e/servers/fake-server.ts'
import type { Server } from '../../core/ports/ports.ts'
import { createAllowedFetch } from '../../net/allowed-fetch.ts'
import { listModels, type ModelListing } from './list-models.ts'
import { costOf, pricesInList } from './prices.ts'
import type { ModelFetch } from '../shared/model-fetch.ts'
import { probeContextWindows, windowsInList } from './context-window-probe.ts'

let fake: FakeServer
beforeAll(async () => {
  fake = await startFakeServer()
})
afterAll(() => fake.stop())
beforeEach(() => {
  fake.requests.length = 0
})
const net = createAllowedFetch({
  store: { setting: async () => undefined, saveSetting: async () => undefined },
  now: () => 0,
})
const listed = (switches: Partial<Switches>, changes: Partial<Server> = {}): Promise<ModelListing> => {
  Object.assign(
    fake.switches,
    { models: ['a'], row: undefined, native: undefined, contextWindow: undefined, key: undefined },
    switches,
  )
  return listModels(
    { id: 's', name: 'S', baseUrl: fake.url, models: [], ...changes },
    net.model,
    new AbortController().signal,
  )
}

describe('the window that is served, not the one of the training', () => {
  it('of llama.cpp stands in /props', async () => {
    const found = await listed({
      row: { owned_by: 'llamacpp', meta: { n_ctx_train: 131_072 } },
      native: { '/props': { default_generation_settings: { n_ctx: 16_384 }, total_slots: 2 } },
    })
    expect(found).toMatchObject({
      kind: 'llamacpp',
      windows: { a: { tokens: 16_384, place: '/props' } },
      contextWindow: 16_384,
    })
  })

  it('of several models behind one llama.cpp is not guessed from one answer', async () => {
    const found = await listed({
      models: ['a', 'b'],
      row: { owned_by: 'llamacpp' },
      native: { '/props': { default_generation_settings: { n_ctx: 16_384 } } },
    })
    expect(found.windows).toEqual({})
  })

  it('of a router of llama.cpp stands in its list; only loaded models are asked for more, for asking would load the others', async () => {
    const rows = [
      { id: 'listed', status: { value: 'loaded' }, meta: { n_ctx: 12_288, n_ctx_train: 131_072 } },
      {
        id: 'starts',
        status: { value: 'unloaded', args: ['llama-server', '--ctx-size', '8192', '--alias', 'starts'] },
      },
      { id: 'shared', status: { value: 'unloaded', args: ['llama-server', '-c', '8192', '-np', '4'] } },
      { id: 'asked', status: { value: 'loaded', args: ['llama-server'] } },
      { id: 'asleep', status: { value: 'unloaded', args: [] } },
    ]
    const answers: Record<string, unknown> = {
      '/props': { role: 'router' },
      '/models': { data: rows },
      '/props?model=asked&autoload=false': { default_generation_settings: { n_ctx: 4_096 } },
    }
    const asked: string[] = []
    const fetch: ModelFetch = async url => {
      asked.push(url.replace('http://box:8080', ''))
      return Response.json(answers[asked.at(-1) ?? ''] ?? {})
    }
    // Also where only one of its models talks, so that the app knows of one.
    for (const names of [rows.map(({ id }) => id), ['listed']]) {
      asked.length = 0
      const windows = await probeContextWindows(
        { id: 's', name: 'S', baseUrl: 'http://box:8080/v1', models: [] },
        'llamacpp',
        names,
        fetch,
        new AbortController().signal,
      )
      expect(windows).toEqual({
        listed: { tokens: 12_288, place: '/models' },
        starts: { tokens: 8_192, place: '/models' },
        asked: { tokens: 4_096, place: '/props' },
      })
      expect(asked).toEqual([
        '/props',
        '/models',
        '/props?model=listed&autoload=false',
        '/props?model=asked&autoload=false',
      ])
    }
    expect(
      windowsInList(
        rows.map(row => ({ id: row.id, row })),
        'llamacpp',
      ),
    ).toEqual({ listed: { tokens: 12_288, place: '/models' }, starts: { tokens: 8_192, place: '/models' } })
  })

  it('of Ollama is what a loaded model was given, else what the model asks for, else unknown', async () => {
    const found = await listed({
      models: ['loaded', 'own', 'small', 'plain'],
      row: { owned_by: 'library' },
      native: {
        '/api/ps': { models: [{ name: 'loaded', model: 'loaded', context_length: 32_768 }] },
        '/api/show own': {
          parameters: 'stop "<end>"\nnum_ctx                        8192',
          model_info: { 'llama.context_length': 131_072 },
        },
        '/api/show small': { model_info: { 'bert.context_length': 512 } },
        '/api/show plain': { parameters: 'temperature 1', model_info: { 'qwen3.context_length': 40_960 } },
      },
    })
    expect(found.windows).toEqual({
      loaded: { tokens: 32_768, place: '/api/ps' },
      own: { tokens: 8_192, place: '/api/show' },
      small: { tokens: 512, place: '/api/show' },
    })
    expect(found.contextWindow).toBeUndefined()
  })

  it('of LM Studio is that of a loaded model', async () => {
    const found = await listed({
      models: ['a', 'b'],
      row: { owned_by: 'organization_owner' },
      native: {
        '/api/v0/models': {
          data: [
            { id: 'a', state: 'loaded', loaded_context_length: 8_192, max_context_length: 131_072 },
            { id: 'b', state: 'not-loaded', max_context_length: 32_768 },
          ],
        },
      },
    })
    expect(found.windows).toEqual({ a: { tokens: 8_192, place: '/api/v0/models' } })
  })

  it('of vLLM stands in the list, and nothing more is asked', async () => {
    const found = await listed({ row: { owned_by: 'vllm', max_model_len: 24_576 } })
    expect(found).toMatchObject({ kind: 'vllm', windows: { a: { tokens: 24_576, place: '/models' } } })
    expect(fake.requests.map(({ path }) => path)).toEqual(['/v1/models'])
  })

  it('is asked for with the key, and a server without such answers is no failure', async () => {
    const found = await listed(
      { row: { owned_by: 'llamacpp' }, key: 'sk-a-key-000000000' },
      { key: 'sk-a-key-000000000' },
    )
    expect(found).toMatchObject({ models: ['a'], windows: {} })
    expect(fake.requests.map(({ path, headers }) => [path, headers['authorization']])).toEqual([
      ['/v1/models', 'Bearer sk-a-key-000000000'],
      ['/props', 'Bearer sk-a-key-000000000'],
    ])
  })

  it('is never a number that is none', () => {
    for (const value of ['many', -1, 0, 100, 1.5, null, {}])
      expect(windowsInList([{ id: 'a', row: { context_length: value } }], undefined)).toEqual({})
  })
})

describe('a price', () => {
  it('is read where the list tells it', () => {
    const rows = [
      { id: 'a', row: { pricing: { prompt: '0.0000005', completion: '0.0000015', input_cache_read: '0.00000005' } } },
      { id: 'free', row: { pricing: { prompt: '0', completion: '0' } } },
      { id: 'depends', row: { pricing: { prompt: '-1', completion: '-1' } } },
      { id: 'none', row: {} },
    ]
    expect(pricesInList(rows)).toEqual({
      a: { input: 0.5, output: 1.5, cacheRead: 0.05 },
      free: { input: 0, output: 0 },
    })
  })
  it('makes a cost, with cached tokens at their own price', () => {
    expect(
      costOf({ input: 1_000_000, cacheRead: 1_000_000, output: 1_000_000 }, { input: 2, output: 8, cacheRead: 0.5 }),
    ).toBe(10.5)
    expect(costOf({ input: 500_000, cacheRead: 500_000 }, { input: 2, output: 8 })).toBe(2)
    expect(costOf({ input: 5 }, undefined)).toBeUndefined()
  })
})
