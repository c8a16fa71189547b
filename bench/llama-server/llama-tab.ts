/** The app in a browser of its own, used as a person does, with what went over the wire. */
import type { Browser, Locator, Page, Request } from '@playwright/test'
import { modelOption, useModel } from '../../e2e/person.ts'

/** One call of the model: what was sent, and with which status it was answered. */
export type Sent = {
  model: string
  tools: number
  inWords: boolean
  messages: number
  maxTokens: number
  letters: number
  status?: number
}

export type Tab = {
  page: Page
  sent: Sent[]
  /** What the app asked beside calls of the model, as paths. */
  asked: string[]
  close(): Promise<void>
}

export async function openTab(browser: Browser, url: string): Promise<Tab> {
  const context = await browser.newContext({
    locale: 'en-US',
    viewport: { width: 1280, height: 800 },
    serviceWorkers: 'block',
  })
  const [sent, asked]: [Sent[], string[]] = [[], []]
  const calls = new Map<Request, Sent>()
  context.on('request', request => {
    if (request.url().startsWith(url) || !request.url().startsWith('http')) return
    if (request.method() !== 'POST') {
      asked.push(request.url().replace(/^https?:\/\/[^/]+/, ''))
      return
    }
    const body = request.postData() ?? '{}'
    const {
      model,
      tools,
      messages = [],
      max_tokens: maxTokens,
    } = JSON.parse(body) as { model: string; tools?: unknown[]; messages?: { content: unknown }[]; max_tokens: number }
    const call: Sent = {
      model,
      tools: tools?.length ?? 0,
      inWords: body.includes('"response_format"'),
      messages: messages.length,
      maxTokens,
      letters: body.length,
    }
    sent.push(call)
    calls.set(request, call)
  })
  context.on('response', response => {
    const call = calls.get(response.request())
    if (call) call.status = response.status()
  })
  const page = await context.newPage()
  await page.goto(url)
  await page.getByRole('main').waitFor()
  return { page, sent, asked, close: () => context.close() }
}

/** tokens */
const longestAnswer = 400

/** The form of another server, filled in and sent off; `key` where the server wants one. */
export async function connect(page: Page, address: string, key?: string): Promise<Locator> {
  const settings = page.getByRole('dialog', { name: 'Settings' })
  if (!(await settings.isVisible()))
    await page
      .getByRole('region', { name: 'Choose a model' })
      .getByRole('button', { name: /another server/ })
      .click()
  await settings.getByRole('textbox', { name: /^Address (?!of)/ }).fill(address)
  if (key !== undefined) await settings.getByRole('textbox', { name: /^Key / }).fill(key)
  await settings.getByRole('button', { name: 'Connect and save' }).click()
  return settings
}

/** What the settings say of a model, once it is listed: alone, or in a list. */
export async function row(settings: Locator, model: string): Promise<string> {
  const only = settings.getByRole('button', { name: `Use ${model}`, exact: true })
  const option = modelOption(settings, model)
  await only.or(option).waitFor()
  return plain(
    await ((await only.isVisible()) ? settings.getByRole('group').filter({ has: only }) : option).innerText(),
  )
}

/** Chooses a model, and short answers: one of the tiny models never ends by itself. */
export async function use(settings: Locator, model: string): Promise<void> {
  await useModel(settings, model)
  await settings.page().getByRole('textbox', { name: 'Message' }).waitFor()
  await say(settings.page(), `/config max_output_tokens ${longestAnswer} --all`)
  await settings
    .page()
    .getByText(/max_output_tokens: .*takes effect/)
    .waitFor()
}

export async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.getByRole('button', { name: 'Send' }).click()
}

export const answers = (page: Page): Locator =>
  page.getByRole('log', { name: 'Conversation' }).getByRole('article', { name: 'Assistant' })

/** Everything that stands in the talk and around it, in one line. */
export async function seen(page: Page): Promise<string> {
  return plain(await page.locator('body').innerText())
}

/** Waits for words on the page; answers whether they came. */
export async function comes(page: Page, words: RegExp, seconds = 30): Promise<boolean> {
  return until(async () => words.test(await seen(page)), seconds)
}

export async function until(holds: () => boolean | Promise<boolean>, seconds = 30, ms = 120): Promise<boolean> {
  for (const end = Date.now() + seconds * 1_000; Date.now() < end;) {
    if (await holds()) return true
    await new Promise(resolve => {
      setTimeout(resolve, ms)
    })
  }
  return false
}

/** Waits until nothing runs any more; answers with the lengths that the last answer had meanwhile. */
export async function settled(page: Page, seconds = 240): Promise<number[]> {
  const lengths: number[] = []
  let quiet = 0
  await until(async () => {
    const now = await page.evaluate(() => {
      const articles = [...document.querySelectorAll('[role="log"] article')]
      const last = articles.findLast(article => article.getAttribute('aria-label')?.startsWith('Assistant'))
      const stops = [...document.querySelectorAll('button')].some(
        button => (button.getAttribute('aria-label') ?? button.textContent ?? '').trim() === 'Stop',
      )
      return {
        length: last?.textContent?.length ?? 0,
        running:
          stops ||
          articles.some(article => article.getAttribute('aria-busy') === 'true') ||
          (articles.at(-1)?.getAttribute('aria-label')?.startsWith('You') === true &&
            document.querySelector('[role="alert"]') === null),
      }
    })
    if (now.length !== lengths.at(-1)) lengths.push(now.length)
    quiet = now.running ? 0 : quiet + 1
    return quiet > 4
  }, seconds)
  return lengths
}

/** What the context pane says of the window. */
export async function pane(page: Page): Promise<string> {
  return plain(await page.getByRole('complementary', { name: 'Context' }).innerText())
}

export function plain(text: string): string {
  return text
    .replace(/[\u2009\u202f\u00a0]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
