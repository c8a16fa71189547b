/** What a person does with the app, by the names that they see. */
import { writeFileSync } from 'node:fs'
import {
  expect,
  test,
  type Browser,
  type BrowserContext,
  type Download,
  type Locator,
  type Page,
} from '@playwright/test'

/**
 * Opens the app and waits until it can be used. A save dialog of the system cannot be driven, so downloads are used.
 */
export async function openApp(page: Page, url = '/'): Promise<void> {
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, 'showSaveFilePicker')
  })
  await page.goto(url)
  await expect(page.getByRole('main')).toBeVisible()
}

/** First start, the way that always works. */
export async function startWithoutModel(page: Page): Promise<void> {
  await page
    .getByRole('region', { name: 'Choose a model' })
    .getByRole('button', { name: 'Start without a model' })
    .click()
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
}

/** First start with a server: types its address, connects, takes one of its models. */
export async function startWithServer(page: Page, baseUrl: string, model: string): Promise<void> {
  const start = page.getByRole('region', { name: 'Choose a model' })
  await start.getByRole('textbox', { name: 'Address of a server, or an API key' }).fill(baseUrl)
  await start.getByRole('button', { name: 'Connect', exact: true }).click()
  await useModel(start, model)
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
}

/** Takes a model of a server that answers: by its button where it is the only one, else in the list. */
export async function useModel(within: Locator, model: string): Promise<void> {
  const only = within.getByRole('button', { name: `Use ${model}`, exact: true })
  const list = within.getByRole('listbox', { name: 'Models' })
  await expect(only.or(list)).toBeVisible()
  await ((await only.isVisible()) ? only.click() : pickModel(within, model))
}

/** Chooses a model in a list of them; many are searched first, as a person would. */
export async function pickModel(within: Locator, model: string): Promise<void> {
  await expect(within.getByRole('listbox', { name: 'Models' })).toBeVisible()
  const search = within.getByRole('combobox', { name: 'Search models' })
  if (await search.isVisible()) await search.fill(model)
  await modelOption(within, model).click()
}

/** The row of a model in a list; what is known of the model belongs to its name there. */
export const modelOption = (within: Locator, model: string): Locator =>
  within.getByRole('option').filter({ has: within.page().getByText(model, { exact: true }) })

/** The button in the header that tells the model, and opens the list of all. */
export const modelButton = (page: Page): Locator => page.getByRole('button', { name: /^Model: / })

/** Chooses the model of the open chat in the header. */
export async function chooseModel(page: Page, model: string): Promise<void> {
  await modelButton(page).click()
  await pickModel(page.getByRole('dialog', { name: 'Choose a model' }), model)
}

/** All that this browser keeps of the app, as JSON. */
export const stored = async (page: Page): Promise<string> =>
  JSON.stringify(await page.context().storageState({ indexedDB: true }))

const profiles = new Map<string, { baseUrl: string; state: string /* JSON */ }>()

/**
 * The app with a server that was named before: once a process by hand, then with what that left in the browser, which
 * saves 2 s of processor (2026-11).
 */
export async function openWithServer(page: Page, baseUrl: string, model: string): Promise<void> {
  const known = profiles.get(model)
  if (known === undefined) {
    await openApp(page)
    await startWithServer(page, baseUrl, model)
    await expect.poll(() => stored(page)).toContain(`/${model}"`)
    profiles.set(model, { baseUrl, state: await stored(page) })
    return
  }
  await page
    .context()
    .setStorageState(
      JSON.parse(known.state.replaceAll(known.baseUrl, baseUrl)) as Exclude<
        Parameters<BrowserContext['setStorageState']>[0],
        string
      >,
    )
  await openApp(page)
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
}

/** Types and sends. */
export async function say(page: Page, text: string): Promise<void> {
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill(text)
  await page.getByRole('button', { name: 'Send', exact: true }).click()
}

export const conversation = (page: Page): Locator => page.getByRole('log', { name: 'Conversation' })
export const answers = (page: Page): Locator => conversation(page).getByRole('article', { name: 'Assistant' })
export const questions = (page: Page): Locator => conversation(page).getByRole('article', { name: 'You' })
/** Brings the card of the summary in view to the screen: it stands at its border, which may be far up. */
export async function showSummary(page: Page): Promise<Locator> {
  await page
    .getByRole('toolbar', { name: 'The chat, oldest first' })
    .getByRole('button', { name: /^Summary of / })
    .click()
  const card = conversation(page).getByRole('article', { name: 'Summary' }).last()
  await expect(card).toBeInViewport()
  return card
}
export const notes = (page: Page): Locator => conversation(page).getByRole('article', { name: 'Note' })

/**
 * Waits until nothing runs any more: Stop is gone, nothing is being written, and something stands behind the newest
 * question.
 */
export async function finished(page: Page): Promise<void> {
  let before = ''
  await expect
    .poll(
      async () => {
        // Looked at in one moment, and twice: between two looks an answer may begin.
        const now = await page.evaluate(() => {
          const talk = document.querySelector('[role="log"]')
          const stops = [...document.querySelectorAll('button')].some(
            button => (button.getAttribute('aria-label') ?? button.textContent ?? '').trim() === 'Stop',
          )
          const articles = talk?.querySelectorAll('article') ?? []
          const newest = articles[articles.length - 1]?.getAttribute('aria-label')
          return stops || talk?.querySelector('article[aria-busy="true"]') || !newest || newest.startsWith('You')
            ? 'running'
            : `${articles.length} ${newest}`
        })
        const same = now === before
        before = now
        return same ? now : 'running'
      },
      { timeout: 60_000, intervals: [100] },
    )
    .not.toBe('running')
}

/** Chooses a file for Import, through the button that a person presses. */
export async function importFile(page: Page, lines: readonly string[], name = 'chat.jsonl'): Promise<void> {
  const path = test.info().outputPath(name)
  writeFileSync(path, `${lines.join('\n')}\n`)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('navigation', { name: 'Library' }).getByRole('button', { name: 'Import', exact: true }).click()
  await (await chooser).setFiles(path)
}

/** The text of a download. */
export async function textOf(download: Download): Promise<string> {
  const stream = await download.createReadStream()
  const parts: Buffer[] = []
  for await (const part of stream) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

/** Everything that the page, its workers and its service worker asked for outside the given origins. */
export function foreignRequests(context: BrowserContext, allowed: readonly string[]): string[] {
  const foreign: string[] = []
  context.on('request', request => {
    const url = request.url()
    if (!/^(data|blob|about|chrome-extension):/.test(url) && !allowed.some(origin => url.startsWith(origin)))
      foreign.push(url)
  })
  return foreign
}

/** Waits until the service worker serves this page: from then on it works without a network. */
export async function readyForOffline(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (!navigator.serviceWorker.controller)
      await new Promise(resolve =>
        navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
      )
  })
}

/** A browser profile of its own, as if on another machine. */
export async function freshProfile(browser: Browser): Promise<Page> {
  const context = await browser.newContext()
  return context.newPage()
}
