import { describe, expect, it, vi } from 'vitest'
import { MemoryStore } from '../../../storage/memory-store.ts'
import type { Entry } from '../../log/entry.ts'
import { openSegment, segmentFormat } from '../../text/search/segment.ts'
import { termHash } from '../../text/search/term-hash.ts'
import { SearchIndex } from './search-index.ts'
import { markForRemoval } from './search-segments.ts'

const at = new Date(2026, 2, 2, 9).getTime()

async function storeWith(count: number, text: (i: number) => string, session = 'a'): Promise<MemoryStore> {
  const store = new MemoryStore()
  await store.createSession({ id: session, title: 'Harbour', createdAt: at, updatedAt: at, leaf: null })
  await store.append(
    session,
    Array.from({ length: count }, (_, i): Entry => ({
      id: `${session}${i}`,
      parent: null,
      at: at + i * 1000,
      type: 'user',
      text: text(i),
    })),
  )
  return store
}

const options = { limit: 5, maxLength: 300 }
const entries = async (index: SearchIndex, query: string): Promise<(string | null)[]> =>
  (await index.find(query, { ...options, literalOnly: true, filter: { kinds: ['message'] } })).map(hit => hit.entry)

/** Counts the rows that are read, which is what opening would cost. */
class CountingStore extends MemoryStore {
  rows = 0
  override async read(...args: Parameters<MemoryStore['read']>): ReturnType<MemoryStore['read']> {
    const rows = await super.read(...args)
    this.rows += rows.length
    return rows
  }
}

describe('the search index', () => {
  it('is packed once, and opened again without reading the texts', async () => {
    const store = new CountingStore()
    await store.createSession({ id: 'a', title: 'Harbour', createdAt: at, updatedAt: at, leaf: null })
    await store.append(
      'a',
      Array.from({ length: 2_300 }, (_, i): Entry => ({
        id: `a${i}`,
        parent: null,
        at: at + i,
        type: 'user',
        text: `note ${i} about topic${i % 700}`,
      })),
    )
    expect((await entries(new SearchIndex(store), 'topic650')).toSorted()).toEqual(['a1350', 'a2050', 'a650'])
    expect((await store.segments()).map(({ facts }) => facts)).toEqual([1000, 1000])
    store.rows = 0
    const again = new SearchIndex(store)
    expect((await entries(again, 'topic650')).toSorted()).toEqual(['a1350', 'a2050', 'a650'])
    expect(store.rows).toBeLessThan(330) // what no segment holds, and the hits
  })

  it('puts what was typed word for word first, and the newest of equal ones', async () => {
    const texts = [
      'amber lamp, amber lamp: a lamp of amber',
      'by the lamp of the harbour',
      'the harbour lamp',
      'the harbour lamp',
    ]
    const index = new SearchIndex(await storeWith(texts.length, i => texts[i]!))
    expect((await entries(index, 'the harbour lamp')).slice(0, 2)).toEqual(['a3', 'a2'])
    expect((await entries(index, 'lamp of the harbour'))[0]).toBe('a1')
  })

  it('catches up with what was appended since, in whatever order of time', async () => {
    const store = await storeWith(3, i => `harbour ${i}`)
    const index = new SearchIndex(store)
    expect(await entries(index, 'lighthouse')).toEqual([])
    await store.append('a', [
      {
        id: 'late',
        parent: null,
        at: at - 9e9,
        type: 'assistant',
        text: 'the lighthouse',
        calls: [],
        model: 'm',
        local: true,
        stop: 'stop',
      },
    ])
    expect(await entries(index, 'lighthouse')).toEqual(['late'])
  })

  it('holds no word of a text that was removed, in memory or packed', async () => {
    const store = await storeWith(1_200, i => (i === 7 || i === 1_150 ? `the zanzibar secret ${i}` : `note ${i}`))
    const index = new SearchIndex(store)
    expect((await entries(index, 'zanzibar')).toSorted()).toEqual(['a1150', 'a7'])
    const before = (await store.segments())[0]!.bytes.length
    await store.removeTexts(['a7', 'a1150'], { day: '2026-03-02', why: 'deleted' })
    await index.forget({ entries: ['a7', 'a1150'] })
    expect(await entries(index, 'zanzibar')).toEqual([])
    expect((await store.segments())[0]!.bytes.length).toBeLessThan(before)
    const rest = await entries(new SearchIndex(store), 'note')
    expect(rest).toHaveLength(5)
  })

  it('holds no word of it either where several tabs have an index', async () => {
    const packedWith = async (store: MemoryStore, term: string): Promise<number> => {
      let found = 0
      for (const { bytes } of await store.segments())
        openSegment(bytes)!.lists.each(termHash(term), () => {
          found++
        })
      return found
    }
    const store = await storeWith(1_000, i => (i < 3 ? `the zanzibar secret ${i}` : `note ${i}`))
    const [one, two] = [new SearchIndex(store), new SearchIndex(store)]
    await one.update()
    await store.append(
      'a',
      Array.from({ length: 600 }, (_, i): Entry => ({
        id: `b${i}`,
        parent: null,
        at: at + i,
        type: 'user',
        text: i === 0 ? 'the ormolu secret' : `other ${i}`,
      })),
    )
    await two.update()
    expect(await packedWith(store, 'zanzibar')).toBe(3)
    for (const [index, id] of [
      [one, 'a0'],
      [two, 'a1'],
      [one, 'b0'],
    ] as const) {
      await store.removeTexts([id], { day: '2026-03-02', why: 'deleted' })
      await index.forget({ entries: [id] })
    }
    expect(await packedWith(store, 'zanzibar')).toBe(1)
    await store.append(
      'a',
      Array.from({ length: 600 }, (_, i): Entry => ({
        id: `c${i}`,
        parent: null,
        at: at + i,
        type: 'user',
        text: `more ${i}`,
      })),
    )
    await two.update()
    expect([(await store.segments()).length, await packedWith(store, 'ormolu')]).toEqual([2, 0])
    expect(await entries(two, 'more 599')).toContain('c599')
  })

  it('finishes after a crash what was being removed, and keeps what was not removed after all', async () => {
    const store = await storeWith(1_000, i => (i < 2 ? `the zanzibar secret ${i}` : `note ${i}`))
    await new SearchIndex(store).update()
    const before = (await store.segments())[0]!.bytes.length
    await markForRemoval(store, { entries: ['a0'] })
    await markForRemoval(store, { entries: ['a1'] })
    await store.removeTexts(['a0'], { day: '2026-03-02', why: 'deleted' })
    expect(await entries(new SearchIndex(store), 'zanzibar')).toEqual(['a1'])
    expect((await store.segments())[0]!.bytes.length).toBeLessThan(before)
    expect(await store.setting('search.owed')).toBeUndefined()
  })

  it.each([1, 250])('is built anew when its format is another one: %i', async format => {
    const store = await storeWith(1_000, i => `note ${i} harbour ${i === 7 ? 'サーバー' : 'コーヒー'}`)
    await new SearchIndex(store).update()
    const [packed] = await store.segments()
    await store.addSegment({
      ...packed!,
      bytes: Uint8Array.from([format, ...packed!.bytes.subarray(1, format === 1 ? undefined : 3)]),
    })
    expect(await entries(new SearchIndex(store), 'harbour')).toHaveLength(5)
    expect(await entries(new SearchIndex(store), 'ｻｰﾊﾞｰ')).toEqual(['a7'])
    expect((await store.segments()).map(({ bytes }) => bytes[0])).toEqual([segmentFormat])
  })

  it('leaves packing to the tab that has packed already', async () => {
    const store = await storeWith(600, i => `note ${i}`)
    const [one, two] = [new SearchIndex(store), new SearchIndex(store)]
    await Promise.all([one.update(), two.update()])
    await store.append(
      'a',
      Array.from({ length: 600 }, (_, i): Entry => ({
        id: `b${i}`,
        parent: null,
        at: at + i,
        type: 'user',
        text: `other ${i}`,
      })),
    )
    await one.update()
    await two.update()
    const segments = vi.spyOn(store, 'segments')
    await two.update()
    expect(segments).not.toHaveBeenCalled() // nor does it pack in vain at each search
    expect(await store.segments()).toHaveLength(1)
    expect(await entries(two, 'other 599')).toContain('b599')
    expect(new Set(await entries(new SearchIndex(store), 'note')).size).toBe(5)
  })

  it('gives what was said in the very same words after what is different, where that is asked for', async () => {
    const store = await storeWith(20, i =>
      i === 3 ? 'The boiler needs a new valve, said the plumber.' : 'Ask the plumber again.',
    )
    const index = new SearchIndex(store)
    const texts = async (distinct: boolean): Promise<string[]> =>
      (await index.find('ask the plumber again', { ...options, distinct, filter: { kinds: ['message'] } })).map(
        hit => hit.text,
      )
    expect((await texts(true)).slice(0, 2)).toEqual([
      'Ask the plumber again.',
      'The boiler needs a new valve, said the plumber.',
    ])
    expect(await texts(true)).toHaveLength(5)
    expect((await texts(false)).filter(text => text.startsWith('Ask'))).toHaveLength(5)
  })

  it('gives what stands beside a hit, a title, a document, and no title of a chat that is gone', async () => {
    const store = await storeWith(3, i => ['Where is the kettle?', 'In the copper cupboard.', 'Thanks.'][i]!)
    await store.saveDocument('MEMORY.md', '# Memory\n\nThe boat is called Aurora.\n', at, 0)
    const index = new SearchIndex(store)
    const [hit] = await index.find('copper cupboard', { ...options, neighbourLength: 10 })
    expect([hit?.entry, hit?.before?.text, hit?.after?.text]).toEqual(['a1', '…he kettle?', 'Thanks.'])
    expect((await index.find('Aurora', options))[0]).toMatchObject({ path: 'MEMORY.md', from: 1, kind: 'document' })
    expect((await index.find('harbour', options))[0]).toMatchObject({ kind: 'title', title: 'Harbour' })
    await store.removeDocument('MEMORY.md')
    await store.removeSession('a', { day: '2026-03-02', why: 'deleted' })
    await index.forget({ session: 'a' })
    expect([
      await index.find('Aurora', options),
      await index.find('harbour', options),
      await index.find('copper', options),
    ]).toEqual([[], [], []])
  })
})
