/** Servers that do not answer: what the person is told, and what helps. Real refusals by a real browser. */
import { expect, test, type Locator, type Page } from '@playwright/test'
import { findChromium } from '../../.ci/chromium.ts'
import { startFakeServer, type FakeServer } from '../servers/fake-server.ts'
import {
  answers,
  finished,
  importFile,
  notes,
  openApp,
  openWithServer,
  say,
  startWithServer,
  useModel,
} from '../person.ts'
import { serveStatic } from '../servers/static-server.ts'

let server: FakeServer
test.beforeAll(async () => {
  server = await startFakeServer({ models: ['chat'] })
})
test.afterAll(() => server.stop())
test.beforeEach(() => {
  Object.assign(server.switches, { cors: true, headers: undefined, key: undefined, v1: true, models: ['chat'] })
})

/** First start, the form of another server, and its answer. */
async function connect(page: Page, fields: { address: string; key?: string; headers?: string }): Promise<Locator> {
  await openApp(page)
  await page
    .getByRole('region', { name: 'Choose a model' })
    .getByRole('button', { name: /another server/ })
    .click()
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await address(settings).fill(fields.address)
  if (fields.key) await key(settings).fill(fields.key)
  if (fields.headers) {
    await settings
      .getByText(/^More headers/)
      .first()
      .click()
    await settings.getByLabel(/^More headers/).fill(fields.headers)
  }
  await settings.getByRole('button', { name: 'Connect and save' }).click()
  return settings
}
/** The fields of the form; other parts of the settings have fields that are named alike. */
const address = (settings: Locator): Locator => settings.getByRole('textbox', { name: /^Address (?!of)/ })
const key = (settings: Locator): Locator => settings.getByRole('textbox', { name: /^Key / })
const doctor = (settings: Locator): Locator => settings.getByRole('region', { name: 'What is wrong with the server' })

test('a server that does not allow the page is told apart from one that is off, with the command that helps', async ({
  page,
  context,
  baseURL,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  server.switches.cors = false
  const settings = await connect(page, { address: server.url })
  const found = doctor(settings)
  await expect(found).toContainText(`is there, but does not let this page read its answers`)
  await expect(found).toContainText(baseURL!)
  await expect(found).toContainText(`Access-Control-Allow-Origin: ${baseURL}`)
  await found.getByLabel('Server').selectOption('Ollama')
  await found.getByLabel('Its system').selectOption('Windows')
  await expect(found.getByRole('group', { name: 'Command' })).toHaveText(`setx OLLAMA_ORIGINS "${baseURL}"`)
  await found.getByRole('button', { name: 'Copy' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`setx OLLAMA_ORIGINS "${baseURL}"`)

  server.switches.cors = true
  await found.getByRole('button', { name: 'Look again' }).click()
  await expect(found).toContainText('answers as it should')
  await settings.getByRole('button', { name: 'Connect and save' }).click()
  await expect(settings.getByRole('button', { name: 'Use chat', exact: true })).toBeVisible()
})

test('a preflight that is refused, and a header of one’s own, are named', async ({ page }) => {
  server.switches.cors = 'no-preflight'
  const settings = await connect(page, { address: server.url, key: 'sk-a-key-0000000000' })
  await expect(doctor(settings)).toContainText('refuses the browser’s question before the question')
  server.switches.cors = true
  await settings
    .getByText(/^More headers/)
    .first()
    .click()
  await settings.getByLabel(/^More headers/).fill('X-Title: Haversack')
  await settings.getByRole('button', { name: 'Connect and save' }).click()
  await expect(doctor(settings)).toContainText('does not take the header X-Title')
})

test('a server that is off, a key that is wrong', async ({ page }) => {
  const gone = await startFakeServer()
  await gone.stop()
  const settings = await connect(page, { address: gone.url })
  await expect(doctor(settings)).toContainText(/Nobody answers/)
  server.switches.key = 'sk-the-right-key-0001'
  await address(settings).fill(server.url)
  await settings.getByRole('button', { name: 'Connect and save' }).click()
  await expect(doctor(settings)).toContainText('wants a key')
  await key(settings).fill('sk-a-wrong-key-00001')
  await settings.getByRole('button', { name: 'Connect and save' }).click()
  await expect(doctor(settings)).toContainText('does not accept the key')
  await expect(settings).not.toContainText('sk-a-wrong-key')
})

test('an address with a wrong path is found, and taken over', async ({ page }) => {
  const settings = await connect(page, { address: `${server.origin}/api/v3` })
  await doctor(settings)
    .getByRole('button', { name: `Use ${server.url}` })
    .click()
  await expect(settings.getByRole('button', { name: 'Use chat', exact: true })).toBeVisible()
  await expect(address(settings)).toHaveValue(server.url)
})

test('the window is read from the server, and what an answer used and cost is shown', async ({ page }) => {
  Object.assign(server.switches, {
    row: { owned_by: 'llamacpp' },
    native: { '/props': { default_generation_settings: { n_ctx: 24_576 } } },
  })
  const settings = await connect(page, { address: server.url })
  await expect(settings.getByText(/24.576 tokens, told by the server \(\/props\)/)).toBeVisible()
  await settings
    .getByText(/^More headers/)
    .first()
    .click()
  await settings.getByLabel('Prices').fill('chat 1000 2000')
  await settings.getByRole('button', { name: 'Connect and save' }).click()
  await useModel(settings, 'chat')
  await say(page, 'Hello')
  await finished(page)
  await answers(page).last().hover()
  await answers(page).last().getByRole('button', { name: 'More' }).click()
  await expect(answers(page).last()).toContainText(/read · 12 written · \$\d/)
  const pane = page.getByRole('complementary', { name: 'Context' })
  await expect(pane.getByRole('meter', { name: 'Context used' })).toHaveAttribute('aria-valuetext', /of 24.576/)
  await expect(pane).toContainText(/Used in this chat so far: .* read · 12 written · \$\d/)
  Object.assign(server.switches, { row: undefined, native: undefined })
})

test('in the talk, the cause of a failure can be looked for', async ({ page }) => {
  await openWithServer(page, server.url, 'chat')
  await say(page, 'Hello')
  await finished(page)
  server.switches.models = ['another']
  await say(page, '[[missing]] Still there?')
  await page.getByRole('button', { name: 'Find the cause' }).click()
  await expect(page.getByRole('region', { name: 'What is wrong with the server' })).toContainText(
    'does not have the model chat',
  )
})

/** Asks in the chat that is open, with this model, and waits for the n-th answer. */
async function ask(page: Page, n: number, text = ''): Promise<void> {
  await say(page, `Question ${n}${text}`)
  await finished(page)
  await expect(answers(page).last()).toContainText(`Answer ${n}.`)
}
const choose = async (page: Page, model: string): Promise<void> => {
  await say(page, `/model ${model}`)
  await expect(notes(page).last()).toContainText(model)
}

test('servers that want back what they gave, or refuse what others take: several questions to each, and a reload', async ({
  page,
}) => {
  test.slow() // some fifty answers
  const names = ['deepseek', 'gateway', 'openrouter', 'gemini', 'strict', 'toolless']
  server.switches.models = [...names, 'limited']
  await openApp(page)
  await startWithServer(page, server.url, 'deepseek')
  // A picture in the talk: some servers refuse it, and with it all that follows.
  const line = (id: string, parent: string | null, message: Record<string, unknown>): string =>
    JSON.stringify({ type: 'message', id, parent, seq: 0, timestamp: 1_772_359_200_000, message })
  await importFile(page, [
    JSON.stringify({
      type: 'session',
      harness: 'haversack',
      id: 'picture',
      name: 'With a picture',
      createdAt: 1_772_359_200_000,
      format: 1,
    }),
    line('p1', null, {
      role: 'user',
      content: 'See',
      attachments: [{ name: 'a.png', mime: 'image/png', bytes: 1, blob: 'p' }],
    }),
    line('p2', 'p1', { role: 'assistant', content: 'I see.', model: 'elsewhere' }),
    JSON.stringify({ type: 'blob', id: 'p', mime: 'image/png', base64: 'AA==' }),
  ])
  await expect(answers(page).last()).toContainText('I see.')
  let n = 0
  for (const name of names) {
    await choose(page, name)
    await ask(page, ++n, ': look')
    await ask(page, ++n)
  }
  await page.reload()
  for (const name of names) {
    await choose(page, name)
    server.requests.length = 0
    await ask(page, ++n, ': look')
    // What was learnt before is known: nothing is refused any more. Those two had not met an answer without reasoning
    // yet.
    if (!['deepseek', 'gateway'].includes(name))
      expect(server.requests.filter(({ body }) => body)).toHaveLength(name === 'toolless' ? 1 : 2)
  }
  await say(page, '/new')
  n = 0
  await say(page, '/strategy cowagent')
  await say(page, '/config agent_max_steps 2')
  await expect(notes(page)).toHaveCount(2)
  for (const again of [false, true]) {
    if (again) await page.reload()
    await choose(page, 'limited')
    await ask(page, ++n, ': look')
  }
  await expect(page.getByText('refused the request')).toHaveCount(0)
})

test('thinking of Anthropic’s API goes back signed, also after a reload', async ({ page }) => {
  Object.assign(server.switches, {
    models: ['thinks'],
    headers: 'x-api-key, anthropic-version, anthropic-dangerous-direct-browser-access',
  })
  await openApp(page)
  await page
    .getByRole('region', { name: 'Choose a model' })
    .getByRole('button', { name: /another server/ })
    .click()
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await settings.getByLabel('Kind').selectOption('Anthropic')
  await address(settings).fill(server.url)
  await key(settings).fill('sk-ant-0000000000')
  await settings.getByRole('button', { name: 'Connect and save' }).click()
  await useModel(settings, 'thinks')
  await ask(page, 1, ': look')
  await ask(page, 2)
  await page.reload()
  server.requests.length = 0
  await ask(page, 3, ': look')
  const asked = server.requests.filter(({ path }) => path === '/v1/messages')
  expect(asked).toHaveLength(2)
  expect(JSON.stringify(asked.at(-1)?.body).match(/"type":"thinking"/g)).toHaveLength(4)
  await expect(page.getByText('refused the request')).toHaveCount(0)
})

test('a page from the internet needs permission for this computer: refused, and given', async ({ playwright }) => {
  const host = await serveStatic()
  const executablePath = findChromium()
  const browser = await playwright.chromium.launch({
    ...(executablePath ? { executablePath } : {}),
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--disable-background-networking',
      '--no-first-run',
      '--disable-component-update',
      '--disable-sync',
      `--ip-address-space-overrides=127.0.0.1:${host.port}=public`,
    ],
  })
  const url = `http://localhost:${host.port}/`
  const fill = async (page: Page): Promise<Locator> => {
    await openApp(page, url)
    await page
      .getByRole('region', { name: 'Choose a model' })
      .getByRole('button', { name: /another server/ })
      .click()
    const settings = page.getByRole('dialog', { name: 'Settings' })
    await address(settings).fill(server.url)
    await settings.getByRole('button', { name: 'Connect and save' }).click()
    return settings
  }
  // Without a window to ask in, this browser answers its own question with no.
  const refused = await fill(await (await browser.newContext()).newPage())
  await expect(doctor(refused)).toContainText('The browser keeps this page from your local network')
  expect(server.requests.filter(({ headers }) => headers['origin'] === url.slice(0, -1))).toEqual([])

  const context = await browser.newContext()
  await context.grantPermissions(['local-network-access'], { origin: url })
  const allowed = await fill(await context.newPage())
  await expect(allowed.getByRole('button', { name: 'Use chat', exact: true })).toBeVisible()
  await browser.close()
  await host.close()
})
