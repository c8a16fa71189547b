import { expect, it } from 'vitest'
import { headingLevels } from './heading-levels.ts'

it('begins at the top, whatever depth a text begins with, and keeps what belongs together on one level', () => {
  expect(headingLevels([1, 2, 2, 3, 1], 2)).toEqual([2, 3, 3, 4, 2])
  expect(headingLevels([3, 5, 5, 3], 2)).toEqual([2, 3, 3, 2])
  expect(headingLevels([4, 1, 4], 3)).toEqual([3, 3, 4])
})

it('never skips a level nor leaves the page, for all headings of up to six', () => {
  for (let which = 0; which < 4 ** 6; which++) {
    const depths = Array.from({ length: 6 }, (_, at) => 3 + (Math.floor(which / 4 ** at) % 4))
    for (const top of [2, 4]) {
      const levels = headingLevels(depths, top)
      expect(levels[0]).toBe(top)
      for (const [at, level] of levels.entries()) {
        expect(level).toBeGreaterThanOrEqual(top)
        expect(level).toBeLessThanOrEqual(6)
        if (at > 0) expect(level - levels[at - 1]!, depths.join()).toBeLessThanOrEqual(1)
      }
    }
  }
})
