/** The store opens, in the database or in memory, says what is wrong, and shares with other tabs. */
import { forceCloseDatabase, IDBFactory, IDBDatabase, IDBObjectStore } from 'fake-indexeddb'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { databaseName, epochKey, schemaEpoch } from './indexeddb/database.ts'
import { version1, version2, writeDatabase } from './indexeddb/database.fixture.ts'
import { asked, chatInfo, many, withChats } from './log-store.fixture.ts'
import { version1Origins } from './indexeddb/origins.fixture.ts'
import { openedStore, code, lost, openRaw } from './open-store.fixture.ts'

afterEach(() => vi.restoreAllMocks())

describe('opening', () => {
  it('keeps chats in the database and finds them again', async () => {
    const factory = new IDBFactory()
    const first = await openedStore(factory)
    await (await withChats(first.store, 'a')).append('a', [asked('1')])
    expect(await first.state()).toEqual({ state: 'kept' })
    const second = await openedStore(factory)
    expect((await second.store.read('a')).map(row => row.entry.id)).toEqual(['1'])
  })

  it('tells how much room there is and whether the browser promised to keep it', async () => {
    const manager = { estimate: async () => ({ usage: 5, quota: 10 }), persisted: async () => true }
    expect(await (await openedStore(new IDBFactory(), { manager })).state()).toEqual({
      state: 'kept',
      persisted: true,
      usage: 5,
      quota: 10,
    })
    const refusing = { estimate: () => Promise.reject(new TypeError('no')), persisted: async () => false }
    expect(await (await openedStore(new IDBFactory(), { manager: refusing })).state()).toEqual({ state: 'kept' })
  })

  it('tells of a private window, and looks once', async () => {
    let looks = 0
    const { state } = await openedStore(new IDBFactory(), {
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
    const { store, state } = await openedStore(factory)
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
    expect(await (await openedStore(factory)).state()).toMatchObject({ state: 'memory', why })
  })

  it('works in memory where the browser has no database at all', async () => {
    const { store, state } = await openedStore(undefined)
    await store.createSession(chatInfo('a'))
    expect((await state()).state).toBe('memory')
  })

  it.each([
    ['1', version1],
    ['2', version2],
  ])('opens a database as version %s left it', async (_, written) => {
    const factory = new IDBFactory()
    await writeDatabase(factory, databaseName, written)
    const { store, state } = await openedStore(factory)
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
    const { store, state } = await openedStore(factory)
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
    const { store, state } = await openedStore(factory)
    expect((await state()).state).toBe('newer')
    expect((await store.read('s1')).length).toBe(3)
    expect(await store.text('e2', 'all')).toBe('one\ntwo\n!')
    expect((await store.lines('2026-01-02', 1, 9)).length).toBe(2)
    expect(await code(store.append('s1', [asked('x')]))).toBe('storage_newer')
    expect(await code(store.removeSession('s1', { day: 'd', why: 'w' }))).toBe('storage_newer')
    expect(await code(store.saveSetting('k', 1))).toBe('storage_newer')
    expect(await code(store.segments())).toBe('storage_unavailable')
    const raw = await openRaw(factory).opened
    expect([raw.version, raw.objectStoreNames.contains('segments')]).toEqual([30, false])
  })
})

describe('other tabs', () => {
  it('gives way to a newer version: what was begun is finished, then nothing more is done', async () => {
    const factory = new IDBFactory()
    const { store, states } = await openedStore(factory)
    await withChats(store, 'a')
    const running = store.append('a', many('m', 500))
    const upgrade = openRaw(factory, 30)
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
    const older = await openRaw(factory, 5).opened
    const { store, states } = await openedStore(factory, { blockedAfterMs: 100 })
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
    const { store, states } = await openedStore(new IDBFactory())
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
    const { store, states } = await openedStore(new IDBFactory())
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
    const { store } = await openedStore(new IDBFactory())
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
    const { store, states } = await openedStore(new IDBFactory())
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
    const { store, states } = await openedStore(factory)
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
