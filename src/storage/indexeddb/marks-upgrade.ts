/**
 * Upgrade from version 1 to 2: the egress mark becomes a field of each row. Before, it was computed when it was needed.
 */
import type { Transaction } from 'dexie'
import type { Entry } from '../../core/log/entry.ts'

/**
 * Rows as version 1 wrote them, as far as this needs them. `away`: a model elsewhere has answered; rows from before
 * that was kept have no such field.
 */
type Session1 = { id: string; away?: boolean }
type Document1 = { path: string; leaves?: 'asks' | 'stays' }
type Entry1 = { seq: number; entry: Entry }
type Setting1 = { key: string; value: unknown }

/** Version 1 marked a local-only file by the presence of this key with its path. */
const fileMark = 'stays here: '
/** Rows that are read at once. */
const page = 500

/**
 * Gives each row the value that the rule of version 1 gave it, and removes what that rule kept. Runs in the upgrade's
 * transaction.
 */
export async function markRows(transaction: Transaction): Promise<void> {
  await markDocuments(transaction)
  const sessions = transaction.table<Session1>('sessions')
  for (const { away, ...info } of await sessions.toArray()) {
    const answered = away ?? (await answeredElsewhere(transaction, info.id))
    // A chat without an answer gets no mark: it was sent to whichever model was chosen.
    await sessions.put({ ...info, ...(answered === undefined ? {} : { leaves: answered ? 'asks' : 'stays' }) })
  }
}

async function markDocuments(transaction: Transaction): Promise<void> {
  const settings = transaction.table<Setting1>('settings')
  const marks = await settings.where('key').startsWith(fileMark).toArray()
  const staying = new Set(marks.flatMap(({ key, value }) => (value === true ? [key.slice(fileMark.length)] : [])))
  await transaction
    .table<Document1>('documents')
    .toCollection()
    .modify(row => {
      row.leaves = staying.has(row.path) ? 'stays' : 'asks'
    })
  await settings.bulkDelete(marks.map(({ key }) => key))
}

/** Whether a remote model has answered; undefined if no model has. */
async function answeredElsewhere(transaction: Transaction, session: string): Promise<boolean | undefined> {
  let found: false | undefined
  for (let from = 0; ;) {
    const rows = await transaction
      .table<Entry1>('entries')
      .where('[session+seq]')
      .between([session, from], [session, Infinity])
      .limit(page)
      .toArray()
    for (const { entry } of rows) {
      if (entry.type !== 'assistant') continue
      if (!entry.local) return true
      found = false
    }
    const last = rows.at(-1)
    if (rows.length < page || !last) return found
    from = last.seq + 1
  }
}
