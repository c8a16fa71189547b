/** Installed, offline, updated: the app as files on an ordinary static host. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '@playwright/test'
import { madeLog } from '../fixtures/logs.ts'
import { serveStatic, type StaticServer } from '../servers/static-server.ts'
import { visitUntilKept } from '../visit-until-kept.ts'

test.use({ serviceWorkers: 'allow' })

let server: StaticServer
test.beforeEach(async () => {
  server = await serveStatic()
})
test.afterEach(() => server.close())

test('works without a network after the first visit, with its lazy parts', async ({ page, context }) => {
  await visitUntilKept(page, server.url)
  await context.setOffline(true)
  await server.close()
  server = await serveStatic() // another port: the old address is dead
  await page.reload()
  await expect(page.getByRole('main')).toBeVisible()
  const missing = await page.evaluate(async () => {
    const names = (await Promise.all((await caches.keys()).map(async name => (await caches.open(name)).keys())))
      .flat()
      .map(request => request.url)
    const answers = await Promise.all(
      names
        .filter(name => name.includes('/assets/'))
        .map(async name => [name, (await fetch(name.split('?')[0]!)).ok] as const),
    )
    return { parts: answers.length, missing: answers.filter(([, ok]) => !ok) }
  })
  expect(missing.parts).toBeGreaterThan(10)
  expect(missing.missing).toEqual([])
})

test('keeps only files of this build: answers of servers and other addresses are never cached', async ({ page }) => {
  const api = createServer((_, response) => {
    response
      .writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'application/json' })
      .end('{"data":[]}')
  })
  await new Promise<void>(resolve => api.listen(0, '127.0.0.1', resolve))
  const address = `http://localhost:${(api.address() as AddressInfo).port}/v1/models`
  await visitUntilKept(page, server.url)
  const worker = page.workers()[0]!
  expect(await worker.evaluate(async url => (await fetch(url)).json(), address)).toEqual({ data: [] })
  expect(await worker.evaluate(async () => (await fetch('/v1/models')).status)).toBe(404)
  const kept = await page.evaluate(async () =>
    (await Promise.all((await caches.keys()).map(async name => (await caches.open(name)).keys())))
      .flat()
      .map(request => request.url),
  )
  expect(kept.length).toBeGreaterThan(10)
  expect(kept.filter(url => !new URL(url).href.startsWith(server.url) || /\/v1\/|\.map$/.test(url))).toEqual([])
  await new Promise<void>(resolve => api.close(() => resolve()))
  await expect(worker.evaluate(async url => (await fetch(url)).status, address)).rejects.toThrow(/Failed to fetch/)
})

test('a new version waits until the person says so, and never reloads by itself', async ({ page }) => {
  await visitUntilKept(page, server.url)
  await page.evaluate(() => {
    Object.assign(globalThis, { same: true })
  })
  server.change('/service-worker.js', text => `${text}\n// the next version`)
  await page.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update()
  })
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.ready).waiting?.state))
    .toBe('installed')
  const reload = page.getByRole('button', { name: 'Reload' })
  await expect(reload).toBeVisible()
  expect(await page.evaluate(() => 'same' in globalThis), 'not reloaded').toBe(true)
  await reload.click()
  await expect.poll(() => page.evaluate(() => 'same' in globalThis).catch(() => true)).toBe(false)
  await expect(page.getByRole('main')).toBeVisible()
  expect(await page.evaluate(async () => (await navigator.serviceWorker.ready).waiting)).toBeNull()
})

test('a version that cannot be installed is passed over, and the one after it is told of all the same', async ({
  page,
}) => {
  await visitUntilKept(page, server.url)
  const look = (): Promise<void> =>
    page.evaluate(async () => {
      await (await navigator.serviceWorker.ready).update()
    })
  const installing = (): Promise<boolean> =>
    page.evaluate(async () => {
      const { installing, waiting } = await navigator.serviceWorker.ready
      return installing !== null || waiting !== null
    })
  for (const broken of ['one', 'two', 'three']) {
    server.change(
      '/service-worker.js',
      text =>
        `${text}\nself.addEventListener('install', event => event.waitUntil(Promise.reject(new Error('broken ${broken}'))))`,
    )
    await look()
    await expect.poll(installing).toBe(false)
  }
  const reload = page.getByRole('button', { name: 'Reload' })
  await expect(reload).toBeHidden()
  server.change('/service-worker.js', text => `${text}\n// the next version`)
  await look()
  await expect(reload).toBeVisible()
})

test('a new version that another tab starts is told of, and a first visit in two tabs is no new version', async ({
  page,
  context,
}) => {
  const second = await context.newPage()
  await Promise.all([page.goto(server.url), second.goto(server.url)])
  for (const one of [page, second]) {
    await one.evaluate(async () => {
      while (!navigator.serviceWorker.controller) await new Promise(resolve => setTimeout(resolve, 20))
    })
    await expect(one.getByRole('main')).toBeVisible()
    await expect(one.getByRole('button', { name: 'Reload' })).toBeHidden()
  }
  server.change('/service-worker.js', text => `${text}\n// the next version`)
  await second.evaluate(async () => {
    await (await navigator.serviceWorker.ready).update()
  })
  await second.getByRole('button', { name: 'Reload' }).click()
  const reload = page.getByRole('button', { name: 'Reload' })
  await expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.ready).waiting)).toBeNull()
  await page.evaluate(() => {
    Object.assign(globalThis, { same: true })
  })
  await reload.click()
  await expect.poll(() => page.evaluate(() => 'same' in globalThis).catch(() => true)).toBe(false)
  await expect(page.getByRole('main')).toBeVisible()
  await expect(reload).toBeHidden()
})

test('can be installed, by a button of its own where the browser offers it; opens files and places it is launched with', async ({
  page,
}) => {
  await page.addInitScript(() => {
    type Launch = (launch: { targetURL: string; files?: { getFile(): Promise<File> }[] }) => void
    Object.defineProperty(window, 'launchQueue', {
      value: {
        setConsumer: (launch: Launch) => {
          Object.assign(window, { launch })
        },
      },
    })
  })
  await page.goto(server.url)
  await page.getByRole('button', { name: 'Start without a model' }).click()
  await expect.poll(() => page.evaluate(() => 'launch' in window)).toBe(true)
  const launch = (hash: string, file?: string): Promise<void> =>
    page.evaluate(
      ([hash, file]) => {
        ;(window as unknown as { launch(launch: object): void }).launch({
          targetURL: new URL(`./${hash}`, location.href).href,
          files: file === undefined ? [] : [{ getFile: async () => new File([file], 'talk.jsonl') }],
        })
      },
      [hash, file] as const,
    )
  await launch('#/memory')
  await expect(page.getByRole('heading', { name: 'Memory' }).first()).toBeVisible()
  await launch('#/search')
  await expect(page.getByRole('searchbox', { name: 'Search' })).toBeFocused()
  await launch('', `${madeLog({ messages: 4 }).join('\n')}\n`)
  await expect(page.getByRole('log', { name: 'Conversation' })).toContainText('Message 2')

  await page.getByRole('navigation', { name: 'Library' }).getByRole('button', { name: 'Settings' }).click()
  await page.getByRole('tab', { name: 'About' }).click()
  const install = page.getByRole('button', { name: 'Install Haversack' })
  await expect(install).toBeHidden()
  await page.evaluate(() => {
    const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
      prompt: async () => {
        window.dispatchEvent(new Event('appinstalled'))
        return { outcome: 'accepted' }
      },
    })
    window.dispatchEvent(offer)
  })
  await install.click()
  await expect(page.getByText('You are using the installed app.')).toBeVisible()
  await expect(install).toBeHidden()
  const address = await page.locator('link[rel=manifest]').getAttribute('href')
  const manifest = (await page.evaluate(async href => (await fetch(href)).json(), address!)) as {
    name: string
    display: string
    start_url: string
    icons: { src: string; sizes: string; purpose?: string }[]
  }
  expect(manifest).toMatchObject({
    name: 'Haversack',
    display: 'standalone',
    shortcuts: [{ name: 'New chat' }, { name: 'Search' }, { name: 'Memory' }, { name: 'Archive' }],
    share_target: { action: './share', method: 'POST' },
    file_handlers: [{ accept: { 'application/x-ndjson': ['.jsonl', '.ndjson'] } }],
    launch_handler: { client_mode: 'navigate-new' },
  })
  expect(manifest.icons.some(icon => icon.purpose === 'maskable')).toBe(true)
  for (const { src, sizes } of manifest.icons.filter(icon => icon.src.endsWith('.png'))) {
    const size = await page.evaluate(
      async src => {
        const image = new Image()
        image.src = src
        await image.decode()
        return `${image.naturalWidth}x${image.naturalHeight}`
      },
      new URL(src, `${server.url}/`).href,
    )
    expect(size).toBe(sizes)
  }
  const session = await page.context().newCDPSession(page)
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
})

test('what another program shares waits in the message box of a new chat, over a reload too, until it is sent', async ({
  page,
  context,
}) => {
  await visitUntilKept(page, server.url)
  await page.getByRole('button', { name: 'Start without a model' }).click()
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  await page.close()
  const shared = await context.newPage()
  await shared.setContent(`<form method="post" enctype="multipart/form-data" action="${server.url}/share">
    <input name="title" value="A page"><input name="url" value="https://a.example/"><input type="file" name="files">
    <button>Share</button></form>`)
  await shared
    .locator('[type=file]')
    .setInputFiles({ name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('The gate code is 4711.') })
  await shared.getByRole('button', { name: 'Share' }).click()
  const box = shared.getByRole('textbox', { name: 'Message' })
  const chip = shared.getByRole('list', { name: 'Attachments' }).getByText('notes.md')
  await expect(box).toHaveValue('A page\nhttps://a.example/')
  await expect(chip).toBeVisible()
  await expect(shared.getByRole('article')).toHaveCount(0)
  await expect(shared).not.toHaveURL(/shared/)
  await shared.reload()
  await expect(box).toHaveValue('A page\nhttps://a.example/')
  await expect(chip).toBeVisible()
  await shared.getByRole('button', { name: 'Send' }).click()
  await expect(shared.getByRole('article', { name: 'You' })).toContainText('notes.md')
  await expect
    .poll(() => shared.evaluate(async () => (await (await caches.open('haversack-shared')).keys()).length))
    .toBe(0)
})

test('lives in a folder of a host: first start, then a reload without a network', async ({ page, context }) => {
  const host = await serveStatic({ folder: '/sub' })
  const errors: string[] = []
  page.on('pageerror', error => errors.push(error.message))
  await page.goto(`${host.url}/`)
  await page.getByRole('button', { name: 'Start without a model' }).click()
  await page.getByRole('textbox', { name: 'Message' }).fill('The blue door is open.')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('article', { name: 'Assistant' })).toBeVisible()
  await page.evaluate(async () => {
    const { scope } = await navigator.serviceWorker.ready
    if (!scope.endsWith('/sub/')) throw new Error(scope)
    while (!navigator.serviceWorker.controller) await new Promise(resolve => setTimeout(resolve, 20))
  })
  await context.setOffline(true)
  await host.close()
  await page.reload()
  await expect(page.getByRole('article', { name: 'You' })).toContainText('The blue door is open.')
  await page.getByRole('button', { name: 'Settings' }).click()
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible()
  expect(host.requests.filter(path => !path.startsWith('/sub/') && path !== '/favicon.ico')).toEqual([])
  expect(errors).toEqual([])
})

test('#/reset drops the files of the app, also where the app itself is broken, and keeps the chats', async ({
  page,
}) => {
  await visitUntilKept(page, server.url)
  await page.getByRole('button', { name: 'Start without a model' }).click()
  await page.getByRole('textbox', { name: 'Message' }).fill('The blue door is open.')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByRole('article', { name: 'Assistant' })).toBeVisible()
  await page.route('**/agent.worker-*.js', route => route.fulfill({ status: 404, body: '' }))
  await page.evaluate(async () => {
    for (const name of ['haversack-engine-files', 'webllm/model'])
      await (await caches.open(name)).put('/damaged.js', new Response('broken'))
  })
  await page.evaluate(() => {
    location.hash = '#/reset'
  })
  // A link to it may stand in any page or answer: by itself it removes nothing.
  await expect(page.getByRole('heading', { name: 'Remove the files of the app?' })).toBeVisible()
  expect(
    await page.evaluate(async () => [
      (await navigator.serviceWorker.getRegistration()) !== undefined,
      (await caches.keys()).some(name => name.startsWith('workbox-')),
    ]),
  ).toEqual([true, true])
  await page.evaluate(() => {
    Object.assign(window, { own: CacheStorage.prototype.delete })
    CacheStorage.prototype.delete = () => Promise.reject(new DOMException('refused', 'UnknownError'))
  })
  await page.getByRole('button', { name: 'Remove the files' }).click()
  await expect(page.getByRole('heading', { name: 'The files of the app could not be removed' })).toBeVisible()
  await page.evaluate(() => {
    CacheStorage.prototype.delete = (window as unknown as { own: CacheStorage['delete'] }).own
  })
  await page.getByRole('button', { name: 'Remove the files' }).click()
  await expect(page.getByRole('heading', { name: 'The files of the app were removed' })).toBeVisible()
  expect(
    await page.evaluate(async () => [
      await navigator.serviceWorker.getRegistration(),
      (await caches.keys()).filter(name => /^(workbox-|haversack-engine-files|webllm)/.test(name)),
    ]),
  ).toEqual([undefined, ['webllm/model']])
  await page.unrouteAll()
  await page.getByRole('link', { name: 'Load Haversack again' }).click()
  await expect(page.getByRole('article', { name: 'You' })).toContainText('The blue door is open.')
})
