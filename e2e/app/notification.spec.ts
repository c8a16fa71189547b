/** What the system shows while nobody looks at the page. */
import { expect, test } from '@playwright/test'
import { serveStatic, type StaticServer } from '../servers/static-server.ts'
import { visitUntilKept } from '../visit-until-kept.ts'

test.use({ serviceWorkers: 'allow' })

let server: StaticServer
test.beforeEach(async () => {
  server = await serveStatic()
})
test.afterEach(() => server.close())

test('an answer that comes while no tab of the app is seen is told by a notification, whose click opens its chat', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['notifications'], { origin: server.url })
  await visitUntilKept(page, server.url)
  await page.getByRole('button', { name: 'Start without a model' }).click()
  await page.getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('tab', { name: 'Appearance' }).click()
  await page.getByRole('checkbox', { name: 'Tell me when an answer is ready' }).check()
  await page.keyboard.press('Escape')
  const send = async (words: string, nth: number) => {
    await page.getByRole('textbox', { name: 'Message' }).fill(words)
    await page.getByRole('button', { name: 'Send' }).click()
    await expect(page.getByRole('article', { name: 'Assistant' })).toHaveCount(nth)
    await expect(page.getByRole('button', { name: 'Stop' })).toHaveCount(0)
  }
  await send('The blue door is open.', 1)
  await expect(page.getByRole('link', { name: 'The blue door is open.' })).toBeVisible()
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' })
    const show = ServiceWorkerRegistration.prototype.showNotification
    Reflect.set(window, 'notifications', 0)
    ServiceWorkerRegistration.prototype.showNotification = function (...its) {
      Reflect.set(window, 'notifications', (Reflect.get(window, 'notifications') as number) + 1)
      return show.apply(this, its)
    }
  })
  await send('The yellow door is locked.', 2)
  const told = () =>
    page.evaluate(async () =>
      (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title, body }) => ({ title, body })),
    )
  await expect.poll(told).toEqual([{ title: 'The blue door is open.', body: 'The answer is ready' }])
  await page.keyboard.press('Alt+n')
  await expect(page.getByText('What shall we work on?')).toBeVisible()
  // What the browser does at a click: no test can press what the system shows.
  await context.serviceWorkers()[0]!.evaluate(`registration.getNotifications().then(([notification]) => {
    dispatchEvent(new NotificationEvent('notificationclick', { notification }))
  })`)
  await expect(page.getByRole('article', { name: 'You' }).first()).toContainText('The blue door is open.')
  await expect.poll(told).toEqual([])

  const other = await context.newPage()
  await other.goto(server.url)
  await expect(other.getByRole('main')).toBeVisible()
  await send('The red door is shut.', 3)
  await other.close()
  const seen = () =>
    page.evaluate(async () =>
      (await navigator.locks.query()).held!.filter(({ name }) => name === 'haversack-on-screen'),
    )
  await expect.poll(seen, 'no tab is seen any more').toEqual([])
  await send('The green door is ajar.', 4)
  const shown = () => page.evaluate(() => Reflect.get(window, 'notifications') as number)
  await expect.poll(shown, 'of three answers while it was hidden').toBe(2)
})
