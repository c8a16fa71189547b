/** Models of this device: what the real engine and a real adapter say, without any model and without a network. */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test, type Browser, type Page } from '@playwright/test'
import { answers, foreignRequests, openApp, say } from '../person.ts'

test.use({ serviceWorkers: 'allow' })

const shard = (n: number): Buffer => Buffer.alloc(20_000 + n, n + 1)
const shards = [0, 1, 2, 3]

/** A file of a folder in the MLC format whose program is none: enough for everything but an answer. */
function contentOf(name: string): string | Buffer | undefined {
  const n = /params_shard_(\d)\.bin/.exec(name)?.[1]
  return name === 'mlc-chat-config.json'
    ? JSON.stringify({ tokenizer_files: ['tokenizer.json'], context_window_size: 1_024 })
    : name === 'tensor-cache.json'
      ? JSON.stringify({
          metadata: {},
          records: shards.map(at => ({
            dataPath: `params_shard_${at}.bin`,
            format: 'raw-shard',
            nbytes: shard(at).length,
            md5sum: createHash('md5').update(shard(at)).digest('hex'),
            records: [],
          })),
        })
      : name === 'tokenizer.json'
        ? '{}'
        : name === 'tiny.wasm'
          ? Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 9])
          : n === undefined
            ? undefined
            : shard(Number(n))
}

/** Serves that folder. */
async function artifacts(broken: Set<string>): Promise<{ url: string; asked: string[]; server: Server }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const name = (request.url ?? '').split('/').at(-1)!
    asked.push(name)
    const body = contentOf(name)
    const headers = { 'access-control-allow-origin': '*' }
    if (body === undefined) response.writeHead(404, headers).end()
    else if (broken.has(name))
      response.writeHead(200, { ...headers, 'content-type': 'text/html' }).end('<html>Please sign in</html>')
    else response.writeHead(200, { ...headers, 'content-type': 'application/octet-stream' }).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, server }
}

test.describe('on an adapter in software', () => {
  let browser: Browser
  let page: Page
  test.beforeEach(async ({ playwright, baseURL }) => {
    browser = await playwright.chromium.launch({
      ...(process.env['CHROMIUM_PATH']
        ? { executablePath: process.env['CHROMIUM_PATH'] }
        : (test.info().project.use.launchOptions ?? {})),
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--disable-background-networking',
        '--no-first-run',
        '--disable-component-update',
        '--disable-sync',
        '--enable-unsafe-webgpu',
        '--use-webgpu-adapter=swiftshader',
      ],
    })
    page = await (await browser.newContext({ baseURL: baseURL!, locale: 'en-US' })).newPage()
  })
  test.afterEach(() => browser.close())

  const openLocal = async (): Promise<ReturnType<Page['getByRole']>> => {
    await openApp(page)
    await page
      .getByRole('region', { name: 'Choose a model' })
      .getByRole('button', { name: 'On this device', exact: true })
      .click()
    return page.getByRole('dialog', { name: 'Settings' })
  }

  test('says what the card can do, lists models with their sizes, asks nobody before a choice, and tells why a download fails', async ({
    baseURL,
  }) => {
    const foreign = foreignRequests(page.context(), [baseURL!])
    const settings = await openLocal()
    await expect(settings.getByText(/It is software, not a card/)).toBeVisible()
    await expect(settings.getByText('For this device nothing is recommended', { exact: false })).toBeVisible()
    const models = settings.getByRole('combobox', { name: 'Model', exact: true })
    await expect.poll(() => models.locator('option').count()).toBeGreaterThan(60)
    await models.selectOption('Qwen3-1.7B')
    await expect(
      settings.getByText(/About 1 GB to download, about 2\.6 GB of graphics memory, window 4.096 tokens/),
    ).toBeVisible()
    expect(foreign).toEqual([])
    // as where it is blocked, or nobody is connected
    await page.route(/huggingface\.co|githubusercontent/, route => route.abort())
    await settings.getByRole('button', { name: 'Download Qwen3-1.7B-q4f32_1' }).click()
    const row = settings.getByRole('listitem', { name: 'Qwen3-1.7B-q4f32_1' })
    await expect(row.getByRole('alert')).toContainText('huggingface.co could not be reached')
    await expect(row.getByRole('alert')).toContainText('name another address below')
    await expect(
      row.getByText('missing: weights', { exact: false }).or(row.getByText(/missing: .*weights/)),
    ).toBeVisible()
    await expect(row.getByRole('button', { name: 'Go on downloading' })).toBeVisible()
  })

  test('downloads a model file by file, goes on after a sign-in page, works offline by its files, and says that its program cannot be started', async () => {
    const broken = new Set(['params_shard_2.bin'])
    const { url, asked, server } = await artifacts(broken)
    const settings = await openLocal()
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
    })
    await settings.getByText('Another model, by address').click()
    await settings.getByLabel('Address of the folder').fill(`${url}/somebody/Tiny-q4f32_1-MLC`)
    await settings.getByLabel('Address of the program (.wasm)').fill(`${url}/tiny.wasm`)
    await settings.getByRole('button', { name: 'Add', exact: true }).click()
    const row = settings.getByRole('listitem', { name: 'Tiny-q4f32_1-MLC' })
    await expect(row.getByRole('alert')).toContainText('sent a web page instead of a file')
    broken.clear()
    const before = asked.length
    await row.getByRole('button', { name: 'Go on downloading' }).click()
    await expect(row.getByText('Works offline')).toBeVisible()
    expect(asked.slice(before)).not.toContain('params_shard_0.bin')
    await row.getByRole('button', { name: 'Check files' }).click()
    await expect(row.getByText('Every file is as it should be.')).toBeVisible()

    server.closeAllConnections()
    server.close()
    // The real engine, with the files from this device alone: it gets as far as the program, which is none.
    await row.getByRole('button', { name: 'Load now' }).click()
    await expect(row.getByRole('alert')).toContainText('The program of this model cannot be started')
    await row.getByRole('button', { name: 'Delete Tiny-q4f32_1-MLC from this device' }).click()
    await row.getByRole('button', { name: 'Delete from this device' }).click()
    await expect(row).toHaveCount(0)
    expect(
      await page.evaluate(
        async () =>
          (
            await Promise.all(
              ['webllm/model', 'webllm/config', 'webllm/wasm'].map(async name => (await caches.open(name)).keys()),
            )
          ).flat().length,
      ),
    ).toBe(0)
  })

  test('takes a model from a folder of the device, with its program apart, and asks no host', async ({ baseURL }) => {
    const folder = test.info().outputPath('Mine-q4f32_1-MLC')
    mkdirSync(folder)
    for (const name of [
      'mlc-chat-config.json',
      'tensor-cache.json',
      'tokenizer.json',
      ...shards.map(at => `params_shard_${at}.bin`),
    ])
      writeFileSync(join(folder, name), contentOf(name)!)
    const program = test.info().outputPath('tiny.wasm')
    writeFileSync(program, contentOf('tiny.wasm')!)
    const foreign = foreignRequests(page.context(), [baseURL!])
    const settings = await openLocal()
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
    })
    await settings.getByText('A model from a folder of this device').click()
    const choose = async (button: string, path: string): Promise<void> => {
      const chooser = page.waitForEvent('filechooser')
      await settings.getByRole('button', { name: button }).click()
      await (await chooser).setFiles(path)
    }
    await choose('Choose a folder…', folder)
    await expect(settings.getByText('The folder has no program.', { exact: false })).toBeVisible()
    await choose('Choose its program (.wasm)…', program)
    await settings.getByRole('button', { name: 'Copy it into the browser' }).click()
    const row = settings.getByRole('listitem', { name: 'Mine-q4f32_1-MLC' })
    await expect(row.getByText('Works offline')).toBeVisible()
    await expect(row.getByText('Window (tokens): 1024')).toBeVisible()
    await expect(row.getByRole('button', { name: 'Repair' })).toHaveCount(0) // no host has it
    await row.getByRole('button', { name: 'Check files' }).click()
    await expect(row.getByText('Every file is as it should be.')).toBeVisible()
    expect(foreign).toEqual([])
  })
})

const given = process.env['HAVERSACK_MLC_FOLDER']
if (given !== undefined)
  test('a real model of the graphics card, in a folder given by the environment with its program, answers', async ({
    page,
  }) => {
    test.setTimeout(900_000)
    await openApp(page)
    await page
      .getByRole('region', { name: 'Choose a model' })
      .getByRole('button', { name: 'On this device', exact: true })
      .click()
    const settings = page.getByRole('dialog', { name: 'Settings' })
    await settings.getByText('A model from a folder of this device').click()
    const chooser = page.waitForEvent('filechooser')
    await settings.getByRole('button', { name: 'Choose a folder…' }).click()
    await (await chooser).setFiles(given)
    await settings.getByRole('button', { name: 'Copy it into the browser' }).click()
    const row = settings.getByRole('listitem', { name: /MLC|q4f/ })
    await row.getByRole('button', { name: 'Load now' }).click({ timeout: 300_000 })
    await expect(row.getByText('Loaded', { exact: true })).toBeVisible({ timeout: 300_000 })
    await row.getByRole('button', { name: /^Use / }).click()
    await page.keyboard.press('Escape')
    await say(page, 'Say hello.')
    await expect(answers(page).last()).toContainText(/\S{3}/, { timeout: 300_000 })
  })

test('without a graphics card it says so, and what to do', async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, 'gpu')
  })
  await openApp(page)
  await page
    .getByRole('region', { name: 'Choose a model' })
    .getByRole('button', { name: 'On this device', exact: true })
    .click()
  await expect(
    page.getByRole('dialog', { name: 'Settings' }).getByText(/gives no WebGPU|too limited for the engine/),
  ).toBeVisible()
})
