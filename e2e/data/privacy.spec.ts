/** Nothing is fetched before a choice; what leaves the device is asked for; keys are sealed. */
import { expect, test, type Browser, type Locator, type Page } from '@playwright/test'
import { startFakeServer, type FakeServer } from '../servers/fake-server.ts'
import {
  answers,
  chooseModel,
  conversation,
  finished,
  foreignRequests,
  modelButton,
  modelOption,
  notes,
  openApp,
  say,
  startWithoutModel,
  useModel,
} from '../person.ts'

let fake: FakeServer
test.beforeEach(async () => {
  fake = await startFakeServer()
})
test.afterEach(() => fake.stop())

const address = (settings: Locator): Locator => settings.getByRole('textbox', { name: /^Address (?!of)/ })
const firstStart = (page: Page): Locator => page.getByRole('region', { name: 'Choose a model' })
const toBegin = (page: Page): Locator => firstStart(page).getByRole('article', { name: 'To begin with' })
const permission = (page: Page): Locator => page.getByRole('alertdialog', { name: 'Permission' })

/** What Chrome puts on `window`: answers the requests in order, in the form that they ask for. */
async function browserModel(page: Page, availability: string, said: readonly string[] = []): Promise<void> {
  await page.addInitScript(
    ([state, lines]) => {
      const seen = { created: 0, prompts: [] as unknown[] }
      Object.assign(window, {
        seen,
        LanguageModel: {
          availability: async () => state,
          create: async () => {
            seen.created++
            return Object.assign(new EventTarget(), {
              contextUsage: 10,
              contextWindow: 6_000,
              measureContextUsage: async (text: string) => Math.ceil(text.length / 4),
              destroy: () => {},
              promptStreaming: (text: string, options: { responseConstraint?: unknown }) => {
                const line = lines[seen.prompts.length] ?? '{"answer": "No more."}'
                seen.prompts.push([text, options.responseConstraint !== undefined])
                return new ReadableStream({
                  start(controller) {
                    for (const piece of line.match(/.{1,7}/gs) ?? []) controller.enqueue(piece)
                    controller.close()
                  },
                })
              },
            })
          },
        },
      })
    },
    [availability, said] as const,
  )
}

test('choosing nothing downloads nothing and asks nobody', async ({ page, baseURL }) => {
  const foreign = foreignRequests(page.context(), [baseURL!])
  await browserModel(page, 'downloadable')
  await openApp(page)
  await expect(firstStart(page).getByRole('button', { name: 'Start without a model' })).toBeVisible()
  await expect(
    firstStart(page).getByRole('button', { name: 'On this device', exact: true }),
  ).toHaveAccessibleDescription(/MB|GB/)
  await expect(toBegin(page)).toHaveCount(0)
  await firstStart(page).getByRole('button', { name: 'On this device', exact: true }).click()
  await expect(
    page.getByRole('dialog', { name: 'Settings' }).getByRole('tab', { name: 'This device' }),
  ).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(
    firstStart(page).getByRole('button', { name: 'On this device', exact: true }),
  ).toHaveAccessibleDescription(/MB|GB/)
  await page.waitForLoadState('networkidle')
  expect(foreign).toEqual([])
  expect(
    await page.evaluate(async () => ({
      created: (window as unknown as { seen: { created: number } }).seen.created,
      caches: (await caches.keys()).filter(name => name.startsWith('webllm')),
      files: await Array.fromAsync(
        ((await navigator.storage.getDirectory()) as unknown as { keys(): AsyncIterable<string> }).keys(),
      ),
    })),
  ).toEqual({ created: 0, caches: [], files: [] })
  expect(fake.requests).toEqual([])
})

test('begins with a server that answers, and says when one does not', async ({ page }) => {
  await openApp(page)
  await firstStart(page)
    .getByRole('button', { name: /another server/ })
    .click()
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await settings.getByLabel('Name', { exact: true }).fill('Test server')
  await address(settings).fill(fake.url)
  await settings.getByRole('button', { name: 'Connect and save' }).click()
  await expect(settings.getByRole('listbox', { name: 'Models' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(toBegin(page)).toContainText('Test server answers')
  await fake.stop()
  await page.reload()
  await expect(toBegin(page)).toContainText('Does not answer now: Test server')
  await expect(toBegin(page)).toContainText('Recall works at once')
})

test("the browser's own model is begun with where it is here, and uses tools in words", async ({ page }) => {
  await browserModel(page, 'available', [
    '{"name": "list_files", "arguments": {}}',
    '{"answer": "There is \\"nothing\\" yet,\\nbut soon."}',
  ])
  await openApp(page)
  const device = firstStart(page).getByRole('button', { name: 'On this device', exact: true })
  await expect(device).toHaveAccessibleDescription(/The model of this browser/)
  await device.click()
  await say(page, 'Which files are there?')
  await finished(page)
  await expect(conversation(page).getByRole('article', { name: 'Tool list_files' })).toBeVisible()
  await expect(answers(page).last()).toContainText('There is "nothing" yet,')
  const prompts = await page.evaluate(
    () => (window as unknown as { seen: { prompts: [string, boolean][] } }).seen.prompts,
  )
  expect(prompts.map(([, held]) => held)).toEqual([true, true])
  expect(prompts[1]![0]).toContain('<tool_response name="list_files"')
  await expect(modelButton(page)).toHaveAccessibleName('Model: Browser model')
  await modelButton(page).click()
  const models = page.getByRole('dialog', { name: 'Choose a model' })
  await expect(modelOption(models, 'Browser model').and(models.getByRole('option', { selected: true }))).toContainText(
    'tools: so-so',
  )
})

test.describe('with a model elsewhere', () => {
  let browser: Browser
  let page: Page
  test.beforeEach(async ({ playwright, baseURL }) => {
    const { launchOptions } = test.info().project.use
    browser = await playwright.chromium.launch({
      ...launchOptions,
      args: [...(launchOptions?.args ?? []), '--host-resolver-rules=MAP models.example 127.0.0.1'],
    })
    page = await (await browser.newContext({ baseURL: baseURL!, locale: 'en-US' })).newPage()
  })
  test.afterEach(() => browser.close())
  const elsewhere = (): string => fake.url.replace(/127\.0\.0\.1|localhost/, 'models.example')

  test('a chat of this device, and what other chats say, leave it only after a yes', async () => {
    await openApp(page)
    await startWithoutModel(page)
    await say(page, 'Please keep that the pin of the safe is 4711.')
    await finished(page)
    await modelButton(page).click()
    await page.getByRole('button', { name: 'Add a server…' }).click()
    const settings = page.getByRole('dialog', { name: 'Settings' })
    await expect(address(settings)).toBeFocused() // nothing else has to be pressed
    await settings.getByLabel('Name', { exact: true }).fill('Far away')
    await address(settings).fill(elsewhere())
    await settings.getByRole('button', { name: 'Connect and save' }).click()
    await useModel(settings, 'chat')

    const asked = (): string =>
      JSON.stringify(fake.requests.filter(({ method }) => method === 'POST').map(({ body }) => body))
    await say(page, 'And now?')
    await expect(permission(page)).toContainText('Send this chat to chat (Far away)?')
    expect(asked()).toBe('[]')
    await page.reload()
    await expect(permission(page)).toContainText('Send this chat to chat (Far away)?') // nothing was cut off
    await permission(page).getByRole('button', { name: 'Deny' }).click()
    await expect(notes(page).last()).toContainText('Not sent')
    expect(asked()).toBe('[]')

    await page.getByRole('button', { name: 'New chat' }).first().click()
    await say(page, '[[call memory_search {"query":"pin of the safe"}]] What is the pin?')
    await expect(permission(page)).toContainText('would like to read your other chats, notes and files')
    await permission(page).getByRole('button', { name: 'Allow', exact: true }).click()
    await finished(page)
    expect(asked()).not.toContain('4711')
    await say(page, '[[call memory_search {"query":"safe"}]] Again?')
    await finished(page) // asked once in a chat
    expect(asked()).not.toContain('4711')

    await page.getByRole('button', { name: 'New chat' }).first().click()
    await say(page, '[[call list_files {}]] Which files?')
    // names and days are theirs too
    await expect(permission(page)).toContainText('would like to read your other chats, notes and files')
    await permission(page).getByRole('button', { name: 'Deny' }).click()
    await finished(page)

    await page.getByRole('button', { name: 'New chat' }).first().click()
    await say(page, '[[call memory_search {"query":"pin of the safe"}]] And here?')
    await permission(page).getByRole('button', { name: 'Allow, also chats of this device' }).click()
    await finished(page)
    expect(asked()).toContain('4711')

    await chooseModel(page, 'Recall')
    await expect(notes(page).last()).toContainText('This chat has been sent to chat (Far away) before.')

    await page.getByRole('button', { name: 'Settings' }).first().click()
    await settings.getByRole('tab', { name: 'Privacy' }).click()
    await expect(
      settings.getByText('Models elsewhere may read chats and files that never left this device'),
    ).toBeVisible()
    const row = settings.getByRole('row').filter({ hasText: 'models.example' })
    await expect(row).toContainText('model')
  })
})

test('keys are sealed in the database, and locked by a passphrase until it is typed', async ({ page }) => {
  const key = 'sk-e2e-0123456789-do-not-show'
  fake.switches.key = key
  await openApp(page)
  await firstStart(page)
    .getByRole('button', { name: /another server/ })
    .click()
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await settings.getByLabel('Name', { exact: true }).fill('Test server')
  await address(settings).fill(fake.url)
  await settings.getByRole('textbox', { name: /^Key / }).fill(key)
  await settings.getByRole('button', { name: 'Connect and save' }).click()
  await useModel(settings, 'chat')
  await say(page, 'Hello')
  await finished(page)
  await expect(answers(page).last()).toContainText('Hello')

  const kept = (): Promise<string> =>
    page.evaluate(async () => {
      const open = indexedDB.open('haversack')
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        open.onsuccess = () => {
          resolve(open.result)
        }
        open.onerror = () => {
          reject(open.error as Error)
        }
      })
      const texts: string[] = []
      for (const store of database.objectStoreNames) {
        const all = database.transaction(store).objectStore(store).getAll()
        const rows = await new Promise<unknown[]>(resolve => {
          all.onsuccess = () => {
            resolve(all.result as unknown[])
          }
        })
        texts.push(
          JSON.stringify(rows, (_, value: unknown) =>
            value instanceof Uint8Array ? new TextDecoder('latin1').decode(value) : value,
          ),
        )
      }
      database.close()
      return texts.join('\n')
    })
  expect(await kept()).toContain('Test server')
  expect(await kept()).not.toContain(key)

  const keys = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Settings' }).first().click()
    await settings.getByRole('tab', { name: 'Servers' }).click()
  }
  await keys()
  await settings.getByRole('button', { name: 'Lock with a passphrase…' }).click()
  await settings.getByLabel('New passphrase').fill('correct horse')
  await settings.getByRole('button', { name: 'Set', exact: true }).click()
  await expect(settings.getByText('Sealed by your passphrase')).toBeVisible()
  await page.reload()
  await say(page, 'Still there?')
  await expect(page.getByText('locked with your passphrase').first()).toBeVisible()
  await keys()
  await settings.getByLabel('Passphrase', { exact: true }).fill('wrong horse')
  await settings.getByRole('button', { name: 'Unlock' }).click()
  await expect(settings.getByText('That is not the passphrase.')).toBeVisible()
  await settings.getByLabel('Passphrase', { exact: true }).fill('correct horse')
  await settings.getByRole('button', { name: 'Unlock' }).click()
  await expect(settings.getByText('Sealed by your passphrase')).toBeVisible()
  await expect(settings.getByRole('button', { name: 'Unlock' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await say(page, 'And now?')
  await finished(page)
  await expect(answers(page).last()).toContainText('And now?')
})
