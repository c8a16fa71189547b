import { expect, it } from 'vitest'
import { wasPausedByDevice } from './paused-by-device.ts'

const cut = { busyWhenHidden: true, hiddenMs: 60_000, state: 'interrupted' } as const

it('is a pause when an answer was cut while the page was hidden', () => {
  expect(wasPausedByDevice(cut)).toBe(true)
  expect(wasPausedByDevice({ ...cut, state: 'idle', failure: 'network' })).toBe(true)
  expect(wasPausedByDevice({ ...cut, state: 'idle', failure: 'worker_lost' })).toBe(true)
})

it('is none when nothing ran, nothing broke, or the page was hidden for a moment', () => {
  expect(wasPausedByDevice({ ...cut, busyWhenHidden: false })).toBe(false)
  expect(wasPausedByDevice({ ...cut, state: 'idle' })).toBe(false)
  expect(wasPausedByDevice({ ...cut, state: 'writing' })).toBe(false)
  expect(wasPausedByDevice({ ...cut, hiddenMs: 500 })).toBe(false)
  expect(wasPausedByDevice({ ...cut, state: 'idle', failure: 'model_auth' })).toBe(false)
})
