import { describe, expect, it } from 'vitest'
import { dayOf } from '../day.ts'
import { spanOf, timesIn } from './times-in.ts'

/** A Wednesday. */
const now = new Date(2026, 2, 18, 15).getTime()
const days = (query: string): string[] =>
  timesIn(query, now).spans.map(({ from, to }) => `${dayOf(from)} ${dayOf(to - 1)}`)

describe('timesIn', () => {
  it.each([
    ['what did we say yesterday?', '2026-03-17 2026-03-17'],
    ['the day before yesterday', '2026-03-16 2026-03-16'],
    ['last Tuesday', '2026-03-17 2026-03-17'],
    ['on Wednesday', '2026-03-11 2026-03-11'],
    ['last week', '2026-03-09 2026-03-15'],
    ['last weekend', '2026-03-14 2026-03-15'],
    ['this month', '2026-03-01 2026-03-31'],
    ['last year', '2025-01-01 2025-12-31'],
    ['three days ago', '2026-03-15 2026-03-15'],
    ['2 weeks ago', '2026-03-02 2026-03-08'],
    ['in the last 7 days', '2026-03-11 2026-03-18'],
    ['in May 2023', '2023-05-01 2023-05-31'],
    ['in May', '2025-05-01 2025-05-31'],
    ['in January', '2026-01-01 2026-01-31'],
    ['8 May 2023', '2023-05-08 2023-05-08'],
    ['May 8th, 2023', '2023-05-08 2023-05-08'],
    ['on 2024-02-29', '2024-02-29 2024-02-29'],
    ['2024-02', '2024-02-01 2024-02-29'],
    ['in 2022', '2022-01-01 2022-12-31'],
    ['上周我们说了什么', '2026-03-09 2026-03-15'],
    ['上周三', '2026-03-11 2026-03-11'],
    ['昨天', '2026-03-17 2026-03-17'],
    ['三天前', '2026-03-15 2026-03-15'],
    ['去年', '2025-01-01 2025-12-31'],
    ['上个月的账单', '2026-02-01 2026-02-28'],
    ['2023年5月8日', '2023-05-08 2023-05-08'],
    ['2023年5月', '2023-05-01 2023-05-31'],
    ['5月8日', '2025-05-08 2025-05-08'],
    ['先週の会議', '2026-03-09 2026-03-15'],
    ['昨日', '2026-03-17 2026-03-17'],
    ['어제', '2026-03-17 2026-03-17'],
    ['지난주 회의', '2026-03-09 2026-03-15'],
  ])('%s', (query, expected) => {
    expect(days(query)).toEqual([expected])
  })

  it.each([
    'We may go',
    'march on',
    'version 1.2.3',
    '30 February 2024',
    '2024-02-30',
    '2023年13月45日',
    'last but not least',
    '',
  ])('finds no time in: %s', query => {
    expect(days(query)).toEqual([])
  })

  it('leaves out the words of a relative time, and keeps those of a date', () => {
    expect(timesIn('harbour plans last week', now).rest.trim()).toBe('harbour plans')
    expect(timesIn('plans of May 2023', now).rest).toBe('plans of May 2023')
  })

  it('is soon done with long and strange texts', () => {
    const started = performance.now()
    for (const text of [
      'last '.repeat(2_000),
      '1'.repeat(10_000),
      '年'.repeat(10_000),
      '\ud83d'.repeat(5_000),
      '2024-'.repeat(2_000),
    ])
      timesIn(text, now)
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})

describe('spanOf', () => {
  it('takes a day, a month, a year, and nothing that does not exist', () => {
    expect(
      ['2024-02-29', '2024-02', '2024'].map(text => {
        const span = spanOf(text)
        return span && `${dayOf(span.from)} ${dayOf(span.to - 1)}`
      }),
    ).toEqual(['2024-02-29 2024-02-29', '2024-02-01 2024-02-29', '2024-01-01 2024-12-31'])
    expect(['2023-02-29', '2024-13', '0000', 'soon', ''].map(spanOf)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})
