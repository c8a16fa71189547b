/**
 * `npm run --silent bench -- new-chat [DIST]`: from a chat of 10 000 entries to a new one by key or button, and typing
 * at once, on a page that is six times slower: whether a letter is lost, and how long a key takes to its letter.
 * HAVERSACK_FACTS and HAVERSACK_RUNS make it smaller.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import { findChromium } from '../../.ci/chromium.ts'
import { madeLog } from '../../e2e/fixtures/logs.ts'
import { slowDown, typeInNewChat } from '../../e2e/new-chat.ts'
import { startWithoutModel } from '../../e2e/person.ts'
import { serveStatic } from '../../e2e/servers/static-server.ts'
import { rounded, setUpProbe, spread } from './browser-probe.ts'
import type { Bench } from '../shared/machine.ts'

const facts = Number(process.env['HAVERSACK_FACTS'] ?? 10_000)
const tries = Number(process.env['HAVERSACK_RUNS'] ?? 200)
const slower = 6
const text = 'hello world'
/** ms between two keys: of a fast typist. */
const delay = 60
const flags = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--no-first-run',
  '--disable-component-update',
  '--disable-sync',
]

export const newChat: Bench = async dist => {
  const files = mkdtempSync(join(tmpdir(), 'haversack-new-chat-'))
  const app = await serveStatic(dist === undefined ? {} : { dist })
  const executablePath = findChromium()
  const chrome = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: flags })
  try {
    const page = await (await chrome.newContext({ locale: 'en-US', viewport: { width: 1280, height: 800 } })).newPage()
    // the loader of this file names functions with it
    await page.addInitScript({ content: 'globalThis.__name ??= made => made' })
    await page.addInitScript(setUpProbe, '')
    await page.goto(app.url)
    await page.evaluate(() => {
      window.probe.opening = false
    }) // what it looks at costs time in each frame
    await startWithoutModel(page)
    await bring(page, join(files, 'talk.jsonl'))
    await slowDown(page, slower)
    let lost = 0
    const [first, all]: [number[], number[]] = [[], []]
    for (let run = 0; run < tries; run++) {
      await page.getByRole('link', { name: 'A long talk' }).click()
      await page
        .getByText(`Message ${facts - 1} `)
        .first()
        .waitFor({ timeout: 120_000 })
      if (run % 2 === 0) await page.waitForTimeout(1_500) // else while older entries are still on their way
      await page.evaluate(() => {
        window.probe.keys = []
      })
      const typed = await typeInNewChat(page, { by: run % 4 < 2 ? 'key' : 'button', text, delay })
      await page.waitForTimeout(100)
      const keys = (await page.evaluate(() => window.probe.keys)).slice(-text.length)
      lost += text.length - [...typed].filter((letter, at) => letter === text[at]).length
      first.push(keys[0]!)
      all.push(...keys)
      await page.getByRole('textbox', { name: 'Message' }).fill('')
      if (run % 20 === 19)
        console.error(
          `${run + 1} tries, ${lost} letters lost, first letter ${spread(first).p50} / ${spread(first).p95} ms (load ${rounded(loadavg()[0] ?? 0)})`,
        )
    }
    return {
      entries: facts,
      tries,
      processorSlowedDown: slower,
      msBetweenKeys: delay,
      load: rounded(loadavg()[0] ?? 0),
      lettersLost: lost,
      keyToLetter: { first: spread(first), all: spread(all) },
    }
  } finally {
    await chrome.close()
    await app.close()
    rmSync(files, { recursive: true })
  }
}

async function bring(page: Page, path: string): Promise<void> {
  writeFileSync(path, `${madeLog({ messages: facts }).join('\n')}\n`)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('navigation', { name: 'Library' }).getByRole('button', { name: 'Import' }).click()
  await (await chooser).setFiles(path)
  await page
    .getByText(`Message ${facts - 1} `)
    .first()
    .waitFor({ timeout: 120_000 })
}
