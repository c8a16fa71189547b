/** Where it will be used: a phone, a page over plain http, a browser that gives no storage. */
import { expect, test, type Page } from '@playwright/test'
import { nothingMoves, shifts } from '../layout-shifts.ts'
import { answers, conversation, finished, openApp, questions, say, startWithoutModel } from '../person.ts'
import { serveStatic } from '../servers/static-server.ts'

/** Notices come, take the place of another, are looked at, dismissed, and go: nothing moves, nothing is covered. */
async function noticesMoveNothing(page: Page): Promise<void> {
  const notice = (words: string) => page.getByText(words).locator('visible=true').first()
  await nothingMoves(page)
  await page.context().setOffline(true)
  await expect(notice('You are offline')).toBeVisible()
  expect(await shifts(page), 'one comes').toEqual([])
  // Only with a network does a part that cannot be had tell of a new version.
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'onLine', { configurable: true, value: true })
    dispatchEvent(new Event('vite:preloadError', { cancelable: true }))
  })
  await expect(notice('A new version is there')).toBeVisible()
  await expect(page.getByRole('alert').getByText('A new version is there').first()).toBeAttached()
  expect(await shifts(page), 'an alert takes its place').toEqual([])
  const line = page.getByRole('main').getByRole('button', { name: /^A new version is there/ })
  if (await line.isVisible()) {
    const inWay = await page.evaluate(() => {
      const [bar, talk] = ['header.bar', '.chat'].map(part => document.querySelector(part)!.getBoundingClientRect())
      const { bottom } = document.querySelector('header.bar button.line')!.getBoundingClientRect()
      return bottom > bar!.bottom || bar!.bottom > talk!.top + 1
    })
    expect(inWay, 'the line stays in the header').toBe(false)
    await line.click()
  }
  await page.getByRole('button', { name: /: next notice$/ }).click()
  await page.getByRole('button', { name: 'Dismiss: You are offline' }).click()
  await expect(page.getByRole('note', { name: 'You are offline' })).toBeHidden()
  await expect(page.getByLabel('A new version is there')).toBeVisible()
  await page.keyboard.press('Escape')
  expect(await shifts(page), 'one is dismissed').toEqual([])
  await page.context().setOffline(false)
}

/**
 * Buttons and fields that are smaller than a finger (44 px). Links in a sentence are as high as its lines; what is as
 * wide as the tokens that it stands for has rows of its own beside it.
 */
const tooSmall = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, select, nav footer a, input:not([type=file])')]
      .filter(
        one => one.checkVisibility({ visibilityProperty: true }) && one.closest('[role=toolbar], .skips, p') === null,
      )
      .map(one => ({ one, box: one.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 1 && (Math.round(box.height) < 44 || Math.round(box.width) < 44))
      .map(({ one, box }) => `${one.ariaLabel ?? one.textContent.trim()}: ${box.width}x${box.height}`),
  )

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('Enter breaks the line, nothing is wider than the screen, inputs do not zoom, panes are sheets', async ({
    page,
  }) => {
    await openApp(page)
    await startWithoutModel(page)
    const box = page.getByRole('textbox', { name: 'Message' })
    await box.tap()
    await page.keyboard.type('first line')
    await page.keyboard.press('Enter')
    await page.keyboard.type('second line')
    await expect(box).toHaveValue('first line\nsecond line')
    expect(await box.evaluate(element => parseFloat(getComputedStyle(element).fontSize))).toBeGreaterThanOrEqual(16)
    await page.getByRole('button', { name: 'Send' }).tap()
    await finished(page)
    await expect(questions(page).last()).toContainText('second line')
    expect(await tooSmall(page), 'chat').toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await expect(page.getByRole('navigation', { name: 'Library' })).toBeHidden()
    await page.getByRole('button', { name: 'Show library' }).tap()
    await expect(page.getByRole('navigation', { name: 'Library' })).toBeVisible()
    expect(await tooSmall(page), 'library').toEqual([])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('navigation', { name: 'Library' })).toBeHidden()
    await page.getByRole('button', { name: 'Show context' }).tap()
    await expect(page.getByRole('meter', { name: 'Context used' })).toBeVisible()
    await expect(page.getByRole('combobox', { name: 'Strategy' })).toBeVisible()
    expect(await tooSmall(page), 'context').toEqual([])
    // what cannot be pointed at: the first tap tells, the second one leads there
    const tile = page
      .getByRole('toolbar', { name: 'What takes the room' })
      .getByRole('button', { name: /messages/ })
      .first()
    await tile.tap()
    await expect(tile).toHaveAccessibleDescription(/second line/)
    await expect(page.getByRole('complementary', { name: 'Context' })).toBeVisible()
    await tile.tap()
    await expect(page.getByRole('complementary', { name: 'Context' })).toBeHidden()
    await expect(conversation(page).locator('article:focus')).toContainText('second line')
    await noticesMoveNothing(page)
    await page.reload()
    await page.setViewportSize({ width: 1440, height: 900 })
    const pane = page.getByRole('complementary', { name: 'Context' })
    await expect(page.getByRole('navigation', { name: 'Library' })).toBeVisible()
    await expect(pane.getByRole('button', { name: /^Undo/ })).toBeVisible() // what it shows was counted
    await page.waitForLoadState('networkidle')
    await noticesMoveNothing(page)
    await page.reload()
    await page.getByRole('button', { name: 'Hide library' }).click()
    await expect(pane.getByRole('button', { name: /^Undo/ })).toBeVisible()
    await page.waitForLoadState('networkidle')
    await noticesMoveNothing(page)
  })
})

test('an Enter that confirms a candidate of an input method does not send', async ({ page }) => {
  await openApp(page)
  await startWithoutModel(page)
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill('にほん')
  await box.evaluate(element => {
    element.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }))
    element.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, keyCode: 229, bubbles: true, cancelable: true }),
    )
    element.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true, data: '日本' }))
    // Safari: the key comes after the end of the composition, in the same tick.
    element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
  })
  await expect(box).toHaveValue('にほん')
  await expect(questions(page)).toHaveCount(0)
  await page.waitForTimeout(300) // the guard lasts a moment; a later Enter is meant
  await box.press('Enter')
  await expect(questions(page).last()).toContainText('にほん')
})

test('without storage it works in memory, says so, and offers an export', async ({ browser, baseURL }) => {
  const context = await browser.newContext(baseURL ? { baseURL } : {})
  const page = await context.newPage()
  await page.route('**/agent.worker-*.js', async route => {
    const response = await route.fetch()
    const broken =
      'Object.defineProperty(self, "indexedDB", { value: { open() { throw new DOMException("A mutation operation was attempted on a database that did not allow mutations.", "InvalidStateError") } } });\n'
    await route.fulfill({ response, body: broken + (await response.text()) })
  })
  await openApp(page)
  await expect(page.getByText('Nothing is kept here')).toBeVisible()
  await startWithoutModel(page)
  await say(page, 'The code is 4711.')
  await finished(page)
  await expect(questions(page).last()).toContainText('4711')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export everything' }).first().click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Export/ })
    .last()
    .click({ timeout: 3_000 })
    .catch(() => {}) // a dialog, where one asks what to save
  expect((await download).suggestedFilename()).toMatch(/\.jsonl$/)
  await context.close()
})

test('over plain http it says what is missing and works as far as it goes', async ({ playwright }) => {
  const host = await serveStatic()
  const browser = await playwright.chromium.launch({
    ...(process.env['CHROMIUM_PATH'] ? { executablePath: process.env['CHROMIUM_PATH'] } : {}),
    args: [
      '--no-sandbox',
      '--disable-quic',
      '--disable-background-networking',
      '--no-first-run',
      '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP haversack.test 127.0.0.1',
    ],
  })
  const page = await browser.newPage()
  const errors: string[] = []
  page.on('pageerror', error => errors.push(error.message))
  await openApp(page, `http://haversack.test:${host.port}/`)
  expect(await page.evaluate(() => isSecureContext)).toBe(false)
  await expect(page.getByText('This page came over plain http')).toBeVisible()
  await startWithoutModel(page)
  await say(page, 'The blue door is open.')
  await finished(page)
  await page.reload()
  await expect(conversation(page)).toContainText('The blue door is open.')
  await expect(answers(page)).toHaveCount(1)
  expect(errors).toEqual([])
  await browser.close()
  await host.close()
})
