import { describe, expect, it } from 'vitest'
import { locksLaws } from './locks.laws.ts'
import { locksOf, threadLocks } from './web-locks.ts'

describe('locks of one thread keep the laws of all locks', () => {
  for (const law of locksLaws) it(law.name, () => law.hold(threadLocks()))
})

/** A browser with site data blocked: every request is refused. */
const refused = {
  request: async () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  },
} as unknown as LockManager

describe('locks of a browser that has some and refuses them keep the laws too', () => {
  for (const law of locksLaws) it(law.name, () => law.hold(locksOf(refused)))
})

it('takes the locks of the browser where it grants them', async () => {
  const asked: string[] = []
  const granting = {
    request: async (name: string, ...rest: unknown[]) => {
      asked.push(name)
      return (rest.at(-1) as (lock: object) => unknown)({})
    },
  } as unknown as LockManager
  const locks = locksOf(granting)
  expect(await locks.tryRun('a', async () => 1)).toEqual({ free: true, value: 1 })
  expect(await locks.tryRun('b', async () => 2)).toEqual({ free: true, value: 2 })
  expect(asked.slice(1)).toEqual(['a', 'b'])
})

it('takes the locks of the thread where the browser has none', async () => {
  expect(await locksOf(undefined).tryRun('a', async () => 1)).toEqual({ free: true, value: 1 })
})
