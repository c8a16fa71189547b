import { expect, it } from 'vitest'
import { editDistance, nearest } from './nearest.ts'

it('names what was probably meant, the nearest first', () => {
  expect(nearest('compct', ['context', 'compact', 'config', 'undo'])).toEqual(['compact'])
  expect(nearest('undu', ['undo', 'redo', 'summary'])[0]).toBe('undo')
  expect(nearest('tool_result/abc.tx', ['tool_result/abc.txt', 'answer/zzz.txt'])).toEqual(['tool_result/abc.txt'])
  expect(nearest('qqqqqqq', ['compact', 'undo'])).toEqual([])
})

it('counts a swap of neighbours as one change', () => {
  expect([
    editDistance('undo', 'udno'),
    editDistance('', 'abc'),
    editDistance('same', 'same'),
    editDistance('kitten', 'sitting'),
  ]).toEqual([1, 3, 0, 3])
})

it('stays cheap for a hostile name', () => {
  const started = performance.now()
  nearest(
    'x'.repeat(1_000_000),
    Array.from({ length: 200 }, (_, i) => `${'y'.repeat(10_000)}${i}`),
  )
  expect(performance.now() - started).toBeLessThan(10_000)
})
