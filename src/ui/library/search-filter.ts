/** Converts the filter fields of the search form to the filter of the search. Pure. */
import type { SearchFilter } from '../../core/agent/api/api.ts'

export type FilterKind = 'all' | 'said' | 'results' | 'memory' | 'titles'
export type FilterTime = 'any' | 'today' | 'week' | 'month' | 'between'
/** `from` and `to`: days as '2026-01-31', for `between`; '' is open. `chat`: '' for all. */
export type SearchFilterFields = { what: FilterKind; when: FilterTime; chat: string; from: string; to: string }

const kinds: Record<FilterKind, SearchFilter['kinds']> = {
  all: undefined,
  said: ['message'],
  results: ['result'],
  memory: ['memory', 'document'],
  titles: ['title'],
}
const daysBack: Partial<Record<FilterTime, number>> = { today: 0, week: 6, month: 29 }

/** The filter as of `now` (ms): whole local days, both ends included. */
export function toSearchFilter({ what, when, chat, from, to }: SearchFilterFields, now: number): SearchFilter {
  const back = daysBack[when]
  const first = when === 'between' ? startOf(from, 0) : back === undefined ? undefined : daysAgo(now, back)
  const last = when === 'between' ? startOf(to, 1) : undefined
  return {
    ...(kinds[what] === undefined ? {} : { kinds: kinds[what] }),
    ...(chat === '' ? {} : { session: chat }),
    ...(first === undefined ? {} : { from: first }),
    ...(last === undefined ? {} : { to: last - 1 }),
  }
}

function daysAgo(now: number, days: number): number {
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - days).getTime()
}

/** The beginning of a day, or of one after it; undefined for what is no day. */
function startOf(day: string, later: number): number | undefined {
  const [y, m, d] = day.split('-').map(Number)
  const start = new Date(y ?? Number.NaN, (m ?? Number.NaN) - 1, (d ?? Number.NaN) + later).getTime()
  return Number.isNaN(start) ? undefined : start
}
