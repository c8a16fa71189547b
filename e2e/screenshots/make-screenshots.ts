/**
 * `npm run screenshots`: the pictures of the README and of the manifest, taken of the built app with a talk and a model
 * that are made up.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, expect, type Page } from '@playwright/test'
import { ensureChromium } from '../../.ci/chromium.ts'
import { answers, openApp, say, startWithServer } from '../person.ts'
import { serveStatic } from '../servers/static-server.ts'
import { last, summary, talk } from './talk.ts'

const model = 'Qwen3-4B'
/** px, as the manifest names them (vite.config.ts). */
const wide = { width: 1360, height: 860 }
const narrow = { width: 390, height: 844 }
const pictures = [
  { file: 'docs/screenshot.png', size: wide, scheme: 'light' },
  { file: 'docs/screenshot-dark.png', size: wide, scheme: 'dark' },
  { file: 'public/screenshots/wide.png', size: wide, scheme: 'light' },
  { file: 'public/screenshots/narrow.png', size: narrow, scheme: 'light' },
] as const

/** ms; a machine may have more to do. */
const patient = { timeout: 60_000 }

/** A model that knows one answer and one summary. */
async function startModel() {
  const server = createServer((request, response) => {
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    if (request.method === 'GET' && request.url?.endsWith('/models')) {
      response.writeHead(200, { ...headers, 'content-type': 'application/json' })
      response.end(JSON.stringify({ object: 'list', data: [{ id: model, object: 'model', max_model_len: 8_192 }] }))
      return
    }
    if (request.method !== 'POST') {
      response.writeHead(request.method === 'OPTIONS' ? 204 : 404, headers).end()
      return
    }
    let asked = ''
    request.on('data', part => {
      asked += String(part)
    })
    request.on('end', () => {
      const content = asked.includes(JSON.stringify(last[0])) ? last[1] : summary
      const events = [{ delta: { role: 'assistant', content } }, { delta: {}, finish_reason: 'stop' }]
      response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' })
      for (const choice of events) response.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`)
      response.end('data: [DONE]\n\n')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://localhost:${port}/v1`, stop: () => server.close() }
}

async function showTalk(page: Page, files: string): Promise<void> {
  const path = join(files, 'talk.jsonl')
  writeFileSync(path, `${talk().join('\n')}\n`)
  const library = page.getByRole('navigation', { name: 'Library' })
  const chooser = page.waitForEvent('filechooser')
  await library.getByRole('button', { name: 'Import', exact: true }).click()
  await (await chooser).setFiles(path)
  await library.getByRole('link', { name: 'Login for the reading club' }).click()
  await expect(page.getByText('And if somebody loses the phone?').first()).toBeVisible(patient)
}

const files = mkdtempSync(join(tmpdir(), 'haversack-screenshots-'))
const app = await serveStatic()
const server = await startModel()
const browser = await chromium.launch({ executablePath: ensureChromium(), args: ['--no-sandbox'] })
try {
  const context = await browser.newContext({ locale: 'en-US', viewport: wide, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await openApp(page, app.url)
  await startWithServer(page, server.url, model)
  await showTalk(page, files)
  const pane = page.getByRole('complementary', { name: 'Context' })
  await pane.getByRole('slider', { name: 'Keep the newest …' }).press('End')
  for (let kept = 0; kept < 2; kept++) await page.keyboard.press('ArrowLeft')
  await pane.getByRole('button', { name: 'Compact' }).click()
  await expect(page.getByText(/messages summarised/).first()).toBeVisible(patient)
  await say(page, last[0])
  await expect(answers(page).last()).toContainText('Five failed', patient)
  for (const { file, size, scheme } of pictures) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme: scheme })
    await page.waitForTimeout(1_000) // ms; what moves or fades is over
    await page.screenshot({ path: file })
    console.log(file)
  }
} finally {
  await browser.close()
  server.stop()
  await app.close()
  rmSync(files, { recursive: true })
}
