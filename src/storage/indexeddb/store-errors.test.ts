import { describe, expect, it } from 'vitest'
import { goneError, isLost, storageError, whyNotOpened } from './store-errors.ts'

const error = (name: string, message: string, inside: object = {}): Error =>
  Object.assign(new Error(message), { name }, inside)

/** As the browsers say it, bare and as Dexie hands it on. */
const said: [code: string, thrown: Error][] = [
  // Chromium: content/browser/indexed_db/instance/transaction.cc, bucket_context.cc; seen on a full disk
  ['storage_full', error('QuotaExceededError', 'Encountered disk full while committing transaction.')],
  [
    'storage_full',
    error('QuotaExceededError', 'Encountered full disk while opening backing store for indexedDB.open.'),
  ],
  ['storage_full', error('AbortError', 'QuotaExceededError ', { inner: error('QuotaExceededError', '') })],
  [
    'storage_full',
    error('AbortError', 'QuotaExceededError An attempt was made to add something to storage that exceeded the quota'),
  ],
  [
    'storage_full',
    error(
      'DatabaseClosedError',
      'QuotaExceededError Encountered full disk while opening backing store for indexedDB.open.\n QuotaExceededError: Encountered full disk while opening backing store for indexedDB.open.',
    ),
  ],
  [
    'storage_full',
    error('DatabaseClosedError', 'closed', {
      inner: error('QuotaExceededError', 'Encountered full disk while opening backing store for indexedDB.open.'),
    }),
  ],
  [
    'storage_full',
    error('UnknownError', 'IO error: .../000205.log: FILE_ERROR_NO_SPACE (ChromeMethodBFE: 3::WritableFileAppend::8)'),
  ],
  [
    'storage_full',
    error('AbortError', 'UnknownError', {
      inner: error(
        'UnknownError',
        'Connection is closing because of: IO error: .../http_localhost_40833.indexeddb.leveldb/000003.log: FILE_ERROR_NO_SPACE (ChromeMethodBFE: 3::WritableFileAppend::8)',
      ),
    }),
  ],
  [
    'storage_full',
    error('BulkError', 'entries.bulkAdd(): 1 of 1 operations failed. Errors: AbortError', {
      failures: [error('AbortError', 'IO error: FILE_ERROR_NO_SPACE (ChromeMethodBFE: 3::WritableFileAppend::8)')],
    }),
  ],
  // WebKit: Modules/indexeddb/server
  ['storage_full', error('QuotaExceededError', 'Failed to PutOrAdd in database because not enough space for domain')],
  ['storage_full', error('UnknownError', 'Failed to openDatabase in database because not enough space for domain')],
  // a handle that is dead
  [
    'storage_lost',
    error('InvalidStateError', "Failed to execute 'transaction' on 'IDBDatabase': The database connection is closing."),
  ],
  ['storage_lost', error('AbortError', 'Connection is closing.')],
  ['storage_lost', error('UnknownError', 'Connection to Indexed Database server lost. Refresh the page to try again')],
  ['storage_lost', error('UnknownError', 'Database deleted by request of the user')],
  ['storage_lost', error('DatabaseClosedError', 'Database has been closed')],
  ['storage_lost', error('OpenFailedError', 'OpenFailedError')],
  // there is none any more
  ['storage_gone', error('DatabaseClosedError', 'gone', { inner: goneError() })],
  ['storage_gone', error('NoSuchDatabaseError', 'The database does not exist')],
  // all others are what they are
  ['storage_unavailable', error('UnknownError', 'Internal error committing transaction.')],
  ['storage_unavailable', error('DataError', 'Failed to read large IndexedDB value')],
  [
    'storage_unavailable',
    error('NotReadableError', 'Data lost due to missing file. Affected record should be considered irrecoverable'),
  ],
]

describe('what browsers say of their storage', () => {
  it.each(said)('is %s: %s', (code, thrown) => {
    expect(storageError(thrown).code).toBe(code)
  })

  it('asks to open again for each dead handle', () => {
    expect(said.filter(([code]) => code === 'storage_lost').every(([, thrown]) => isLost(thrown))).toBe(true)
  })

  it.each([
    [
      'full',
      error('DatabaseClosedError', 'x', {
        inner: error('QuotaExceededError', 'Encountered full disk while opening backing store for indexedDB.open.'),
      }),
    ],
    [
      'broken',
      error('DatabaseClosedError', 'UnknownError Internal error opening backing store for indexedDB.open.', {
        inner: error('UnknownError', 'Internal error opening backing store for indexedDB.open.'),
      }),
    ],
    ['broken', error('UnknownError', 'Unable to open database file on disk')],
    [
      undefined,
      error(
        'SecurityError',
        "Failed to execute 'open' on 'IDBFactory': access to the Indexed Database API is denied in this context.",
      ),
    ],
    [
      undefined,
      error('InvalidStateError', 'A mutation operation was attempted on a database that did not allow mutations.'),
    ],
    [undefined, error('MissingAPIError', 'IndexedDB API missing')],
  ])('names why none could be opened: %s', (why, thrown) => {
    expect(whyNotOpened(storageError(thrown))).toBe(why)
  })
})
