/**
 * `npm run --silent bench -- browser [DIST]`: the built app in a real Chromium: the first token on the screen, opening,
 * scrolling and writing in a chat of 10 000 facts while an answer of 200 tokens a second streams in, one of 500 tokens
 * a second; search and export of 100 000 facts (C14). DIST is the folder of the built app, ordinarily `dist`.
 * HAVERSACK_FACTS, HAVERSACK_RUNS make it smaller; a busy machine makes it slower, so the load stands beside each
 * figure and of several openings the best counts.
 */
import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { chromium, type BrowserContext, type CDPSession, type Page } from '@playwright/test'
import { findChromium } from '../../.ci/chromium.ts'
import { startFakeServer } from '../../e2e/servers/fake-server.ts'
import { startWithServer } from '../../e2e/person.ts'
import { serveStatic } from '../../e2e/servers/static-server.ts'
import { firstTokens } from './browser-first-token.ts'
import { longTalk } from './browser-log.ts'
import { rush, scroll, typeWhileStreaming } from './browser-moving.ts'
import { longTasks, rounded, setUpProbe } from './browser-probe.ts'
import { traced, type Processor } from './browser-trace.ts'
import { load, told, watch } from './browser-watch.ts'
import type { Bench } from '../shared/machine.ts'

const facts = Number(process.env['HAVERSACK_FACTS'] ?? 10_000)
const openings = Number(process.env['HAVERSACK_RUNS'] ?? 5)
const chars = 800
/** Ten chats more make 100 000 facts and 200 MB. */
const more = { chats: 9, chars: 2_100 }
const flags = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--no-first-run',
  '--disable-component-update',
  '--disable-sync',
  '--enable-precise-memory-info',
]

const tell = (what: string): void => {
  console.error(`${what} (load ${load()})`)
}

export const browser: Bench = async dist => {
  const files = mkdtempSync(join(tmpdir(), 'haversack-browser-'))
  const app = await serveStatic(dist === undefined ? {} : { dist })
  const server = await startFakeServer()
  const executablePath = findChromium()
  const chrome = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: flags })
  try {
    if (!existsSync(dist ?? join(import.meta.dirname, '..', '..', 'dist', 'index.html')))
      throw new Error('there is no built app: run `npm run build` first')
    const context = await chrome.newContext({ locale: 'en-US', viewport: { width: 1280, height: 800 } })
    // the loader of this file names functions with it
    await context.addInitScript({ content: 'globalThis.__name ??= made => made' })
    await context.addInitScript(() => {
      Reflect.deleteProperty(window, 'showSaveFilePicker')
    }) // a dialog of the system cannot be driven
    await context.addInitScript(setUpProbe, `Entry ${facts - 1} `)
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await page.goto(app.url)
    await connect(page, `${server.origin}/v1`)
    const first = { load: load(), ...(await firstTokens(page, 30)) }
    tell(`first token after ${first.p50} / ${first.p95} ms`)
    const imported = await importTalk(page, await talkFile(files, { id: 'long', name: 'The long talk', facts, chars }))
    tell(`imported ${facts} facts in ${imported} ms`)
    await page
      .getByRole('navigation', { name: 'Library' })
      .getByRole('link', { name: /The long talk/ })
      .click()
    await page.waitForFunction(() => window.probe.shown !== undefined, undefined, { timeout: 120_000 })
    await settled(page)
    const opened = []
    for (let run = 0; run < openings; run++) opened.push(await open(page, session))
    tell('opened')
    const heapOpen = await heap(session, context)
    const scrolled = await scroll(page, session)
    tell('scrolled')
    const streamed = await typeWhileStreaming(page, session)
    tell('streamed')
    const firstInLong = { load: load(), ...(await firstTokens(page, 15)) }
    const rushed = await rush(page, session)
    tell('rushed')
    const exported = await exportChat(page, session)
    tell('exported')
    const big = process.env['HAVERSACK_BIG'] === '0' ? undefined : await manyFacts({ page, files, session, context })
    return {
      note: "ms; long tasks: those above 50 ms on the page's thread; load: average of the last minute when it was measured, on all cores of the machine. processor: tasks of the page's thread in processor time, which a busy machine does not lengthen. priority: of the process, 0 is ordinary, -20 the highest. Of the openings the best is what the machine allows, the others tell how busy it was.",
      facts,
      chars,
      priority: getPriority(),
      importMs: imported,
      open: { best: opened.toSorted((a, b) => a.newestMs - b.newestMs)[0], runs: opened },
      scroll: scrolled,
      firstToken: { shortChat: first, longChat: firstInLong },
      streaming: streamed,
      rush: rushed,
      export: exported,
      heap: heapOpen,
      hundredThousand: big,
      browser: `Chromium ${chrome.version()}`,
    }
  } catch (thrown) {
    const picture = join(tmpdir(), 'haversack-browser.png')
    await chrome.contexts()[0]?.pages()[0]?.screenshot({ path: picture })
    console.error(`how it looked: ${picture}`)
    throw thrown
  } finally {
    await chrome.close()
    await server.stop()
    await app.close()
    rmSync(files, { recursive: true, force: true })
  }
}

/** The first start with a server, as a person does it. */
async function connect(page: Page, url: string): Promise<void> {
  await startWithServer(page, url, 'chat')
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
}

async function talkFile(folder: string, talk: Parameters<typeof longTalk>[0]): Promise<string> {
  const path = join(folder, `${talk.id}.jsonl`)
  const out = createWriteStream(path)
  for (const line of longTalk(talk)) if (!out.write(`${line}\n`)) await once(out, 'drain')
  out.end()
  await once(out, 'finish')
  return path
}

async function importTalk(page: Page, path: string): Promise<number> {
  const library = page.getByRole('navigation', { name: 'Library' })
  const chooser = page.waitForEvent('filechooser')
  await library.getByRole('button', { name: 'Import' }).click()
  const started = performance.now()
  await (await chooser).setFiles(path)
  await page
    .getByRole('status')
    .filter({ hasText: /entries imported/ })
    .waitFor({ timeout: 600_000 })
  const ms = Math.round(performance.now() - started)
  await library.getByRole('status').getByRole('button', { name: 'Close' }).click()
  return ms
}

/** Waits until the talk has not grown for a second: all of the log is there. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () => window.probe.shown !== undefined && performance.now() - window.probe.grown > 1_000,
    undefined,
    { timeout: 120_000 },
  )
}

type Opened = {
  newestMs: number
  wholeMs: number
  before: ReturnType<typeof longTasks>
  after: ReturnType<typeof longTasks>
  processor: Processor
  load: number
}

/** A reload, from the start of the navigation. */
async function open(page: Page, session: CDPSession): Promise<Opened> {
  const busy = load()
  const processor = await traced(session, async () => {
    await page.reload()
    await page.waitForFunction(() => window.probe.shown !== undefined, undefined, { timeout: 120_000 })
    await settled(page)
  })
  const { shown = 0, grown, tasks } = await page.evaluate(() => window.probe)
  const one = {
    newestMs: rounded(shown),
    wholeMs: rounded(Math.max(shown, grown)),
    load: busy,
    processor,
    before: longTasks(tasks.filter(({ at }) => at < shown)),
    after: longTasks(tasks.filter(({ at }) => at >= shown)),
  }
  tell(
    `newest after ${one.newestMs} ms, whole after ${one.wholeMs} ms, long tasks after it: ${one.after.count}, longest ${one.after.longest} ms; processor: longest ${processor.longest} ms, ${processor.sum} ms in all`,
  )
  return one
}

async function exportChat(page: Page, session: CDPSession): Promise<object> {
  const busy = load()
  let ms = 0
  await page.getByRole('textbox', { name: 'Message' }).fill('/export')
  const saved = page.waitForEvent('download', { timeout: 600_000 })
  const seen = await watch(page, session, async () => {
    const started = performance.now()
    await page.getByRole('button', { name: 'Send' }).click()
    await saved
    ms = Math.round(performance.now() - started)
  })
  return { load: busy, ms, bytes: statSync(await (await saved).path()).size, ...told(seen) }
}

/** Of the page what it uses after a collection; of its process, worker included, what lies in memory (Linux only). */
async function heap(session: CDPSession, context: BrowserContext): Promise<object> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const whole = await context.browser()?.newBrowserCDPSession()
  const { processInfo = [] } = (await whole?.send('SystemInfo.getProcessInfo')) ?? {}
  const resident = processInfo
    .filter(({ type }) => type === 'renderer')
    .map(({ id }) =>
      existsSync(`/proc/${id}/statm`) ? Number(readFileSync(`/proc/${id}/statm`, 'utf8').split(' ')[1]) * 4_096 : 0,
    )
  return { pageMB: Math.round(usedSize / 1e5) / 10, processMB: Math.round(Math.max(0, ...resident) / 1e6) }
}

/** Search and export among ten times as many facts, in ten chats. */
async function manyFacts({
  page,
  files,
  session,
  context,
}: {
  page: Page
  files: string
  session: CDPSession
  context: BrowserContext
}): Promise<object> {
  let importMs = 0
  for (let chat = 0; chat < more.chats; chat++) {
    const path = await talkFile(files, {
      id: `more${chat}`,
      name: `More ${chat}`,
      facts,
      chars: more.chars,
      start: Date.UTC(2025, chat, 3),
    })
    importMs += await importTalk(page, path)
    rmSync(path)
    tell(`imported chat ${chat + 2}`)
  }
  await page.reload()
  await page.waitForFunction(() => window.probe.shown !== undefined, undefined, { timeout: 120_000 })
  await settled(page)
  const busy = load()
  const searches = []
  for (const words of ['refresh endpoint', `step${Math.floor(facts / 2) + 1}`, '会议记录'])
    searches.push(await search(page, words))
  tell('searched')
  await page.getByRole('navigation', { name: 'Library' }).getByRole('button', { name: 'Export' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Everything' }).check()
  const saved = page.waitForEvent('download', { timeout: 600_000 })
  let exportMs = 0
  const seen = await watch(page, session, async () => {
    const started = performance.now()
    await dialog.getByRole('button', { name: 'Save to file' }).click()
    await saved
    exportMs = Math.round(performance.now() - started)
  })
  return {
    load: busy,
    facts: facts * (more.chats + 1),
    importMs,
    searches,
    export: { ms: exportMs, bytes: statSync(await (await saved).path()).size, ...told(seen) },
    heap: await heap(session, context),
  }
}

/** From the last key to the first hits; the first search of a page also loads the index. */
async function search(page: Page, words: string): Promise<object> {
  const library = page.getByRole('navigation', { name: 'Library' })
  const field = library.getByRole('searchbox')
  const started = performance.now()
  await field.fill(words)
  await library.locator('.hits a').first().waitFor({ timeout: 120_000 })
  const ms = Math.round(performance.now() - started)
  const hits = await library.locator('.hits a').count()
  await field.fill('')
  return { words, ms, hits }
}
