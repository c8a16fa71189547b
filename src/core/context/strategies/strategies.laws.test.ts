import fc from 'fast-check'
import { describe, it } from 'vitest'
import { runs } from '../../text/laws.fixture.ts'
import { anyLife } from '../life.fixture.ts'
import { liveThrough } from './strategies.laws.ts'
import { strategies } from './index.ts'
import type { StrategyName } from '../strategy.ts'

const { numRuns } = runs(200)
const { seed } = fc.readConfigureGlobal()
/** Shrinking lives takes minutes: seed and path are enough to see the fault again. */
const shrinks = process.env['HAVERSACK_SHRINK'] !== undefined

describe('the laws of strategies', () => {
  for (const name of Object.keys(strategies) as StrategyName[]) {
    it(`hold for ${name} (seed ${seed})`, { timeout: 300_000 + numRuns * 500 }, async () => {
      await fc.assert(
        fc.asyncProperty(anyLife, life => liveThrough(name, life)),
        { numRuns, endOnFailure: !shrinks },
      )
    })
  }
})
