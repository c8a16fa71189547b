/** axe finds nothing serious in any state, and everything works by keyboard. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test, type Page } from '@playwright/test'
import { startFakeServer, type FakeServer } from './fake-server.ts'
import { madeLog } from './logs.ts'
import { answers, conversation, finished, importFile, openApp, questions, say, startWithServer } from './person.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Violation = { id: string; impact: string | null; nodes: { target: string[]; failureSummary?: string }[] }

/** The serious and critical findings of axe on what is shown now. */
async function faults(page: Page): Promise<string[]> {
  // Given by the debugger, which the page's policy does not bind.
  await page.evaluate(axeSource)
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(context: Document, options: object): Promise<{ violations: Violation[] }> } }
    return (await axe.run(document, { resultTypes: ['violations'] })).violations
  })
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ target, failureSummary }) => `${target.join(' ')} (${failureSummary?.split('\n')[1]?.trim()})`).join('; ')}`)
}

let server: FakeServer
test.beforeAll(async () => { server = await startFakeServer() })
test.afterAll(() => server.stop())

for (const colorScheme of ['light', 'dark'] as const) {
  test(`nothing serious in any state, ${colorScheme}`, async ({ page }) => {
    test.setTimeout(180_000)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await openApp(page)
    await expect(page.getByRole('region', { name: 'Choose a model' })).toBeVisible()
    expect(await faults(page), 'first start').toEqual([])
    await startWithServer(page, server.url, 'slow')
    expect(await faults(page), 'empty chat').toEqual([])
    await say(page, 'Tell me slowly.')
    await expect(answers(page).last()).toContainText('slow3')
    expect(await faults(page), 'streaming').toEqual([])
    await page.getByRole('button', { name: 'Stop' }).click()
    await finished(page)
    expect(await faults(page), 'stopped').toEqual([])
    await say(page, 'Write. [[call write_file {"path":"workspace/a.md","text":"one","content":"one"}]]')
    await expect(page.getByRole('alertdialog', { name: 'Permission' })).toBeVisible()
    expect(await faults(page), 'asking').toEqual([])
    await page.getByRole('alertdialog', { name: 'Permission' }).getByRole('button', { name: 'Allow' }).click()
    await finished(page)
    await say(page, 'Fail. [[unauthorised]]')
    await expect(page.getByRole('alert')).toBeVisible({ timeout: 20_000 })
    expect(await faults(page), 'failed').toEqual([])
    await importFile(page, madeLog({ messages: 60 }))
    await page.getByRole('navigation', { name: 'Library' }).getByRole('link', { name: /A long talk/ }).click()
    await expect(conversation(page)).toContainText('Message 59')
    await say(page, '/compact')
    await expect(conversation(page).getByRole('article', { name: 'Summary' }).last()).toBeVisible({ timeout: 30_000 })
    expect(await faults(page), 'compacted').toEqual([])
    const settings = page.getByRole('dialog', { name: 'Settings' })
    await page.getByRole('navigation', { name: 'Library' }).getByRole('button', { name: 'Settings' }).click()
    for (const tab of ['Models', 'Context', 'Memory', 'Storage', 'Appearance', 'About']) {
      await settings.getByRole('tab', { name: tab }).click()
      await expect(settings.getByRole('tabpanel')).not.toBeEmpty()
      expect(await faults(page), `settings, ${tab}`).toEqual([])
    }
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'What the model sees' }).click()
    await expect(page.getByRole('dialog', { name: 'What the model sees' })).toBeVisible()
    expect(await faults(page), 'what the model sees').toEqual([])
  })
}

test('from the first start to an answer, a command and back in the list, with the keyboard alone', async ({ page }) => {
  await openApp(page)
  const start = page.getByRole('button', { name: 'Start without a model' })
  for (let presses = 0; presses < 40 && !await start.evaluate(element => element === document.activeElement); presses += 1) await page.keyboard.press('Tab')
  await expect(start).toBeFocused()
  await page.keyboard.press('Enter')
  const box = page.getByRole('textbox', { name: 'Message' })
  await expect(box).toBeFocused()
  await page.keyboard.type('The gate code is 4711.')
  await page.keyboard.press('Enter')
  await finished(page)
  await expect(questions(page).last()).toContainText('4711')
  await box.focus()
  await page.keyboard.type('/con')
  await expect(page.getByRole('listbox', { name: 'Commands' })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Tab')
  await expect(box).toHaveValue(/^\/con\w+/)
  await page.keyboard.press('Enter')
  await expect(conversation(page).getByRole('article', { name: 'Note' }).last()).toBeVisible()
  await page.keyboard.press('Alt+n')
  await expect(questions(page)).toHaveCount(0)
})
