import { expect, it } from 'vitest'
import type { Entry } from '../../core/log/entry.ts'
import { endOf, withAppended, withOlder } from './loaded.ts'

const entry = (seq: number): Entry => ({
  id: `e${seq}`,
  parent: seq === 0 ? null : `e${seq - 1}`,
  at: seq,
  type: 'user',
  text: `${seq}`,
})
const run = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => entry(from + i))
const ids = (entries: readonly Entry[]) => entries.map(({ id }) => id).join(' ')

it('adds what comes next', () => {
  const { loaded, missing } = withAppended({ from: 5, entries: run(5, 7) }, 7, run(7, 9))
  expect(ids(loaded.entries)).toBe('e5 e6 e7 e8')
  expect(endOf(loaded)).toBe(9)
  expect(missing).toBeUndefined()
})

it('is the same object when it is told again', () => {
  const before = { from: 0, entries: run(0, 3) }
  expect(withAppended(before, 1, run(1, 3)).loaded).toBe(before)
})

it('takes only what is new of a batch that overlaps', () => {
  expect(ids(withAppended({ from: 0, entries: run(0, 3) }, 2, run(2, 5)).loaded.entries)).toBe('e0 e1 e2 e3 e4')
})

it('adds nothing behind a gap and says what is missing', () => {
  const before = { from: 0, entries: run(0, 3) }
  expect(withAppended(before, 5, run(5, 6))).toEqual({ loaded: before, missing: { from: 3, to: 6 } })
})

it('puts older entries in front, also ones that overlap, and passes over ones that do not touch', () => {
  const before = { from: 5, entries: run(5, 7) }
  expect(ids(withOlder(before, 3, run(3, 5)).entries)).toBe('e3 e4 e5 e6')
  expect(ids(withOlder(before, 3, run(3, 6)).entries)).toBe('e3 e4 e5 e6')
  expect(withOlder(before, 1, run(1, 3))).toBe(before)
  expect(withOlder(before, 5, run(5, 7))).toBe(before)
})
