/** What is asked of the browser, with and without a service worker. */
import { afterEach, expect, it, vi } from 'vitest'
import { browserNotifications, onNotificationClick } from './notification.ts'

const notification = { title: 'Bread', body: 'Ready', lang: 'en', tag: 'chat:a', hash: '#/chat/a' }

afterEach(() => {
  vi.unstubAllGlobals()
})

function browser(registration: unknown): { made: unknown[]; clicks: (() => void)[] } {
  const made: unknown[] = []
  const clicks: (() => void)[] = []
  class Notification {
    static readonly permission = 'granted'
    static requestPermission = async () => 'granted'
    close = () => made.push('closed')
    constructor(title: string, options: { tag: string }) {
      made.push([title, options.tag])
    }
    addEventListener(_: string, hear: () => void) {
      clicks.push(hear)
    }
  }
  vi.stubGlobal('Notification', Notification)
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('window', { focus: () => made.push('focus') })
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => registration } })
  return { made, clicks }
}

it('has none where the browser has none, and on plain http', () => {
  expect(browserNotifications.permission()).toBe('missing')
  browser(undefined)
  expect(browserNotifications.permission()).toBe('granted')
  vi.stubGlobal('isSecureContext', false)
  expect(browserNotifications.permission()).toBe('missing')
})

it('is shown by the service worker, which hears the click even when the page is gone', async () => {
  const shown: unknown[] = []
  const { made } = browser({
    active: {},
    showNotification: async (title: string, options: { data: unknown; tag: string; body: string }) => {
      shown.push([title, options.body, options.tag, options.data])
    },
    getNotifications: async ({ tag }: { tag: string }) => [{ close: () => shown.push(`closed ${tag}`) }],
  })
  await browserNotifications.show(notification, () => {})
  await browserNotifications.close('chat:a')
  expect(shown).toEqual([['Bread', 'Ready', 'chat:a', { hash: '#/chat/a' }], 'closed chat:a'])
  expect(made).toEqual([])
})

it('is shown by the page where there is no service worker; its click opens the chat here', async () => {
  const { made, clicks } = browser(undefined)
  const opened: string[] = []
  await browserNotifications.show(notification, hash => opened.push(hash))
  clicks[0]!()
  expect(made).toEqual([['Bread', 'chat:a'], 'focus', 'closed'])
  expect(opened).toEqual(['#/chat/a'])
})

it('hears from the service worker what was clicked, and nothing else', () => {
  const opened: string[] = []
  const heard: ((event: Event) => void)[] = []
  const listen = (_: EventTarget, __: string, hear: (event: Event) => void) => heard.push(hear)
  vi.stubGlobal('navigator', {})
  onNotificationClick(hash => opened.push(hash), listen) // plain http
  expect(heard).toHaveLength(0)
  browser(undefined)
  onNotificationClick(hash => opened.push(hash), listen)
  for (const data of [null, { type: 'SKIP' }, { type: 'OPEN' }, { type: 'OPEN', hash: '#/chat/a' }])
    heard[0]!({ data } as MessageEvent)
  expect(opened).toEqual(['#/chat/a'])
})
