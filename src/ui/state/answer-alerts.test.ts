/** When the browser tells of an answer, what it shows, and when the person is asked whether it shall. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { AgentEvent, Status } from '../../core/agent/api/api.ts'
import type { SessionInfo } from '../../core/ports/ports.ts'
import type { ChatNotification, Notifications } from '../browser/notification.ts'
import { AnswerAlerts } from './answer-alerts.svelte.ts'
import { validSettings, type PageSettings } from './page-settings.ts'

const chat = (id: string, title: string, more: Partial<SessionInfo> = {}): SessionInfo =>
  ({ id, title, ...more }) as SessionInfo
const status = (session: string, state: Status['state']): AgentEvent =>
  ({ type: 'status', session, status: { state } }) as AgentEvent

/** A page with a chat that is open and one that is not, and a browser that answers as it is told. */
function page(changes: Partial<PageSettings> = {}, permission: NotificationPermission | 'missing' = 'granted') {
  const shown: ChatNotification[] = []
  const closed: string[] = []
  const opened: string[] = []
  const browser = {
    permission,
    answer: 'granted' as NotificationPermission,
    hidden: true,
    clicks: [] as (() => void)[],
  }
  const notifications: Notifications = {
    permission: () => browser.permission,
    request: async () => (browser.permission = browser.answer),
    show: async (notification, open) => {
      shown.push(notification)
      browser.clicks.push(() => open(notification.hash))
    },
    close: async tag => {
      closed.push(tag)
    },
  }
  const app = {
    session: { id: 'a', info: chat('a', 'Bread') },
    library: { find: (id: string) => (id === 'b' ? chat('b', 'Wine') : undefined) },
    settings: {
      page: validSettings(changes),
      setPage(more: Partial<PageSettings>) {
        this.page = { ...this.page, ...more }
      },
    },
    openPlace: (hash: string) => {
      opened.push(hash)
    },
  }
  const alerts = new AnswerAlerts(app, notifications, () => browser.hidden)
  const happens = (...states: Status['state'][]) => {
    alerts.receive(states.map(state => status('a', state)))
  }
  return { app, alerts, browser, shown, closed, opened, happens }
}

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('names the chat and nothing of the answer, and a click opens it', () => {
  const { happens, shown, browser, opened, alerts, closed } = page({ notify: true })
  happens('thinking', 'writing', 'running', 'thinking', 'writing', 'idle')
  expect(shown).toEqual([{ title: 'Bread', body: 'The answer is ready', lang: 'en', tag: 'chat:a', hash: '#/chat/a' }])
  browser.clicks[0]!()
  expect(opened).toEqual(['#/chat/a'])
  alerts.seen('a')
  expect(closed).toEqual(['chat:a'])
})

it('tells of a chat that is not open too, of a question, and of an answer that broke off', () => {
  const { alerts, shown } = page({ notify: true })
  alerts.receive([status('b', 'thinking'), status('b', 'asking')])
  alerts.receive([status('b', 'thinking'), status('b', 'writing')])
  alerts.receive([{ type: 'failed', session: 'b', code: 'network', message: 'gone' }, status('b', 'idle')])
  expect(shown.map(({ title, body }) => `${title}: ${body}`)).toEqual([
    'Wine: A tool asks for your permission',
    'Wine: The answer did not come to its end',
  ])
})

it('says nothing while the page is seen, where nothing was written, of what another tab does, and between queued messages', () => {
  const { happens, shown, browser, app } = page({ notify: true })
  browser.hidden = false
  happens('thinking', 'writing', 'idle')
  browser.hidden = true
  happens('thinking', 'compacting', 'idle')
  happens('waiting', 'asking', 'idle')
  app.session.info = chat('a', 'Bread', { queued: [{ id: 'q', text: 'Next' }] })
  happens('thinking', 'writing', 'idle')
  expect(shown).toEqual([])
  app.session.info = chat('a', 'Bread')
  happens('thinking', 'writing', 'idle')
  expect(shown).toHaveLength(1)
})

it('asks in the page at the first long answer of the open chat, and asks the browser only when the person says yes', async () => {
  const { happens, alerts, app, browser, shown } = page({}, 'default')
  happens('thinking', 'writing')
  vi.advanceTimersByTime(9_999)
  happens('idle')
  vi.advanceTimersByTime(10_000)
  expect(alerts.asks).toBe(false) // it was short
  alerts.receive([status('b', 'thinking')])
  vi.advanceTimersByTime(20_000)
  expect(alerts.asks).toBe(false) // nobody sees that one
  happens('thinking', 'writing')
  vi.advanceTimersByTime(10_000)
  expect(alerts.asks).toBe(true)
  expect(browser.permission).toBe('default')
  await alerts.allow()
  expect(alerts.asks).toBe(false)
  expect(app.settings.page.notify).toBe(true)
  happens('idle')
  expect(shown).toHaveLength(1)
})

it.each<[string, (alerts: AnswerAlerts) => unknown, NotificationPermission]>([
  ['the person', alerts => alerts.decline(), 'default'],
  ['the browser', alerts => alerts.allow(), 'denied'],
  ['a person who closes what the browser asks', alerts => alerts.allow(), 'default'],
])('never asks again after a no of %s, also after a reload', async (_, refuse, answer) => {
  const { happens, alerts, app, browser, shown } = page({}, 'default')
  browser.answer = answer
  happens('thinking')
  vi.advanceTimersByTime(10_000)
  await refuse(alerts)
  expect(alerts.asks).toBe(false)
  expect(alerts.refused).toBe(answer === 'denied')
  happens('writing', 'idle')
  expect(shown).toEqual([])
  const later = page(JSON.parse(JSON.stringify(app.settings.page)) as PageSettings, 'default')
  later.happens('thinking')
  vi.advanceTimersByTime(60_000)
  expect(later.alerts.asks).toBe(false)
})

it('is not offered where a browser has no notifications, or blocks them', () => {
  for (const permission of ['missing', 'denied'] as const) {
    const { happens, alerts, shown } = page({}, permission)
    happens('thinking')
    vi.advanceTimersByTime(10_000)
    expect(alerts.asks).toBe(false)
    expect(alerts.exists).toBe(permission === 'denied')
    happens('writing', 'idle')
    expect(shown).toEqual([])
  }
})

it('is silent once it is switched off, and where the browser took its permission back', () => {
  const { happens, alerts, browser, shown } = page({ notify: true })
  browser.permission = 'denied'
  happens('thinking', 'writing', 'idle')
  browser.permission = 'granted'
  alerts.decline()
  happens('thinking', 'writing', 'idle')
  expect(shown).toEqual([])
})
