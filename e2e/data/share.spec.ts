/** A chat is shared: what was found is taken out, the file opens without the app and a network, and comes back. */
import { pathToFileURL } from 'node:url'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { plantedSecrets } from '../../src/core/text/redaction/planted.fixture.ts'
import { readable } from '../../src/core/text/redaction/decoded.fixture.ts'
import { faults } from '../axe.ts'
import { answers, importFile, openApp, questions, startWithoutModel, textOf } from '../person.ts'

const library = (page: Page) => page.getByRole('navigation', { name: 'Library' })
const all = plantedSecrets(16)
const mail = all.find(({ kind, form }) => kind === 'mail address' && form === 'prose')!
/** All of them in every form are tried where no browser is needed. */
const planted = all.filter((one, i) => i % 8 === 0 && one !== mail)
const at = Date.UTC(2026, 10, 29, 9, 30)
const answer =
  'Use **the other** server:\n\n```js\nlet pool = connect()\n```\n\n$$\\frac{n}{\\mu}$$\n\n| a | b |\n|---|---|\n| 1 | 2 |'

/** A chat of the planted secrets, in questions, in answers and in results. */
function chat(): string[] {
  const third = Math.ceil(planted.length / 3)
  const told = [0, 1, 2].map(part =>
    planted
      .slice(part * third, (part + 1) * third)
      .map(({ text }) => text)
      .join('\n\n'),
  )
  const messages = [
    { role: 'user', content: `${mail.text}\n\n${told[0]}` },
    {
      role: 'assistant',
      content: 'Let me look.',
      reasoningContent: 'A hidden thought',
      toolCalls: [{ id: 'x', function: { name: 'read_file', arguments: '{"path":"notes.md"}' } }],
    },
    { role: 'tool', toolCallId: 'x', name: 'read_file', content: told[1] },
    { role: 'assistant', content: `${answer}\n\n${told[2]}` },
  ]
  return [
    JSON.stringify({
      type: 'session',
      harness: 'haversack',
      id: 'to-share',
      name: 'A chat to share',
      createdAt: at,
      format: 1,
    }),
    ...messages.map((message, seq) =>
      JSON.stringify({
        type: 'message',
        id: `s${seq}`,
        parent: seq === 0 ? null : `s${seq - 1}`,
        seq,
        timestamp: at + seq,
        message,
      }),
    ),
  ]
}

async function openShare(page: Page): Promise<Locator> {
  const row = library(page).getByRole('link', { name: 'A chat to share' })
  await row.hover()
  await library(page).getByRole('button', { name: 'Chat actions' }).first().click()
  await library(page).getByRole('button', { name: 'Share…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share “A chat to share”' })
  await expect(dialog.getByRole('heading', { name: /taken out$/ })).toBeVisible()
  return dialog
}

test('a chat with secrets goes out without them, opens offline without a script, and is imported back', async ({
  page,
  browser,
}) => {
  await openApp(page)
  await startWithoutModel(page)
  await importFile(page, chat())
  await expect(answers(page).last()).toContainText('the other')

  const dialog = await openShare(page)
  expect(await faults(page)).toEqual([])
  await dialog
    .getByRole('combobox', { name: 'Tool calls' })
    .selectOption({ label: 'With everything they read and wrote' })
  await expect(dialog.getByRole('heading', { name: /taken out$/ })).toBeVisible()
  // the first of the mail addresses is kept
  await dialog.getByRole('checkbox', { name: mail.value, exact: false }).uncheck()
  await expect(dialog.getByRole('heading', { name: /taken out, 1 kept$/ })).toBeVisible()

  const downloading = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save HTML file' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^A-chat-to-share-.*\.html$/)
  await expect(dialog.getByRole('status')).toContainText('Saved')
  const text = await textOf(download)
  expect(text).toContain(mail.value)
  expect(text).not.toContain('A hidden thought')
  expect(readable(text, planted)).toEqual([])
  const path = test.info().outputPath('shared.html')
  await download.saveAs(path)

  await dialog.getByRole('radio', { name: /^Markdown/ }).check()
  const second = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save Markdown file' }).click()
  const markdown = await textOf(await second)
  expect(markdown).toContain('## You')
  expect(readable(markdown, planted)).toEqual([])

  const elsewhere = await browser.newContext({ offline: true })
  const reader = await elsewhere.newPage()
  const said: string[] = []
  const asked: string[] = []
  reader.on('console', message => said.push(message.text()))
  reader.on('pageerror', error => said.push(error.message))
  reader.on('request', request => asked.push(request.url()))
  await reader.goto(pathToFileURL(path).href)
  await expect(reader.getByRole('heading', { level: 1, name: 'A chat to share' })).toBeVisible()
  await expect(reader.getByText('the other')).toBeVisible()
  for (const drawn of ['math', 'table', '.hljs-keyword']) await expect(reader.locator(drawn).first()).toBeVisible()
  expect(await reader.evaluate(() => document.scripts.length)).toBe(0)
  expect(await faults(reader)).toEqual([])
  expect(said).toEqual([])
  expect(asked).toEqual([pathToFileURL(path).href])
  await elsewhere.close()

  await page.keyboard.press('Escape')
  const chooser = page.waitForEvent('filechooser')
  await library(page).getByRole('button', { name: 'Import', exact: true }).click()
  await (await chooser).setFiles(path)
  await expect(library(page).getByText('4 messages imported')).toBeVisible()
  await expect(library(page).getByRole('link', { name: 'A chat to share' })).toHaveCount(2)
  await expect(questions(page)).toContainText('[removed-key-1]')
  await expect(answers(page).last()).toContainText('the other')
})
