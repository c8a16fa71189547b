/** From the first page to an answer: one field for an address or a key, and three other ways. */
import { expect, test, type Locator, type Page } from '@playwright/test'
import { faults } from '../axe.ts'
import { answers, finished, foreignRequests, modelButton, modelOption, openApp } from '../person.ts'
import { startFakeServer, type FakeServer } from '../servers/fake-server.ts'

let server: FakeServer
test.beforeAll(async () => {
  server = await startFakeServer({ models: ['chat'] })
})
test.afterAll(() => server.stop())
test.beforeEach(() => {
  Object.assign(server.switches, { cors: true, key: undefined, v1: true, models: ['chat'] })
  server.requests.length = 0
})

const start = (page: Page): Locator => page.getByRole('region', { name: 'Choose a model' })
const field = (page: Page): Locator => start(page).getByRole('textbox', { name: 'Address of a server, or an API key' })
const connect = (page: Page): Locator => start(page).getByRole('button', { name: 'Connect', exact: true })
const doctor = (page: Page): Locator => start(page).getByRole('region', { name: 'What is wrong with the server' })
const box = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' })

test('from an address without http:// to the first answer in four acts', async ({ page }) => {
  await openApp(page)
  await field(page).fill(`localhost:${server.port}`) // 1: /v1 is missing too
  await connect(page).click() // 2
  await start(page).getByRole('button', { name: 'Use chat', exact: true }).click() // 3
  await expect(page.getByText('chat is used now.')).toBeVisible()
  await expect(box(page)).toBeFocused()
  await page.keyboard.type('Hello there') // 4, with Enter
  await page.keyboard.press('Enter')
  await expect(answers(page).last()).toContainText('Hello there')
  await expect(modelButton(page)).toHaveAccessibleName(`Model: chat · localhost:${server.port}`)
})

test('the same by keyboard alone, where several models are listed', async ({ page }) => {
  server.switches.models = ['chat', 'json', 'fast']
  await openApp(page)
  await field(page).focus()
  await page.keyboard.type(`127.0.0.1:${server.port}`)
  await page.keyboard.press('Enter')
  await expect(start(page).getByRole('listbox', { name: 'Models' })).toBeFocused()
  await page.keyboard.press('ArrowUp') // around to the last
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(box(page)).toBeFocused()
  await page.keyboard.type('Hello there')
  await page.keyboard.press('Enter')
  await finished(page)
  expect(server.requests.findLast(({ body }) => body)?.body?.['model']).toBe('json')
})

test('what went wrong with one address is gone before the next is tried', async ({ page }) => {
  const gone = await startFakeServer()
  await gone.stop()
  await openApp(page)
  await field(page).fill(`localhost:${gone.port}`)
  await connect(page).click()
  await expect(doctor(page)).toContainText(/Nobody answers/)
  await field(page).fill('what is this')
  await expect(doctor(page)).toHaveCount(0)
  await connect(page).click()
  await expect(start(page).getByRole('alert')).toHaveText(/neither an address nor a key/)
  server.switches.cors = false
  await field(page).fill(server.url)
  await expect(start(page).getByRole('alert')).toHaveCount(0)
  await connect(page).click()
  await expect(doctor(page)).toContainText('does not let this page read its answers')
  server.switches.cors = true
  await connect(page).click()
  await expect(start(page).getByRole('button', { name: 'Use chat', exact: true })).toBeFocused()
  await expect(doctor(page)).toHaveCount(0)
})

test('a server that wants a key gets it after its host was shown', async ({ page }) => {
  const key = 'sk-e2e-0123456789-only-there'
  server.switches.key = key
  await openApp(page)
  await field(page).fill(server.url)
  await connect(page).click()
  const host = `127.0.0.1:${server.port}`
  await start(page).getByLabel(`Key for ${host}`).fill(key)
  await start(page)
    .getByRole('button', { name: `Connect to ${host}` })
    .click()
  await start(page).getByRole('button', { name: 'Use chat', exact: true }).click()
  await page.keyboard.type('Hello there')
  await page.keyboard.press('Enter')
  await finished(page)
  expect(server.requests.at(-1)!.headers['authorization']).toBe(`Bearer ${key}`)
})

test('a key names its service, and is sent to nobody before a press', async ({ page, baseURL }) => {
  const foreign = foreignRequests(page.context(), [baseURL!])
  await page.route(/^https:/, route => route.abort())
  await openApp(page)
  await field(page).fill('sk-0123456789abcdef0123456789abcdef')
  await expect(start(page).getByText('Several services have keys like this')).toBeVisible()
  await expect(start(page).getByRole('button', { name: 'OpenAI · api.openai.com' })).toBeVisible()
  await expect(start(page).getByRole('button', { name: 'DeepSeek · api.deepseek.com' })).toBeVisible()
  await expect(connect(page)).toHaveCount(0)
  await field(page).fill(`sk-ant-api03-${'a1B2'.repeat(20)}`)
  const send = start(page).getByRole('button', { name: 'Connect to api.anthropic.com' })
  await expect(send).toBeVisible()
  await field(page).press('Enter') // shows where it would go, and no more
  await expect(send).toBeFocused()
  expect(foreign).toEqual([])
  await page.keyboard.press('Enter')
  await expect.poll(() => foreign.length).toBeGreaterThan(0)
  await expect(doctor(page)).toContainText('Nobody answers at api.anthropic.com')
  expect([...new Set(foreign.map(url => new URL(url).host))]).toEqual(['api.anthropic.com'])
})

test('a service is chosen first, and then its key', async ({ page }) => {
  await openApp(page)
  await start(page).getByRole('button', { name: 'A service' }).click()
  await start(page).getByRole('button', { name: 'Mistral', exact: true }).click()
  const key = start(page).getByRole('textbox', { name: 'API key of Mistral' })
  await expect(key).toBeFocused()
  await expect(start(page).getByRole('link', { name: 'Get a key at console.mistral.ai' })).toBeVisible()
  await key.fill('a1b2c3d4'.repeat(4)) // a form that says nothing
  await expect(start(page).getByRole('button', { name: 'Connect to api.mistral.ai' })).toBeVisible()
})

test('this device is looked at when asked, and only then', async ({ page }) => {
  const asked: string[] = []
  page.context().on('request', request => {
    if (/localhost:(11434|1234|1337)/.test(request.url())) asked.push(request.url())
  })
  const list = {
    data: [
      { id: 'one', owned_by: 'library' },
      { id: 'two', owned_by: 'library' },
    ],
  }
  await page
    .context()
    .route('http://localhost:11434/**', route =>
      route.request().url().endsWith('/v1/models')
        ? route.fulfill({ json: list, headers: { 'access-control-allow-origin': '*' } })
        : route.fulfill({ status: 404, headers: { 'access-control-allow-origin': '*' } }),
    )
  await openApp(page)
  await expect(start(page).getByRole('button', { name: 'On this device', exact: true })).toHaveAccessibleDescription(
    /MB|GB/,
  )
  expect(asked).toEqual([])
  await start(page).getByRole('button', { name: 'Look on this device' }).click()
  await expect(start(page).getByText('Ollama answers, with 2 models.')).toBeVisible()
  await modelOption(start(page), 'two').click()
  await expect(modelButton(page)).toHaveAccessibleName('Model: two · Ollama')
})

test('nothing serious on the first page in its states, light and dark', async ({ page }) => {
  await openApp(page)
  const look = async (state: string): Promise<void> => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.waitForFunction(() => !document.getAnimations().some(({ playState }) => playState === 'running'))
      expect(await faults(page), `${state}, ${colorScheme}`).toEqual([])
    }
  }
  await start(page).getByRole('button', { name: 'A service' }).click()
  await look('services')
  await field(page).fill('sk-0123456789abcdef0123456789abcdef')
  await look('a key of many')
  server.switches.models = Array.from({ length: 400 }, (_, i) => `model-${i}`)
  await field(page).fill(server.url)
  await connect(page).click()
  await expect(start(page).getByRole('combobox', { name: 'Search models' })).toBeFocused()
  await look('400 models')
})
