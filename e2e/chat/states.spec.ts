/**
 * The states that the page's surroundings bring: each has its words, fits a phone, and axe finds nothing serious in it.
 */
import { expect, test, type Browser, type Locator, type Page } from '@playwright/test'
import { faults } from '../axe.ts'
import { startFakeServer, type FakeServer } from '../servers/fake-server.ts'
import {
  answers,
  conversation,
  finished,
  freshProfile,
  importFile,
  openApp,
  openWithServer,
  questions,
  readyForOffline,
  say,
  textOf,
} from '../person.ts'
import { saidOnce } from '../said-once.ts'
import { serveStatic } from '../servers/static-server.ts'

let server: FakeServer
test.beforeAll(async () => {
  server = await startFakeServer()
})
test.afterAll(() => server.stop())

/** A page whose agent worker begins with a piece of script: for what a test cannot do to a browser from outside. */
async function pageWith(browser: Browser, baseURL: string | undefined, script: string): Promise<Page> {
  const context = await browser.newContext({ locale: 'en-US', ...(baseURL ? { baseURL } : {}) })
  const page = await context.newPage()
  if (script !== '')
    await page.route('**/agent.worker-*.js', async route => {
      const response = await route.fetch()
      await route.fulfill({ response, body: `${script};\n${await response.text()}` })
    })
  return page
}

/** The state is told, on a desk and on a phone, in both colours. */
async function isTold(page: Page, words: RegExp): Promise<void> {
  for (const [width, height, colorScheme] of [
    [1280, 800, 'light'],
    [360, 740, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await expect(page.getByText(words).first()).toBeVisible()
    // The panes follow the new width a moment later.
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `${width} px`)
      .toBeLessThanOrEqual(0)
    const box = page.getByRole('textbox', { name: 'Message' })
    if ((await box.count()) > 0)
      await expect
        .poll(async () => (await box.boundingBox())!.y, 'the message box is in sight')
        .toBeLessThan(height - 60)
    // Colours that were just changed can reach text a moment after its background.
    await expect.poll(() => faults(page), `${width} px`).toEqual([])
    await saidOnce(page)
  }
}

/** On a phone a notice is a line of the header, which opens it. */
async function opened(page: Page, title: string): Promise<Locator> {
  await page
    .getByRole('main')
    .getByRole('button', { name: new RegExp(`^${title}`) })
    .click()
  return page.getByRole('note', { name: title })
}

const withoutModel = (page: Page) => page.getByRole('button', { name: 'Start without a model' }).click()

test('offline: no part that is missing is taken for a new version', async ({ page, context }) => {
  await openWithServer(page, server.url, 'chat')
  await context.setOffline(true)
  await isTold(page, /You are offline/)
  await expect(page.getByText('A new version is there')).toHaveCount(0)
})

test('storage is nearly full', async ({ browser, baseURL }) => {
  const page = await pageWith(
    browser,
    baseURL,
    'StorageManager.prototype.estimate = async () => ({ usage: 980e6, quota: 1e9 })',
  )
  await openApp(page)
  await withoutModel(page)
  await isTold(page, /Storage is nearly full/)
  const card = await opened(page, 'Storage is nearly full')
  await card.getByRole('button', { name: 'Storage', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Settings' }).getByRole('tabpanel', { name: 'Storage' })).toBeVisible()
  await page.context().close()
})

test('storage is full', async ({ browser, baseURL }) => {
  const full =
    'for (const name of ["add", "put"]) { const own = IDBObjectStore.prototype[name]; IDBObjectStore.prototype[name] = function (...args) { if (JSON.stringify(args[0])?.includes("the last straw")) throw new DOMException("no room", "QuotaExceededError"); return own.apply(this, args) } }'
  const page = await pageWith(browser, baseURL, full)
  await openApp(page)
  await withoutModel(page)
  await say(page, 'This is the last straw.')
  await isTold(page, /Storage is full/)
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('This is the last straw.')
  await page.context().close()
})

test('storage is blocked, as in a private window', async ({ browser, baseURL }) => {
  const page = await pageWith(
    browser,
    baseURL,
    'Object.defineProperty(self, "indexedDB", { value: { open() { throw new DOMException("denied", "SecurityError") } } })',
  )
  await openApp(page)
  await withoutModel(page)
  await isTold(page, /Nothing is kept here/)
  await page.context().close()
})

test('the data is newer than the app: one can read, and is told why not more', async ({ page }) => {
  await openApp(page)
  await withoutModel(page)
  await say(page, 'The blue door.')
  await finished(page)
  await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const asked = indexedDB.open('haversack')
      asked.onsuccess = () => resolve(asked.result)
      asked.onerror = () => reject(asked.error)
    })
    const change = database.transaction('settings', 'readwrite')
    change.objectStore('settings').put({ key: 'storage.epoch', value: 999 })
    await new Promise(resolve => {
      change.oncomplete = resolve
    })
    database.close()
  })
  await page.reload()
  await expect(conversation(page)).toContainText('The blue door.')
  await isTold(page, /Your data is newer than this page/)
})

test('the chats were removed by the browser', async ({ page }) => {
  await page.addInitScript(() => {
    window.localStorage.setItem('haversack', JSON.stringify({ hadChats: 3 }))
  })
  await openApp(page)
  await isTold(page, /Your chats were removed/)
  await expect((await opened(page, 'Your chats were removed')).getByRole('button', { name: 'Import' })).toBeVisible()
})

test('the data of the site are cleared in mid-answer: told at once, nothing is pretended, and what is open comes back from a file', async ({
  page,
  context,
  browser,
  baseURL,
}) => {
  await openWithServer(page, server.url, 'chat')
  await say(page, 'The blue door is open.')
  await finished(page)
  await say(page, 'Tell me. [[broken-off later]]')
  await expect(answers(page).last()).toContainText('It begins')
  const devtools = await context.newCDPSession(page)
  await devtools.send('Storage.clearDataForOrigin', { origin: new URL(page.url()).origin, storageTypes: 'all' })
  const notice = page.getByRole('alert', { name: 'The data of this site were cleared' })
  await expect(notice).toBeVisible()
  server.goOn() // and the connection breaks: the answer cannot be stored as broken off either
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()
  await expect(conversation(page)).toContainText('It begins')
  await say(page, 'What is typed stays.')
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('What is typed stays.')
  await isTold(page, /The data of this site were cleared/)
  expect(await page.evaluate(async () => (await indexedDB.databases()).length), 'none is made in its place').toBe(0)

  let asked = 0
  page.on('dialog', dialog => {
    asked++
    void dialog.dismiss()
  })
  await page.evaluate(() => {
    location.reload()
  })
  await expect.poll(() => asked, 'leaving asks while nothing is saved').toBe(1)
  const download = page.waitForEvent('download')
  const card = await opened(page, 'The data of this site were cleared')
  await card.getByRole('button', { name: 'Save what is open' }).click()
  const lines = (await textOf(await download)).trim().split('\n')

  const other = await freshProfile(browser)
  await openApp(other, baseURL)
  await withoutModel(other)
  await importFile(other, lines, 'open.jsonl')
  await expect(questions(other)).toHaveCount(2)
  await expect(answers(other).last()).toContainText('It begins')
  await expect(other.getByRole('textbox', { name: 'Message' })).toHaveValue('What is typed stays.')
  await other.context().close()
})

test('the database is deleted by another tab: that is no new version, in Chinese too', async ({ page, context }) => {
  await page.addInitScript(() => {
    if (window.localStorage.getItem('haversack') === null)
      window.localStorage.setItem('haversack', JSON.stringify({ language: 'zh' }))
  })
  await openApp(page, '/#/new')
  await page.getByRole('textbox', { name: '消息' }).fill('还没写完')
  await expect(page).toHaveURL(/#\/chat\//)
  const tab = await context.newPage()
  await tab.goto('/robots.txt')
  await tab.evaluate(
    () =>
      new Promise(resolve => {
        indexedDB.deleteDatabase('haversack').onsuccess = resolve
      }),
  )
  const notice = page.getByRole('alert', { name: '数据库已被删除' })
  await expect(notice.getByRole('button', { name: '保存打开的内容' })).toBeVisible()
  await expect(page.getByText('已在另一个标签页更新')).toHaveCount(0)
  await page.getByRole('textbox', { name: '消息' }).fill('还没写完，后来又写了一点')
  await page.keyboard.press('Alt+n') // another chat is opened: nothing has kept what was typed in this one
  await expect(page.getByRole('textbox', { name: '消息' })).toHaveValue('')
  await page.goBack()
  await expect(page.getByRole('textbox', { name: '消息' })).toHaveValue('还没写完，后来又写了一点')
  await page.keyboard.press('Alt+n')
  const download = page.waitForEvent('download')
  await notice.getByRole('button', { name: '保存打开的内容' }).click()
  expect(await textOf(await download)).toContain('"draft":"还没写完，后来又写了一点"')
})

test('paused by the screen lock in the middle of an answer: says so instead of a network error, and goes on', async ({
  page,
}) => {
  await openWithServer(page, server.url, 'chat')
  await say(page, 'Tell me. [[broken-off later]]')
  await expect(answers(page).last()).toContainText('It begins')
  const look = (state: string) =>
    page.evaluate(shown => {
      Object.defineProperty(document, 'visibilityState', { value: shown, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await look('hidden')
  await page.waitForTimeout(3_500) // longer than a glance at another page
  server.goOn() // and the connection breaks
  await look('visible')
  await isTold(page, /Paused by the device/)
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
  await expect(answers(page).last()).toContainText('It begins')
  await opened(page, 'Paused by the device')
  await expect(page.getByRole('main').getByRole('button', { name: 'Continue' })).toHaveCount(1) // there, or in the chat
})

test.describe(() => {
  test.use({ serviceWorkers: 'allow' })

  test('a new version is ready', async ({ page }) => {
    const host = await serveStatic()
    try {
      await openApp(page, host.url)
      await withoutModel(page)
      await readyForOffline(page)
      host.change('/service-worker.js', text => `${text}\n// another build`)
      await page.evaluate(async () => {
        await (await navigator.serviceWorker.getRegistration())!.update()
      })
      await isTold(page, /A new version is ready/)
    } finally {
      await host.close()
    }
  })
})

test('another page answers in this chat', async ({ page, context }) => {
  await openWithServer(page, server.url, 'chat')
  await say(page, 'Take your time. [[hang]]')
  await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible()
  await expect(page).toHaveURL(/#\/chat\//) // it is stored
  const second = await context.newPage()
  await openApp(second, page.url())
  await isTold(second, /This chat is being answered in another tab/)
  await expect(second.getByRole('button', { name: 'Send' })).toBeDisabled()
})

test('a chat that is not here, and a path that is not there', async ({ page }) => {
  await openApp(page, '/#/chat/nowhere')
  await isTold(page, /This chat is not here/)
})

for (const [name, said, words] of [
  ['failed', '[[unauthorised]]', /does not accept the key/],
  ['failed in the middle', '[[broken-off]]', /broke off/],
  ['too long', '[[overflow]]', /does not fit/],
] as const) {
  test(`an answer that ${name}`, async ({ page }) => {
    await openWithServer(page, server.url, 'chat')
    await say(page, `Go. ${said}`)
    await expect(page.getByRole('main').getByRole('alert')).toContainText(words)
    await isTold(page, words)
    for (const button of await page.getByRole('main').getByRole('alert').getByRole('button').all())
      await expect(button).toBeInViewport()
  })
}
