/** One try of what people do all day: from a chat that is open to a new one, and typing at once. */
import type { CDPSession, Locator, Page } from '@playwright/test'

export type NewChatTry = {
  by: 'key' | 'button'
  text: string
  /** ms between two keys. */
  delay: number
}

/** Makes a new chat and types without waiting for anything; answers with what stands in the message box afterwards. */
export async function typeInNewChat(page: Page, { by, text, delay }: NewChatTry): Promise<string> {
  if (by === 'key') await page.keyboard.press('Alt+n')
  else await press(page, page.getByRole('navigation', { name: 'Library' }).getByRole('button', { name: 'New chat' }))
  await page.keyboard.type(text, { delay })
  return page.getByRole('textbox', { name: 'Message' }).inputValue()
}

/** A press of the mouse alone: a locator's click looks for what lies under it while the page handles it. */
async function press(page: Page, button: Locator): Promise<void> {
  const box = await button.boundingBox()
  if (box === null) throw new Error('The button is not on the screen.')
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}

/** Makes the page's processor this many times slower; 1 gives it back. */
export async function slowDown(page: Page, rate: number): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
  return session
}
