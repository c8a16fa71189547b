/** The context pane: what it promises, what Compact and Put back do, what Undo is called, whose chat it tells of. */
import { expect, test, type Locator, type Page } from '@playwright/test'
import { startFakeServer, type FakeServer } from '../servers/fake-server.ts'
import { madeLog } from '../fixtures/logs.ts'
import { conversation, finished, importFile, openWithServer, questions, say, showSummary } from '../person.ts'

let server: FakeServer
test.beforeAll(async () => {
  server = await startFakeServer({ contextWindow: 32_768 })
})
test.afterAll(() => server.stop())

const pane = (page: Page): Locator => page.getByRole('complementary', { name: 'Context' })
const meter = (page: Page): Locator => page.getByRole('meter', { name: 'Context used' })
const row = (page: Page, zone: string): Locator => pane(page).locator(`.legend li[data-zone="${zone}"]`)
const notSent = (page: Page): Locator =>
  pane(page).getByRole('region', { name: 'Not sent any more · kept here' }).getByRole('listitem')
const summaries = (page: Page): Locator => conversation(page).getByRole('article', { name: 'Summary' })

/** Opens a chat of so many messages, and waits until its tokens are counted exactly. */
async function openChat(page: Page, messages: number, name = 'A long talk'): Promise<void> {
  await importFile(page, madeLog({ messages, name, id: name }))
  await page
    .getByRole('navigation', { name: 'Library' })
    .getByRole('link', { name: new RegExp(name) })
    .click()
  await expect(conversation(page)).toContainText(`Message ${messages - 1}`, { timeout: 60_000 })
  await expect(meter(page)).toHaveAttribute('data-counter', 'bpe', { timeout: 60_000 })
  await expect(pane(page).getByRole('heading', { level: 2 })).toContainText(name)
}

const tokensOf = async (page: Page, zone: string): Promise<number> =>
  Number((await row(page, zone).getAttribute('data-tokens')) ?? Number.NaN)

test('the first sentence says what the next message does, at any size, and never more than a hundred per cent', async ({
  page,
}) => {
  await openWithServer(page, server.url, 'chat')
  await openChat(page, 12, 'A short talk')
  await expect(pane(page)).toContainText(/Fits: \d\d%\. Everything so far goes with your next message\./)
  await expect(row(page, 'compactable')).toHaveCount(0) // what is empty has no row
  await expect(row(page, 'answer')).toContainText('Room for the answer')
  await openChat(page, 2_000, 'A huge talk')
  await expect(pane(page)).toContainText(
    /Full\. With your next message the 1,\d\d\d oldest messages become a summary\./,
  )
  expect(await meter(page).getAttribute('aria-valuenow')).toBe('32768')
  for (const [, percent] of (await pane(page).innerText()).matchAll(/([\d,]+)%/g))
    expect(Number(percent!.replace(',', ''))).toBeLessThanOrEqual(100)
  const told = /the ([\d,]+) oldest/.exec(await pane(page).innerText())![1]!
  await pane(page).getByRole('button', { name: 'Preview of your next message' }).click()
  const preview = page.getByRole('dialog', { name: 'Preview' })
  await expect(preview.getByRole('tab', { name: `Goes · ${told}` })).toBeVisible()
})

test('Compact keeps what the pane says is always kept; the preview tells each message, and a pin there counts', async ({
  page,
}) => {
  await openWithServer(page, server.url, 'chat')
  await openChat(page, 120)
  const kept = await tokensOf(page, 'reserved')
  expect(await tokensOf(page, 'compactable')).toBeGreaterThan(5_000)
  await pane(page).getByRole('button', { name: 'Preview', exact: true }).click()
  const preview = page.getByRole('dialog', { name: 'Preview' })
  const goes = preview.getByRole('tab', { name: /^Goes/ })
  const countOf = async (tab: Locator) => Number(/[\d,]+/.exec((await tab.textContent()) ?? '')![0].replace(',', ''))
  await expect(goes).toBeVisible()
  const before = await countOf(goes)
  const first = preview.getByRole('listitem').first()
  await expect(first).toContainText('You')
  await expect(first).toContainText('Message 0 about')
  await first.getByRole('button', { name: /^Pin You Message 0/ }).click()
  await expect.poll(() => countOf(goes)).toBe(before - 1)
  await preview.getByRole('tab', { name: /^Stays/ }).click()
  await expect(preview.getByRole('listitem').first()).toContainText('pinned')
  await expect(
    preview
      .getByRole('heading', { name: /^Goal/ })
      .or(preview.locator('.summary h4, .summary h3, .summary h2'))
      .first(),
  ).toBeVisible()
  await preview.getByRole('button', { name: 'Compact now' }).click()
  await showSummary(page)
  await expect(summaries(page)).toHaveCount(1)
  await expect(notSent(page)).toHaveCount(1)
  await expect(notSent(page)).toContainText(`${before - 1} messages`)
  // all that was kept is there, and the pinned message with it
  await expect.poll(() => tokensOf(page, 'reserved')).toBeGreaterThan(kept)
  expect(await tokensOf(page, 'reserved')).toBeLessThan(kept + 1_000)
})

test('in a chat that fits whole Compact has nothing to do and says so; /compact leaves the last step', async ({
  page,
}) => {
  await openWithServer(page, server.url, 'chat')
  await openChat(page, 12)
  await pane(page).getByRole('button', { name: 'Preview', exact: true }).click()
  const preview = page.getByRole('dialog', { name: 'Preview' })
  await expect(preview).toContainText('There is nothing to compact')
  await expect(preview.getByRole('button', { name: 'Compact now' })).toBeDisabled()
  await preview.getByRole('combobox', { name: 'Of' }).selectOption('/compact: only the last step stays')
  await expect(preview.getByRole('tab', { name: /^Goes · 1[01]/ })).toBeVisible()
  await preview.getByRole('button', { name: 'Compact now' }).click()
  await showSummary(page)
  await expect(summaries(page)).toHaveCount(1)
})

test('Undo says what it lifts; Put back is an act that Undo reverses, and both are listed in what happened', async ({
  page,
}) => {
  await openWithServer(page, server.url, 'chat')
  await openChat(page, 120)
  await pane(page).getByRole('button', { name: 'Compact', exact: true }).click()
  await expect(notSent(page)).toHaveCount(1)
  await say(page, '[[say Noted.]] The gate code is 4711.')
  await finished(page)
  await questions(page).last().hover()
  await questions(page).last().getByRole('button', { name: 'Pin', exact: true }).click()
  const undo = pane(page).getByRole('button', { name: /^Undo/ })
  await expect(undo).toHaveAccessibleName('Undo: pin of “[[say Noted.]] The gate code is 4711.”')
  const count = /\d+/.exec((await notSent(page).innerText()) ?? '')![0]
  await notSent(page)
    .getByRole('button', { name: /^Put back/ })
    .click()
  await expect(notSent(page)).toHaveCount(0)
  await expect(undo).toHaveAccessibleName(`Undo: put back of ${count} messages`)
  await undo.click()
  await expect(notSent(page)).toHaveCount(1)
  await expect(pane(page).getByRole('button', { name: `Redo: put back of ${count} messages` })).toBeEnabled()
  await pane(page).getByText('What happened').click()
  const acts = pane(page).getByRole('list', { name: 'What happened' }).getByRole('listitem')
  await expect(acts.first()).toContainText('undone since')
  await expect(acts.last()).toContainText(
    new RegExp(`${count} messages became a summary.*by you · [\\d,]+ → [\\d,]+ tokens`),
  )
})

test('what does not fit says so before it is put back, and offers the newest part', async ({ page }) => {
  await openWithServer(page, server.url, 'chat')
  await openChat(page, 600)
  await pane(page).getByRole('button', { name: 'Compact', exact: true }).click()
  await expect(notSent(page)).toHaveCount(1)
  const kept = await tokensOf(page, 'reserved')
  await notSent(page)
    .getByRole('button', { name: /^Put back/ })
    .click()
  const asked = page.getByRole('dialog', { name: 'This does not fit' })
  await expect(asked).toContainText('your next message would take them out again')
  const bar = pane(page).getByRole('button', { name: /^Summary of \d+ messages/ })
  const all = /\d+/.exec((await bar.getAttribute('aria-label')) ?? '')![0]
  await asked.getByRole('button', { name: 'Put back what fits' }).click()
  await expect(bar).not.toHaveAccessibleName(new RegExp(`^Summary of ${all} messages`))
  await showSummary(page)
  await expect
    .poll(async () => (await tokensOf(page, 'reserved')) + (await tokensOf(page, 'compactable')))
    .toBeGreaterThan(kept + 5_000)
  await expect(pane(page)).toContainText(/Fits: \d\d%\. The \d+ oldest messages go as a summary/)
  await pane(page)
    .getByRole('button', { name: /^Undo: put back of \d+ messages/ })
    .click()
  await expect.poll(() => tokensOf(page, 'reserved')).toBe(kept)
})

test('the pane names its chat, and is not there beside Memory and Archive', async ({ page }) => {
  await openWithServer(page, server.url, 'chat')
  await openChat(page, 12, 'Tea in Kyoto')
  const library = page.getByRole('navigation', { name: 'Library' })
  for (const name of ['Memory', 'Archive']) {
    await library
      .getByRole('link', { name: new RegExp(`^${name}`) })
      .or(library.getByRole('button', { name: new RegExp(`^${name}`) }))
      .first()
      .click()
    await expect(pane(page)).toHaveCount(0)
    await expect(page.getByRole('button', { name: /context$/ })).toHaveCount(0)
  }
  await library.getByRole('link', { name: /Tea in Kyoto/ }).click()
  await expect(pane(page).getByRole('heading', { level: 2 })).toContainText('Tea in Kyoto')
})
