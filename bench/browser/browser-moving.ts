/** A long chat that moves: scrolled, typed below while an answer streams in, and with an answer that rushes. */
import type { CDPSession, Page } from '@playwright/test'
import { rounded, spread } from './browser-probe.ts'
import { load, told, watch } from './browser-watch.ts'

export async function scroll(page: Page, session: CDPSession): Promise<object> {
  const talk = page.getByRole('log', { name: 'Conversation' })
  await talk.hover()
  const turn = (by: number, steps: number) => async () => {
    for (let step = 0; step < steps; step++) {
      await page.mouse.wheel(0, by)
      await page.waitForTimeout(16)
    }
    await page.waitForTimeout(300)
  }
  const busy = load()
  const up = told(await watch(page, session, turn(-240, 300)))
  const down = told(await watch(page, session, turn(240, 300)))
  const fast = told(await watch(page, session, turn(-2_400, 150)))
  const jumps = told(
    await watch(page, session, async () => {
      for (let step = 1; step <= 20; step++) {
        await talk.evaluate(
          (element, share) => {
            element.scrollTop = element.scrollHeight * share
          },
          ((step * 7) % 20) / 20,
        )
        await page.waitForTimeout(150)
      }
    }),
  )
  await page.keyboard.press('Escape')
  return {
    load: busy,
    wheel: '240 px a step, then 2 400 px a step; then 20 places all over the talk',
    up,
    down,
    fast,
    jumps,
  }
}

export async function typeWhileStreaming(page: Page, session: CDPSession): Promise<object> {
  const box = page.getByRole('textbox', { name: 'Message' })
  const stop = page.getByRole('button', { name: 'Stop' })
  // The first message compacts the talk; what is measured is the one after it.
  const began = performance.now()
  await box.fill('[[say We were at the bench.]] Where were we?')
  await page.getByRole('button', { name: 'Send' }).click()
  await page
    .getByRole('article', { name: 'Assistant' })
    .filter({ hasText: /^\s*We were at the bench\./ })
    .waitFor({ timeout: 120_000 })
  const firstAnswerMs = Math.round(performance.now() - began)
  await stop.waitFor({ state: 'detached', timeout: 120_000 })
  await page.waitForTimeout(2_000)
  const busy = load()
  await box.fill('[[fast 2400]] Tell me all of it.')
  await page.getByRole('button', { name: 'Send' }).click()
  await page
    .getByText(/fast20 /)
    .first()
    .waitFor({ timeout: 120_000 })
  await box.click()
  let rate = 0
  const seen = await watch(page, session, async () => {
    const words = () =>
      page.evaluate(() =>
        Math.max(
          0,
          ...[...document.querySelectorAll('[aria-busy] .markdown')].map(
            text => (text.textContent ?? '').split(' ').length,
          ),
        ),
      )
    const [from, at] = [await words(), performance.now()]
    const text = 'while it streams somebody writes the next question '
    for (let key = 0; performance.now() - at < 8_000; key++)
      await page.keyboard.type(text[key % text.length] ?? ' ', { delay: 60 })
    rate = rounded(((await words()) - from) / ((performance.now() - at) / 1_000))
  })
  await stop.waitFor({ state: 'detached', timeout: 60_000 })
  await box.fill('')
  return { load: busy, firstAnswerMs, tokensPerSecond: rate, keyToPaint: spread(seen.keys), ...told(seen) }
}

/** An answer with headings, lists, tables and code at 500 tokens a second: how often the page painted. */
export async function rush(page: Page, session: CDPSession): Promise<object> {
  const stop = page.getByRole('button', { name: 'Stop' })
  const busy = load()
  await page.getByRole('textbox', { name: 'Message' }).fill('[[rush 5000]] Tell me all of it at once.')
  await page.getByRole('button', { name: 'Send' }).click()
  await page
    .getByText(/word1005 /)
    .first()
    .waitFor({ timeout: 120_000 })
  const shownTokens = (): Promise<number> =>
    page.evaluate(() =>
      Math.max(
        0,
        ...[...document.querySelectorAll('[aria-busy] .markdown')].map(
          text => (text.textContent ?? '').split(/\s+/).length,
        ),
      ),
    )
  let seconds = 0
  let rate = 0
  const seen = await watch(page, session, async () => {
    const [from, at] = [await shownTokens(), performance.now()]
    await page.waitForTimeout(7_000)
    seconds = (performance.now() - at) / 1_000
    rate = rounded(((await shownTokens()) - from) / seconds)
  })
  await stop.waitFor({ state: 'detached', timeout: 60_000 })
  return {
    load: busy,
    wordsPerSecond: rate,
    framesPerSecond: rounded(seen.frames.length / seconds),
    under30: seen.frames.filter(ms => ms > 1_000 / 30 + 1).length,
    ...told(seen),
  }
}
