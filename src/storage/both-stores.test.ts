import fc from 'fast-check'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { expect, it } from 'vitest'
import { codeOf } from '../core/errors.ts'
import type { Entry, Id } from '../core/log/entry.ts'
import type { LogStore } from '../core/ports/ports.ts'
import { runs } from '../core/text/laws.fixture.ts'
import { Connection } from './indexeddb/connection.ts'
import { DexieStore } from './indexeddb/dexie-store.ts'
import { answered, asked, chatInfo, noon, noted, remembered } from './log-store.fixture.ts'
import { MemoryStore } from './memory-store.ts'

type Act = { name: string; on(store: LogStore): Promise<unknown> }

const session = fc.constantFrom('a', 'b')
const id = fc.integer({ min: 0, max: 24 }).map(String)
const day = fc.integer({ min: 1, max: 3 })
const words = fc.string({
  unit: fc.constantFrom('a', '\n', 'ñ', '中', '😀', '\u0000', '\ud83d', 'word '),
  maxLength: 30,
})
const entry: fc.Arbitrary<Entry> = fc
  .tuple(fc.constantFrom(asked, answered, noted, remembered), id, words, day, fc.boolean())
  .map(([make, id, text, day, blob]): Entry => {
    const made = make(id, text, noon(day))
    return made.type === 'user' && blob
      ? { ...made, attachments: [{ name: 'n', mime: 'm', bytes: 1, blob: 'blob' }] }
      : made
  })
const day2 = day.map(number => `2026-01-0${number}`)
const small = fc.integer({ min: -1, max: 9 })
const gone = { day: '2026-02-01', why: 'test' }

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({
        session,
        entries: fc.array(entry, { maxLength: 4 }),
        keepLeaf: fc.boolean(),
        long: fc.option(words),
        leaves: fc.constantFrom('asks' as const, 'stays' as const, undefined),
      })
      .map(({ session, entries, keepLeaf, long, leaves }): Act => ({
        name: `append ${session} ${entries.map(entry => entry.id)}`,
        on: store =>
          store.append(session, entries, {
            keepLeaf,
            ...(leaves ? { changes: { leaves } } : {}),
            texts: long === null || !entries[0] ? [] : [{ entry: entries[0].id, text: long.repeat(9_000) }],
          }),
      })),
  },
  {
    weight: 2,
    arbitrary: fc
      .array(id, { minLength: 1, maxLength: 2 })
      .map((ids: Id[]): Act => ({ name: `blank ${ids}`, on: store => store.removeTexts([...new Set(ids)], gone) })),
  },
  fc.tuple(id, small, small).map(([id, from, to]): Act => ({
    name: `lines of text ${id}`,
    on: store => store.text(id, { lines: [from * 20_000, to * 20_000] }),
  })),
  fc.tuple(id, small, small).map(([id, from, to]): Act => ({
    name: `bytes of text ${id}`,
    on: store => store.text(id, { bytes: [from * 77_777, to * 77_777] }),
  })),
  fc.tuple(day2, small, small, fc.option(session, { nil: undefined })).map(([day, from, to, session]): Act => ({
    name: `lines ${day} ${from} ${to} ${session}`,
    on: store => store.lines(day, from, to, session),
  })),
  fc.tuple(session, small, small).map(([session, from, limit]): Act => ({
    name: `read ${session} ${from} ${limit}`,
    on: store => store.read(session, { from, limit: Math.max(0, limit) }),
  })),
  fc.tuple(session, words).map(([session, title]): Act => ({
    name: `rename ${session}`,
    on: store => store.updateSession(session, { title, draft: undefined }),
  })),
  fc
    .tuple(session)
    .map(([session]): Act => ({ name: `remove ${session}`, on: store => store.removeSession(session, gone) })),
  fc
    .tuple(session)
    .map(([session]): Act => ({ name: `create ${session}`, on: store => store.createSession(chatInfo(session)) })),
  fc.constant<Act>({ name: 'blob', on: store => store.putBlob('blob', 'm', new Uint8Array([1])) }),
  fc
    .tuple(
      fc.constantFrom('MEMORY.md', 'workspace/a', 'workspace/b'),
      words,
      fc.integer({ min: 0, max: 2 }),
      fc.constantFrom('asks' as const, 'stays' as const, undefined),
    )
    .map(([path, text, seen, leaves]): Act => ({
      name: `save ${path} ${seen} ${leaves}`,
      on: store => store.saveDocument(path, text, noon(1), seen, leaves),
    })),
  fc.constant<Act>({ name: 'keep', on: store => store.markDocumentLocalOnly('workspace/a') }),
  fc.constant<Act>({ name: 'forget', on: store => store.removeDocument('workspace/a') }),
)

/** All that can be seen of a store. */
async function seen(store: LogStore): Promise<unknown> {
  const days = ['2026-01-01', '2026-01-02', '2026-01-03']
  return {
    sessions: (await store.sessions()).sort((a, b) => (a.id < b.id ? -1 : 1)), // of equal times any order is right
    logs: [await store.read('a'), await store.read('b')],
    lines: await Promise.all(days.map(day => store.lines(day, 1, 999))),
    days: [await store.days(), await store.days('a'), await store.days('b')],
    memories: await store.memories(),
    documents: await store.documents(),
    blob: await store.blob('blob'),
    partial: await store.partial('a'),
  }
}

it('whatever is done, both stores answer alike and hold the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 25 }), async acts => {
      const connection = new Connection({ from: { indexedDB: new IDBFactory(), IDBKeyRange }, onState: () => {} })
      await connection.open()
      const stores: [LogStore, LogStore] = [new MemoryStore(), new DexieStore(connection)]
      for (const store of stores) await store.createSession(chatInfo('a'))
      for (const { name, on } of acts) {
        const [memory, database] = await Promise.all(
          stores.map(store => on(store).catch((thrown: unknown) => codeOf(thrown))),
        )
        expect(database, name).toEqual(memory)
      }
      expect(await seen(stores[1])).toEqual(await seen(stores[0]))
      await connection.close()
    }),
    runs(30),
  )
})
