/** The timeline: every message of the chat in one line, what the model sees of it, and the border that can be moved. */
import { expect, test, type Locator, type Page } from '@playwright/test'
import { madeLog } from '../fixtures/logs.ts'
import { conversation, importFile, openApp, showSummary, startWithoutModel } from '../person.ts'

const pane = (page: Page): Locator => page.getByRole('complementary', { name: 'Context' })
const line = (page: Page): Locator => pane(page).getByRole('toolbar', { name: 'The chat, oldest first' })
const blocks = (page: Page): Locator => line(page).getByRole('button', { name: /^Messages? / })
const border = (page: Page): Locator => pane(page).getByRole('slider', { name: 'Keep the newest …' })

async function openChat(page: Page, messages: number): Promise<void> {
  await openApp(page)
  await startWithoutModel(page)
  await importFile(page, madeLog({ messages }))
  await page
    .getByRole('navigation', { name: 'Library' })
    .getByRole('link', { name: /A long talk/ })
    .click()
  await expect(conversation(page)).toContainText(`Message ${messages - 1} about`, { timeout: 60_000 })
  await expect(blocks(page).last()).toHaveAccessibleName(new RegExp(` of ${messages.toLocaleString('en')}, `), {
    timeout: 60_000,
  })
}

/** Messages that stay and that become a summary, as the border says it. */
async function atBorder(page: Page): Promise<{ stay: number; leave: number }> {
  const text = (await border(page).getAttribute('aria-valuetext')) ?? ''
  const found = /^the newest ([\d,]+) messages? .* stay; ([\d,]+) messages? become a summary$/.exec(text)
  return { stay: Number(found?.[1]?.replaceAll(',', '')), leave: Number(found?.[2]?.replaceAll(',', '')) }
}

test('each message is a block with a name; the arrows walk, the card tells it, Enter leads there', async ({ page }) => {
  await openChat(page, 40)
  await expect(blocks(page)).toHaveCount(40)
  // one stop of the Tab key for all of them
  expect(await line(page).locator('[tabindex="0"]').count()).toBe(1)
  await blocks(page).last().focus()
  await expect(blocks(page).last()).toHaveAccessibleName(/^Message 40 of 40, Assistant, \d+ tokens, sent whole$/)
  await expect(blocks(page).last()).toHaveAccessibleDescription(/Message 39 about/)
  await page.keyboard.press('Home')
  await expect(blocks(page).first()).toBeFocused()
  for (let i = 0; i < 4; i++) await page.keyboard.press('ArrowRight')
  const result = blocks(page).nth(4)
  await expect(result).toBeFocused()
  await expect(result).toHaveAccessibleName(/^Message 5 of 40, Tool result, /)
  await expect(result).toHaveAccessibleDescription(/read_file.*Message 4 about/s)
  // pinned from the card, and said so
  await pane(page).getByRole('button', { name: 'Pin', exact: true }).click()
  await expect(result).toHaveAccessibleName(/, pinned$/)
  await expect(pane(page).getByRole('button', { name: 'Unpin' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(pane(page).getByRole('button', { name: 'Unpin' })).toHaveCount(0)
  await blocks(page).first().focus()
  await page.keyboard.press('Enter')
  await expect(conversation(page).getByText('Message 0 about')).toBeInViewport()
})

test('a compaction cuts where the line was put; the line, the card and the messages say the same', async ({ page }) => {
  await openChat(page, 120)
  await border(page).focus()
  await page.keyboard.press('End')
  const least = await atBorder(page)
  expect(least.stay).toBeLessThan(5)
  for (let i = 0; i < 6; i++) await page.keyboard.press('ArrowLeft')
  const { stay, leave } = await atBorder(page)
  expect(stay).toBeGreaterThan(least.stay)
  expect(stay + leave).toBe(120)
  await expect(pane(page)).toContainText(`Keeps the newest ${stay}`)

  // the same with the pointer: to the left more stays
  const box = (await border(page).boundingBox())!
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await page.mouse.move(middle.x, middle.y)
  await page.mouse.down()
  await page.mouse.move(middle.x - 60, middle.y, { steps: 4 })
  await page.mouse.up()
  const dragged = await atBorder(page)
  expect(dragged.stay).toBeGreaterThan(stay)

  await pane(page).getByRole('button', { name: 'Compact', exact: true }).click()
  const bar = line(page).getByRole('button', { name: /^Summary of / })
  await expect(bar).toHaveAccessibleName(new RegExp(`^Summary of ${dragged.leave} messages, \\d+ tokens$`))
  const card = await showSummary(page)
  await expect(card).toContainText(`${dragged.leave} messages summarised`)
  // it stands between what it tells and what is kept
  const around = await conversation(page)
    .getByRole('article')
    .evaluateAll(all => {
      const at = all.findIndex(article => article.getAttribute('aria-label') === 'Summary')
      const number = (article: Element | undefined) =>
        Number(/Message (\d+) about/.exec(article?.textContent ?? '')?.[1])
      return { before: number(all[at - 1]), after: number(all[at + 1]) }
    })
  expect(around.after).toBe(dragged.leave)
  expect(around.before).toBe(dragged.leave - 1)

  // a message that only the summary tells is read here and can be sent again
  await bar.focus()
  await page.keyboard.press('ArrowRight')
  const first = blocks(page).first()
  await expect(first).toBeFocused()
  for (let i = 0; i < 6; i++) await page.keyboard.press('+')
  await expect(line(page).locator(':focus')).toHaveAccessibleName(
    /^Message 1 of \d+, You, \d+ tokens, only in the summary$/,
  )
  await pane(page).getByRole('button', { name: 'Send again (pin)' }).click()
  await expect(blocks(page).first()).toHaveAccessibleName(/, sent whole, pinned$/)
  await pane(page).getByRole('button', { name: 'Show the whole chat' }).click()

  // the originals are read as a conversation; JSON is a second look
  await card
    .getByRole('button', { name: /^dialog\// })
    .first()
    .click()
  const day = page.getByRole('dialog', { name: 'Monday, March 2, 2026' })
  await expect(day.getByRole('listitem').first()).toContainText(/You.*Message 0 about/s)
  await expect(day).not.toContainText('"message":')
  await day.getByRole('button', { name: 'As JSON' }).click()
  await expect(day).toContainText('"message":')
})

test('thousands of messages are grouped, and zooming takes the groups apart', async ({ page }) => {
  test.setTimeout(120_000)
  await openChat(page, 2_000)
  const count = await blocks(page).count()
  expect(count).toBeLessThan(140)
  await blocks(page).last().focus()
  await expect(blocks(page).last()).toHaveAccessibleName(/^Messages [\d,]+–2,000 of 2,000, mostly /)
  for (let i = 0; i < 5; i++) await page.keyboard.press('+')
  await expect(line(page).locator(':focus')).toHaveAccessibleName(
    /^Message [\d,]+ of 2,000, (You|Assistant|Tool result), /,
  )
  await expect(
    pane(page)
      .getByRole('status')
      .filter({ hasText: /of 2,000$/ }),
  ).toBeVisible()
  await page.keyboard.press('0')
  await expect(blocks(page)).toHaveCount(count)
  // the wheel zooms where the pointer is
  await blocks(page).last().hover()
  await page.keyboard.down('Control')
  await page.mouse.wheel(0, -300)
  await page.keyboard.up('Control')
  await expect(pane(page).getByRole('button', { name: 'Show the whole chat' })).toBeVisible()
})
