import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { heartbeat } from './heartbeat.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function beating(options: { answers?: boolean } = {}) {
  const state = {
    answers: options.answers ?? true,
    visible: true,
    busy: false,
    lost: 0,
    pings: 0,
    changed: () => {},
    left: 0,
  }
  const stop = heartbeat({
    ping: () => {
      state.pings++
      return state.answers ? Promise.resolve() : new Promise(() => {})
    },
    busy: () => state.busy,
    page: {
      visible: () => state.visible,
      onChange: changed => {
        state.changed = changed
        return () => {
          state.left++
        }
      },
    },
    lost: () => {
      state.lost++
    },
  })
  return { state, stop, wait: (ms: number) => vi.advanceTimersByTimeAsync(ms) }
}

describe('the heartbeat', () => {
  it('is quiet while the worker answers', async () => {
    const { state, wait } = beating()
    await wait(600_000)
    expect([state.lost, state.pings]).toEqual([0, 120])
  })

  it('gives the worker up after three misses of five seconds, once', async () => {
    const { state, wait } = beating({ answers: false })
    await wait(19_999)
    expect(state.lost).toBe(0)
    await wait(1)
    expect(state.lost).toBe(1)
    await wait(600_000)
    expect([state.lost, state.pings, state.left]).toEqual([1, 1, 1])
  })

  it('takes a refusal for an answer', async () => {
    let lost = 0
    heartbeat({
      ping: () => Promise.reject(new Error('no')),
      busy: () => false,
      page: { visible: () => true, onChange: () => () => {} },
      lost: () => {
        lost++
      },
    })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(lost).toBe(0)
  })

  it('counts nothing while the page is hidden, nor within ten seconds after it is shown again', async () => {
    const { state, wait } = beating({ answers: false })
    await wait(10_000)
    state.visible = false
    state.changed()
    await wait(600_000)
    expect(state.lost).toBe(0)
    state.visible = true
    state.changed()
    await wait(9_999)
    expect(state.pings).toBe(1)
    state.answers = true
    await wait(600_000)
    expect(state.lost).toBe(0)
    state.answers = false
    await wait(30_000)
    expect(state.lost).toBe(1)
  })

  it('takes a device that slept for one that resumes', async () => {
    const { state, wait } = beating({ answers: false })
    await wait(15_000)
    vi.setSystemTime(Date.now() + 3_600_000)
    await wait(14_000)
    expect(state.lost).toBe(0)
    state.answers = true
    await wait(60_000)
    expect(state.lost).toBe(0)
  })

  it('waits through work that was announced', async () => {
    const { state, wait } = beating({ answers: false })
    state.busy = true
    await wait(120_000)
    expect(state.lost).toBe(0)
    state.busy = false
    await wait(20_000)
    expect(state.lost).toBe(1)
  })

  it('ends when it is stopped', async () => {
    const { state, stop, wait } = beating({ answers: false })
    stop()
    await wait(60_000)
    expect([state.lost, state.pings, state.left]).toEqual([0, 0, 1])
  })
})
