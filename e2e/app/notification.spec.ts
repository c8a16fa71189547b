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

test('an answer that comes while nobody looks is told by a notification, whose click opens its chat', async ({
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
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' })
  })
  await page.getByRole('textbox', { name: 'Message' }).fill('The blue door is open.')
  await page.getByRole('button', { name: 'Send' }).click()
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
  await expect(page.getByRole('article', { name: 'You' })).toContainText('The blue door is open.')
  await expect.poll(told).toEqual([])
})
