import { describe, expect, it } from 'vitest'
import { toSearchFilter, type SearchFilterFields } from './search-filter.ts'

const now = new Date(2026, 2, 18, 15).getTime()
const open: SearchFilterFields = { what: 'all', when: 'any', chat: '', from: '', to: '' }

describe('narrowing a search', () => {
  it('asks for nothing where nothing was chosen', () => {
    expect(toSearchFilter(open, now)).toEqual({})
  })

  it('names kinds and chat', () => {
    expect(toSearchFilter({ ...open, what: 'memory', chat: 'c' }, now)).toEqual({
      kinds: ['memory', 'document'],
      session: 'c',
    })
  })

  it('counts whole days, today among them', () => {
    expect(toSearchFilter({ ...open, when: 'today' }, now)).toEqual({ from: new Date(2026, 2, 18).getTime() })
    expect(toSearchFilter({ ...open, when: 'week' }, now)).toEqual({ from: new Date(2026, 2, 12).getTime() })
  })

  it('takes both days of a span, and leaves open what was not given', () => {
    expect(toSearchFilter({ ...open, when: 'between', from: '2026-01-31', to: '2026-01-31' }, now)).toEqual({
      from: new Date(2026, 0, 31).getTime(),
      to: new Date(2026, 1, 1).getTime() - 1,
    })
    expect(toSearchFilter({ ...open, when: 'between', to: '2026-01-31' }, now)).toEqual({
      to: new Date(2026, 1, 1).getTime() - 1,
    })
    expect(toSearchFilter({ ...open, when: 'between', from: 'x' }, now)).toEqual({})
    expect(toSearchFilter({ ...open, from: '2026-01-31' }, now)).toEqual({})
  })
})
