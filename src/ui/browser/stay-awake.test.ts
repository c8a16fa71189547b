import { afterEach, describe, expect, it, vi } from 'vitest'
import { needsScreen, stayAwake } from './stay-awake.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** A browser with wake locks: how many are held, and how to hide the page, which drops them. */
function browser(request = (): Promise<void> => Promise.resolve()) {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  let held = 0
  vi.stubGlobal('document', page)
  vi.stubGlobal('navigator', {
    wakeLock: {
      request: async () => {
        await request()
        held++
        let mine = 1
        return {
          release: async () => {
            held -= mine
            mine = 0
          },
        }
      },
    },
  })
  return {
    held: () => held,
    async turn(state: 'visible' | 'hidden') {
      page.visibilityState = state
      if (state === 'hidden') held = 0
      page.dispatchEvent(new Event('visibilitychange'))
      await settled()
    },
  }
}
const settled = () =>
  new Promise(resolve => {
    setTimeout(resolve)
  })

describe('the screen', () => {
  it('stays on until it is let go, also after the page was hidden', async () => {
    const { held, turn } = browser()
    const letGo = stayAwake()
    await settled()
    expect(held()).toBe(1)
    await turn('hidden')
    expect(held()).toBe(0)
    await turn('visible')
    expect(held()).toBe(1)
    letGo()
    await settled()
    expect(held()).toBe(0)
    await turn('visible')
    expect(held()).toBe(0)
  })

  it('is let go also where the lock comes later than the end', async () => {
    let give: (() => void) | undefined
    const { held } = browser(
      () =>
        new Promise(resolve => {
          give = resolve
        }),
    )
    stayAwake()()
    give?.()
    await settled()
    expect(held()).toBe(0)
  })

  it('goes its own way where there is no lock, or it is refused', async () => {
    browser(() => Promise.reject(new Error('low battery')))
    stayAwake()()
    vi.stubGlobal('navigator', {})
    expect(stayAwake()).toBeTypeOf('function')
    await settled()
  })

  it('is needed for an engine of this device, and on a phone', () => {
    expect(
      (['webllm', 'cpu', 'prompt-api', 'remote', 'recall', undefined] as const).map(kind => needsScreen(kind, false)),
    ).toEqual([true, true, true, false, false, false])
    expect(needsScreen('remote', true)).toBe(true)
  })
})
