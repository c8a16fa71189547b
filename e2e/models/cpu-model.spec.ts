/**
 * Models on the processor: the real engine with a tiny model of random weights, from the disk and from an address, into
 * a chat and away.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test, type Locator, type Page } from '@playwright/test'
import { answers, conversation, finished, foreignRequests, openApp, readyForOffline, say } from '../person.ts'
import { serveStatic } from '../servers/static-server.ts'
import { tinyGguf } from '../fixtures/tiny-gguf.ts'

test.use({ serviceWorkers: 'allow' })

const model = tinyGguf()

/** Serves the model as hosts of weights do, with ranges; it can be held in the middle, so that one can stop there. */
async function host(): Promise<{ url: string; asked: string[]; hold: { at: number /* bytes */ }; server: Server }> {
  const asked: string[] = []
  const hold = { at: Infinity }
  const server = createServer((request, response) => {
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
    asked.push(`${from}`)
    response.writeHead(from > 0 ? 206 : 200, {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'etag',
      etag: '"1"',
      'content-type': 'application/octet-stream',
      'content-length': String(model.length - from),
    })
    let at = from
    const next = (): void => {
      if (response.destroyed) return
      if (at >= model.length) {
        response.end()
        return
      }
      if (at < hold.at) response.write(model.subarray(at, (at += 32_768)))
      setTimeout(next, at < hold.at ? 0 : 50)
    }
    next()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, hold, server }
}

async function openCpu(page: Page): Promise<{ settings: Locator; cpu: Locator }> {
  await page
    .getByRole('region', { name: 'Choose a model' })
    .getByRole('button', { name: 'On this device', exact: true })
    .click()
  const settings = page.getByRole('dialog', { name: 'Settings' })
  return { settings, cpu: settings.getByRole('region', { name: 'On the processor' }) }
}

/** Brings a file into the browser the way a person does: size and speed are seen first. */
async function bring(page: Page, path: string, window: string): Promise<Locator> {
  const { settings, cpu } = await openCpu(page)
  await cpu.getByLabel('Window (tokens)').fill(window)
  const chooser = page.waitForEvent('filechooser')
  await cpu.getByRole('button', { name: 'Choose a GGUF file…' }).click()
  await (await chooser).setFiles(path)
  await expect(cpu.getByText(/To be expected here: about .* a second/)).toBeVisible()
  await cpu.getByRole('button', { name: 'Copy it into the browser' }).click()
  return settings.getByRole('listitem', { name: basename(path, '.gguf') })
}

/** The tiny model, or the one at `given`, until it is here. */
async function fromDisk(page: Page, window = '4096', given?: string): Promise<Locator> {
  const path = given ?? test.info().outputPath('tiny.gguf')
  if (given === undefined) writeFileSync(path, model)
  const row = await bring(page, path, window)
  await expect(row.getByText(/Works offline|the engine itself is not kept yet/)).toBeVisible({
    timeout: given === undefined ? 60_000 : 300_000,
  })
  return row
}

test('a GGUF file from the disk loads, streams, stops and answers on, then without a network and after a reload', async ({
  page,
  context,
  baseURL,
}) => {
  test.setTimeout(300_000)
  const foreign = foreignRequests(context, [baseURL!])
  const refused: string[] = []
  page.on('console', message => {
    if (/Content Security Policy/.test(message.text())) refused.push(message.text())
  })
  await openApp(page)
  await readyForOffline(page)
  const row = await fromDisk(page)
  await expect(row.getByText('Works offline')).toBeVisible()
  await row.getByRole('button', { name: 'Load now' }).click()
  await expect(row.getByText('Loaded', { exact: true })).toBeVisible({ timeout: 60_000 })
  await row.getByRole('button', { name: 'Use tiny' }).click()
  await page.keyboard.press('Escape')
  await say(page, 'hello')
  await expect(answers(page).last()).toContainText(/\S{3}/, { timeout: 60_000 })
  await page.getByRole('button', { name: 'Stop' }).click()
  await finished(page)
  await expect(conversation(page).getByText('Stopped', { exact: false }).first()).toBeVisible()

  await context.setOffline(true)
  await page.reload()
  await expect(page.getByRole('main')).toBeVisible()
  await say(page, 'hello again')
  await expect.poll(() => answers(page).count(), { timeout: 90_000 }).toBeGreaterThan(1)
  await expect(answers(page).last()).toContainText(/\S{3}/, { timeout: 60_000 })
  await page
    .getByRole('button', { name: 'Stop' })
    .click({ timeout: 5_000 })
    .catch(() => {}) // a short answer may be over
  await finished(page)
  expect(foreign).toEqual([])
  expect(refused).toEqual([])
})

test('from an address: its size and speed first, stop and go on where it was, then a chat', async ({
  page,
  baseURL,
}) => {
  const { url, asked, hold, server } = await host()
  const foreign = foreignRequests(page.context(), [baseURL!])
  await openApp(page)
  await readyForOffline(page)
  const { settings, cpu } = await openCpu(page)
  await expect(cpu.getByRole('button', { name: /Qwen2\.5 0\.5B/ })).toBeVisible()
  await cpu.getByLabel('Address of a GGUF file').fill(`${url}/tiny.txt`)
  await cpu.getByRole('button', { name: 'See how large it is' }).click()
  await expect(cpu.getByRole('alert')).toContainText('end with .gguf')
  expect(foreign).toEqual([])
  await cpu.getByLabel('Address of a GGUF file').fill(`${url}/tiny.gguf`)
  await cpu.getByRole('button', { name: 'See how large it is' }).click()
  await expect(cpu.getByText(/^47\d KB\./)).toBeVisible()
  await expect(cpu.getByText(/To be expected here/)).toBeVisible()

  hold.at = 200_000
  await cpu.getByRole('button', { name: 'Download tiny' }).click()
  const row = settings.getByRole('listitem', { name: 'tiny' })
  await expect(row.getByRole('status')).toContainText(/Downloading: 2\d\d KB of 47\d KB/)
  await row.getByRole('button', { name: 'Stop' }).click()
  await expect(row.getByRole('button', { name: 'Go on downloading' })).toBeVisible()
  await expect(row.getByText('missing: weights', { exact: false })).toBeVisible()
  hold.at = Infinity
  await row.getByRole('button', { name: 'Go on downloading' }).click()
  await expect(row.getByText('Works offline')).toBeVisible({ timeout: 60_000 })
  expect(Number(asked.at(-1))).toBeGreaterThan(190_000)
  server.closeAllConnections()
  server.close()

  await row.getByRole('button', { name: 'Use tiny' }).click()
  await page.keyboard.press('Escape')
  await say(page, 'hello')
  await expect(answers(page).last()).toContainText(/\S{3}/, { timeout: 60_000 })
})

test('a window above what the model was made for is brought down to it', async ({ page }) => {
  await openApp(page)
  const row = await fromDisk(page, '50000')
  await row.getByText('Window (tokens): 8192').click()
  await expect(row.getByText('This model takes at most 8,192 tokens.', { exact: false })).toBeVisible()
  await row.getByLabel('Window (tokens): tiny').fill('9000')
  await expect(row.getByRole('button', { name: 'Set', exact: true })).toBeDisabled()
  await row.getByLabel('Window (tokens): tiny').fill('1000')
  await row.getByRole('button', { name: 'Set', exact: true }).click()
  await expect(row.getByText('Window (tokens): 1000')).toBeVisible()
})

test("a prompt that cannot fit is known as such, is told with the engine's own numbers, and nothing of it stays away", async ({
  page,
}) => {
  await openApp(page)
  await readyForOffline(page)
  const row = await fromDisk(page, '512')
  await row.getByRole('button', { name: 'Use tiny' }).click()
  await page.keyboard.press('Escape')
  // A letter is a token here, which no counter expects: what counts as fitting does not, not even when it is shortened.
  await say(page, 'xq'.repeat(600))
  const problem = page.getByRole('main').getByRole('alert')
  await expect(problem).toContainText('The request does not fit the model’s window', { timeout: 60_000 })
  await expect(problem).toContainText(/\d+ tokens\) exceeds the available context size \(512 tokens\)/)
  await expect(problem.getByRole('button', { name: 'Compact now' })).toBeVisible()
  // Whether it was shortened first depends on which counter was there in time. It is whole again either way.
  const tiles = page.getByRole('toolbar', { name: 'What takes the room' })
  await expect(tiles).toContainText('xqxq')
  await expect(tiles).not.toContainText('shortened')
})

test('a browser that cannot suspend WebAssembly gets the program for older ones', async ({ page }) => {
  const server = await serveStatic()
  const script = readdirSync(join(import.meta.dirname, '..', '..', 'dist', 'assets')).find(name =>
    /^cpu\.worker-.*\.js$/.test(name),
  )!
  server.change(`/assets/${script}`, text => `delete WebAssembly.Suspending;${text}`)
  await openApp(page, server.url)
  await readyForOffline(page)
  const row = await fromDisk(page)
  await row.getByRole('button', { name: 'Use tiny' }).click()
  await page.keyboard.press('Escape')
  await say(page, 'hello')
  await expect(answers(page).last()).toContainText(/\S{3}/, { timeout: 90_000 })
  expect(page.workers().some(worker => worker.url().includes('wllama-older-thread'))).toBe(true)
  expect(server.requests.filter(path => path.includes('wllama-usual'))).toEqual([])
  await server.close()
})

const given = process.env['HAVERSACK_GGUF']
if (given !== undefined)
  test('a real model, given by the environment, answers', async ({ page }) => {
    test.setTimeout(900_000)
    await openApp(page)
    await readyForOffline(page)
    const row = await fromDisk(page, '4096', given)
    await row.getByRole('button', { name: 'Load now' }).click()
    await expect(row.getByText('Loaded', { exact: true })).toBeVisible({ timeout: 300_000 })
    await row.getByRole('button', { name: /^Use / }).click()
    await page.keyboard.press('Escape')
    await say(page, 'Say hello.')
    await expect(answers(page).last()).toContainText(/\S{3}/, { timeout: 600_000 })
  })

test('what is no GGUF file is told from its first bytes, and nothing of it is kept', async ({ page }) => {
  const path = test.info().outputPath('wrong.gguf')
  writeFileSync(path, '<html>not a model</html>')
  await openApp(page)
  const row = await bring(page, path, '4096')
  await expect(row.getByRole('alert')).toContainText('That is no GGUF file.')
  await expect(row.getByText('missing: weights', { exact: false })).toBeVisible()
  await row.getByRole('button', { name: 'Delete wrong from this device' }).click()
  await row.getByRole('button', { name: 'Delete from this device' }).click()
  await expect(row).toHaveCount(0)
})

test('half a model cannot be loaded, and says why', async ({ page }) => {
  const path = test.info().outputPath('half.gguf')
  writeFileSync(path, model.subarray(0, 300_000))
  await openApp(page)
  const row = await bring(page, path, '4096')
  await row.getByRole('button', { name: 'Load now' }).click({ timeout: 60_000 })
  await expect(row.getByRole('alert')).toContainText('The file of half is damaged or not whole.', { timeout: 60_000 })
})
