/** Translates database errors into ours. Pure. */
import { AgentError } from '../../core/errors.ts'

/** The error as the rest of the app knows it; an AgentError stays what it is. */
export function storageError(thrown: unknown): AgentError {
  if (thrown instanceof AgentError) return thrown
  if (isDatabaseGone(thrown)) return goneError(thrown)
  if (isFull(thrown)) return fullError(thrown)
  if (isLost(thrown)) return lostError(thrown)
  return new AgentError('storage_unavailable', `The database answered with an error: ${words(thrown)}`, {
    cause: thrown,
  })
}

export function fullError(cause: unknown): AgentError {
  return new AgentError(
    'storage_full',
    'The browser gives no more room: nothing of this was stored. Free disk space, or export and delete chats.',
    { cause },
  )
}

export function lostError(cause: unknown): AgentError {
  return new AgentError(
    'storage_lost',
    'The browser lost its connection to the database, and opening it again did not help. Reload the page.',
    { cause },
  )
}

/** The database that was open here is no more, and none is made in its place. */
export function goneError(cause?: unknown): AgentError {
  return new AgentError(
    'storage_gone',
    'What this page had stored was removed while it was open: nothing that is said here is kept. Save what is still open to a file, then reload.',
    { cause },
  )
}

/**
 * There is no such database: our own error if it would have to be created again, Dexie's if it was to be opened as it
 * is.
 */
export function isDatabaseGone(thrown: unknown): boolean {
  return within(thrown).some(({ name }) => name === 'storage_gone' || name === 'NoSuchDatabaseError')
}

/**
 * No room: the quota error often hides inside an AbortError or a list of failures. Chromium has other names for a disk
 * without room as well: an unknown or an IO error with the words of its file system, or the quota error's name in front
 * of a message.
 */
export function isFull(thrown: unknown): boolean {
  return within(thrown).some(
    ({ name, message }) =>
      name === 'QuotaExceededError' ||
      /QuotaExceededError|FILE_ERROR_NO_SPACE|\b(full disk|disk full)\b|not enough space|exceeded the quota/i.test(
        message,
      ),
  )
}

/**
 * The handle is dead, as WebKit leaves it behind in the background, while the data may not be: opening again helps, or
 * tells that there is nothing to open. "Deleted by request of the user" is what WebKit calls every removal from
 * outside.
 */
export function isLost(thrown: unknown): boolean {
  return within(thrown).some(
    ({ name, message }) =>
      name === 'DatabaseClosedError' ||
      name === 'OpenFailedError' ||
      /connection to (the )?indexed ?(db|database) server lost|connection (was |is )?(lost|closing|closed)|database deleted by request/i.test(
        message,
      ),
  )
}

/** The database exists, and the browser cannot open it. */
export function isUnopened(thrown: unknown): boolean {
  return within(thrown).some(({ message }) =>
    /opening backing store|unable to open database file|establish IDB/i.test(message),
  )
}

/**
 * Why no database could be opened: no room, or one that is there cannot be read; undefined: the browser allows none.
 */
export function whyNotOpened(thrown: unknown): 'full' | 'broken' | undefined {
  if (isFull(thrown)) return 'full'
  return isUnopened(thrown) || within(thrown).some(({ name }) => name === 'UnknownError') ? 'broken' : undefined
}

/** An id that exists already. */
export function isDuplicate(thrown: unknown): boolean {
  return within(thrown).some(error => error.name === 'ConstraintError')
}

/** A value that this browser cannot store, as some do with keys in private windows. */
export function isUncopied(thrown: unknown): boolean {
  return within(thrown).some(error => error.name === 'DataCloneError')
}

type Foreign = { name: string; message: string }

/** The error, and those inside it: `inner` and `failures` are Dexie's, `cause` is everybody's. */
function within(thrown: unknown, depth = 0): Foreign[] {
  if (depth > 4 || typeof thrown !== 'object' || thrown === null) return []
  const { name, message, inner, cause, failures } = thrown as Record<string, unknown>
  const inside = [inner, cause, ...(Array.isArray(failures) ? failures.slice(0, 5) : [])]
  return [{ name: String(name), message: String(message) }, ...inside.flatMap(error => within(error, depth + 1))]
}

function words(thrown: unknown): string {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)
}
