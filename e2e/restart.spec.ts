/** Ordinary days: a reload in mid-answer, a killed worker, two tabs. */
import { expect, test } from '@playwright/test'
import { startFakeServer, type FakeServer } from './fake-server.ts'
import { answers, conversation, finished, openApp, questions, say, startWithServer } from './person.ts'

let server: FakeServer
test.beforeAll(async () => { server = await startFakeServer() })
test.afterAll(() => server.stop())

test('a reload in mid-answer keeps the part and offers to continue', async ({ page }) => {
  await openApp(page)
  await startWithServer(page, server.url, 'waits')
  await say(page, 'Tell me slowly.')
  await expect(answers(page).last()).toContainText('slow25')
  await page.reload()
  await expect(answers(page).last()).toContainText('slow9')
  await expect(answers(page).last()).not.toContainText('slow59')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible()
  await page.getByRole('button', { name: 'Stop' }).click()
  await finished(page)
})

test('a killed worker is replaced, and the chat goes on', async ({ page }) => {
  await openApp(page)
  await startWithServer(page, server.url, 'chat')
  await say(page, 'before the fall')
  await finished(page)
  // What a crash looks like from the page: the worker never answers again.
  const client = await page.context().newCDPSession(page)
  const targets = await client.send('Target.getTargets')
  expect(targets.targetInfos.some(({ type }) => type === 'page')).toBe(true)
  const [worker] = page.workers()
  expect(worker).toBeDefined()
  await worker!.evaluate(() => { self.onmessage = null; setTimeout(() => { for (;;) { /* hangs for ever */ } }, 0) }).catch(() => {})
  await expect(page.getByText('The worker was restarted')).toBeVisible({ timeout: 60_000 })
  await expect(answers(page).last()).toContainText('before the fall')
  await say(page, 'after the fall')
  await finished(page)
  await expect(answers(page).last()).toContainText('You said: after the fall')
})

test('two tabs on one chat: the second sees everything live, says why it waits, and writes when the first is done', async ({ page, context }) => {
  await openApp(page)
  await startWithServer(page, server.url, 'waits')
  await say(page, 'Tell me slowly.')
  await expect(answers(page).last()).toContainText('slow2')
  const second = await context.newPage()
  await openApp(second, page.url())
  await expect(questions(second).last()).toContainText('Tell me slowly.')
  await expect(answers(second).last()).toContainText('slow8')
  await expect(second.getByText(/another tab/i).first()).toBeVisible()
  server.goOn()
  await finished(page)
  await expect(answers(second).last()).toContainText('slow59')
  await say(second, 'And now? [[say Now the second.]]')
  await finished(second)
  await expect(answers(page).last()).toContainText('Now the second.')
  await expect(conversation(page).getByRole('article', { name: 'You' })).toHaveCount(2)
})
