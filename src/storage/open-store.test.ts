import { forceCloseDatabase, IDBFactory, IDBKeyRange, IDBDatabase, IDBObjectStore } from 'fake-indexeddb'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { StorageState } from '../core/agent/api/api.ts'
import { codeOf } from '../core/errors.ts'
import { databaseName, epochKey, schemaEpoch } from './indexeddb/database.ts'
import { version1, version2, writeDatabase } from './indexeddb/database.fixture.ts'
import { storageMarker } from './storage-marker.ts'
import { asked, chatInfo, many, withChats } from './log-store.fixture.ts'
import { version1Origins } from './indexeddb/origins.fixture.ts'
import { openStore, type StoragePlatform } from './open-store.ts'

afterEach(() => vi.restoreAllMocks())

const noMarker = storageMarker(undefined, 'http://localhost')

/** Opens on a factory and writes down every state that was told. */
async function opened(indexedDB: IDBFactory | undefined, more: Partial<StoragePlatform> = {}) {
  const told: StorageState[] = []
  const platform: StoragePlatform = {
    from: { indexedDB, IDBKeyRange },
    marker: noMarker,
    blockedAfterMs: 60_000,
    ...more,
  }
  const { store, state } = await openStore({ onState: storage => told.push(storage), platform })
  return { store, state, told, states: () => told.map(storage => storage.state) }
}

const code = (work: Promise<unknown>) => work.then(() => 'succeeded', codeOf)
const lost = () =>
  Object.assign(new Error('Connection to Indexed Database server lost. Refresh the page to try again'), {
    name: 'UnknownError',
  })

function open(factory: IDBFactory, version?: number): { request: IDBOpenDBRequest; opened: Promise<IDBDatabase> } {
  const request = factory.open(databaseName, version)
  return {
    request,
    opened: new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error!)
    }),
  }
}

describe('opening', () => {
  it('keeps chats in the database and finds them again', async () => {
    const factory = new IDBFactory()
    const first = await opened(factory)
    await (await withChats(first.store, 'a')).append('a', [asked('1')])
    expect(await first.state()).toEqual({ state: 'kept' })
    const second = await opened(factory)
    expect((await second.store.read('a')).map(row => row.entry.id)).toEqual(['1'])
  })

  it('tells how much room there is and whether the browser promised to keep it', async () => {
    const manager = { estimate: async () => ({ usage: 5, quota: 10 }), persisted: async () => true }
    expect(await (await opened(new IDBFactory(), { manager })).state()).toEqual({
      state: 'kept',
      persisted: true,
      usage: 5,
      quota: 10,
    })
    const refusing = { estimate: () => Promise.reject(new TypeError('no')), persisted: async () => false }
    expect(await (await opened(new IDBFactory(), { manager: refusing })).state()).toEqual({ state: 'kept' })
  })

  it('tells of a private window, and looks once', async () => {
    let looks = 0
    const { state } = await opened(new IDBFactory(), {
      isPrivate: async () => {
        looks++
        return true
      },
    })
    expect([await state(), await state(), looks]).toEqual([
      { state: 'kept', private: true },
      { state: 'kept', private: true },
      1,
    ])
  })

  it('works in memory, and says why, where opening fails as in a private window', async () => {
    const factory = new IDBFactory()
    factory.open = () => {
      throw new DOMException(
        'A mutation operation was attempted on a database that did not allow mutations.',
        'InvalidStateError',
      )
    }
    const { store, state } = await opened(factory)
    await (await withChats(store, 'a')).append('a', [asked('1')])
    expect(await store.count('a')).toBe(1)
    expect(await state()).toMatchObject({ state: 'memory', reason: expect.stringContaining('did not allow mutations') })
  })

  it.each([
    ['full', 'QuotaExceededError', 'Encountered full disk while opening backing store for indexedDB.open.'],
    ['broken', 'UnknownError', 'Internal error opening backing store for indexedDB.open.'],
  ] as const)('works in memory, and knows that it is no private window: %s', async (why, name, message) => {
    const factory = new IDBFactory()
    factory.open = () => {
      throw new DOMException(message, name)
    }
    expect(await (await opened(factory)).state()).toMatchObject({ state: 'memory', why })
  })

  it('works in memory where the browser has no database at all', async () => {
    const { store, state } = await opened(undefined)
    await store.createSession(chatInfo('a'))
    expect((await state()).state).toBe('memory')
  })

  it.each([
    ['1', version1],
    ['2', version2],
  ])('opens a database as version %s left it', async (_, written) => {
    const factory = new IDBFactory()
    await writeDatabase(factory, databaseName, written)
    const { store, state } = await opened(factory)
    expect(await state()).toEqual({ state: 'kept' })
    expect((await store.sessions()).map(info => info.title)).toEqual(['Reise'])
    expect((await store.read('s1')).map(row => [row.seq, row.line, row.entry.type])).toEqual([
      [0, 1, 'user'],
      [1, 2, 'assistant'],
      [2, null, 'memory'],
    ])
    expect(await store.text('e2', { lines: [2, 2] })).toBe('two\n')
    expect((await store.memories()).length).toBe(1)
    expect((await store.partial('s1'))?.text).toBe('half')
    expect(await store.documents()).toEqual([{ path: 'MEMORY.md', revision: 2, at: 2, bytes: 3, leaves: 'asks' }])
    expect([...(await store.blob('b1'))!.bytes]).toEqual([7, 8])
    expect((await store.segments()).length).toBe(1)
    expect(await store.setting('defaults')).toEqual({ strategy: 'qwenpaw' })
    const [row] = await store.append('s1', [asked('e4', 'more', 1767351600000)])
    expect(row).toMatchObject({ seq: 3, line: 3 })
    await store.removeTexts(['e1'], { day: '2026-01-05', why: 'test' })
    expect(await store.blob('b1')).toBeUndefined()
  })

  it('gives the rows of version 1 the marks that its rule gave them', async () => {
    const factory = new IDBFactory()
    await writeDatabase(factory, databaseName, version1Origins)
    const { store, state } = await opened(factory)
    expect(await state()).toEqual({ state: 'kept' })
    expect(Object.fromEntries((await store.sessions()).map(({ id, leaves = 'none' }) => [id, leaves]))).toEqual({
      here: 'stays',
      elsewhere: 'asks',
      both: 'asks',
      failed: 'none',
      empty: 'none',
      'old here': 'stays',
      'old elsewhere': 'asks',
      'imported-here': 'stays',
      'imported-elsewhere': 'asks',
    })
    expect(await store.session('both')).toMatchObject({
      title: 'A question in both.',
      model: 'away',
      allowed: ['write_file', 'this chat'],
      size: 8,
    })
    expect((await store.sessions()).some(info => 'away' in info)).toBe(false)
    expect(
      Object.fromEntries(
        (await store.documents()).map(({ path, revision, leaves }) => [`${path} ${revision}`, leaves]),
      ),
    ).toEqual({
      'MEMORY.md 1': 'asks',
      'workspace/both-later.md 1': 'asks',
      'workspace/both.md 1': 'stays',
      'workspace/elsewhere.md 1': 'asks',
      'workspace/here.md 2': 'stays',
      'workspace/imported.md 1': 'asks',
      'workspace/shared.md 2': 'stays',
      'workspace/typed.md 1': 'asks',
    })
    expect((await store.document('workspace/shared.md', 1))?.leaves).toBe('stays')
    expect(await store.setting('stays here: workspace/both.md')).toBeUndefined()
    expect(await store.setting(epochKey)).toBe(schemaEpoch)
    expect(await store.count('elsewhere')).toBe(8)
  })

  it('has a fixture for the version of now', () => {
    expect(version2.stores.find(({ name }) => name === 'settings')?.rows[0]).toEqual({
      key: epochKey,
      value: schemaEpoch,
    })
  })
})

describe('a database newer than the app', () => {
  it('is read and exported, never changed, not even where it lacks a table', async () => {
    const factory = new IDBFactory()
    const stores = version1.stores
      .filter(({ name }) => name !== 'segments')
      .map(store => (store.name === 'settings' ? { ...store, rows: [{ key: epochKey, value: 3 }] } : store))
    await writeDatabase(factory, databaseName, { nativeVersion: 30, stores })
    const { store, state } = await opened(factory)
    expect((await state()).state).toBe('newer')
    expect((await store.read('s1')).length).toBe(3)
    expect(await store.text('e2', 'all')).toBe('one\ntwo\n!')
    expect((await store.lines('2026-01-02', 1, 9)).length).toBe(2)
    expect(await code(store.append('s1', [asked('x')]))).toBe('storage_newer')
    expect(await code(store.removeSession('s1', { day: 'd', why: 'w' }))).toBe('storage_newer')
    expect(await code(store.saveSetting('k', 1))).toBe('storage_newer')
    expect(await code(store.segments())).toBe('storage_unavailable')
    const raw = await open(factory).opened
    expect([raw.version, raw.objectStoreNames.contains('segments')]).toEqual([30, false])
  })
})

describe('other tabs', () => {
  it('gives way to a newer version: what was begun is finished, then nothing more is done', async () => {
    const factory = new IDBFactory()
    const { store, states } = await opened(factory)
    await withChats(store, 'a')
    const running = store.append('a', many('m', 500))
    const upgrade = open(factory, 30)
    expect(await code(running)).toBe('succeeded')
    const newer = await upgrade.opened
    expect(states().at(-1)).toBe('replaced')
    expect(await code(store.read('a'))).toBe('new_version')
    expect(await code(store.append('a', [asked('1')]))).toBe('new_version')
    const count = newer.transaction('entries').objectStore('entries').count()
    expect(
      await new Promise(resolve => {
        count.onsuccess = () => resolve(count.result)
      }),
    ).toBe(500)
  })

  it('says that it is blocked by an older tab, and goes on when that is closed', async () => {
    const factory = new IDBFactory()
    const older = await open(factory, 5).opened
    const { store, states } = await opened(factory, { blockedAfterMs: 100 })
    expect(states()).toEqual(['blocked'])
    expect(await code(store.sessions())).toBe('storage_blocked')
    older.close()
    await vi.waitFor(() => expect(states()).toEqual(['blocked', 'kept']))
    await (await withChats(store, 'a')).append('a', [asked('1')])
    expect(await store.count('a')).toBe(1)
  })
})

describe('a lost connection', () => {
  /** Dexie keeps the method of each handle it opens, so it is replaced before the first. */
  function breakable() {
    const transaction = IDBDatabase.prototype.transaction
    const failing = { times: 0 }
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...args) {
      if (failing.times > 0) {
        failing.times--
        throw lost()
      }
      return transaction.apply(this, args)
    })
    return failing
  }

  it('is opened again and the work done once more, without anybody noticing', async () => {
    const failing = breakable()
    const { store, states } = await opened(new IDBFactory())
    await withChats(store, 'a')
    failing.times = 3
    await Promise.all([
      store.append('a', [asked('1')]),
      store.append('a', [asked('2')]),
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
    ])
    expect((await store.read('a')).map(row => row.entry.id).sort()).toEqual(['1', '2'])
    expect(failing.times).toBe(0)
    expect(states()).toEqual(['kept'])
  })

  it('that does not come back is told, and forgotten when it does', async () => {
    const failing = breakable()
    const { store, states } = await opened(new IDBFactory())
    await withChats(store, 'a')
    failing.times = Infinity
    expect(await code(store.append('a', [asked('1')]))).toBe('storage_lost')
    expect(states().at(-1)).toBe('lost')
    failing.times = 0
    await store.append('a', [asked('1')])
    await vi.waitFor(() => expect(states().at(-1)).toBe('kept'))
    expect(await store.count('a')).toBe(1)
  })

  it('after the commit does not store twice', async () => {
    const { store } = await opened(new IDBFactory())
    await withChats(store, 'a')
    const put = IDBObjectStore.prototype.put
    let armed = true
    // The answer to the last write of the append is lost, and with it the news of the commit.
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...args) {
      const request = put.apply(this, args)
      if (armed && this.name === 'sessions') {
        armed = false
        this.transaction.commit()
        throw lost()
      }
      return request
    })
    const rows = await store.append('a', [asked('1'), asked('2')])
    expect(rows.map(row => row.line)).toEqual([1, 2])
    expect((await store.read('a')).map(row => row.entry.id)).toEqual(['1', '2'])
    expect(armed).toBe(false)
  })
})

describe('a full disk', () => {
  it('stores nothing of an append, says so, and is well again when there is room', async () => {
    const { store, states } = await opened(new IDBFactory())
    await withChats(store, 'a')
    const add = IDBObjectStore.prototype.add
    let full = true
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(function (this: IDBObjectStore, ...args) {
      if (full && this.name === 'texts') throw new DOMException('no room', 'QuotaExceededError')
      return add.apply(this, args)
    })
    const append = () => store.append('a', [asked('1')], { texts: [{ entry: '1', text: 'long' }] })
    expect(await code(append())).toBe('storage_full')
    expect(states().at(-1)).toBe('full')
    expect(await store.count('a')).toBe(0)
    full = false
    await append()
    await vi.waitFor(() => expect(states().at(-1)).toBe('kept'))
    expect(await store.text('1', 'all')).toBe('long')
  })

  it('is told as such in all that Chromium says then: the transaction is aborted, the handle closed, and none opens again', async () => {
    const factory = new IDBFactory()
    // As seen in Chromium 156 on a disk of 80 MB that was filled up.
    const words =
      'Connection is closing because of: IO error: /profile/http_localhost_5147.indexeddb.leveldb/000003.log: FILE_ERROR_NO_SPACE (ChromeMethodBFE: 3::WritableFileAppend::8)'
    const open = factory.open.bind(factory)
    let full = false
    const transaction = IDBDatabase.prototype.transaction
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...args) {
      if (!full) return transaction.apply(this, args)
      forceCloseDatabase(this as never)
      throw new DOMException(words, 'UnknownError')
    })
    factory.open = (...args) => {
      if (full) throw new DOMException('Internal error opening backing store for indexedDB.open.', 'UnknownError')
      return open(...args)
    }
    const { store, states } = await opened(factory)
    await withChats(store, 'a')
    full = true
    for (let n = 0; n < 3; n++) expect(await code(store.append('a', [asked('1')]))).toBe('storage_full')
    expect(await code(store.sessions())).toBe('storage_full')
    expect(states().at(-1)).toBe('full')
    full = false
    await store.append('a', [asked('1')])
    await vi.waitFor(() => expect(states().at(-1)).toBe('kept'))
    expect((await store.read('a')).map(row => row.entry.id)).toEqual(['1'])
  })
})

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
    const { store, told, states } = await opened(factory, { marker })
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
    const { store, told } = await opened(factory, { marker })
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
    const { store, states } = await opened(new IDBFactory())
    await withChats(store, 'a')
    for (const handle of open) forceCloseDatabase(handle as never)
    await store.append('a', [asked('1')])
    expect(await store.count('a')).toBe(1)
    expect(states()).toEqual(['kept'])
  })

  it('by another tab is told as deleted, not as a new version, and what runs is finished', async () => {
    const factory = new IDBFactory()
    const { store, told } = await opened(factory)
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
    const { store, state } = await opened(factory)
    await withChats(store, 'a')
    await new Promise(resolve => {
      factory.deleteDatabase(databaseName).onsuccess = resolve
    })
    const { store: anew } = await opened(factory)
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
    const first = await opened(factory, { marker })
    expect(await first.state()).toEqual({ state: 'kept' })
    await (await withChats(first.store, 'a')).append('a', [asked('1')])
    expect(kept.size).toBe(1)
    expect((await (await opened(factory, { marker })).state()).reason).toBeUndefined()

    const empty = new IDBFactory()
    const after = await opened(empty, { marker })
    expect(await after.state()).toEqual({ state: 'kept', reason: 'evicted' })
    expect(after.told.at(-1)?.reason).toBe('evicted')
    const reloaded = await opened(empty, { marker })
    expect((await reloaded.state()).reason).toBe('evicted')
    await (await withChats(reloaded.store, 'b')).append('b', [asked('2')])
    expect((await reloaded.state()).reason).toBeUndefined()
    await vi.waitFor(async () => expect((await (await opened(empty, { marker })).state()).reason).toBeUndefined())
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
