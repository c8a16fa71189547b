/**
 * From the moment that a server writes the first token of an answer to the frame that shows it. Both clocks are this
 * machine's.
 */
import type { Page } from '@playwright/test'
import { spread } from './browser-probe.ts'

/** `answers` answers one after the other, in the chat that is open; ms, with the time on the wire. */
export async function firstTokens(page: Page, answers: number): Promise<ReturnType<typeof spread>> {
  await page.evaluate(watchFirstTokens)
  for (let done = 1; done <= answers; done++) {
    await page.getByRole('textbox', { name: 'Message' }).fill('[[stamped]] When was that sent?')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.waitForFunction(wanted => window.firstTokens.length >= wanted, done, { timeout: 60_000 })
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached', timeout: 60_000 })
  }
  return spread(await page.evaluate(() => window.firstTokens))
}

declare global {
  interface Window {
    firstTokens: number[]
  }
}

/** Runs in the page: it must not use anything from outside itself. */
function watchFirstTokens(): void {
  window.firstTokens = []
  const seen = new Set<string>()
  new MutationObserver(() => {
    for (const text of document.querySelectorAll('[aria-busy] .markdown')) {
      const [, sent] = /sent(\d{13})/.exec(text.textContent ?? '') ?? []
      if (sent === undefined || seen.has(sent)) continue
      seen.add(sent)
      // The page writes what streams in within a frame's callback: a message that is sent there arrives when the frame
      // was drawn.
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        window.firstTokens.push(Date.now() - Number(sent))
        port1.close()
      }
      port2.postMessage(null)
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true })
}
