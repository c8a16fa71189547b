/**
 * The browser's own model, as Chrome lends it to pages: a double on the window, so that the way through page and
 * agent's worker is the true one.
 */
import { expect, test, type Page } from '@playwright/test'
import { answers, conversation, finished, foreignRequests, openApp, say } from '../person.ts'

/** What Chrome puts on `window`: not downloaded at first; drops turns without a word when a prompt says so. */
async function installBrowserModel(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let state = 'downloadable'
    const made: unknown[] = []
    const LanguageModel = {
      made,
      availability: async () => state,
      create: async (options: {
        initialPrompts?: { content: string }[]
        monitor?: (monitor: EventTarget) => void
        signal?: AbortSignal
      }) => {
        if (state === 'downloadable' && !navigator.userActivation.isActive)
          throw new DOMException('Requires a user gesture.', 'NotAllowedError')
        made.push(options.initialPrompts?.map(({ content }) => content) ?? [])
        const monitor = new EventTarget()
        options.monitor?.(monitor)
        const steps = state === 'downloadable' ? 10 : -1
        for (let step = 0; step <= steps; step++) {
          monitor.dispatchEvent(Object.assign(new Event('downloadprogress'), { loaded: step / steps }))
          await new Promise(resolve => {
            setTimeout(resolve, 120)
          })
          options.signal?.throwIfAborted()
        }
        state = 'available'
        const session = new EventTarget()
        return Object.assign(session, {
          contextUsage: 20,
          contextWindow: 3_000,
          measureContextUsage: async (text: string) => Math.ceil(text.length / 8),
          destroy() {},
          promptStreaming: (text: string, { signal }: { signal: AbortSignal }) =>
            new ReadableStream<string>({
              async start(controller) {
                if (text.includes('w'.repeat(4_000))) session.dispatchEvent(new Event('contextoverflow'))
                for (const word of ['The ', 'browser ', 'answers ', `to ${text.length > 100 ? 'much' : text}.`]) {
                  await new Promise(resolve => {
                    setTimeout(resolve, 20)
                  })
                  if (signal.aborted) return controller.error(signal.reason)
                  controller.enqueue(word)
                }
                controller.close()
              },
            }),
        })
      },
    }
    Object.assign(window, { LanguageModel })
  })
}

test('is downloaded at a click with progress, chats, and makes room where the browser would drop turns without a word', async ({
  page,
  baseURL,
}) => {
  await installBrowserModel(page)
  const foreign = foreignRequests(page.context(), [baseURL!])
  await openApp(page)
  await page
    .getByRole('region', { name: 'Choose a model' })
    .getByRole('button', { name: 'On this device', exact: true })
    .click()
  const section = page
    .getByRole('dialog', { name: 'Settings' })
    .getByRole('region', { name: 'The model of the browser' })
  await section.getByRole('button', { name: 'Let the browser download it' }).click()
  await expect(section.getByRole('status')).toContainText(/[2-9]0%/)
  await expect(section.getByText('It is here and works offline.')).toBeVisible()
  await section.getByRole('button', { name: 'Use The model of the browser' }).click()
  await page.keyboard.press('Escape')

  await say(page, 'hello')
  await expect(answers(page).last()).toContainText('The browser answers to hello.')
  await finished(page)
  await say(page, `Look at this: ${'w'.repeat(9_000)}`)
  await expect(
    conversation(page)
      .getByText(/The request did not fit/)
      .first(),
  ).toBeVisible()
  await expect(answers(page).last()).toContainText('The browser answers to much.')
  await finished(page)
  expect(foreign).toEqual([])
})

test('what its download was stopped at can be gone on with', async ({ page }) => {
  await installBrowserModel(page)
  await openApp(page)
  await page
    .getByRole('region', { name: 'Choose a model' })
    .getByRole('button', { name: 'On this device', exact: true })
    .click()
  const section = page
    .getByRole('dialog', { name: 'Settings' })
    .getByRole('region', { name: 'The model of the browser' })
  await section.getByRole('button', { name: 'Let the browser download it' }).click()
  await expect(section.getByRole('status')).toContainText(/[1-9]0%/)
  await section.getByRole('button', { name: 'Stop' }).click()
  await section.getByRole('button', { name: 'Let the browser download it' }).click()
  await expect(section.getByText('It is here and works offline.')).toBeVisible()
})
