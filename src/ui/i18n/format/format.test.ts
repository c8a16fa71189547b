import { describe, expect, it } from 'vitest'
import {
  days,
  timeOfDay,
  groupedNumber,
  dollars,
  duration,
  percent,
  size,
  usageText,
  writeNumbersIn,
} from './format.ts'

it('groups thousands with narrow spaces', () => {
  expect(groupedNumber(131_072)).toBe('131,072')
  expect(groupedNumber(999)).toBe('999')
  expect(groupedNumber(1_234_567.4)).toBe('1,234,567')
})

it('says sizes in the unit that keeps them short', () => {
  expect(size(0)).toBe('0 B')
  expect(size(1023)).toBe('1,023 B')
  expect(size(3 * 1024)).toBe('3 KB')
  expect(size(182_000)).toBe('178 KB')
  expect(size(1024 * 1024 - 1)).toBe('1 MB')
  expect(size(1.5 * 1024 ** 3)).toBe('1.5 GB')
})

it('never says 0% of something that is there', () => {
  expect(percent(0)).toBe('0%')
  expect(percent(0.0001)).toBe('<1%')
  expect(percent(0.41)).toBe('41%')
})

it('says spans in seconds or minutes', () => {
  expect(duration(400)).toBe('0.4 s')
  expect(duration(21_300)).toBe('21 s')
  expect(duration(59_700)).toBe('1 min')
  expect(duration(185_000)).toBe('3 min 5 s')
})

it('tells local days and times', () => {
  const at = new Date(2026, 0, 31, 7, 5).getTime()
  expect(timeOfDay(at)).toBe('07:05')
})

describe('what an answer used', () => {
  const words = { read: 'read', cached: 'cached', written: 'written' }
  it('is told with cached tokens and cost where they are known', () => {
    expect(usageText({ input: 400, cacheRead: 800, output: 210, cost: 0.00123 }, words)).toBe(
      '1,200 read (800 cached) · 210 written · $0.0012',
    )
    expect(usageText({ input: 5 }, words)).toBe('5 read')
    expect(usageText({ input: 5, output: 1 }, { ...words, before: true })).toBe('read 5 · written 1')
  })
  it('costs small amounts with digits that tell', () => {
    expect([0, 0.00001, 0.00034, 0.0123, 0.5, 0.999, 1, 12.345].map(dollars)).toEqual([
      '$0',
      '<$0.0001',
      '$0.00034',
      '$0.012',
      '$0.50',
      '$1.00',
      '$1.00',
      '$12.35',
    ])
  })
})

it('says from which day to which', () => {
  const [from, to] = [new Date(2026, 2, 2, 12).getTime(), new Date(2026, 2, 9, 12).getTime()]
  expect(days(from, to)).toMatch(/^2\s?–\s?9 March/)
  expect(days(from, from)).toMatch(/^2 March/)
  writeNumbersIn('zh')
  expect(days(from, to)).toMatch(/3.2.*3?.9/)
  expect([groupedNumber(131_072), percent(0.41)]).toEqual(['131,072', '41%'])
  writeNumbersIn('en')
})
