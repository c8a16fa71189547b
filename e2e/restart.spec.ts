/** Ordinary days: a reload in mid-answer, a killed worker, two tabs. */
import { expect, test } from '@playwright/test'
import { startFakeServer, type FakeServer } from './fake-server.ts'
import { madeLog } from './logs.ts'
import { answers, conversation, finished, importFile, openApp, questions, say, openWithServer } from './person.ts'

let server: FakeServer
test.beforeAll(async () => { server = await startFakeServer() })
test.afterAll(() => server.stop())

test('a reload in mid-answer keeps the part and offers to continue', async ({ page }) => {
  await openWithServer(page, server.url, 'waits')
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
  await openWithServer(page, server.url, 'chat')
  await say(page, 'before the fall')
  await finished(page)
  // What a crash looks like from the page: the worker never answers again.
  const client = await page.context().newCDPSession(page)
  const targets = await client.send('Target.getTargets')
  expect(targets.targetInfos.some(({ type }) => type === 'page')).toBe(true)
  const [worker] = page.workers()
  expect(worker).toBeDefined()
  await worker!.evaluate(() => { // hangs for ever, without taking the processor from the tests beside it
    const never = new Int32Array(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer)
    setTimeout(() => { Atomics.wait(never, 0, 0) }, 0)
  }).catch(() => {})
  await expect(page.getByText('The worker was restarted')).toBeVisible({ timeout: 60_000 })
  await expect(answers(page).last()).toContainText('before the fall')
  await say(page, 'after the fall')
  await finished(page)
  await expect(answers(page).last()).toContainText('You said: after the fall')
})

test('two tabs on one chat: the second sees everything live, says why it waits, and writes when the first is done', async ({ page, context }) => {
  await openWithServer(page, server.url, 'waits')
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

test('a chat that has rested says what the next message takes out; reading takes nothing, "Keep all" neither, writing does, and Undo brings it back', async ({ page }) => {
  await openWithServer(page, server.url, 'chat')
  await importFile(page, madeLog({ messages: 40 })) // its messages are from long ago
  await page.getByRole('navigation', { name: 'Library' }).getByRole('link', { name: /A long talk/ }).click()
  await say(page, '/strategy cowagent')
  const notice = page.getByText(/With your next message this chat goes on with the questions and answers of its last 3 turns: \d+ messages leave the window/)
  await expect(notice).toBeVisible()
  await page.reload()
  await expect(notice).toBeVisible()
  await expect(conversation(page).getByText('Restart of the chat')).toHaveCount(0)
  await page.getByRole('button', { name: 'Keep all' }).click()
  await expect(notice).toBeHidden()
  await page.reload()
  await expect(notice).toBeVisible()
  const leaves = Number(/: (\d+) messages/.exec(await notice.textContent() ?? '')![1])
  await say(page, 'And now? [[say Now from here.]]')
  await finished(page)
  await expect(notice).toBeHidden()
  const talk = conversation(page)
  await expect(talk.getByText('Restart of the chat: only the newest turns are sent')).toBeVisible()
  const body = server.requests.findLast(({ body }) => Array.isArray(body?.['messages']))!.body!
  const roles = (body['messages'] as { role: string }[]).map(({ role }) => role)
  expect(roles).toEqual(['system', 'user', 'assistant', 'user', 'assistant', 'user', 'assistant', 'user'])
  expect(leaves).toBe(40 - 6)
  await talk.getByRole('button', { name: 'Undo' }).first().click()
  await expect(talk.getByText('Undone')).toHaveCount(2)
})
