/** What the app lets nobody do: run a text as code, or show it in a page of their own. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, type Page } from '@playwright/test'
import { serveStatic, type StaticServer } from '../servers/static-server.ts'
import { visitUntilKept } from '../visit-until-kept.ts'

test.use({ serviceWorkers: 'allow' })

let server: StaticServer
test.beforeEach(async () => {
  server = await serveStatic()
})
test.afterEach(() => server.close())

/**
 * Runs code in the agent's worker as its own code would run: the debugger's own evaluation may do what the policy
 * forbids.
 */
async function inWorker<T>(page: Page, code: () => Promise<T>): Promise<T> {
  await expect.poll(() => page.workers().length).toBeGreaterThan(0)
  return page.workers()[0]!.evaluate(code)
}

test('no text becomes code, neither in the page nor in the worker', async ({ page }) => {
  const foreign: string[] = []
  const elsewhere = createServer((request, response) => {
    foreign.push(request.url ?? '')
    response
      .writeHead(200, { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' })
      .end('self.foreign = 1')
  })
  await new Promise<void>(resolve => elsewhere.listen(0, '127.0.0.1', resolve))
  const address = `http://localhost:${(elsewhere.address() as AddressInfo).port}/x.js`
  await page.addInitScript(() => {
    Object.assign(globalThis, { refused: [] as string[] })
    document.addEventListener('securitypolicyviolation', event => {
      ;(globalThis as unknown as { refused: string[] }).refused.push(
        `${event.effectiveDirective} ${event.blockedURI} ${event.sample}`,
      )
    })
  })
  await visitUntilKept(page, server.url)
  expect(
    await page.evaluate(() => (globalThis as unknown as { refused: string[] }).refused),
    'the app itself breaks no rule',
  ).toEqual([])

  const inPage = await page.evaluate(
    address =>
      new Promise<string[]>(resolve => {
        setTimeout(async () => {
          const ran: string[] = []
          const tried = async (name: string, attempt: () => unknown): Promise<void> => {
            try {
              await attempt()
              ran.push(name)
            } catch {
              /* refused, as it should be */
            }
          }
          Object.assign(globalThis, { ran: (name: string) => ran.push(name) })
          await tried('eval', () => (Reflect.get(globalThis, 'eval') as (code: string) => unknown)('1'))
          await tried('Function', () => new Function('return 1')())
          await tried('import data', () => import(['data:text/javascript', '0'].join()))
          await tried('import elsewhere', () => import(address))
          await tried('fetch elsewhere', () => fetch(address))
          const host = document.createElement('div')
          host.innerHTML = `<img src="x" onerror="ran('onerror')"><a id="hostile" href="javascript:ran('javascript:')">x</a><iframe srcdoc="<script>parent.ran('srcdoc')</script>"></iframe><img src="${address}">`
          document.body.append(host)
          const script = document.createElement('script')
          script.textContent = "ran('inline script')"
          document.body.append(script)
          document.getElementById('hostile')?.click()
          setTimeout(() => {
            resolve(ran)
          }, 500)
        })
      }),
    address,
  )
  expect(inPage).toEqual([])

  const inThread = await inWorker(
    page,
    () =>
      new Promise<string[]>(resolve => {
        setTimeout(async () => {
          const ran: string[] = []
          const tried = async (name: string, attempt: () => unknown): Promise<void> => {
            try {
              await attempt()
              ran.push(name)
            } catch {
              /* refused, as it should be */
            }
          }
          await tried('eval', () => (Reflect.get(globalThis, 'eval') as (code: string) => unknown)('1'))
          await tried('Function', () => new Function('return 1')())
          await tried('import data', () => import(['data:text/javascript', '0'].join()))
          await tried('import blob', () => import(URL.createObjectURL(new Blob(['0'], { type: 'text/javascript' }))))
          resolve(ran)
        })
      }),
  )
  expect(inThread).toEqual([])
  const loaded = await page.workers()[0]!.evaluate(
    address =>
      new Promise<string>(resolve => {
        setTimeout(() => {
          import(address).then(
            () => resolve('loaded'),
            () => resolve('refused'),
          )
        })
      }),
    address,
  )
  expect(loaded).toBe('refused')
  expect(foreign).toEqual([])
  await new Promise<void>(resolve => elsewhere.close(() => resolve()))
})

/** A page of somebody else, on another origin, with the app in a frame. */
async function framing(
  page: Page,
  { attributes = '', host = 'localhost', address = server.url },
): Promise<ReturnType<Page['frameLocator']>> {
  const other = createServer((_, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><iframe ${attributes} width="900" height="600" src="${address}/#/reset"></iframe>`)
  })
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
  await page.goto(`http://${host}:${(other.address() as AddressInfo).port}/`)
  other.closeAllConnections()
  other.close()
  return page.frameLocator('iframe')
}

/** All that a click or a key could set off. */
const actionable = (frame: ReturnType<Page['frameLocator']>) =>
  frame.locator('a, button, input, select, textarea, summary, [tabindex], [role="button"]')

test('inside a page of somebody else nothing can be pressed, on a host that sends no headers', async ({
  page,
  baseURL,
}) => {
  for (const [host, attributes] of [
    ['localhost', ''],
    ['127.0.0.1', ''],
    ['localhost', 'sandbox="allow-scripts allow-same-origin"'],
  ] as const) {
    const frame = await framing(page, { host, attributes })
    await expect(frame.getByRole('heading', { name: 'Haversack does not run inside another page' })).toBeVisible()
    await expect(frame.getByText(`${server.url}/`)).toBeVisible()
    await expect(actionable(frame)).toHaveCount(0)
    expect(page.workers().length, 'no agent is started').toBe(0)
  }
  // Without an origin of its own the page gets no script from an ordinary host.
  const sandboxed = await framing(page, { attributes: 'sandbox="allow-scripts"' })
  await expect(sandboxed.locator('#app')).toBeAttached()
  await page.waitForTimeout(1_000)
  await expect(actionable(sandboxed)).toHaveCount(0)
  // The app's own server says it in a header, and then the browser shows nothing of it.
  const refused = await framing(page, { address: baseURL! })
  await expect.poll(() => page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/')
  await expect(refused.locator('#app')).toHaveCount(0)
})
