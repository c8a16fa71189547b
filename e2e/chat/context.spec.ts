/** The context pane: what is in the window, what was taken out and where it lies, and all that can be done about it. */
import { expect, test, type Locator, type Page } from '@playwright/test'
import { startFakeServer, type FakeServer } from '../servers/fake-server.ts'
import { madeLog } from '../fixtures/logs.ts'
import {
  answers,
  conversation,
  finished,
  importFile,
  openApp,
  openWithServer,
  questions,
  say,
  showSummary,
  startWithoutModel,
  textOf,
} from '../person.ts'

let server: FakeServer
test.beforeAll(async () => {
  server = await startFakeServer({ contextWindow: 32_768 })
})
test.afterAll(() => server.stop())

const pane = (page: Page): Locator => page.getByRole('complementary', { name: 'Context' })
const tiles = (page: Page): Locator =>
  pane(page).getByRole('toolbar', { name: 'What takes the room' }).getByRole('button')
const takenOut = (page: Page): Locator =>
  pane(page).getByRole('region', { name: 'Not sent any more · kept here' }).getByRole('listitem')
const alerts = (page: Page): Locator => page.getByRole('main').getByRole('alert')

/**
 * Tokens of the next request, once they have been the same for a moment: the exact counter comes after the first guess.
 */
async function used(page: Page): Promise<number> {
  const meter = page.getByRole('meter', { name: 'Context used' })
  let before = -1
  await expect
    .poll(
      async () => {
        const now = Number(await meter.getAttribute('aria-valuenow'))
        const same = now === before && now > 0
        before = now
        return same && (await meter.getAttribute('data-counter')) === 'bpe'
      },
      { intervals: [400] },
    )
    .toBe(true)
  return before
}

async function openLog(page: Page, lines: readonly string[], name: RegExp, last: string): Promise<void> {
  await importFile(page, lines)
  await page.getByRole('navigation', { name: 'Library' }).getByRole('link', { name }).click()
  await expect(conversation(page)).toContainText(last)
}

test('the window is a bar of zones whose parts add up, and tiles that tell and lead to their messages, by keyboard', async ({
  page,
}) => {
  await openWithServer(page, server.url, 'chat')
  await openLog(page, madeLog({ messages: 12 }), /A long talk/, 'Message 11')
  const total = await used(page)
  const zones = await pane(page)
    .locator('.legend li')
    .evaluateAll(rows =>
      rows.map(row => [row.getAttribute('data-zone'), Number(row.getAttribute('data-tokens'))] as const),
    )
  // what is empty has no row
  expect(zones.map(([zone]) => zone)).toEqual(['system', 'tools', 'reserved', 'free', 'answer'])
  const sum = zones.reduce((all, [zone, tokens]) => all + (zone === 'free' || zone === 'answer' ? 0 : tokens), 0)
  expect(Math.abs(sum - total)).toBeLessThanOrEqual(zones.length)

  // in the order of the request: instructions first, the newest message last
  await expect(tiles(page).first()).toHaveAttribute('data-zone', 'system')
  await tiles(page).first().focus()
  await page.keyboard.press('End')
  const last = tiles(page).last()
  await expect(last).toBeFocused()
  await expect(last).toHaveAccessibleDescription(/Message 11 about/)
  await page.keyboard.press('Home')
  await expect(tiles(page).first()).toBeFocused()
  await expect(tiles(page).first()).toHaveAccessibleDescription(/instructions to the model/)
  await page.keyboard.press('ArrowRight')
  await expect(tiles(page).nth(1)).toBeFocused()
  await page.keyboard.press('ArrowDown')
  const below = page.locator('.tile:focus')
  expect((await below.boundingBox())!.y).toBeGreaterThan((await tiles(page).nth(1).boundingBox())!.y)
  expect(await tiles(page).evaluateAll(all => all.filter(tile => tile.getAttribute('tabindex') === '0').length)).toBe(1)

  // pointing tells, activation leads there
  const some = tiles(page)
    .filter({ hasText: /Message \d+ about/ })
    .first()
  const said = /Message (\d+) about/.exec((await some.textContent()) ?? '')![0]
  await some.hover()
  await expect(pane(page).locator('.card')).toContainText(said)
  await some.focus()
  await page.keyboard.press('Enter')
  await expect(conversation(page).locator('article:focus')).toContainText(said)
})

test('what the model sees is the exact request', async ({ page }) => {
  await openWithServer(page, server.url, 'chat')
  await say(page, 'The gate code is 4711.')
  await finished(page)
  await say(page, 'Look. [[call get_time {}]]')
  await finished(page)
  await used(page)
  await pane(page).getByRole('button', { name: 'What the model sees' }).click()
  const dialog = page.getByRole('dialog', { name: 'What the model sees' })
  await expect(dialog.locator('li[data-role="tools"]')).toHaveCount(1)
  const shown = await dialog.locator('li').evaluateAll(items =>
    items.map(item => ({
      role: item.getAttribute('data-role'),
      text: [...item.querySelectorAll('pre')].map(pre => pre.textContent ?? '').join('\n'),
    })),
  )
  await page.keyboard.press('Escape')
  await expect(pane(page).getByRole('button', { name: 'What the model sees' })).toBeFocused()
  await say(page, 'And now?')
  await finished(page)
  const body = server.requests.findLast(({ body }) => Array.isArray(body?.['messages']))!.body!
  const sent = body['messages'] as {
    role: string
    content: string | null
    tool_calls?: { function: { name: string; arguments: string } }[]
  }[]
  expect(shown.filter(({ role }) => role === 'tools')).toHaveLength(1)
  const messages = shown.filter(({ role }) => role !== 'tools')
  expect(sent).toHaveLength(messages.length + 1) // and the new question
  for (const [i, { role, text }] of messages.entries()) {
    expect(sent[i]!.role).toBe(role)
    expect(text).toContain(String(sent[i]!.content ?? '').trim())
    for (const call of sent[i]!.tool_calls ?? [])
      expect(text).toContain(`${call.function.name} ${call.function.arguments}`)
  }
  const tools = (body['tools'] as { function: { name: string } }[]).map(tool => tool.function.name)
  for (const name of tools) expect(shown.find(({ role }) => role === 'tools')!.text).toContain(`"${name}"`)
})

test('what was shortened says where it lies now and opens there; put back, it is whole again', async ({ page }) => {
  await openWithServer(page, server.url, 'chat')
  const [head, ...facts] = madeLog({ messages: 20, id: 'large', name: 'A large result' })
  const large = facts.map(line => {
    const entry = JSON.parse(line) as { seq: number; message: { role: string; content: string } }
    if (entry.message.role === 'tool' && entry.seq === 4)
      entry.message.content = Array.from({ length: 2_000 }, (_, i) => `line ${i} of the log`).join('\n')
    return JSON.stringify(entry)
  })
  await openLog(page, [head!, ...large], /A large result/, 'Message 19')
  await say(page, 'Go on.')
  await finished(page)
  const item = takenOut(page).filter({ hasText: 'tool_result/' }).first()
  await expect(item).toContainText(/shows .+ of .+/)
  await item.getByRole('button', { name: /^Open/ }).click()
  const reader = page.getByRole('dialog', { name: /^tool_result\// })
  await expect(reader).toContainText('line 0 of the log')
  await page.keyboard.press('Escape')
  await expect(item.getByRole('button', { name: /^Open/ })).toBeFocused()
  const before = await used(page)
  await item.getByRole('button', { name: /^Put back/ }).click()
  await expect.poll(() => used(page)).toBeGreaterThan(before + 5_000)
  await pane(page).getByRole('button', { name: 'Undo: put back of 1 long text' }).click()
  await expect.poll(() => used(page)).toBe(before)
})

test('each group of edits can be put back and made again; a cut says where it lies', async ({ page }) => {
  await openWithServer(page, server.url, 'chat')
  await openLog(page, madeLog({ messages: 40 }), /A long talk/, 'Message 39')
  const start = await used(page)
  await say(page, '/compact')
  await expect(takenOut(page)).toHaveCount(1)
  const once = await used(page)
  await say(page, 'One more thing.')
  await finished(page)
  await say(page, 'And another.')
  await finished(page)
  await say(page, '/compact')
  await expect(takenOut(page)).toHaveCount(2)
  const twice = await used(page)
  // each cut counts what it took out itself, and opens at its first line
  const counts = await takenOut(page)
    .locator('.what')
    .evaluateAll(all => all.map(one => Number(/^(\d+) messages/.exec(one.textContent ?? '')?.[1])))
  expect(counts[1]).toBeGreaterThan(30)
  expect(counts[0]).toBeLessThan(10)
  await takenOut(page).last().getByRole('button', { name: /^Open/ }).click()
  const reader = page.getByRole('dialog', { name: 'Monday, March 2, 2026' })
  await expect(reader).toContainText('Message 0 about')
  await page.keyboard.press('Escape')
  await takenOut(page)
    .first()
    .getByRole('button', { name: /^Put back/ })
    .click()
  await expect(takenOut(page)).toHaveCount(1)
  await takenOut(page)
    .first()
    .getByRole('button', { name: /^Put back/ })
    .click()
  await expect(takenOut(page)).toHaveCount(0)
  expect(await used(page)).toBeGreaterThan(start)
  for (const count of [1, 2]) {
    await pane(page).getByRole('button', { name: 'Undo: put back of' }).click()
    await expect(takenOut(page)).toHaveCount(count)
  }
  expect(await used(page)).toBe(twice)
  expect(twice).toBeLessThan(start)
  expect(once).toBeLessThan(start)
})

test('a preview changes nothing and tells what the compaction then does, also of another strategy', async ({
  page,
}) => {
  await openWithServer(page, server.url, 'chat')
  await openLog(page, madeLog({ messages: 120 }), /A long talk/, 'Message 119')
  const before = await used(page)
  await pane(page).getByRole('button', { name: 'Preview', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Preview' })
  await expect(dialog.getByRole('tab', { name: /^Goes · \d+/ })).toBeVisible()
  const own = await dialog.locator('dd b').allTextContents()
  await dialog.getByRole('combobox', { name: 'Of' }).selectOption('cowagent')
  await expect(dialog).not.toContainText('Counting')
  await expect.poll(() => dialog.locator('dd b').allTextContents()).not.toEqual([])
  const other = await dialog.locator('dd b').allTextContents()
  expect(other).not.toEqual(own)
  await page.keyboard.press('Escape')
  await expect(pane(page).getByRole('button', { name: 'Preview', exact: true })).toBeFocused()
  await expect(takenOut(page)).toHaveCount(0)
  expect(await used(page)).toBe(before)
  await expect(pane(page).getByRole('button', { name: 'Undo' })).toBeDisabled()
})

test('a pinned message outlives a compaction; what would pin too much of the window is refused with the numbers', async ({
  page,
}) => {
  await openWithServer(page, server.url, 'chat')
  await openLog(page, madeLog({ messages: 40 }), /A long talk/, 'Message 39')
  await say(page, 'Pin me: the gate code is 4711.')
  await finished(page)
  const question = questions(page).last()
  await question.hover()
  await question.getByRole('button', { name: 'Pin', exact: true }).click()
  await expect(question.getByRole('button', { name: 'Unpin' })).toBeVisible()
  for (const text of ['one', 'two']) {
    await say(page, text)
    await finished(page)
  }
  await expect(tiles(page).filter({ hasText: 'pinned' })).toContainText('Pin me')
  await say(page, '/compact')
  await expect(takenOut(page)).toHaveCount(1)
  await expect(tiles(page).filter({ hasText: 'pinned' })).toContainText('Pin me')
  await pane(page).getByRole('button', { name: 'What the model sees' }).click()
  await expect(page.getByRole('dialog', { name: 'What the model sees' })).toContainText('the gate code is 4711')
  await page.keyboard.press('Escape')

  await say(page, `[[say Noted.]] Too much: ${'many words here '.repeat(3_000)}`)
  await finished(page)
  await questions(page).last().hover()
  await questions(page).last().getByRole('button', { name: 'Pin', exact: true }).click()
  await expect(alerts(page)).toContainText(/Not pinned: .*at most/)
  await expect(questions(page).last().getByRole('button', { name: 'Pin', exact: true })).toBeVisible()
})

test('an edited summary is what the model sees from then on', async ({ page }) => {
  await openWithServer(page, server.url, 'chat')
  await openLog(page, madeLog({ messages: 40 }), /A long talk/, 'Message 39')
  await used(page)
  await say(page, '/compact')
  const card = await showSummary(page)
  await card.getByRole('button', { name: 'Edit' }).click()
  const box = card.getByRole('textbox')
  await box.fill('## Goal\nFind the blue door.')
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(conversation(page).getByRole('article', { name: 'Summary' }).last()).toContainText('Edited by you')
  await say(page, 'Where were we?')
  await finished(page)
  const sent = JSON.stringify(
    server.requests.findLast(({ body }) => Array.isArray(body?.['messages']))!.body!['messages'],
  )
  expect(sent).toContain('Find the blue door.')
})

test('an instruction after /compact that rules cannot follow says so, also after a reload', async ({ page }) => {
  await openApp(page)
  await startWithoutModel(page)
  await openLog(page, madeLog({ messages: 40 }), /A long talk/, 'Message 39')
  await say(page, '/compact keep the decisions')
  const said = 'your instruction could not be followed'
  await expect(conversation(page).getByRole('article', { name: 'Note' }).last()).toContainText(said)
  await expect(await showSummary(page)).toContainText(`Made by rule, without a model: ${said}`)
  await page.reload()
  await expect(await showSummary(page)).toContainText(said)
})

test('the model asks for a compaction itself once that is switched on; the card says who asked, and Undo brings it back', async ({
  page,
}) => {
  await openWithServer(page, server.url, 'chat')
  await openLog(page, madeLog({ messages: 40 }), /A long talk/, 'Message 39')
  await page.getByRole('navigation', { name: 'Library' }).getByRole('button', { name: 'Settings' }).click()
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await settings.getByRole('tab', { name: 'Context' }).click()
  const row = settings.getByRole('row', { name: /compact_tool/ })
  await expect(row).toContainText('each compaction shows in the chat and can be undone')
  await row.getByRole('combobox').selectOption('true')
  await expect(row).toContainText('set here')
  await page.keyboard.press('Escape')
  const offered = await used(page)
  await say(page, 'That is done. [[call compact {"keep":"the blue door"}]]')
  await finished(page)
  const card = conversation(page).getByRole('article', { name: 'Summary' })
  await expect(card).toHaveCount(1)
  await expect(card).toContainText('Asked for by the assistant')
  await expect(answers(page).last()).toContainText('The tool said: Compacted: ')
  expect(await used(page)).toBeLessThan(offered / 2)
  const sent = JSON.stringify(server.requests.findLast(({ body }) => body?.['tools'] !== undefined)!.body!['messages'])
  expect(sent).not.toContain('Message 0 about')
  await card.getByRole('button', { name: 'Undo' }).click()
  await expect(card.getByRole('button', { name: 'Undo' })).toHaveCount(0)
  await expect.poll(() => used(page)).toBeGreaterThan(offered)
})

test('a strategy is switched in the middle, and nothing is lost by it', async ({ page }) => {
  await openWithServer(page, server.url, 'chat')
  await openLog(page, madeLog({ messages: 60 }), /A long talk/, 'Message 59')
  await used(page)
  const choice = page.getByRole('combobox', { name: 'Strategy' })
  const strategies = await choice.locator('option').evaluateAll(all => all.map(one => (one as HTMLOptionElement).value))
  expect(strategies).toContain('cowagent')
  for (const strategy of strategies.toReversed()) {
    await choice.selectOption(strategy)
    await say(page, `With ${strategy}. [[say I am ${strategy}.]]`)
    await finished(page)
    await expect(answers(page).last()).toContainText(`I am ${strategy}.`)
  }
  const saved = page.waitForEvent('download')
  await say(page, '/export')
  const lines = (await textOf(await saved)).split('\n')
  for (let seq = 0; seq < 60; seq += 1)
    expect(
      lines.some(
        line =>
          (line.includes(`"id":"made-${seq}"`) && line.includes(`Message ${seq} about`)) ||
          (seq % 10 === 3 && line.includes(`"id":"made-${seq}"`)),
      ),
    ).toBe(true)
})
