import { expect, it } from 'vitest'
import { codeOf } from '../../core/errors.ts'
import { world } from './world.ts'

it('makes ids of 25 digits in base 36 that do not come twice', () => {
  const ids = Array.from({ length: 5_000 }, () => world.newId())
  expect(ids.every(id => /^[0-9a-z]{25}$/.test(id))).toBe(true)
  expect(new Set(ids).size).toBe(ids.length)
})

it('sleeps, and wakes at once when it is stopped', async () => {
  const stop = new AbortController()
  await world.sleep(1, stop.signal)
  const sleeping = world.sleep(60_000, stop.signal).then(() => 'slept', codeOf)
  stop.abort()
  expect(await sleeping).toBe('stopped')
  expect(await world.sleep(1, stop.signal).then(() => 'slept', codeOf)).toBe('stopped')
})
