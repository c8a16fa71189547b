import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultsOf } from '../config/config.ts'
import { runs } from '../../text/laws.fixture.ts'
import { anyLife } from '../life.fixture.ts'
import { liveThrough } from './strategies.laws.ts'
import { strategies } from './index.ts'
import { strategyNamed, strategyNames } from '../strategy.ts'

const { numRuns } = runs(200)
const { seed } = fc.readConfigureGlobal()
/** Shrinking lives takes minutes: seed and path are enough to see the fault again. */
const shrinks = process.env['HAVERSACK_SHRINK'] !== undefined

describe('the laws of strategies', () => {
  it.each(strategyNames)('%s goes by this name, and is a choice in every chat', name => {
    expect(strategies[name](defaultsOf(name)).name).toBe(name)
    expect(strategyNamed(name)).toBe(name)
  })

  for (const name of strategyNames) {
    it(`hold for ${name} (seed ${seed})`, { timeout: 300_000 + numRuns * 500 }, async () => {
      await fc.assert(
        fc.asyncProperty(anyLife, life => liveThrough(name, life)),
        { numRuns, endOnFailure: !shrinks },
      )
    })
  }
})
