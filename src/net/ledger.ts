/** The network ledger: which hosts were contacted, why, how often, how many bytes. Never full addresses or contents. */
import type { Contact } from '../core/agent/api/api.ts'
import type { LogStore } from '../core/ports/ports.ts'

const settingKey = 'net.contacted'
/** ms between a contact and its being stored. */
const delay = 2_000

export type Ledger = {
  /** Adds to the row of this host and reason. Never throws. */
  count(host: string, why: Contact['why'], more: { requests?: number; sent?: number; received?: number }): void
  /** All rows, the newest contact first. */
  rows(): Promise<Contact[]>
  /** Stores now what is still waiting. */
  flush(): Promise<void>
}

/**
 * A ledger over the settings. Several tabs add to the same rows: what is written is the difference since the last
 * writing.
 */
export function createLedger(store: Pick<LogStore, 'setting' | 'saveSetting'>, now: () => number): Ledger {
  let waiting = new Map<string, Contact>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let writing: Promise<void> = Promise.resolve()

  const stored = async (): Promise<Map<string, Contact>> => {
    const value = await store.setting(settingKey)
    return new Map((Array.isArray(value) ? value.filter(isContact) : []).map(row => [keyOf(row), row]))
  }
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(async () => {
      if (waiting.size === 0) return
      const more = waiting
      waiting = new Map()
      try {
        await store.saveSetting(settingKey, [...merged(await stored(), more).values()])
      } catch {
        waiting = merged(more, waiting) // a store that is away must not break a request; the next writing brings it
      }
    })
    return writing
  }

  return {
    count(host, why, more) {
      const row: Contact = {
        host,
        why,
        requests: more.requests ?? 0,
        sent: more.sent ?? 0,
        received: more.received ?? 0,
        last: now(),
      }
      waiting = merged(waiting, new Map([[keyOf(row), row]]))
      timer ??= setTimeout(() => void flush(), delay)
    },
    async rows() {
      await writing
      return [...merged(await stored(), waiting).values()].sort((a, b) => b.last - a.last)
    },
    flush,
  }
}

function keyOf({ host, why }: Contact): string {
  return `${why} ${host}`
}

function merged(one: ReadonlyMap<string, Contact>, two: ReadonlyMap<string, Contact>): Map<string, Contact> {
  const out = new Map(one)
  for (const [key, row] of two) {
    const had = out.get(key)
    out.set(
      key,
      had
        ? {
            ...row,
            requests: had.requests + row.requests,
            sent: had.sent + row.sent,
            received: had.received + row.received,
            last: Math.max(had.last, row.last),
          }
        : row,
    )
  }
  return out
}

function isContact(value: unknown): value is Contact {
  if (typeof value !== 'object' || value === null) return false
  const row = value as Partial<Contact>
  return (
    typeof row.host === 'string' &&
    (row.why === 'model' || row.why === 'tool') &&
    [row.requests, row.sent, row.received, row.last].every(number => typeof number === 'number')
  )
}
