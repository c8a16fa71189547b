/** What a story is, and what most of them begin with. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FakeServer } from '../servers/fake-server.ts'
import type { Page } from './page.ts'

/** `url` is the app's address, `server` a model server of its own. */
export type Scene = { page: Page; url: string; server: FakeServer }
export type Story = { name: string; tell(scene: Scene): Promise<void> }

export function same(actual: unknown, expected: unknown, what: string): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    throw new Error(`${what}: is ${JSON.stringify(actual)}, should be ${JSON.stringify(expected)}`)
}
export function holds(condition: boolean, what: string): void {
  if (!condition) throw new Error(what)
}

/** The first start, without a model. */
export async function start(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.press('button', 'Start without a model', { ms: 40_000 })
  await page.find('textbox', 'Message')
}

/** The first start with a server, one of whose models is taken. */
export async function startWithServer(page: Page, url: string, server: FakeServer, model = 'chat'): Promise<void> {
  await page.goto(url)
  await page.find('textbox', 'Address of a server, or an API key', { ms: 40_000 })
  await page.fill('Address of a server, or an API key', server.url)
  await page.press('button', 'Connect')
  await page.fill('Search models', model)
  await page.press('option', `/^${model}\\s/`)
  await page.find('textbox', 'Message')
}

/** Gives a log to Import; answers when its chat stands in the library. */
export async function importLog(page: Page, lines: readonly string[], name: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'haversack-log-'))
  try {
    const path = join(folder, 'talk.jsonl')
    writeFileSync(path, `${lines.join('\n')}\n`)
    await page.choose('input[type=file][accept*=jsonl]', path)
    await page.find('link', `/${name}/`, { ms: 60_000 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Tokens that the context pane shows as used. */
export const used = (page: Page): Promise<number> =>
  page.run(
    `() => Number([...document.querySelectorAll('[role=meter]')].find(meter => /Context used/.test(meter.getAttribute('aria-label')))?.getAttribute('aria-valuenow'))`,
  )
