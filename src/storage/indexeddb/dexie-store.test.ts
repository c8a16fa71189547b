import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { describe, it } from 'vitest'
import { Connection } from './connection.ts'
import { DexieStore } from './dexie-store.ts'
import { storeLaws } from '../log-store.laws.ts'

describe('the store in IndexedDB keeps the laws of every store', () => {
  for (const law of storeLaws) {
    it(law.name, async () => {
      const connection = new Connection({ from: { indexedDB: new IDBFactory(), IDBKeyRange }, onState: () => {} })
      await connection.open()
      await law.hold(new DexieStore(connection))
    })
  }
})
