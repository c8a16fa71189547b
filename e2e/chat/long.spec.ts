/**
 * A chat of 10 000 messages is a chat like any other: it opens at its end, scrolls to its start, and finds what stands
 * between.
 */
import { expect, test } from '@playwright/test'
import { madeLog } from '../fixtures/logs.ts'
import { conversation, importFile, openApp, startWithoutModel } from '../person.ts'

test('10 000 messages: the newest first, the first within reach, one in the middle found', async ({ page }) => {
  test.setTimeout(240_000)
  await openApp(page)
  await startWithoutModel(page)
  await importFile(page, madeLog({ messages: 10_000, name: 'The long one' }))
  const link = page.getByRole('navigation', { name: 'Library' }).getByRole('link', { name: /The long one/ })
  await expect(link).toBeVisible({ timeout: 120_000 })
  await link.click()
  const talk = conversation(page)
  const newest = talk.getByText('Message 9999 ', { exact: false })
  await expect(newest).toBeInViewport()
  await page.reload()
  await expect(newest).toBeInViewport()

  // Older ones still come in while one scrolls, so the start is where the first message is, not where the list began.
  await talk.hover()
  await expect(async () => {
    await page.mouse.wheel(0, -20_000_000)
    await expect(talk.getByText('Message 0 ', { exact: false })).toBeInViewport({ timeout: 500 })
  }).toPass({ timeout: 60_000 })
  await expect(newest).toHaveCount(0) // only what is near is in the page
  await page.getByRole('button', { name: 'Jump to newest' }).click()
  await expect(newest).toBeInViewport()

  await page.getByRole('textbox', { name: 'Message' }).press('Control+f')
  await page.getByRole('searchbox', { name: 'Find in chat' }).fill('message 5005 about')
  await expect(page.getByRole('search')).toContainText('1 of 1')
  await expect(talk.getByText('Message 5005 ', { exact: false })).toBeInViewport()
})
