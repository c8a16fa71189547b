/**
 * From the moment that the first token of an answer is there to the frame that shows it: written by a server, or posted by
 * the thread of an engine of this device. All clocks are this machine's.
 */
import type { Page } from '@playwright/test'
import { tinyGguf } from '../e2e/tiny-gguf.ts'
import { spread } from './browser-probe.ts'

type Spread = ReturnType<typeof spread>

/** `answers` answers of the bench's server one after the other, in the chat that is open; ms, with the time on the wire. */
export async function firstTokens(page: Page, answers: number): Promise<Spread> {
  const times: number[] = []
  for (let done = 0; done < answers; done++) {
    const { text, at } = await firstPainted(page, '[[stamped]] When was that sent?', 'sent\\d{13}')
    times.push(at - Number(text.slice('sent'.length)))
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached', timeout: 60_000 })
  }
  return spread(times)
}

/** The same of the processor's engine with a tiny model of random weights, on a page that has nothing yet; ms from the post of the engine's thread. */
export async function firstTokensHere(page: Page, answers: number): Promise<Spread> {
  await bringTiny(page)
  const thread = page.workers().find(worker => /cpu\.worker/.test(worker.url()))
  if (!thread) throw new Error('the thread of the engine was not found')
  await thread.evaluate(() => {
    const post = MessagePort.prototype.postMessage
    MessagePort.prototype.postMessage = function (...given: [unknown, never]) {
      const { tell, part } = given[0] as { tell?: string; part?: { type: string; text: string } }
      if (tell === 'part' && part?.type === 'text' && /\S/.test(part.text)) Object.assign(globalThis, { firstAt: Reflect.get(globalThis, 'firstAt') ?? Date.now() })
      post.apply(this, given)
    }
  })
  const times: number[] = []
  for (let done = 0; done < answers; done++) {
    await thread.evaluate(() => { Reflect.deleteProperty(globalThis, 'firstAt') })
    const { at } = await firstPainted(page, 'hello', '\\S')
    times.push(at - await thread.evaluate(() => Number(Reflect.get(globalThis, 'firstAt'))))
    await page.getByRole('button', { name: 'Stop' }).click({ timeout: 5_000 }).catch(() => {})   // a short answer may be over
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached', timeout: 60_000 })
  }
  return spread(times)
}

async function bringTiny(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Choose a model' }).getByRole('button', { name: 'See what fits this device' }).click()
  const settings = page.getByRole('dialog', { name: 'Settings' })
  const chooser = page.waitForEvent('filechooser')
  await settings.getByRole('button', { name: 'Choose a GGUF file…' }).click()
  await (await chooser).setFiles({ name: 'tiny.gguf', mimeType: 'application/octet-stream', buffer: tinyGguf() })
  await settings.getByRole('button', { name: 'Copy it into the browser' }).click()
  const row = settings.getByRole('listitem', { name: 'tiny' })
  await row.getByRole('button', { name: 'Load now' }).click({ timeout: 60_000 })
  await row.getByText('Loaded', { exact: true }).waitFor({ timeout: 60_000 })
  await row.getByRole('button', { name: 'Use tiny' }).click()
  await page.keyboard.press('Escape')
}

/** Says this, and answers with what first matched `wanted` in the answer that streams in, and when its frame was drawn, epoch ms. */
async function firstPainted(page: Page, message: string, wanted: string): Promise<{ text: string; at: number }> {
  await page.evaluate(watch, wanted)
  await page.getByRole('textbox', { name: 'Message' }).fill(message)
  await page.getByRole('button', { name: 'Send' }).click()
  return page.evaluate(() => window.firstToken)
}

declare global { interface Window { firstToken: Promise<{ text: string; at: number }> } }

/** Runs in the page: it must not use anything from outside itself. */
function watch(wanted: string): void {
  window.firstToken = new Promise(resolve => {
    const observer = new MutationObserver(() => {
      const [text] = new RegExp(wanted).exec(document.querySelector('[aria-busy] .markdown')?.textContent ?? '') ?? []
      if (text === undefined) return
      observer.disconnect()
      // The page writes what streams in within a frame's callback: a message that is sent there arrives when the frame was drawn.
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => { port1.close(); resolve({ text, at: Date.now() }) }
      port2.postMessage(null)
    })
    observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  })
}
