/** The first minute, and a talk with a model on a server. */
import { expect, test } from '@playwright/test'
import { startFakeServer, type FakeServer } from '../servers/fake-server.ts'
import {
  answers,
  conversation,
  finished,
  notes,
  openApp,
  questions,
  say,
  startWithoutModel,
  openWithServer,
} from '../person.ts'
import { saidOnce } from '../said-once.ts'

let server: FakeServer
test.beforeAll(async () => {
  server = await startFakeServer()
})
test.afterAll(() => server.stop())

test('at the first start, without a model, Recall answers at once and finds what was said', async ({ page }) => {
  await openApp(page)
  await startWithoutModel(page)
  await say(page, 'Hello, what can you do?')
  await finished(page)
  await expect(answers(page).last()).toContainText('not a language model')
  await say(page, 'The gate code of the garden is 4711.')
  await finished(page)
  await page.getByRole('button', { name: 'New chat' }).first().click()
  await say(page, 'What is the gate code?')
  await finished(page)
  await expect(answers(page).last()).toContainText('4711')
  await expect(answers(page).last()).toContainText(/dialog\/\d{4}-\d\d-\d\d\.jsonl/)
})

test('a model on a server streams, calls a tool in the middle, and quotes its result', async ({ page }) => {
  await openWithServer(page, server.url, 'call')
  await say(page, 'What lies in the workspace? [[call list_files {"path":"workspace"}]]')
  await finished(page)
  await expect(conversation(page).getByRole('article', { name: 'Tool list_files' })).toBeVisible()
  await expect(answers(page).last()).toContainText('The tool said:')
  const sent = server.requests.filter(({ path }) => path.endsWith('/chat/completions')).at(-1)!.body!
  const roles = (sent['messages'] as { role: string }[]).map(({ role }) => role)
  expect(roles).toEqual(['system', 'user', 'assistant', 'tool'])
})

test('a tool that acts asks first; a no is told to the model, a yes runs it, also after a reload', async ({ page }) => {
  await openWithServer(page, server.url, 'chat')
  await say(page, 'Write it down. [[call write_file {"path":"workspace/a.md","text":"one","content":"one"}]]')
  const asks = page.getByRole('alertdialog', { name: 'Permission' })
  await expect(asks).toContainText('workspace/a.md')
  await saidOnce(page)
  await asks.getByRole('button', { name: 'Deny' }).click()
  await finished(page)
  await expect(answers(page).last()).toContainText('The tool said:')

  await say(page, 'Write it again. [[call write_file {"path":"workspace/b.md","text":"two","content":"two"}]]')
  await expect(asks).toContainText('workspace/b.md')
  await page.reload()
  await expect(asks).toContainText('workspace/b.md')
  await asks.getByRole('button', { name: 'Allow' }).click()
  await finished(page)
  await expect(conversation(page).getByRole('article', { name: 'Tool write_file' }).last()).toContainText('b.md')
  await expect(answers(page).last()).toContainText('The tool said:')
})

test('Stop in mid-answer keeps the part and marks it', async ({ page }) => {
  await openWithServer(page, server.url, 'waits')
  await say(page, 'Tell me slowly.')
  await expect(answers(page).last()).toContainText('slow3')
  await page.getByRole('button', { name: 'Stop' }).click()
  await finished(page)
  await expect(answers(page).last()).toContainText('slow3')
  await expect(answers(page).last()).not.toContainText('slow59')
  await expect(conversation(page)).toContainText('Stopped by you')
  await page.reload()
  await expect(answers(page).last()).toContainText('slow3')
})

test('the buttons of a message show on hover below its text, and can be pressed where they show', async ({ page }) => {
  await openApp(page)
  await startWithoutModel(page)
  for (const text of ['Hello', 'And again']) {
    await say(page, text)
    await finished(page)
  }
  for (const message of [questions(page).first(), answers(page).first()]) {
    await message.hover({ position: { x: 4, y: 4 } })
    const copy = message.getByRole('button', { name: 'Copy' })
    await expect(copy).toBeVisible()
    const textEnd = await message.evaluate(article => {
      const range = document.createRange()
      range.selectNodeContents(article.querySelector('.typed, .serif p:last-child')!)
      return range.getBoundingClientRect().bottom
    })
    const bar = (await copy.boundingBox())!
    expect(bar.y).toBeGreaterThanOrEqual(textEnd - 1)
    await page.mouse.click(bar.x + bar.width / 2, bar.y + bar.height - 2)
    await expect(message.getByRole('button', { name: 'Copied' })).toBeVisible()
  }
})

test('Regenerate and Edit keep the other version', async ({ page }) => {
  await openWithServer(page, server.url, 'chat')
  await say(page, 'first wording')
  await finished(page)
  await expect(answers(page).last()).toContainText('You said: first wording')
  await questions(page).last().hover()
  await questions(page).last().getByRole('button', { name: 'Edit' }).click()
  const box = conversation(page).getByRole('textbox', { name: 'Edit message' })
  await box.fill('second wording')
  await conversation(page).getByRole('button', { name: 'Send again' }).click()
  await finished(page)
  await expect(answers(page).last()).toContainText('You said: second wording')
  await expect(questions(page).last()).toContainText('2/2')
  await questions(page).last().getByRole('button', { name: 'Previous version' }).click()
  await expect(answers(page).last()).toContainText('You said: first wording')
})

test('streams arrive whole, however they are cut and end', async ({ page }) => {
  await openWithServer(page, server.url, 'chat')
  for (const [scenario, text] of [
    ['crlf', '敏捷的棕色狐狸 🦊'],
    ['split', '敏捷的棕色狐狸 🦊'],
    ['no-done', '敏捷的棕色狐狸 🦊'],
    ['open-end', 'jumps.'],
    ['reasoning', 'The answer.'],
    ['usage-in-choice', 'jumps.'],
  ] as const) {
    await page.keyboard.press('Alt+n')
    await say(page, `Go. [[${scenario}]]`)
    await finished(page)
    await expect(questions(page)).toHaveText(new RegExp(scenario))
    await expect(answers(page).last(), scenario).toContainText(text)
  }
})

test('a failure says what happened and offers a way on', async ({ page }) => {
  await openWithServer(page, server.url, 'chat')
  for (const [scenario, said] of [
    ['unauthorised', /key/i],
    ['missing', /model/i],
    ['html', /web page titled .Corporate proxy./],
    ['rate-limited', /slow down|rate/i],
  ] as const) {
    await page.keyboard.press('Alt+n')
    await say(page, `Go. [[${scenario}]]`)
    const alert = page.getByRole('main').getByRole('alert')
    await expect(alert, scenario).toContainText(said, { timeout: 60_000 })
    await expect(alert.getByRole('button', { name: /try again|retry/i })).toBeVisible()
    await expect(questions(page)).toHaveText(new RegExp(scenario))
  }
})

test('a refusal for length walks the ladder and ends in words with numbers', async ({ page }) => {
  await openWithServer(page, server.url, 'overflow')
  await say(page, 'Go')
  await expect(page.getByRole('alert')).toContainText(/window/i)
  const asked = server.requests.filter(({ body }) => body?.['model'] === 'overflow').length
  expect(asked).toBeLessThan(8)
})

test('a command answers with a note; an unknown one can be sent as text', async ({ page }) => {
  await openApp(page)
  await startWithoutModel(page)
  await say(page, '/help')
  await expect(notes(page).last()).toContainText('/compact')
  await say(page, '/contxt')
  await expect(page.getByRole('alert')).toContainText('/context')
  await page.getByRole('button', { name: 'Send as text' }).click()
  await finished(page)
  await expect(questions(page).last()).toContainText('/contxt')
})

test('what is being written keeps its nodes: a selection in it survives the stream', async ({ page }) => {
  await openWithServer(page, server.url, 'waits')
  await say(page, 'Tell me slowly.')
  await expect(answers(page).last()).toContainText('slow5')
  await page.evaluate(() => {
    const text = document.querySelector('[aria-busy] .markdown p')!.firstChild!
    document.getSelection()!.setBaseAndExtent(text, 0, text, 11)
  })
  await expect(answers(page).last()).toContainText('slow20')
  expect(await page.evaluate(() => document.getSelection()!.toString())).toBe('slow0 slow1')
})

test('code that is written fast keeps every letter, with its colours', async ({ page }) => {
  await openWithServer(page, server.url, 'rush')
  await say(page, 'Go')
  await finished(page)
  const code = answers(page).last().locator('pre code').first()
  await expect(code).toHaveText(
    Array.from({ length: 30 }, (_, i) => `const value${i} = await read('part 1', ${i}) // line ${i}`).join('\n'),
  )
  await expect(code.locator('.hljs-keyword').first()).toHaveText('const')
})
