/** axe finds nothing serious in any state, and everything works by keyboard. */
import { expect, test, type Page } from '@playwright/test'
import { misreadings } from '../accessibility-tree.ts'
import { faults } from '../axe.ts'
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
  startWithServer,
  showSummary,
} from '../person.ts'

let server: FakeServer
test.beforeAll(async () => {
  server = await startFakeServer()
})
test.afterAll(() => server.stop())

/** Waits until the colours have gone over, which takes 1 ms. */
async function showIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.waitForFunction(
    () => !document.getAnimations().some(one => one instanceof CSSTransition && one.playState === 'running'),
  )
}

/** In the dark only the colours are others. */
async function look(page: Page): Promise<string[]> {
  const light = [...(await faults(page)), ...(await misreadings(page))]
  await showIn(page, 'dark')
  const dark = await faults(page, ['color-contrast'])
  await showIn(page, 'light')
  return [...light, ...dark.map(fault => `dark: ${fault}`)]
}

test('nothing serious in any state of a chat, light and dark', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await openApp(page)
  await expect(page.getByRole('region', { name: 'Choose a model' })).toBeVisible()
  expect(await look(page), 'first start').toEqual([])
  await startWithServer(page, server.url, 'chat')
  expect(await look(page), 'empty chat').toEqual([])
  await page.getByRole('textbox', { name: 'Message' }).fill('/co')
  await expect(page.getByRole('listbox', { name: 'Commands' })).toBeVisible()
  expect(await look(page), 'list of commands').toEqual([])
  await say(page, 'Tell me slowly. [[waits]]')
  await expect(answers(page).last()).toContainText('slow3')
  expect(await look(page), 'streaming').toEqual([])
  await page.getByRole('button', { name: 'Stop' }).click()
  await finished(page)
  expect(await look(page), 'stopped').toEqual([])
  await say(page, 'Write. [[call write_file {"path":"workspace/a.md","text":"one","content":"one"}]]')
  await expect(page.getByRole('alertdialog', { name: 'Permission' })).toBeVisible()
  expect(await look(page), 'asking').toEqual([])
  await page.getByRole('alertdialog', { name: 'Permission' }).getByRole('button', { name: 'Allow' }).click()
  await finished(page)
  for (const [call, name] of [
    ['write_file {"path":"workspace/a.md","content":"two"}', 'asking to replace a file'],
    [`fetch_url {"url":"http://gіthub/${'a'.repeat(500)}"}`, 'asking for a host'],
  ] as const) {
    await say(page, `Do it. [[call ${call}]]`)
    await expect(page.getByRole('button', { name: 'Allow', exact: true })).toBeEnabled()
    expect(await look(page), name).toEqual([])
    await page.getByRole('button', { name: 'Deny' }).click()
    await finished(page)
    await conversation(page)
      .getByRole('article', { name: /^Tool / })
      .last()
      .getByRole('button')
      .first()
      .click()
    expect(await look(page), `${name}, the call unfolded`).toEqual([])
  }
  await say(page, 'Fail. [[unauthorised]]')
  await expect(page.getByRole('alert')).toBeVisible()
  expect(await look(page), 'failed').toEqual([])
})

test('nothing serious around a long chat and in the library, light and dark', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await openWithServer(page, server.url, 'chat')
  await importFile(page, madeLog({ messages: 60 }))
  await page
    .getByRole('navigation', { name: 'Library' })
    .getByRole('link', { name: /A long talk/ })
    .click()
  await expect(conversation(page)).toContainText('Message 59')
  await say(page, '/compact')
  await showSummary(page)
  expect(await look(page), 'compacted').toEqual([])
  await page.getByRole('button', { name: 'Find in chat' }).click()
  await page.keyboard.type('signing key')
  await expect(page.getByRole('search').getByRole('status')).toContainText(/of/)
  expect(await look(page), 'find').toEqual([])
  await page.keyboard.press('Escape')
  await page.locator('.tile').first().focus()
  expect(await look(page), 'a tile that tells').toEqual([])
  await page.getByRole('toolbar', { name: 'The chat, oldest first' }).getByRole('button').last().focus()
  await expect(page.getByRole('button', { name: 'Show in the chat' })).toBeVisible()
  expect(await look(page), 'a block of the timeline that tells').toEqual([])
  await (await showSummary(page)).getByRole('button', { name: 'Edit' }).click()
  expect(await look(page), 'editing a summary').toEqual([])
  await page.keyboard.press('Escape')
  const library = page.getByRole('navigation', { name: 'Library' })
  await library.getByRole('button', { name: 'Chat actions' }).first().click()
  await library.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  expect(await look(page), 'delete a chat').toEqual([])
  await page.keyboard.press('Escape')
  await library.getByRole('button', { name: 'Export' }).last().click()
  await expect(page.getByRole('dialog', { name: 'Export' })).toBeVisible()
  expect(await look(page), 'export').toEqual([])
  await page.keyboard.press('Escape')
  await library.getByRole('searchbox').fill('signing key')
  await expect(library.locator('.hits a').first()).toBeVisible()
  expect(await look(page), 'search').toEqual([])
  await library.getByRole('searchbox').fill('')
})

test('nothing serious in settings, in dialogs of the context and on pages, light and dark', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await openWithServer(page, server.url, 'chat')
  await say(page, 'The blue door is open.')
  await finished(page)
  const library = page.getByRole('navigation', { name: 'Library' })
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await library.getByRole('button', { name: 'Settings' }).click()
  const tabs = settings.getByRole('tab')
  await expect(tabs.first()).toBeVisible()
  for (const tab of await tabs.allInnerTexts()) {
    await settings.getByRole('tab', { name: tab }).click()
    await expect(settings.getByRole('tabpanel')).not.toBeEmpty()
    expect(await look(page), `settings, ${tab}`).toEqual([])
  }
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'What the model sees' }).click()
  await expect(page.getByRole('dialog', { name: 'What the model sees' })).toBeVisible()
  expect(await look(page), 'what the model sees').toEqual([])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Preview' })).toContainText('After')
  expect(await look(page), 'preview').toEqual([])
  await page.keyboard.press('Escape')
  for (const name of ['Archive', 'Memory']) {
    await library
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .or(library.getByRole('link', { name: new RegExp(`^${name}`) }))
      .first()
      .click()
    await expect(
      page
        .getByRole('main')
        .getByRole('heading', { name, level: 2 })
        .or(page.getByRole('main').getByRole('heading', { name, level: 1 }))
        .first(),
    ).toBeVisible()
    expect(await look(page), name).toEqual([])
  }
})

test('from the first start to an answer, a command and back in the list, with the keyboard alone', async ({ page }) => {
  await openApp(page)
  const start = page.getByRole('button', { name: 'Start without a model' })
  for (
    let presses = 0;
    presses < 40 && !(await start.evaluate(element => element === document.activeElement));
    presses += 1
  )
    await page.keyboard.press('Tab')
  await expect(start).toBeFocused()
  await page.keyboard.press('Enter')
  const box = page.getByRole('textbox', { name: 'Message' })
  await expect(box).toBeFocused()
  await page.keyboard.type('The gate code is 4711.')
  await page.keyboard.press('Enter')
  await finished(page)
  await expect(questions(page).last()).toContainText('4711')
  await box.focus()
  await page.keyboard.type('/con')
  await expect(page.getByRole('listbox', { name: 'Commands' })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Tab')
  await expect(box).toHaveValue(/^\/con\w+/)
  await page.keyboard.press('Enter')
  await expect(conversation(page).getByRole('article', { name: 'Note' }).last()).toBeVisible()
  await page.keyboard.press('Alt+n')
  await expect(questions(page)).toHaveCount(0)
})

test('the focus goes back to where a dialog was opened', async ({ page }) => {
  await openWithServer(page, server.url, 'chat')
  await say(page, 'Hello.')
  await finished(page)
  const library = page.getByRole('navigation', { name: 'Library' })
  const openers = [
    library.getByRole('button', { name: 'Settings' }),
    library.getByRole('button', { name: 'Export' }),
    page.getByRole('button', { name: 'What the model sees' }),
    page.getByRole('button', { name: 'Preview', exact: true }),
  ]
  for (const opener of openers) {
    await opener.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await page.evaluate(() => document.querySelector('dialog')!.contains(document.activeElement))).toBe(true)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(opener).toBeFocused()
  }
  await page.keyboard.press('Control+f')
  await expect(page.getByRole('search').getByRole('searchbox')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(conversation(page)).toBeFocused()
})
