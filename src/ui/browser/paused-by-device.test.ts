import { expect, it } from 'vitest'
import { pausedByDevice } from './paused-by-device.ts'

const cut = { busyWhenHidden: true, hiddenMs: 60_000, state: 'interrupted' } as const

it('is a pause when an answer was cut while the page was hidden', () => {
  expect(pausedByDevice(cut)).toBe(true)
  expect(pausedByDevice({ ...cut, state: 'idle', failure: 'network' })).toBe(true)
  expect(pausedByDevice({ ...cut, state: 'idle', failure: 'worker_lost' })).toBe(true)
})

it('is none when nothing ran, nothing broke, or the page was hidden for a moment', () => {
  expect(pausedByDevice({ ...cut, busyWhenHidden: false })).toBe(false)
  expect(pausedByDevice({ ...cut, state: 'idle' })).toBe(false)
  expect(pausedByDevice({ ...cut, state: 'writing' })).toBe(false)
  expect(pausedByDevice({ ...cut, hiddenMs: 500 })).toBe(false)
  expect(pausedByDevice({ ...cut, state: 'idle', failure: 'model_auth' })).toBe(false)
})
