/** A hidden tab tells of its answer only while no other tab of the app is on the screen. */
import { afterEach, expect, it, vi } from 'vitest'
import { browserNotifications } from './notification.ts'

type Held = { name: string; mode: string }

/** The locks of one browser, which its tabs share; only shared ones are asked for here. */
function lockManager() {
  const held: Held[] = []
  const manager = {
    async request(name: string, { mode }: { mode: string }, hold: () => Promise<void>) {
      const lock = { name, mode }
      held.push(lock)
      await hold()
      held.splice(held.indexOf(lock), 1)
    },
    query: async () => ({ held: [...held], pending: [] }),
  }
  return { held, manager }
}

/** A tab has modules, a document and notifications of its own. */
async function openTab(manager: unknown, visibilityState: DocumentVisibilityState) {
  vi.resetModules()
  const { tellWhetherSeen, isOtherTabSeen } = await import('./seen-tabs.ts')
  const document = { visibilityState }
  const hears: (() => void)[] = []
  /** What runs in this tab sees its document. */
  const here = () => {
    vi.stubGlobal('document', document)
    vi.stubGlobal('navigator', { locks: manager })
  }
  here()
  tellWhetherSeen((_, __, hear) => hears.push(hear))
  return {
    look(state: DocumentVisibilityState) {
      here()
      document.visibilityState = state
      for (const hear of hears) hear()
    },
    isOtherSeen() {
      here()
      return isOtherTabSeen()
    },
  }
}

afterEach(() => {
  vi.unstubAllGlobals()
})

it('finds another tab that is on the screen, never itself', async () => {
  const { manager } = lockManager()
  const works = await openTab(manager, 'visible')
  const other = await openTab(manager, 'hidden')
  works.look('hidden')
  expect(await works.isOtherSeen()).toBe(false)
  other.look('visible')
  expect(await works.isOtherSeen()).toBe(true)
  other.look('hidden')
  expect(await works.isOtherSeen()).toBe(false)
})

it('holds one lock while it is seen, however often it is told so', async () => {
  const { manager, held } = lockManager()
  const tab = await openTab(manager, 'visible')
  tab.look('visible')
  expect(held).toEqual([{ name: 'haversack-on-screen', mode: 'shared' }])
  tab.look('hidden')
  tab.look('visible')
  await vi.waitFor(() => expect(held).toHaveLength(1))
})

it('counts as alone where the browser has no locks or refuses them', async () => {
  const refuses = { request: () => Promise.reject(new Error('no')), query: () => Promise.reject(new Error('no')) }
  for (const manager of [undefined, refuses])
    expect(await (await openTab(manager, 'visible')).isOtherSeen()).toBe(false)
})

it('shows nothing of what is on the screen in another tab', async () => {
  const { manager, held } = lockManager()
  const shown: string[] = []
  vi.stubGlobal('navigator', {
    locks: manager,
    serviceWorker: {
      getRegistration: async () => ({ active: {}, showNotification: async (title: string) => shown.push(title) }),
    },
  })
  const notification = { title: 'Bread', body: 'Ready', lang: 'en', tag: 'chat:a', hash: '#/chat/a' }
  held.push({ name: 'haversack-on-screen', mode: 'shared' })
  await browserNotifications.show(notification, () => {})
  expect(shown).toEqual([])
  held.pop()
  await browserNotifications.show(notification, () => {})
  expect(shown).toEqual(['Bread'])
})
