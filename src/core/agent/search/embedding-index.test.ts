import { describe, expect, it } from 'vitest'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { AgentError } from '../../errors.ts'
import type { Entry } from '../../log/entry.ts'
import type { Embedder } from '../../ports/ports.ts'
import { createArchiveSearch } from './archive-search.ts'

const texts = [
  'The automobile is in the garage.',
  'Tea is ready at five.',
  'We painted the fence green.',
  'A car needs new tyres.',
  'Nothing of note happened.',
]
const topics = [/automobile|car|vehicle/i, /tea|drink/i, /fence|paint/i]
const vectorOf = (text: string, dimension: number): number[] =>
  Array.from({ length: dimension }, (_, i) => (topics[i]?.test(text) ? 1 : 0.01))

function embedderWith({ id = 'one', dimension = 3, local = true } = {}): Embedder & { asked: string[] } {
  const asked: string[] = []
  return {
    id,
    local,
    asked,
    embed: async texts => {
      asked.push(...texts)
      return texts.map(text => vectorOf(text, dimension))
    },
  }
}

async function storeWith(): Promise<MemoryStore> {
  const store = new MemoryStore()
  await store.createSession({ id: 'a', title: 'T', createdAt: 0, updatedAt: 0, leaf: null })
  await store.append(
    'a',
    texts.map((text, i): Entry => ({ id: `e${i}`, parent: null, at: i * 86_400_000, type: 'user', text })),
  )
  return store
}

const world = {
  now: () => 0,
  newId: () => 'x',
  sleep: (ms: number) =>
    new Promise<void>(resolve => {
      setTimeout(resolve, Math.min(ms, 20))
    }),
}
const searchOver = (store: MemoryStore, embedder?: Embedder) =>
  createArchiveSearch({ store, world, ...(embedder ? { embedder: async () => embedder } : {}) })
const found = async (search: ReturnType<typeof searchOver>, query: string): Promise<(string | null)[]> =>
  (await search.find(query, { limit: 3, maxLength: 100, filter: { kinds: ['message'] } })).map(hit => hit.entry)

describe('search by meaning', () => {
  it('finds what shares no word, and leaves a find by words in front', async () => {
    const store = await storeWith()
    expect(await found(searchOver(store), 'vehicle')).toEqual([])
    const search = searchOver(store, embedderWith())
    await search.catchUp()
    expect((await found(search, 'vehicle')).slice(0, 2).toSorted()).toEqual(['e0', 'e3'])
    expect((await found(search, 'tea for the vehicle'))[0]).toBe('e1')
  })

  it('keeps the vectors: after a restart only what is new is asked for', async () => {
    const store = await storeWith()
    await searchOver(store, embedderWith()).catchUp()
    await store.append('a', [{ id: 'new', parent: null, at: 9e8, type: 'user', text: 'Another vehicle came.' }])
    const embedder = embedderWith()
    const search = searchOver(store, embedder)
    await search.catchUp()
    expect(embedder.asked).toEqual(['Another vehicle came.'])
    expect(await found(search, 'automobile')).toContain('new')
  })

  it('is loaded once, also for two questions at the same time', async () => {
    const store = await storeWith()
    await searchOver(store, embedderWith()).catchUp()
    await store.append('a', [{ id: 'new', parent: null, at: 9e8, type: 'user', text: 'Another vehicle came.' }])
    const search = searchOver(store, embedderWith())
    await Promise.all([found(search, 'vehicle'), found(search, 'tea')])
    await search.catchUp()
    const { keys } = (await store.setting('meaning.0')) as { keys: string[] }
    expect([keys.length, new Set(keys).size]).toEqual([texts.length + 1, texts.length + 1])
  })

  it.each<[string, { id: string; dimension?: number }]>([
    ['another model', { id: 'two' }],
    ['another dimension', { id: 'two', dimension: 2 }],
  ])('begins anew for %s', async (_what, changed) => {
    const store = await storeWith()
    await searchOver(store, embedderWith()).catchUp()
    const embedder = embedderWith(changed)
    const search = searchOver(store, embedder)
    await search.catchUp()
    expect(embedder.asked).toHaveLength(texts.length)
    expect(await store.setting('meaning')).toMatchObject({ model: 'two', dimension: changed.dimension ?? 3, parts: 1 })
    expect((await found(search, 'vehicle')).slice(0, 2).toSorted()).toEqual(['e0', 'e3'])
  })

  it.each<[string, Embedder['embed']]>([
    [
      'refuses',
      async () => {
        throw new AgentError('network', 'gone')
      },
    ],
    ['never answers', () => new Promise(() => undefined)],
    ['gives another length', async texts => texts.map(() => [1])],
  ])('goes by words where the server %s', async (_how, embed) => {
    const store = await storeWith()
    await searchOver(store, embedderWith()).catchUp()
    const search = searchOver(store, { id: 'one', local: true, embed })
    expect(await found(search, 'tyres of the car')).toEqual(await found(searchOver(store), 'tyres of the car'))
  })

  it('forgets the vectors of what is removed', async () => {
    const store = await storeWith()
    const search = searchOver(store, embedderWith())
    await search.catchUp()
    await search.withRemoval({ entries: ['e0'] }, () =>
      store.removeTexts(['e0'], { day: '2026-01-01', why: 'deleted' }),
    )
    const { keys, bytes } = (await store.setting('meaning.0')) as { keys: string[]; bytes: Int8Array }
    expect([keys.length, bytes.length]).toEqual([texts.length - 1, 3 * (texts.length - 1)])
    expect(await found(search, 'vehicle')).not.toContain('e0')
    const later = embedderWith()
    await searchOver(store, later).catchUp()
    expect(later.asked).toEqual([])
  })

  it('stops when there is other work', async () => {
    const embedder = embedderWith()
    await searchOver(await storeWith(), embedder).catchUp(() => false)
    expect(embedder.asked).toEqual([])
  })

  it('a server elsewhere gets no chat that was only answered on this device, and no question of a model of this device', async () => {
    const store = await storeWith()
    await store.createSession({ id: 'b', title: 'B', createdAt: 0, updatedAt: 0, leaf: null, leaves: 'asks' })
    await store.append('b', [{ id: 'left', parent: null, at: 9e8, type: 'user', text: 'This vehicle has left.' }])
    const embedder = embedderWith({ local: false })
    const search = searchOver(store, embedder)
    await search.catchUp()
    expect(embedder.asked).toEqual(['This vehicle has left.'])
    await search.find('a private question', { limit: 3, maxLength: 100, localOnly: true })
    expect(embedder.asked).toHaveLength(1)
    await search.find('a question', { limit: 3, maxLength: 100 })
    expect(embedder.asked.at(-1)).toBe('a question')
  })
})
