/** A database that is taken away while it is open, or that the browser removed between visits. */
import { forceCloseDatabase, IDBFactory, IDBDatabase } from 'fake-indexeddb'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { databaseName } from './indexeddb/database.ts'
import { storageMarker } from './storage-marker.ts'
import { asked, many, withChats } from './log-store.fixture.ts'
import { openedStore, code } from './open-store.fixture.ts'

afterEach(() => vi.restoreAllMocks())

describe('a database that is taken away while it is open', () => {
  /** The handles in use, as they are opened. */
  function handles(): Set<IDBDatabase> {
    const found = new Set<IDBDatabase>()
    const transaction = IDBDatabase.prototype.transaction
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...args) {
      found.add(this)
      return transaction.apply(this, args)
    })
    return found
  }

  /** As Chromium clears the data of a site: the handles are closed by force, and then there is nothing. */
  function clear(factory: IDBFactory, open: Set<IDBDatabase>, silently = false): void {
    ;(factory as unknown as { _databases: Map<string, unknown> })._databases.clear()
    for (const handle of open) {
      if (silently) handle.close()
      else forceCloseDatabase(handle as never)
    }
  }

  const marker = { isSet: async () => true, set: async () => undefined }

  it('by whoever clears the data of the site, is told at once, and never made anew', async () => {
    const factory = new IDBFactory()
    const open = handles()
    const { store, told, states } = await openedStore(factory, { marker })
    await (await withChats(store, 'a')).append('a', [asked('1')])
    // As Chromium does while it removes it: the first who opens hears that this was cut off.
    const own = factory.open.bind(factory)
    let busy = 1
    factory.open = (...args) => {
      if (busy-- > 0) throw new DOMException('The connection was closed.', 'AbortError')
      return own(...args)
    }
    clear(factory, open)
    await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ state: 'gone', reason: 'removed' }))
    expect(
      await Promise.all([
        code(store.sessions()),
        code(store.append('a', [asked('2')])),
        code(store.saveSetting('k', 1)),
      ]),
    ).toEqual(['storage_gone', 'storage_gone', 'storage_gone'])
    expect((await factory.databases()).map(({ name }) => name)).toEqual([])
    expect(states().filter(state => state === 'gone').length).toBe(1)
  })

  it.each([
    [false, 'with the event of it'],
    [true, 'without a word'],
  ])('and is met by a task first: that fails, and leaves no empty one', async silently => {
    const factory = new IDBFactory()
    const open = handles()
    const { store, told } = await openedStore(factory, { marker })
    await (await withChats(store, 'a')).append('a', [asked('1')])
    clear(factory, open, silently)
    expect(
      await Promise.all([
        code(store.append('a', [asked('2')])),
        code(store.sessions()),
        code(
          store.savePartial({
            session: 'a',
            parent: null,
            at: 1,
            text: 't',
            reasoning: '',
            calls: [],
            model: 'm',
            local: true,
          }),
        ),
      ]),
    ).toEqual(['storage_gone', 'storage_gone', 'storage_gone'])
    await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ state: 'gone', reason: 'removed' }))
    expect(await code(store.sessions())).toBe('storage_gone')
    expect((await factory.databases()).map(({ name }) => name)).toEqual([])
  })

  it('is not taken for one whose handle the browser closed for a while', async () => {
    const open = handles()
    const { store, states } = await openedStore(new IDBFactory())
    await withChats(store, 'a')
    for (const handle of open) forceCloseDatabase(handle as never)
    await store.append('a', [asked('1')])
    expect(await store.count('a')).toBe(1)
    expect(states()).toEqual(['kept'])
  })

  it('by another tab is told as deleted, not as a new version, and what runs is finished', async () => {
    const factory = new IDBFactory()
    const { store, told } = await openedStore(factory)
    await withChats(store, 'a')
    const running = code(store.append('a', many('m', 100)))
    const deleted = factory.deleteDatabase(databaseName)
    expect(await running).toBe('succeeded')
    await new Promise(resolve => {
      deleted.onsuccess = resolve
    })
    expect(told.at(-1)).toMatchObject({ state: 'gone', reason: 'deleted' })
    expect(await code(store.append('a', [asked('1')]))).toBe('storage_gone')
    expect((await factory.databases()).length).toBe(0)
  })

  it('stays gone for this tab when another one begins anew', async () => {
    const factory = new IDBFactory()
    const { store, state } = await openedStore(factory)
    await withChats(store, 'a')
    await new Promise(resolve => {
      factory.deleteDatabase(databaseName).onsuccess = resolve
    })
    const { store: anew } = await openedStore(factory)
    await withChats(anew, 'b')
    expect(await code(store.append('a', [asked('1')]))).toBe('storage_gone')
    expect((await state()).state).toBe('gone')
    expect((await anew.sessions()).map(({ id }) => id)).toEqual(['b'])
  })
})

describe('a database that the browser removed', () => {
  it('is told from a first visit, also after a reload, until something new is kept', async () => {
    const kept = new Set<string>()
    const marker = {
      isSet: async () => kept.has('mark'),
      set: async () => {
        kept.add('mark')
      },
    }
    const factory = new IDBFactory()
    const first = await openedStore(factory, { marker })
    expect(await first.state()).toEqual({ state: 'kept' })
    await (await withChats(first.store, 'a')).append('a', [asked('1')])
    expect(kept.size).toBe(1)
    expect((await (await openedStore(factory, { marker })).state()).reason).toBeUndefined()

    const empty = new IDBFactory()
    const after = await openedStore(empty, { marker })
    expect(await after.state()).toEqual({ state: 'kept', reason: 'evicted' })
    expect(after.told.at(-1)?.reason).toBe('evicted')
    const reloaded = await openedStore(empty, { marker })
    expect((await reloaded.state()).reason).toBe('evicted')
    await (await withChats(reloaded.store, 'b')).append('b', [asked('2')])
    expect((await reloaded.state()).reason).toBeUndefined()
    await vi.waitFor(async () => expect((await (await openedStore(empty, { marker })).state()).reason).toBeUndefined())
  })

  it('leaves a mark in the cache, and is silent where caches are missing or refused', async () => {
    const stored = new Map<string, Response>()
    const caches = {
      match: async (key: string) => stored.get(key),
      open: async () => ({
        put: async (key: string, value: Response) => {
          stored.set(key, value)
        },
      }),
    }
    const marker = storageMarker(caches as unknown as CacheStorage, 'http://localhost')
    expect(await marker.isSet()).toBe(false)
    await marker.set()
    expect(await marker.isSet()).toBe(true)
    const refused = storageMarker(
      { match: () => Promise.reject(new Error('SecurityError')) } as unknown as CacheStorage,
      '',
    )
    await refused.set()
    expect(await refused.isSet()).toBe(false)
  })
})
