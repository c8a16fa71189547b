/** After the first visit the network may go: the app, history, search, Recall and the lazy parts are there. */
import { expect, test } from '@playwright/test'
import {
  answers,
  conversation,
  finished,
  openApp,
  readyForOffline,
  say,
  startWithoutModel,
  startWithServer,
} from '../person.ts'
import { startFakeServer } from '../servers/fake-server.ts'
import { serveStatic } from '../servers/static-server.ts'

test.use({ serviceWorkers: 'allow' })

test('a reload with the network cut: history, search, Recall, settings and archive work', async ({ page, context }) => {
  await openApp(page)
  await startWithoutModel(page)
  await say(page, 'The spare key lies under the third stone.')
  await finished(page)
  await readyForOffline(page)

  await context.setOffline(true)
  await context.route('**', route => route.abort())
  await page.reload()
  await expect(conversation(page)).toContainText('third stone')
  await expect(page.getByText(/offline/i).first()).toBeVisible()
  await say(page, 'Where is the spare key?')
  await finished(page)
  await expect(answers(page).last()).toContainText('third stone')
  const library = page.getByRole('navigation', { name: 'Library' })
  await library.getByRole('searchbox', { name: 'Search' }).fill('spare key')
  await expect(library.locator('mark').first()).toBeVisible()
  await library.getByRole('button', { name: 'Settings' }).click()
  const settings = page.getByRole('dialog', { name: 'Settings' })
  for (const tab of ['Servers', 'This device', 'Context', 'Memory', 'Storage', 'Privacy', 'Shortcuts']) {
    await settings.getByRole('tab', { name: tab }).click()
    await expect(settings.getByRole('tabpanel')).not.toBeEmpty()
  }
  await page.keyboard.press('Escape')
  await say(page, '/compact')
  await expect(conversation(page).getByRole('article', { name: 'Note' }).last()).toBeVisible()
  await say(page, '```ts\nconst key = 1\n```\nand $a^2$')
  await finished(page)
})

test('without a network a question for a server elsewhere waits, also over a reload, and goes out with the next one', async ({
  page,
  context,
}) => {
  const server = await startFakeServer()
  try {
    await openApp(page)
    await startWithServer(page, server.url.replace(/127\.0\.0\.1|localhost/, 'far.example'), 'chat')
    await readyForOffline(page)
    await context.setOffline(true)
    await say(page, 'Where is the spare key?')
    const waits = page.getByText(/^Your question waits for the network/)
    await expect(waits).toBeVisible()
    await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible()
    await page.getByRole('button', { name: 'Try now' }).click()
    await expect(waits).toBeVisible()
    const asked = server.requests.length
    await page.reload()
    await expect(conversation(page)).toContainText('spare key')
    await expect(waits).toBeVisible()
    expect(server.requests.length).toBe(asked)
    await context.setOffline(false)
    await finished(page)
    await expect(answers(page)).toHaveCount(1)
    await expect(waits).toHaveCount(0)
    await page.reload()
    await expect(answers(page)).toHaveCount(1)
    await expect(page.getByRole('button', { name: 'Continue' })).toHaveCount(0)
  } finally {
    await server.stop()
  }
})

test('a new version asks and never reloads by itself; a draft stays', async ({ page }) => {
  const host = await serveStatic()
  try {
    await openApp(page, host.url)
    await startWithoutModel(page)
    await readyForOffline(page)
    await page.getByRole('textbox', { name: 'Message' }).fill('half a thought')
    host.change('/service-worker.js', text => `${text}\n// another build`)
    await page.evaluate(async () => {
      await (await navigator.serviceWorker.getRegistration())!.update()
    })
    await expect(page.getByText('A new version is ready')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('half a thought')
    await page.waitForTimeout(1_000) // nothing must happen by itself; there is nothing to wait for
    await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('half a thought')
  } finally {
    await host.close()
  }
})

test('a part that is gone after an update says so instead of failing silently', async ({ page }) => {
  const host = await serveStatic()
  try {
    await page.addInitScript(() => {
      Reflect.deleteProperty(Navigator.prototype, 'serviceWorker')
    })
    await openApp(page, host.url)
    await startWithoutModel(page)
    await page.route('**/Settings-*.js', route => route.fulfill({ status: 404, body: 'gone' }))
    await page.getByRole('navigation', { name: 'Library' }).getByRole('button', { name: 'Settings' }).click()
    await expect(page.getByText('A new version is there').first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Reload' }).first()).toBeVisible()
  } finally {
    await host.close()
  }
})
