/** Ordinary days: a reload in mid-answer, a killed worker, two tabs. */
import { expect, test } from '@playwright/test'
import { startFakeServer, type FakeServer } from '../servers/fake-server.ts'
import { madeLog } from '../fixtures/logs.ts'
import {
  answers,
  conversation,
  finished,
  importFile,
  openApp,
  openWithServer,
  questions,
  say,
  stored,
} from '../person.ts'
import { saidOnce } from '../said-once.ts'

let server: FakeServer
test.beforeAll(async () => {
  server = await startFakeServer()
})
test.afterAll(() => server.stop())

test('a reload in mid-answer keeps the part and offers to continue', async ({ page }) => {
  await openWithServer(page, server.url, 'waits')
  await say(page, 'Tell me slowly.')
  await expect(answers(page).last()).toContainText('slow25')
  await expect.poll(() => stored(page), 'what came is stored within a second or so').toContain('slow9 ')
  await page.reload()
  await expect(answers(page).last()).toContainText('slow9')
  await expect(answers(page).last()).not.toContainText('slow59')
  await expect(page.getByText('Cut off by a restart')).toBeVisible()
  await saidOnce(page)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible()
  await page.getByRole('button', { name: 'Stop' }).click()
  await finished(page)
})

test('an answer that stopped, broke or met its limit says so once, and Continue lets it grow where it stands', async ({
  page,
}) => {
  await openWithServer(page, server.url, 'half')
  const goOn = page.getByRole('button', { name: 'Continue' })
  const whole = async (nth: number) => {
    await goOn.click()
    await finished(page)
    await expect(goOn).toHaveCount(0)
    await expect(answers(page)).toHaveCount(nth)
    const answer = answers(page).last()
    await expect(answer.locator('pre')).toHaveText(['const flour = 500\nconst milk = 250'])
    await expect(answer.getByRole('listitem')).toHaveText(['Mix', 'Bake'])
    await expect(conversation(page).getByText(/Stopped|output limit|cut off|Broken off/)).toHaveCount(0)
  }
  await say(page, 'Up to the limit')
  await finished(page)
  await expect(page.getByText('The answer reached the output limit')).toHaveCount(1)
  await saidOnce(page)
  await whole(1)
  await say(page, 'Then break')
  await finished(page)
  await expect(page.getByRole('alert')).toHaveText(/^\s*The answer was cut off: .*What had come is kept\.\s*Continue/)
  await expect(conversation(page).getByText(/cut off|Broken off/)).toHaveCount(0)
  await saidOnce(page)
  await page.reload() // the card is gone, what it said is not
  await expect(conversation(page).getByText(/cut off|Broken off/)).toHaveCount(1)
  await whole(2)
  await say(page, 'And wait')
  await expect(answers(page).last()).toContainText('const mi')
  await page.getByRole('button', { name: 'Stop' }).click()
  await finished(page)
  await expect(conversation(page).getByText('Stopped by you')).toHaveCount(1)
  await expect(page.getByRole('status').filter({ hasText: /^Stopped$/ }), 'said to a screen reader').toHaveCount(1)
  await saidOnce(page)
  await whole(3)
  await page.reload()
  await expect(answers(page)).toHaveCount(3)
  await expect(answers(page).last().locator('pre')).toHaveText(['const flour = 500\nconst milk = 250'])
  await say(page, 'limit? [[say Bread.]]')
  await finished(page)
  const roles = (
    server.requests.findLast(({ body }) => Array.isArray(body?.['messages']))!.body!['messages'] as { role: string }[]
  ).map(({ role }) => role)
  expect(roles.slice(1)).toEqual(['user', 'assistant', 'user', 'assistant', 'user', 'assistant', 'user'])
})

test('thoughts that met the limit are gone on with by more room, or by an answer now', async ({ page }) => {
  await openWithServer(page, server.url, 'ponders')
  for (const [nth, name] of ['Continue with more room', 'Answer now'].entries()) {
    await say(page, 'Which number?')
    await finished(page)
    await expect(page.getByText(/thought until its output limit/)).toHaveCount(1)
    await page.getByRole('button', { name }).click()
    await expect(answers(page).last()).toContainText('It is 19.')
    await finished(page)
    await expect(answers(page)).toHaveCount(nth + 1)
    await expect(answers(page).last().getByText('Thoughts')).toHaveCount(1)
  }
})

test('what is typed while an answer runs waits in sight, can be taken back, outlives a reload, and goes out in order', async ({
  page,
}) => {
  await openWithServer(page, server.url, 'waits')
  const box = page.getByRole('textbox', { name: 'Message' })
  const queue = page.getByRole('region', { name: 'Waiting to be sent' })
  await say(page, 'Tell me slowly.')
  await expect(answers(page).last()).toContainText('slow2')
  await box.fill('One [[say First.]]')
  await box.press('Enter')
  await expect(queue).toContainText('One [[say First.]]')
  await expect(queue).toContainText('Sent when the answer is done')
  await expect(page.locator('.chat .vh[role=status]')).toHaveText(['Sent when the answer is done'])
  await saidOnce(page)
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'list.txt', mimeType: 'text/plain', buffer: Buffer.from('eggs') })
  await expect(page.getByRole('list', { name: 'Attachments' }).getByRole('listitem')).toHaveText([/list\.txt/])
  await box.fill('Two [[say Second.]]')
  await page.getByRole('button', { name: 'Queue' }).click()
  await expect(queue.getByRole('listitem')).toHaveText([/One/, /Two.*list\.txt/s])
  await box.fill('and this')
  await queue.getByRole('button', { name: 'Take back' }).last().click()
  await expect(box).toHaveValue('Two [[say Second.]]\n\nand this')
  await expect(box).toBeFocused()
  await expect(page.getByRole('list', { name: 'Attachments' })).toContainText('list.txt')
  await box.press('Enter')
  await expect(queue.getByRole('listitem')).toHaveCount(2)
  await page.reload()
  await expect(queue.getByRole('listitem')).toHaveText([/One/, /Two.*and this.*list\.txt/s])
  await expect(queue).toContainText('2 messages, not sent: the answer did not come to its end')
  await expect(questions(page)).toHaveCount(1)
  await saidOnce(page)
  await queue.getByRole('button', { name: 'Remove' }).first().click()
  await expect(queue.getByRole('listitem')).toHaveText([/Two/])
  await queue.getByRole('button', { name: 'Undo' }).click()
  await expect(queue.getByRole('listitem')).toHaveText([/Two/, /One/])
  await queue.getByRole('button', { name: 'Send now' }).last().click() // the other follows by itself
  await expect(answers(page).last()).toContainText('Second.')
  await finished(page)
  await expect(questions(page)).toHaveText([/Tell me slowly/, /One/, /Two.*and this.*list\.txt/s])
  await expect(queue).toHaveCount(0)
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
  await worker!
    .evaluate(() => {
      // hangs for ever, without taking the processor from the tests beside it
      const never = new Int32Array(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer)
      setTimeout(() => {
        Atomics.wait(never, 0, 0)
      }, 0)
    })
    .catch(() => {})
  await expect(page.getByText('The worker was restarted')).toBeVisible({ timeout: 60_000 })
  await expect(answers(page).last()).toContainText('before the fall')
  await say(page, 'after the fall')
  await finished(page)
  await expect(answers(page).last()).toContainText('You said: after the fall')
})

test('two tabs on one chat: the second sees everything live, says why it waits, and writes when the first is done', async ({
  page,
  context,
}) => {
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

test('a chat that has rested says what the next message takes out; reading takes nothing, "Keep all" neither, writing does, and Undo brings it back', async ({
  page,
}) => {
  await openWithServer(page, server.url, 'chat')
  await importFile(page, madeLog({ messages: 40 })) // its messages are from long ago
  await page
    .getByRole('navigation', { name: 'Library' })
    .getByRole('link', { name: /A long talk/ })
    .click()
  await say(page, '/strategy cowagent')
  const notice = page.getByText(
    /With your next message this chat goes on with the questions and answers of its last 3 turns: \d+ messages leave the window/,
  )
  await expect(notice).toBeVisible()
  await page.reload()
  await expect(notice).toBeVisible()
  await expect(conversation(page).getByText('Restart of the chat')).toHaveCount(0)
  await page.getByRole('button', { name: 'Keep all' }).click()
  await expect(notice).toBeHidden()
  await page.reload()
  await expect(notice).toBeVisible()
  const leaves = Number(/: (\d+) messages/.exec((await notice.textContent()) ?? '')![1])
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
