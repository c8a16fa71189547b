import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { TypingPause } from './typing-pause.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Types each 100 ms for so long, and says when the pause was told of. */
async function typing({ forMs, andThenMs = 1_000 }: { forMs: number; andThenMs?: number }): Promise<number[]> {
  const pause = new TypingPause()
  const told: number[] = []
  const start = performance.now()
  pause.typed()
  for (let asked = 0; asked < 2; asked++) void pause.over().then(() => told.push(performance.now() - start))
  for (let at = 0; at < forMs; at += 100) {
    await vi.advanceTimersByTimeAsync(100)
    pause.typed()
  }
  await vi.advanceTimersByTimeAsync(andThenMs)
  return told
}

it('is over at once where nobody types', async () => {
  const pause = new TypingPause()
  let over = false
  void pause.over().then(() => {
    over = true
  })
  await Promise.resolve()
  expect(over).toBe(true)
})

it('tells all who wait 300 ms after the last letter', async () => {
  expect(await typing({ forMs: 0 })).toEqual([300, 300])
  expect(await typing({ forMs: 1_500 })).toEqual([1_800, 1_800])
})

it('lets nobody wait longer than three seconds', async () => {
  expect(await typing({ forMs: 10_000 })).toEqual([3_000, 3_000])
})

it('begins anew with the next letter', async () => {
  const pause = new TypingPause()
  pause.typed()
  await vi.advanceTimersByTimeAsync(400)
  pause.typed()
  const start = performance.now()
  const over = pause.over().then(() => performance.now() - start)
  await vi.advanceTimersByTimeAsync(400)
  expect(await over).toBe(300)
})
