/**
 * A database as version 1 left it, made without Dexie: what every later version must still open. Never edit; add one
 * for each version.
 */

export type Store = {
  name: string
  keyPath: string | string[]
  indexes: [name: string, keyPath: string | string[], options?: IDBIndexParameters][]
  rows: unknown[]
}

const fact = (seq: number, line: number, entry: { id: string; at: number }) => ({
  session: 's1',
  seq,
  id: entry.id,
  day: '2026-01-02',
  line,
  entry,
})

export const version1 = {
  nativeVersion: 10,
  stores: [
    {
      name: 'sessions',
      keyPath: 'id',
      indexes: [['updatedAt', 'updatedAt']],
      rows: [{ id: 's1', title: 'Reise', createdAt: 1, updatedAt: 1767351600000, leaf: 'e3', strategy: 'qwenpaw' }],
    },
    {
      name: 'entries',
      keyPath: ['session', 'seq'],
      indexes: [
        ['id', 'id', { unique: true }],
        ['[day+line]', ['day', 'line']],
        ['[session+day+line]', ['session', 'day', 'line']],
        ['memory', 'memory'],
        ['blobs', 'blobs', { multiEntry: true }],
      ],
      rows: [
        {
          ...fact(0, 1, { id: 'e1', at: 1767351600000 }),
          blobs: ['b1'],
          entry: {
            id: 'e1',
            parent: null,
            at: 1767351600000,
            type: 'user',
            text: '去哪里？',
            attachments: [{ name: 'a', mime: 'image/png', bytes: 2, blob: 'b1' }],
          },
        },
        {
          ...fact(1, 2, { id: 'e2', at: 1767351600000 }),
          long: true,
          entry: {
            id: 'e2',
            parent: 'e1',
            at: 1767351600000,
            type: 'assistant',
            text: 'Bergen',
            calls: [],
            model: 'm',
            local: true,
            stop: 'stop',
            tail: 'end',
            rest: { bytes: 9, lines: 2 },
          },
        },
        {
          session: 's1',
          seq: 2,
          id: 'e3',
          day: '2026-01-02',
          memory: '2026-01-02',
          entry: { id: 'e3', parent: 'e2', at: 1767351600000, type: 'memory', text: 'likes fjords' },
        },
      ],
    },
    {
      name: 'texts',
      keyPath: ['entry', 'from'],
      indexes: [['[entry+line+from]', ['entry', 'line', 'from']]],
      rows: [
        { entry: 'e2', from: 0, line: 0, text: 'one\n' },
        { entry: 'e2', from: 4, line: 1, text: 'two\n!' },
      ],
    },
    {
      name: 'partials',
      keyPath: 'session',
      indexes: [],
      rows: [{ session: 's1', parent: 'e3', at: 5, text: 'half', reasoning: '', calls: [], model: 'm', local: true }],
    },
    {
      name: 'documents',
      keyPath: ['path', 'revision'],
      indexes: [['[path+revision+at+bytes]', ['path', 'revision', 'at', 'bytes']]],
      rows: [
        { path: 'MEMORY.md', revision: 1, at: 1, text: 'a', bytes: 1 },
        { path: 'MEMORY.md', revision: 2, at: 2, text: '茶', bytes: 3 },
      ],
    },
    {
      name: 'blobs',
      keyPath: 'id',
      indexes: [],
      rows: [{ id: 'b1', mime: 'image/png', bytes: new Uint8Array([7, 8]) }],
    },
    { name: 'segments', keyPath: 'id', indexes: [], rows: [{ id: 'g1', facts: 2, bytes: new Uint8Array([1]) }] },
    {
      name: 'settings',
      keyPath: 'key',
      indexes: [],
      rows: [
        { key: 'storage.epoch', value: 1 },
        { key: 'defaults', value: { strategy: 'qwenpaw' } },
      ],
    },
  ] satisfies Store[] as Store[],
}

/** As version 2 left it: documents and chats say whether they may leave the device. */
export const version2 = {
  nativeVersion: 20,
  stores: version1.stores.map((store): Store => {
    switch (store.name) {
      case 'sessions':
        return { ...store, rows: store.rows.map(row => ({ ...(row as object), leaves: 'stays' })) }
      case 'documents':
        return {
          ...store,
          indexes: [...store.indexes, ['[leaves+path+revision]', ['leaves', 'path', 'revision']]],
          rows: store.rows.map(row => ({ ...(row as object), leaves: 'asks' })),
        }
      case 'settings':
        return { ...store, rows: [{ key: 'storage.epoch', value: 2 }, ...store.rows.slice(1)] }
      default:
        return store
    }
  }),
}

/** Writes such a database; `change` may make it another one first. */
export function writeDatabase(
  factory: IDBFactory,
  name: string,
  { nativeVersion, stores }: { nativeVersion: number; stores: Store[] },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = factory.open(name, nativeVersion)
    request.onerror = () => reject(request.error!)
    request.onupgradeneeded = () => {
      for (const { name: table, keyPath, indexes, rows } of stores) {
        const store = request.result.createObjectStore(table, { keyPath })
        for (const [index, path, options] of indexes) store.createIndex(index, path, options)
        for (const row of rows) store.add(row)
      }
    }
    request.onsuccess = () => {
      request.result.close()
      resolve()
    }
  })
}
