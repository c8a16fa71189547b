/** What a database throws, in our words. Pure. */
import { AgentError } from '../core/errors.ts'

/** The error as the rest of the app knows it; an AgentError stays what it is. */
export function storageError(thrown: unknown): AgentError {
  if (thrown instanceof AgentError) return thrown
  if (isFull(thrown)) {
    return new AgentError('storage_full', 'The browser gives no more room: nothing of this was stored. Free disk space, or export and delete chats.', { cause: thrown })
  }
  if (isLost(thrown)) {
    return new AgentError('storage_lost', 'The browser lost its connection to the database, and opening it again did not help. Reload the page.', { cause: thrown })
  }
  return new AgentError('storage_unavailable', `The database answered with an error: ${words(thrown)}`, { cause: thrown })
}

/** No room: the quota error often hides inside an AbortError or a list of failures. */
export function isFull(thrown: unknown): boolean {
  return within(thrown).some(error => error.name === 'QuotaExceededError')
}

/** The handle is dead, as WebKit leaves it behind in the background, while the data is not: opening again helps. */
export function isLost(thrown: unknown): boolean {
  return within(thrown).some(({ name, message }) => name === 'DatabaseClosedError'
    || /connection to (the )?indexed ?(db|database) server lost|connection (was |is )?(lost|closing|closed)/i.test(message))
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
