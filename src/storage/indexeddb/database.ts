/** The tables and their versions. Versions are appended, never edited; each old one has a fixture. */
import './channels.ts' // before Dexie, which opens one as it loads
import Dexie, { type Table, type Transaction } from 'dexie'
import type { Entry, Id, SessionId } from '../../core/log/entry.ts'
import type {
  ArchiveDocument,
  PartialReply as PartialAnswer,
  IndexSegment,
  SessionInfo,
} from '../../core/ports/ports.ts'
import { markRows } from './marks-upgrade.ts'
import { goneError } from './store-errors.ts'
import type { TextPiece } from '../rows/text-pieces.ts'

export const databaseName = 'haversack'

/**
 * Raised with every version of the tables. Dexie opens a database that is newer than the code as if nothing were wrong,
 * and its own version numbers jump when it repairs a schema, so the row under `epochKey` is what counts.
 */
export const schemaEpoch = 2
export const epochKey = 'storage.epoch'

/**
 * `line` stands on facts only and `memory` (a day) on memory only, so that their indexes hold nothing else. `long` says
 * that `texts` holds the whole.
 */
export type EntryRow = {
  session: SessionId
  seq: number
  id: Id
  day: string
  line?: number
  memory?: string
  blobs?: Id[]
  long?: true
  entry: Entry
}
export type PieceRow = TextPiece & { entry: Id }
export type DocumentRow = ArchiveDocument & { bytes: number }
export type BlobRow = { id: Id; mime: string; bytes: Uint8Array }
export type SettingRow = { key: string; value: unknown }

/** What a browser offers for databases; handed in by tests. */
export type IndexedDb = { indexedDB: IDBFactory | undefined; IDBKeyRange: typeof IDBKeyRange | undefined }

export class Database extends Dexie {
  /** There was none before: it was made when this one was opened. */
  created = false
  /** It was open once. Dexie opens again by itself and would make an empty one in place of one that is gone. */
  wasOpen = false
  /** Opening would have created it again: the database that was open is gone. */
  vanished = false

  /** `asFound` takes the tables as they are and never changes them: for a database that a newer app has made. */
  constructor(name: string, from: IndexedDb, asFound = false) {
    super(name, {
      ...(from.indexedDB && { indexedDB: from.indexedDB }),
      ...(from.IDBKeyRange && { IDBKeyRange: from.IDBKeyRange }),
      chromeTransactionDurability: 'strict', // the default of Chrome may lose the last commit in a power cut
      cache: 'disabled', // it serves live queries, which nobody uses here
    })
    if (asFound) return
    this.version(1).stores({
      sessions: 'id, updatedAt',
      entries: '[session+seq], &id, [day+line], [session+day+line], memory, *blobs',
      texts: '[entry+from], [entry+line+from]',
      partials: 'session',
      documents: '[path+revision], [path+revision+at+bytes]', // the second lists without loading texts
      blobs: 'id',
      segments: 'id',
      settings: 'key',
    })
    this.version(2)
      .stores({
        // the third tells which may leave after an ordinary yes
        documents: '[path+revision], [path+revision+at+bytes], [leaves+path+revision]',
      })
      .upgrade(async transaction => {
        await markRows(transaction)
        await transaction.table<SettingRow>('settings').put({ key: epochKey, value: 2 })
      })
    this.on('populate', (transaction: Transaction) => {
      if (this.wasOpen) {
        this.vanished = true
        throw goneError() // ends the transaction that would make it, so none is left behind
      }
      this.created = true
      return transaction.table<SettingRow>('settings').add({ key: epochKey, value: schemaEpoch })
    })
  }

  get sessions(): Table<SessionInfo, SessionId> {
    return this.table('sessions')
  }
  get entries(): Table<EntryRow, [SessionId, number]> {
    return this.table('entries')
  }
  get texts(): Table<PieceRow, [Id, number]> {
    return this.table('texts')
  }
  get partials(): Table<PartialAnswer, SessionId> {
    return this.table('partials')
  }
  get documents(): Table<DocumentRow, [string, number]> {
    return this.table('documents')
  }
  get blobs(): Table<BlobRow, Id> {
    return this.table('blobs')
  }
  get segments(): Table<IndexSegment, string> {
    return this.table('segments')
  }
  get settings(): Table<SettingRow, string> {
    return this.table('settings')
  }
}

/** Whether there is a database of this name; undefined if that cannot be found out. Creates none. Never throws. */
export function isThere(name: string, factory: IDBFactory | undefined): Promise<boolean | undefined> {
  return new Promise(resolve => {
    let made = false
    lookInto(name, factory, {
      missing: () => {
        made = true
      },
      failed: () => {
        resolve(made ? false : undefined)
      },
      found: database => {
        database.close()
        resolve(true)
      },
    })
  })
}

/**
 * The epoch of the database that lies there, undefined where there is none yet. It looks without Dexie, which would
 * add to a newer database whatever it misses in it. Never throws: what is wrong shows when the database is opened.
 */
export function peekEpoch(name: string, factory: IDBFactory | undefined): Promise<number | undefined> {
  return new Promise(resolve => {
    lookInto(name, factory, {
      failed: () => {
        resolve(undefined)
      },
      found: database => {
        readEpoch(database).then(resolve, () => {
          resolve(undefined)
        })
      },
    })
  })
}

/** Opens an existing database and creates none. If there is none, `missing` is called before `failed`. */
function lookInto(
  name: string,
  factory: IDBFactory | undefined,
  { missing, failed, found }: { missing?: () => void; failed: () => void; found: (database: IDBDatabase) => void },
): void {
  if (!factory) return failed()
  let request: IDBOpenDBRequest
  try {
    request = factory.open(name)
  } catch {
    return failed() // blocked by the person: opening will say so
  }
  request.onupgradeneeded = () => {
    missing?.()
    request.transaction?.abort() // there was none: leave none behind
  }
  request.onerror = event => {
    event.preventDefault()
    failed()
  }
  request.onsuccess = () => {
    found(request.result)
  }
}

function readEpoch(database: IDBDatabase): Promise<number | undefined> {
  return new Promise<number | undefined>(resolve => {
    if (!database.objectStoreNames.contains('settings')) return resolve(undefined)
    const request: IDBRequest<SettingRow | undefined> = database
      .transaction('settings')
      .objectStore('settings')
      .get(epochKey)
    request.onsuccess = () => resolve(typeof request.result?.value === 'number' ? request.result.value : undefined)
    request.onerror = () => resolve(undefined)
  }).finally(() => database.close())
}
