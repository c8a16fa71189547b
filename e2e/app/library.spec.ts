/** The list of chats: what stands beside them, pins, the actions of one, and where the focus is. */
import { expect, test } from '@playwright/test'
import { startFakeServer, type FakeServer } from '../servers/fake-server.ts'
import { answers, finished, openWithServer, say } from '../person.ts'

let server: FakeServer
test.beforeAll(async () => {
  server = await startFakeServer()
})
test.afterAll(() => server.stop())

test('the list says where something runs or is new; a chat is pinned, renamed and deleted by keyboard', async ({
  page,
}) => {
  await openWithServer(page, server.url, 'chat')
  const library = page.getByRole('navigation', { name: 'Library' })
  const row = (title: string | RegExp) => library.getByRole('listitem').filter({ hasText: title })
  await say(page, 'First of all')
  await finished(page)
  await page.keyboard.press('Alt+n')
  await say(page, '[[waits]] The second one')
  await expect(row('The second one')).toContainText('An answer is being written')
  await row('First of all').getByRole('link').click()
  await expect(answers(page).last()).toContainText('First of all')
  await expect(row('The second one')).toContainText('An answer is being written')
  await expect
    .poll(() => server.requests.some(({ body }) => JSON.stringify(body ?? '').includes('second one')))
    .toBe(true)
  server.goOn()
  await expect(row('The second one')).toContainText('New answer')
  await page.reload()
  await expect(row('The second one')).toContainText('New answer')
  await row('The second one').getByRole('link').click()
  await expect(row('The second one')).not.toContainText('New answer')
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused() // where a click on a chat leads

  // the actions: over the page, closed by Escape and by a press elsewhere, with the focus where it was
  const opener = row('First of all').getByRole('button', { name: 'Chat actions' })
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect(library.getByRole('button', { name: 'Pin to the top' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(opener).toBeFocused()
  await expect(library.getByRole('button', { name: 'Pin to the top' })).toBeHidden()
  await page.keyboard.press('Enter')
  await expect(library.getByRole('button', { name: 'Pin to the top' })).toBeFocused()
  await page.keyboard.press('Enter')
  const pinned = library.getByRole('region', { name: 'Pinned' })
  await expect(pinned.getByRole('link', { name: 'First of all' })).toBeVisible()
  await expect(pinned.getByRole('button', { name: 'Chat actions' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(library.getByRole('button', { name: 'Unpin' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(library.getByRole('textbox', { name: 'Title' })).toBeFocused()
  await page.keyboard.type('Pinned chat')
  await page.keyboard.press('Enter')
  await expect(pinned.getByRole('link', { name: 'Pinned chat' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(library.getByRole('button', { name: 'Unpin' })).toBeFocused()
  await page.keyboard.press('ArrowUp') // from the first action to the last one
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(pinned).toHaveCount(0)
  await expect(row('The second one').getByRole('link')).toBeFocused()
})

test('settings: a list and a page on a phone, one height, and every key under a question mark', async ({ page }) => {
  await openWithServer(page, server.url, 'chat')
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await page.evaluate(() => {
    ;(document.activeElement as HTMLElement).blur()
  })
  await page.keyboard.press('?')
  await expect(settings.getByRole('tabpanel', { name: 'Shortcuts' })).toContainText('Find in the chat')
  const height = (await settings.boundingBox())?.height
  await settings.getByRole('tab', { name: 'Models' }).click()
  await expect(settings.getByRole('button', { name: /^Model of new chats/ })).toBeVisible()
  expect((await settings.boundingBox())?.height).toBe(height)
  await settings.getByRole('button', { name: 'Add a server' }).click()
  await expect(settings.getByRole('textbox', { name: /^Address (?!of)/ })).toBeFocused()
  await page.keyboard.press('Escape')

  await page.setViewportSize({ width: 390, height: 700 })
  await page.getByRole('button', { name: 'Show library' }).click()
  await page.getByRole('button', { name: 'Settings', exact: true }).click()
  await expect(settings.getByRole('tabpanel')).toBeHidden()
  await settings.getByRole('tab', { name: 'Servers' }).click()
  await expect(settings.getByRole('button', { name: 'Add a server' })).toBeVisible()
  await expect(settings.getByRole('tab', { name: 'Servers' })).toBeHidden()
  await expect(settings.getByRole('button', { name: 'All settings' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(settings.getByRole('tab', { name: 'Servers' })).toBeFocused()
})
