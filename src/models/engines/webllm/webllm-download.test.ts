import { describe, expect, it } from 'vitest'
import type { AgentError } from '../../../core/errors.ts'
import { cachesOf } from '../shared/engine-storage.ts'
import { webllmRows, localModelOf } from './webllm-list.ts'
import { tinyFolder, testHost, shardCount, stateOf, tinyModel, totalBytes } from './webllm.fixture.ts'

const never = new AbortController().signal
const download = (bench: ReturnType<typeof testHost>, signal = never, mirrors = {}) =>
  bench.host.act({ type: 'download', model: tinyModel, mirrors }, signal)
const thrown = async (promise: Promise<unknown>): Promise<AgentError> =>
  promise.then(
    () => {
      throw new Error('it went well')
    },
    (error: AgentError) => error,
  )
const shards = (urls: readonly string[]) => urls.filter(url => url.includes('params_shard_'))

describe('downloading a model of the graphics card', () => {
  it('puts every file where the engine looks for it, tells bytes, and is whole then', async () => {
    const bench = testHost()
    const told: string[] = []
    bench.host.watch(state => {
      if (state.work.state === 'downloading') told.push(`${state.work.done}/${state.work.total}`)
    })
    await download(bench)
    expect(bench.caches.urls('webllm/config')).toEqual([`${tinyFolder}mlc-chat-config.json`])
    expect(bench.caches.urls('webllm/wasm')).toEqual([tinyModel.webllm!.program])
    expect(bench.caches.urls('webllm/model')).toHaveLength(2 + shardCount)
    const state = stateOf(bench.host)
    expect(state.work).toEqual({ state: 'idle' })
    expect(state.disk[tinyModel.id]).toMatchObject({ missing: [] })
    expect(state.disk[tinyModel.id]!.bytes).toBeGreaterThan(totalBytes)
    expect(told.at(0)).toBe('0/0')
    expect(told.some(line => line.endsWith(`/${totalBytes}`))).toBe(true)
  })

  it('is not whole while anything is missing: weights, program, settings or tokenizer', async () => {
    const bench = testHost()
    await download(bench)
    for (const [scope, url, part] of [
      ['webllm/wasm', tinyModel.webllm!.program, 'program'],
      ['webllm/config', `${tinyFolder}mlc-chat-config.json`, 'settings'],
      ['webllm/model', `${tinyFolder}tokenizer.json`, 'tokenizer'],
      ['webllm/model', `${tinyFolder}params_shard_3.bin`, 'weights'],
    ] as const) {
      const cache = await bench.caches.open(scope)
      const kept = await cache.match(url)
      await cache.delete(url)
      await bench.host.act({ type: 'check', models: [tinyModel] }, never)
      expect(stateOf(bench.host).disk[tinyModel.id]!.missing).toContain(part)
      expect((await thrown(bench.host.act({ type: 'load', model: tinyModel }, never))).data['reason']).toBe(
        'not-downloaded',
      )
      await cache.put(url, kept!)
    }
    await bench.host.act({ type: 'load', model: tinyModel }, never)
  })

  it('goes on after a stop where it was: no shard is fetched twice', async () => {
    const bench = testHost()
    const control = new AbortController()
    bench.server.misbehave(url => {
      if (url.includes('shard_5')) control.abort()
      return undefined
    })
    expect((await thrown(download(bench, control.signal))).code).toBe('stopped')
    expect(stateOf(bench.host).work).toEqual({ state: 'idle' })
    const kept = shards(bench.caches.urls('webllm/model'))
    expect(kept.length).toBeGreaterThan(0)
    expect(kept.length).toBeLessThan(shardCount)
    bench.server.misbehave(undefined)
    bench.server.asked.length = 0
    await download(bench)
    expect(shards(bench.server.asked).toSorted()).toEqual(
      Array.from({ length: shardCount }, (_, n) => `${tinyFolder}params_shard_${n}.bin`).filter(
        url => !kept.includes(url),
      ),
    )
  })

  it('tries a file again that came broken, and keeps nothing of it before', async () => {
    const bench = testHost()
    bench.server.misbehave((url, attempt) => {
      if (url.includes('shard_1') && attempt === 1) return new TypeError('Failed to fetch')
      if (url.includes('shard_2') && attempt === 1) return new Response('busy', { status: 503 })
      if (url.includes('shard_3') && attempt <= 2) return new Response(new Uint8Array(100)) // half of it
      // right size, wrong content
      if (url.includes('shard_4') && attempt === 1) return new Response(new Uint8Array(5_004))
      return undefined
    })
    await download(bench)
    expect(stateOf(bench.host).disk[tinyModel.id]!.missing).toEqual([])
    expect(bench.server.asked.filter(url => url.includes('shard_3'))).toHaveLength(3)
  })

  it('says what is wrong when it stays so, with a reason for the button that helps', async () => {
    const html = () => new Response('<html>Sign in</html>', { headers: { 'content-type': 'text/html; charset=utf-8' } })
    const cases: [string, (url: string) => Response | Error | undefined, string, string][] = [
      [
        'a sign-in page instead of a shard',
        url => (url.includes('shard_6') ? html() : undefined),
        'model_protocol',
        'damaged',
      ],
      [
        'a sign-in page instead of the settings',
        url => (url.includes('mlc-chat-config') ? html() : undefined),
        'model_protocol',
        'damaged',
      ],
      [
        'text instead of the program',
        url => (url.endsWith('.wasm') ? new Response('not found') : undefined),
        'model_protocol',
        'damaged',
      ],
      [
        'a file that is not there',
        url => (url.includes('tokenizer.json') ? new Response('', { status: 404 }) : undefined),
        'network',
        'refused',
      ],
      ['a host that is blocked', () => new TypeError('Failed to fetch'), 'network', 'blocked'],
      [
        'a list that leads elsewhere',
        url =>
          url.includes('tensor-cache')
            ? new Response(JSON.stringify({ records: [{ dataPath: 'https://evil.example/x.bin', nbytes: 10 }] }))
            : undefined,
        'model_protocol',
        'damaged',
      ],
    ]
    for (const [name, how, code, reason] of cases) {
      const bench = testHost()
      bench.server.misbehave(how)
      const error = await thrown(download(bench))
      expect([error.code, error.data['reason']], name).toEqual([code, reason])
      expect(stateOf(bench.host).work, name).toMatchObject({ state: 'failed', problem: { code, reason } })
      expect(
        bench.server.asked.some(url => url.includes('evil')),
        name,
      ).toBe(false)
    }
    const offline = testHost()
    offline.server.online = false
    offline.server.misbehave(() => new TypeError('Failed to fetch'))
    expect((await thrown(download(offline))).data['reason']).toBe('offline')
  })

  it('asks for room first, and keeps what came when the disk fills in the middle', async () => {
    const small = testHost(() => ({}), { estimate: async () => ({ quota: 20_000, usage: 1_000 }) })
    const error = await thrown(download(small))
    expect([error.code, error.data['reason']]).toEqual(['storage_full', 'quota'])
    expect(shards(small.server.asked)).toEqual([])

    const bench = testHost()
    bench.caches.fullAt(4 + 7) // four small files, then the seventh shard
    const full = await thrown(download(bench))
    expect([full.code, full.data['reason']]).toEqual(['storage_full', 'quota'])
    expect(shards(bench.caches.urls('webllm/model'))).toHaveLength(6)
  })

  it('asks nobody for a file where the browser refuses its caches, and finds nothing there', async () => {
    const bench = testHost(() => ({}), {
      caches: cachesOf(() => {
        throw new DOMException('The operation is insecure.', 'SecurityError')
      }),
    })
    await bench.host.act({ type: 'check', models: [tinyModel] }, never)
    expect(stateOf(bench.host).disk[tinyModel.id]?.bytes).toBe(0)
    expect((await thrown(download(bench))).data['reason']).toBe('no-storage')
    expect(bench.server.asked).toEqual([])
  })

  it('finds damage that came later, removes it, and Repair fetches only that', async () => {
    const bench = testHost()
    await download(bench)
    await bench.host.act({ type: 'verify', model: tinyModel }, never)
    const cache = await bench.caches.open('webllm/model')
    await cache.put(`${tinyFolder}params_shard_2.bin`, new Response(new Uint8Array(5_002)))
    expect((await thrown(bench.host.act({ type: 'verify', model: tinyModel }, never))).data['reason']).toBe('damaged')
    await cache.put(`${tinyFolder}params_shard_7.bin`, new Response('<html>'))
    bench.server.asked.length = 0
    await bench.host.act({ type: 'repair', model: tinyModel }, never)
    expect(
      shards(bench.server.asked)
        .map(url => url.slice(tinyFolder.length))
        .toSorted(),
    ).toEqual(['params_shard_2.bin', 'params_shard_7.bin'])
    await bench.host.act({ type: 'verify', model: tinyModel }, never)
  })

  it('takes bytes from mirrors and keeps them under the usual address', async () => {
    const bench = testHost()
    bench.server.misbehave(url =>
      /huggingface|githubusercontent/.test(url) ? new TypeError('Failed to fetch') : undefined,
    )
    await download(bench, never, { weights: 'https://mirror.example', programs: 'https://other.example/gh/' })
    expect(bench.server.asked[0]).toBe(
      'https://mirror.example/somebody/Tiny-q4f32_1-MLC/resolve/main/mlc-chat-config.json',
    )
    expect(bench.server.asked).toContain('https://other.example/gh/somebody/tiny.wasm')
    expect(stateOf(bench.host).disk[tinyModel.id]!.missing).toEqual([])
  })

  it('deletes all of a model, also half a download, but nothing that another one shares', async () => {
    const bench = testHost()
    await download(bench)
    await (
      await bench.caches.open('webllm/model')
    ).put('https://huggingface.co/other/resolve/main/params_shard_0.bin', new Response('x'))
    const twin = { ...tinyModel, id: 'webllm:Twin' }
    await bench.host.act({ type: 'delete', model: tinyModel, others: [twin] }, never)
    expect(stateOf(bench.host).disk[tinyModel.id]!.missing).toEqual([])
    await (await bench.caches.open('webllm/model')).delete(`${tinyFolder}tensor-cache.json`)
    await bench.host.act({ type: 'delete', model: tinyModel, others: [] }, never)
    expect(bench.caches.urls('webllm/model')).toEqual(['https://huggingface.co/other/resolve/main/params_shard_0.bin'])
    expect([...bench.caches.urls('webllm/config'), ...bench.caches.urls('webllm/wasm')]).toEqual([])
  })

  it('knows that the variant with a smaller window shares its weights', () => {
    const [whole, small] = ['Llama-3.1-8B-Instruct-q4f16_1-MLC', 'Llama-3.1-8B-Instruct-q4f16_1-MLC-1k'].map(id =>
      localModelOf(webllmRows.find(row => row.id === id)!),
    )
    expect(small!.webllm!.weights).toBe(whole!.webllm!.weights)
  })
})
