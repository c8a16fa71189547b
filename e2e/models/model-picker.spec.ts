/** The list of models: four or four hundred, by keyboard, with what is known of each. */
import { expect, test, type Locator, type Page } from '@playwright/test'
import { faults } from '../axe.ts'
import { chooseModel, finished, modelButton, modelOption, openApp, questions, say, startWithServer } from '../person.ts'
import { startFakeServer, type FakeServer } from '../servers/fake-server.ts'

let server: FakeServer
test.beforeAll(async () => {
  server = await startFakeServer()
})
test.afterAll(() => server.stop())

const picker = (page: Page): Locator => page.getByRole('dialog', { name: 'Choose a model' })
const search = (page: Page): Locator => picker(page).getByRole('combobox', { name: 'Search models' })
const many = Array.from({ length: 400 }, (_, i) => `maker-${i % 5}/model-${i}`)

test('400 models: typing finds one, the arrows move, and only the rows in view are on the page', async ({ page }) => {
  server.switches.models = [...many, 'chat']
  await openApp(page)
  await startWithServer(page, server.url, 'maker-0/model-0')
  await modelButton(page).click()
  await expect(search(page)).toBeFocused()
  const options = picker(page).getByRole('option')
  await expect(options.filter({ hasText: 'maker-0/model-0' }).first()).toHaveAttribute('aria-selected', 'true')
  expect(await options.count()).toBeLessThan(40)
  await page.keyboard.type('model 39')
  await expect(options.first()).toHaveAttribute('aria-setsize', '14') // 39, 390 to 399, and 139, 239, 339
  await page.keyboard.press('ArrowDown')
  const chosen = await search(page).getAttribute('aria-activedescendant')
  await expect(page.locator(`[id="${chosen}"]`)).toContainText('model-390')
  await page.keyboard.press('End') // in the field it moves in the text
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp') // around the end
  await expect(page.locator(`[id="${await search(page).getAttribute('aria-activedescendant')}"]`)).toContainText('339')
  await page.keyboard.press('Enter')
  await expect(picker(page)).toHaveCount(0)
  await expect(modelButton(page)).toHaveAccessibleName(/^Model: maker-4\/model-339 · /)
  await expect(page.getByText('maker-4/model-339 is used now.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused()
  await modelButton(page).click()
  await search(page).fill('nothing like it')
  await expect(picker(page)).toContainText('No model is called “nothing like it”.')
  await page.keyboard.press('Escape')
  await expect(picker(page)).toHaveCount(0)
  await expect(modelButton(page)).toBeFocused()
})

test('tells the window, the price and the abilities that the server tells, and what a chat has cost', async ({
  page,
}) => {
  server.switches.models = ['chat']
  server.switches.row = {
    context_length: 65_536,
    pricing: { prompt: '0.001', completion: '0.002' },
    supported_parameters: ['tools', 'reasoning'],
    architecture: { input_modalities: ['text', 'image'] },
  }
  await openApp(page)
  await startWithServer(page, server.url, 'chat')
  await modelButton(page).click()
  const option = modelOption(picker(page), 'chat')
  await expect(option).toContainText(/65.536 tokens · \$1000.00 in, \$2000.00 out/)
  for (const ability of ['Uses tools', 'Sees images', 'Thinks', 'Runs on this device: nothing leaves it'])
    await expect(option).toContainText(ability)
  await expect(modelOption(picker(page), 'Recall')).toContainText('no language model')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.waitForFunction(() => !document.getAnimations().some(({ playState }) => playState === 'running'))
    expect(await faults(page), colorScheme).toEqual([])
  }
  await page.keyboard.press('Escape')
  await say(page, 'Hello')
  await finished(page)
  await expect(page.getByRole('complementary', { name: 'Context' })).toContainText(/Used in this chat so far: .*\$\d/)
  server.switches.row = undefined
})

test('is the same in Settings, and a chat goes on with another model', async ({ page }) => {
  server.switches.models = ['chat', 'json', 'fast']
  await openApp(page)
  await startWithServer(page, server.url, 'chat')
  await say(page, 'Which?')
  await finished(page)
  await chooseModel(page, 'json')
  await say(page, 'And now?')
  await finished(page)
  await expect(questions(page)).toHaveCount(2)
  const asked = server.requests.flatMap(({ body }) => (body?.['messages'] === undefined ? [] : [body['model']]))
  expect(asked.slice(-2)).toEqual(['chat', 'json'])
  await page.getByRole('navigation', { name: 'Library' }).getByRole('button', { name: 'Settings' }).click()
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await settings.getByRole('button', { name: /^Model that writes summaries: The chat’s own model/ }).click()
  await modelOption(picker(page), 'chat').click()
  await expect(settings.getByRole('button', { name: /^Model that writes summaries: chat · / })).toBeVisible()
  await settings.getByRole('button', { name: 'Take the chat’s own model' }).click()
  await expect(settings.getByRole('button', { name: /^Model that writes summaries: The chat’s own/ })).toBeVisible()
})

test('leads to the form of a new server, which is ready to be typed in', async ({ page }) => {
  server.switches.models = ['chat']
  await openApp(page)
  await page.getByRole('button', { name: 'Start without a model' }).click()
  await modelButton(page).click()
  await picker(page).getByRole('button', { name: 'Add a server…' }).click()
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await expect(settings.getByRole('textbox', { name: /^Address (?!of)/ })).toBeFocused()
  await page.keyboard.type(server.url)
  await page.keyboard.press('Enter')
  await settings.getByRole('button', { name: 'Use chat', exact: true }).click()
  await expect(settings).toHaveCount(0)
  await expect(page.getByText('chat is used now.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused()
})
