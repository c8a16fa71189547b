/** What the person wants of every answer, and prompts that are used again. */
import { expect, test, type Locator, type Page } from '@playwright/test'
import { finished, openWithServer, questions, say } from '../person.ts'
import { startFakeServer, type FakeServer } from '../servers/fake-server.ts'

let server: FakeServer
test.beforeAll(async () => {
  server = await startFakeServer({ models: ['chat'] })
})
test.afterAll(() => server.stop())

async function openInstructions(page: Page, name = 'Instructions'): Promise<Locator> {
  await page.getByRole('navigation', { name: 'Library' }).getByRole('button', { name: 'Settings' }).click()
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await settings.getByRole('tab', { name }).click()
  return settings
}

test('instructions and a temperature go with every question, and are there after a reload', async ({ page }) => {
  await openWithServer(page, server.url, 'chat')
  await say(page, 'Hello')
  await finished(page)
  const settings = await openInstructions(page)
  const all = settings.getByRole('region', { name: 'Instructions for all chats' })
  await all.getByRole('textbox').fill('Answer in French.')
  await expect(all.getByRole('status')).toHaveText('Saved')
  // closed at once: what was typed is kept all the same
  await settings.getByRole('region', { name: 'Instructions for this chat' }).getByRole('textbox').fill('Be brief.')
  await settings.getByLabel('Temperature').fill('0.2')
  await settings.getByLabel('Temperature').press('Tab')
  await page.keyboard.press('Escape')
  await expect(settings).toBeHidden()
  await say(page, 'And now?')
  await finished(page)
  const body = server.requests.findLast(({ path }) => path.endsWith('/chat/completions'))?.body ?? {}
  const [system] = body['messages'] as { role: string; content: string }[]
  expect(system?.content).toMatch(/Answer in French\.[^]+Be brief\./)
  expect(body['temperature']).toBe(0.2)
  await page.reload()
  await expect(questions(page).last()).toContainText('And now?')
  const again = await openInstructions(page)
  await expect(again.getByRole('region', { name: 'Instructions for this chat' }).getByRole('textbox')).toHaveValue(
    'Be brief.',
  )
  await expect(again.getByLabel('Temperature')).toHaveValue('0.2')
})

test('a prompt is written once, offered behind a slash, read before it is sent, and can be deleted', async ({
  page,
}) => {
  await openWithServer(page, server.url, 'chat')
  const settings = await openInstructions(page, 'Prompts')
  const prompts = settings.getByRole('region', { name: 'Prompts' })
  await prompts.getByRole('button', { name: 'New prompt' }).click()
  await prompts.getByLabel('Name').fill('help')
  await prompts.getByLabel('Text').fill('Write to {{whom}} about the meeting.')
  await prompts.getByRole('button', { name: 'Save' }).click()
  await expect(prompts.getByRole('alert')).toContainText('/help is a command')
  await prompts.getByLabel('Name').fill('write-mail')
  await prompts.getByRole('button', { name: 'Save' }).click()
  await expect(prompts.getByRole('button', { name: 'Edit /write-mail' })).toBeVisible()
  await page.keyboard.press('Escape')

  const box = page.getByRole('textbox', { name: 'Message' })
  await box.click()
  await box.pressSequentially('/wri')
  await expect(page.getByRole('option', { name: /write-mail/ })).toBeVisible()
  await box.press('Enter')
  await expect(box).toHaveValue('Write to {{whom}} about the meeting.')
  await box.pressSequentially('Anna')
  await expect(box).toHaveValue('Write to Anna about the meeting.')
  await box.press('Enter')
  await expect(questions(page).last()).toContainText('Write to Anna about the meeting.')

  // with words behind its name: it is put in, not sent
  await finished(page)
  await box.fill('/write-mail and be kind')
  await box.press('Enter')
  await expect(box).toHaveValue('Write to {{whom}} about the meeting.\n\nand be kind')
  await expect(questions(page)).toHaveCount(1)

  await box.fill('')
  const again = await openInstructions(page, 'Prompts')
  await again.getByRole('button', { name: 'Edit /write-mail' }).click()
  await again.getByRole('button', { name: 'Delete /write-mail' }).click()
  await expect(again.getByText('None yet.').last()).toBeVisible()
  await again.getByRole('button', { name: 'Undo' }).click()
  await expect(again.getByRole('button', { name: 'Edit /write-mail' })).toBeVisible()
})
