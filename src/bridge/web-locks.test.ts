import { describe, expect, it } from 'vitest'
import { locksLaws } from './locks.laws.ts'
import { locksOf, threadLocks } from './web-locks.ts'

describe('locks of one thread keep the laws of all locks', () => {
  for (const law of locksLaws) it(law.name, () => law.hold(threadLocks()))
})

it('takes the locks of the thread where the browser has none', async () => {
  expect(await locksOf(undefined).tryRun('a', async () => 1)).toEqual({ free: true, value: 1 })
})
