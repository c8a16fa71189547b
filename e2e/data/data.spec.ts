/** Import, compaction, undo, export, and the way back; and files that are not what they should be. */
import { expect, test, type Page } from '@playwright/test'
import { madeLog } from '../fixtures/logs.ts'
import {
  answers,
  conversation,
  finished,
  freshProfile,
  importFile,
  notes,
  openApp,
  say,
  showSummary,
  startWithoutModel,
  textOf,
} from '../person.ts'

/** The exact counter comes a moment after the chat; numbers are compared once it is there. */
const exact = (page: Page) =>
  expect(page.getByRole('meter', { name: 'Context used' })).toHaveAttribute('data-counter', 'bpe')
const tokensUsed = (page: Page) =>
  page.getByRole('meter', { name: 'Context used' }).getAttribute('aria-valuenow').then(Number)

async function exportChat(page: Page): Promise<string> {
  const download = page.waitForEvent('download')
  await say(page, '/export')
  return textOf(await download)
}

test('2 000 messages in, a compaction, its undo, out, and into another profile: the same log', async ({
  page,
  browser,
}) => {
  await openApp(page)
  await startWithoutModel(page)
  await importFile(page, madeLog({ messages: 2_000 }))
  await page
    .getByRole('navigation', { name: 'Library' })
    .getByRole('link', { name: /A long talk/ })
    .click()
  await expect(conversation(page)).toContainText('Message 1999')

  await exact(page)
  const before = await tokensUsed(page)
  expect(before).toBeGreaterThan(50_000)
  await page
    .getByRole('complementary', { name: 'Context' })
    .getByRole('button', { name: 'Compact', exact: true })
    .click()
  const card = await showSummary(page)
  await expect(card).toContainText(/messages summarised/)
  await expect.poll(() => tokensUsed(page)).toBeLessThan(before / 2)
  await card.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Put back all anyway' }).click() // they do not fit
  await expect.poll(() => tokensUsed(page)).toBe(before)

  const first = await exportChat(page)
  expect(first.split('\n').filter(line => line.includes('"type":"message"')).length).toBeGreaterThanOrEqual(2_000)
  expect(first).toContain('"type":"edit"')
  const other = await freshProfile(browser)
  await openApp(other)
  await startWithoutModel(other)
  await importFile(other, first.trimEnd().split('\n'))
  await other
    .getByRole('navigation', { name: 'Library' })
    .getByRole('link', { name: /A long talk/ })
    .click()
  await expect(conversation(other)).toContainText('Message 1999')
  const second = await exportChat(other)
  // Each /export leaves a note of its own; the log before it is the same, byte for byte.
  const facts = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .filter(line => !line.includes('"command"'))
  expect(facts(second).slice(1)).toEqual(facts(first).slice(1))
  await other.context().close()
})

test('a day is exported from its page in the archive, one message a line', async ({ page }) => {
  await openApp(page)
  await startWithoutModel(page)
  await importFile(page, madeLog({ messages: 8, id: 'later', name: 'Another day', start: Date.UTC(2026, 2, 4, 9) }))
  await expect(conversation(page)).toContainText('Message 7')
  await importFile(page, madeLog({ messages: 6, id: 'days', name: 'A day' }))
  // Once it is stored the app opens it, wherever the person was.
  await expect(conversation(page)).not.toContainText('Message 7')
  await expect(conversation(page)).toContainText('Message 5')
  await page.goto('/#/archive/dialog/2026-03-02.jsonl')
  const download = page.waitForEvent('download')
  await page.getByRole('main').getByRole('button', { name: 'Export this day' }).click()
  const lines = (await textOf(await download))
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as { type: string; message?: { content: string } })
  expect(lines.filter(({ type }) => type === 'message')).toHaveLength(6)
  expect(JSON.stringify(lines)).toContain('Message 5 about')
  expect(JSON.stringify(lines)).not.toContain('Message 7 about')
})

test('a file with damaged lines: each is named with its reason, the rest is there', async ({ page }) => {
  await openApp(page)
  await startWithoutModel(page)
  const lines = madeLog({ messages: 6, id: 'damaged', name: 'Damaged' })
  lines.splice(
    3,
    0,
    '{"type":"message","id":"x1"',
    '{"type":"message","id":"x2"}',
    '{"type":"message","id":"x3","timestamp":"soon","message":{"role":"user","content":7}}',
    '{"type":"hologram","id":"x4"}',
  )
  await importFile(page, lines)
  const library = page.getByRole('navigation', { name: 'Library' })
  await expect(page.getByText(/lines have problems/)).toBeVisible()
  for (const line of [4, 5, 6]) await expect(page.getByText(`Line ${line}:`, { exact: false })).toBeVisible()
  await library.getByRole('link', { name: /Damaged/ }).click()
  await expect(conversation(page)).toContainText('Message 5')
})

test('strange characters are kept as text', async ({ page }) => {
  await openApp(page)
  await startWithoutModel(page)
  // Typed in the page: the test's own wire would mend a lone surrogate.
  await page.getByRole('textbox', { name: 'Message' }).evaluate(box => {
    ;(box as HTMLTextAreaElement).value =
      `A NUL ${String.fromCharCode(0)}, a lone surrogate ${String.fromCharCode(0xd800)}, and <|endoftext|> are text.`
    box.dispatchEvent(new Event('input', { bubbles: true }))
  })
  await page.getByRole('button', { name: 'Send' }).click()
  await finished(page)
  await expect(conversation(page)).toContainText('<|endoftext|>')
  const text = await exportChat(page)
  expect(text).toContain('\\u0000')
  expect(text).toContain('\\ud800')
  expect(text).toContain('<|endoftext|>')
})

test('a paste of 50 MB hangs nothing and says what it is', async ({ page }) => {
  await openApp(page)
  await startWithoutModel(page)
  await page.getByRole('textbox', { name: 'Message' }).focus()
  await page.evaluate(() => {
    const data = new DataTransfer()
    data.setData('text/plain', 'All work and no play. '.repeat(2_400_000))
    document.activeElement!.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    )
  })
  await expect(page.getByText(/MB/).first()).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeEditable()
  await say(page, 'still here')
  await expect(conversation(page)).toContainText('still here', { timeout: 60_000 })
})

test('undo and redo by command, and what the model sees', async ({ page }) => {
  await openApp(page)
  await startWithoutModel(page)
  await importFile(page, madeLog({ messages: 200, id: 'undo', name: 'Undoing' }))
  await page
    .getByRole('navigation', { name: 'Library' })
    .getByRole('link', { name: /Undoing/ })
    .click()
  await expect(conversation(page)).toContainText('Message 199')
  await exact(page)
  const before = await tokensUsed(page)
  await say(page, '/context clear')
  await expect(notes(page).last()).toContainText('200')
  await expect.poll(() => tokensUsed(page)).toBeLessThan(before / 2)
  await say(page, '/undo')
  await expect.poll(() => tokensUsed(page)).toBe(before)
  await say(page, '/redo')
  await expect.poll(() => tokensUsed(page)).toBeLessThan(before / 2)
  await page.reload()
  await expect.poll(() => tokensUsed(page)).toBeLessThan(before / 2)
  await page.getByRole('button', { name: 'What the model sees' }).click()
  await expect(page.getByRole('dialog', { name: 'What the model sees' })).not.toContainText('Message 150')
})

test('answers stay when the chat is opened again from the library', async ({ page }) => {
  await openApp(page)
  await startWithoutModel(page)
  await say(page, 'Remember the blue door.')
  await finished(page)
  const url = page.url()
  await page.goto('about:blank')
  await page.goto(url)
  await expect(conversation(page)).toContainText('Remember the blue door.')
  await expect(answers(page)).toHaveCount(1)
})
