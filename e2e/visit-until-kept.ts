/** A first visit that is over when the app works without a network. */
import { expect, type Page } from '@playwright/test'

/** Visits until everything is kept and the service worker answers for page and worker. */
export async function visitUntilKept(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await expect(page.getByRole('main')).toBeVisible()
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    while (!navigator.serviceWorker.controller) await new Promise(resolve => setTimeout(resolve, 20))
  })
  await page.reload()
  await expect(page.getByRole('main')).toBeVisible()
}
