/** A page that nobody touches asks nothing: neither a server, nor the store, nor its worker, whatever it shows. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { startFakeServer } from '../servers/fake-server.ts'
import {
  conversation,
  finished,
  importFile,
  modelButton,
  openApp,
  say,
  startWithoutModel,
  startWithServer,
} from '../person.ts'
import { madeLog } from '../fixtures/logs.ts'
import { serveStatic } from '../servers/static-server.ts'

/** What is counted in the page and, the first two, in its workers. */
type Counts = { storage: number; ports: number; toWorkers: number; fromWorkers: number }
declare global {
  interface Window {
    idleCounts: Counts
  }
}

/** Two heartbeats of 5 s (bridge/page/heartbeat.ts) fit in, never three. */
const watchedMs = 9_900
const beats = 2

/** Runs in page and workers: it must not use anything from outside itself. */
function count(): void {
  const counts = { storage: 0, ports: 0, toWorkers: 0, fromWorkers: 0 }
  const scope = globalThis as unknown as Window & typeof globalThis
  if (scope.idleCounts !== undefined) return
  scope.idleCounts = counts
  const wrap = (type: object | undefined, names: readonly string[], field: 'storage' | 'ports'): void => {
    const prototype = (type as { prototype: Record<string, (...args: unknown[]) => unknown> } | undefined)?.prototype
    if (prototype === undefined) return
    for (const name of names) {
      const own = prototype[name]!
      prototype[name] = function (this: unknown, ...args: unknown[]) {
        counts[field]++
        return own.apply(this, args)
      }
    }
  }
  wrap(scope.IDBDatabase, ['transaction'], 'storage')
  wrap(scope.Storage, ['getItem', 'setItem', 'removeItem'], 'storage')
  wrap(scope.CacheStorage, ['open', 'match', 'has', 'keys'], 'storage')
  wrap(
    scope.StorageManager,
    ['estimate', 'persisted', 'getDirectory'].filter(name => name in scope.StorageManager.prototype),
    'storage',
  )
  wrap(scope.MessagePort, ['postMessage'], 'ports')
  wrap(scope.BroadcastChannel, ['postMessage'], 'ports')
  if (typeof document === 'undefined') return
  const Original = Worker
  window.Worker = class extends Original {
    constructor(...args: ConstructorParameters<typeof Worker>) {
      super(...args)
      super.addEventListener('message', () => {
        counts.fromWorkers++
      })
    }
    override postMessage(...args: unknown[]): void {
      counts.toWorkers++
      super.postMessage(...(args as [unknown]))
    }
  }
}

const open = async (page: Page, name: string): Promise<void> => {
  await page.keyboard.press('Alt+,')
  await page.getByRole('dialog', { name: 'Settings' }).getByRole('tab', { name }).click()
}
const context = (page: Page) => page.getByRole('complementary', { name: 'Context' })

/** In a profile with a server, a long chat and a short one. */
const states: Record<string, (page: Page) => Promise<unknown>> = {
  'a chat': async page => page.getByRole('link', { name: 'A long talk' }).click(),
  'a new chat': async page => page.keyboard.press('Alt+n'),
  'a tool that asks': async page => {
    await page.keyboard.press('Alt+n')
    await say(page, '[[call write_file {"path":"workspace/a.md","content":"A"}]]')
    await expect(page.getByRole('button', { name: 'Allow', exact: true })).toBeVisible()
  },
  'a failure': async page => {
    await page.keyboard.press('Alt+n')
    await say(page, '[[unauthorised]]')
    await expect(page.getByRole('alert').first()).toBeVisible()
  },
  'a search': async page => page.getByRole('searchbox').fill('refresh endpoint'),
  'the find bar': async page => {
    await page.getByRole('link', { name: 'A long talk' }).click()
    await page.keyboard.press('Control+f')
    await page.keyboard.type('Kyoto')
  },
  'what the model sees': async page => context(page).getByRole('button', { name: 'What the model sees' }).click(),
  'a preview': async page => context(page).getByRole('button', { name: 'Preview', exact: true }).click(),
  'the archive': async page => page.getByRole('link', { name: 'Archive' }).click(),
  memory: async page => page.getByRole('link', { name: /^Memory/ }).click(),
  'an export': async page => page.getByRole('button', { name: 'Export' }).click(),
  ...Object.fromEntries(
    ['This device', 'Context', 'Memory', 'Storage', 'Privacy', 'Prompts'].map(name => [
      `settings: ${name}`,
      (page: Page) => open(page, name),
    ]),
  ),
  'all models': async page => {
    await modelButton(page).click()
    await expect(page.getByRole('dialog', { name: 'Choose a model' }).getByRole('option').first()).toBeVisible()
  },
  'a new server': async page => {
    await open(page, 'Models')
    await page.getByRole('dialog', { name: 'Settings' }).getByRole('button', { name: 'Add a server' }).click()
  },
}

test('an idle page asks nothing, in whatever state', async ({ browser }) => {
  test.slow() // nineteen pages are opened before anything is counted
  const server = await startFakeServer()
  // Served with the counting in front: workers that a test changes on their way may not reach this computer's servers.
  const app = await serveStatic()
  const assets = join(import.meta.dirname, '..', '..', 'dist', 'assets')
  for (const name of readdirSync(assets).filter(name => /\.worker-[^.]*\.js$/.test(name)))
    app.change(`/assets/${name}`, text => `globalThis.__name ??= made => made; (${String(count)})();\n${text}`)
  const requests: { of: string; url: string }[] = []
  const pages: { name: string; page: Page }[] = []
  const profile = async () => {
    const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 800 } })
    await context.addInitScript({ content: 'globalThis.__name ??= made => made' })
    await context.addInitScript(count)
    return context
  }
  const shown = async (context: Awaited<ReturnType<typeof profile>>, name: string): Promise<Page> => {
    const page = await context.newPage()
    page.on('request', request => {
      requests.push({ of: name, url: request.url() })
    })
    pages.push({ name, page })
    await openApp(page, app.url)
    return page
  }

  // The first page, before and after a server was named: it is asked for what it has, once.
  await shown(await profile(), 'first start')
  const named = await shown(await profile(), 'first start with a server')
  await named
    .getByRole('region', { name: 'Choose a model' })
    .getByRole('button', { name: /another server/ })
    .click()
  const form = named.getByRole('dialog', { name: 'Settings' })
  await form.getByLabel('Name', { exact: true }).fill('Test server')
  await form.getByRole('textbox', { name: /^Address (?!of)/ }).fill(server.url)
  await form.getByRole('button', { name: 'Connect and save' }).click()
  await expect(form.getByRole('listbox', { name: 'Models' })).toBeVisible()
  const recall = await shown(await profile(), 'a chat with Recall')
  await startWithoutModel(recall)
  await say(recall, 'Hello')
  await finished(recall)

  const daily = await profile()
  const first = await shown(daily, 'an answer')
  await startWithServer(first, server.url, 'chat')
  await importFile(first, madeLog({ messages: 300 }))
  await expect(conversation(first)).toContainText('Message 299')
  await first.keyboard.press('Alt+n')
  await say(first, 'Hello')
  await finished(first)
  for (const [name, bring] of Object.entries(states)) await bring(await shown(daily, name))

  // What is done once after a start is over: the search takes in what came, retention is looked at after 10 s.
  await first.waitForTimeout(15_000)
  requests.length = 0
  const asked = server.requests.length
  const busy = (
    await Promise.all(
      pages.map(async ({ name, page }) => {
        const workers = page.workers()
        const inWorkers = () =>
          Promise.all(workers.map(worker => worker.evaluate(() => (globalThis as unknown as Window).idleCounts)))
        const before = await inWorkers()
        const [from, to] = await page.evaluate(
          ms =>
            new Promise<[Counts, Counts]>(resolve => {
              const from = { ...window.idleCounts }
              setTimeout(() => {
                resolve([from, { ...window.idleCounts }])
              }, ms)
            }),
          watchedMs,
        )
        const all = [[from, to] as const, ...(await inWorkers()).map((now, index) => [before[index]!, now] as const)]
        expect(
          from.toWorkers > 0 && before.some(({ storage }) => storage > 0),
          `what is counted in ${name} was counted`,
        ).toBe(true)
        const more = (field: keyof Counts) => all.reduce((sum, [from, to]) => sum + to[field] - from[field], 0)
        const found = {
          name,
          storage: more('storage'),
          ports: more('ports'),
          toWorkers: more('toWorkers'),
          fromWorkers: more('fromWorkers'),
        }
        return found.storage + found.ports > 0 || Math.max(found.toWorkers, found.fromWorkers) > beats ? [found] : []
      }),
    )
  ).flat()
  expect(busy).toEqual([])
  expect(requests).toEqual([])
  expect(server.requests.slice(asked)).toEqual([])
  await server.stop()
  await app.close()
})
