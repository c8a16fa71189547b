import { expect, it } from 'vitest'
import { dayOf, isDay } from './day.ts'

it('is the local day', () => {
  expect(dayOf(new Date(2026, 0, 31, 23, 59, 59, 999).getTime())).toBe('2026-01-31')
  expect(dayOf(new Date(2026, 1, 1).getTime())).toBe('2026-02-01')
})

it('has four digits of a year for any number', () => {
  for (const at of [Number.NaN, Infinity, -Infinity, 1e300, -1e300, 8.64e15, -8.64e15])
    expect(isDay(dayOf(at))).toBe(true)
})

it('knows which days exist', () => {
  expect(['2024-02-29', '2026-12-31'].every(isDay)).toBe(true)
  expect(['2026-02-29', '2026-13-01', '2026-00-10', '2026-1-1', '../2026-01-01', '2026-01-01\n', ''].some(isDay)).toBe(
    false,
  )
})
