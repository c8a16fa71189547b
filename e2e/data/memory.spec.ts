/** What lasts: notes become a proposal, a page, a part of the prompt; and search leads to the very message. */
import { expect, test } from '@playwright/test'
import { madeLog } from '../fixtures/logs.ts'
import { conversation, finished, importFile, notes, openApp, say, startWithoutModel } from '../person.ts'

test('notes become a proposal, the person changes and accepts it, and the next chat begins with it', async ({
  page,
}) => {
  await openApp(page)
  await startWithoutModel(page)
  await say(page, '/memory The mast is made of larch.')
  await expect(notes(page)).toHaveCount(1)
  await say(page, '/memory dream')
  const proposal = page.getByRole('region', { name: 'Proposal for MEMORY.md' })
  await expect(proposal).toContainText('The mast is made of larch.')
  await expect(page.getByRole('region', { name: 'Long-term memory (MEMORY.md)' })).toContainText(
    'Nothing is written here yet.',
  )
  await proposal.getByRole('button', { name: 'Edit' }).click()
  await proposal.getByRole('textbox').fill('# Memory\n\n- The mast is made of larch.\n- Answers are short.\n')
  await proposal.getByRole('button', { name: 'Accept this text' }).click()
  await expect(proposal).toHaveCount(0)
  const lasting = page.getByRole('region', { name: 'Long-term memory (MEMORY.md)' })
  await expect(lasting).toContainText('Answers are short.')

  // Edited once more by hand; the version before can be had again.
  await lasting.getByRole('button', { name: 'Edit' }).click()
  await lasting.getByRole('textbox').fill('- Answers are long.\n')
  await lasting.getByRole('button', { name: 'Save' }).click()
  await lasting.getByRole('button', { name: 'Earlier version' }).click()
  await expect(lasting).toContainText('Answers are short.')
  await lasting.getByRole('button', { name: 'Put this one back' }).click()
  await expect(lasting).toContainText('Version 3 of 3')

  await page.getByRole('navigation', { name: 'Library' }).getByRole('button', { name: 'New chat' }).click()
  await page
    .getByRole('complementary', { name: 'Context' })
    .getByRole('button', { name: 'What the model sees' })
    .click()
  await expect(page.getByRole('dialog')).toContainText('Answers are short.')
})

test('a line of memory leads to the note that it came from, and a note is forgotten for good', async ({ page }) => {
  await openApp(page)
  await startWithoutModel(page)
  await say(page, '/memory The boat is called Aurora.')
  await expect(notes(page)).toHaveCount(1)
  await page.getByRole('navigation', { name: 'Library' }).getByRole('link', { name: 'Memory' }).click()
  await page.getByRole('button', { name: 'Propose what to keep' }).click()
  await page.getByRole('region', { name: 'Proposal for MEMORY.md' }).getByRole('button', { name: 'Accept' }).click()
  const lasting = page.getByRole('region', { name: 'Long-term memory (MEMORY.md)' })
  await lasting.getByRole('listitem').filter({ hasText: 'Aurora' }).getByRole('link').click()
  await expect(conversation(page).getByRole('article', { name: 'Memory' })).toBeFocused()
  await page.goBack()
  const days = page.getByRole('region', { name: 'By day' })
  await days.getByRole('button', { name: 'Forget' }).click()
  await days.getByRole('alert').getByRole('button', { name: 'Forget' }).click()
  await expect(days).toContainText('Nothing was noted yet')
})

test('search narrows by kind, time and chat, and Enter leads to the very message behind a cut', async ({ page }) => {
  await openApp(page)
  await startWithoutModel(page)
  await importFile(page, madeLog({ messages: 300, id: 'one', name: 'First talk' }))
  const library = page.getByRole('navigation', { name: 'Library' })
  await expect(library.getByRole('link', { name: /First talk/ })).toBeVisible()
  await importFile(page, madeLog({ messages: 40, id: 'two', name: 'Second talk' }))
  await expect(library.getByRole('link', { name: /Second talk/ })).toBeVisible()
  await library.getByRole('link', { name: /First talk/ }).click()
  await say(page, '/clear')
  await finished(page)
  const search = library.getByRole('searchbox', { name: 'Search' })
  await search.fill('Message 17')
  await expect(library.getByRole('region', { name: 'First talk' }).locator('mark').first()).toBeVisible()
  await expect(library.getByRole('region', { name: 'Second talk' })).toBeVisible()
  // arrows walk what was found, beyond the first one back; a title is found while it is typed
  await search.press('ArrowDown')
  await expect(library.locator('.hits a').first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(library.locator('.hits a').nth(1)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(search).toBeFocused()
  await search.fill('seco')
  await expect(library.getByRole('region', { name: 'Chats' }).getByRole('link', { name: /Second talk/ })).toBeVisible()
  await search.fill('Message 17')
  await library.getByRole('combobox', { name: 'Where' }).selectOption({ label: 'First talk' })
  await expect(library.getByRole('region', { name: 'Second talk' })).toHaveCount(0)
  await library.getByRole('combobox', { name: 'What' }).selectOption('Results')
  await expect(library).toContainText('Nothing found')
  await library.getByRole('combobox', { name: 'What' }).selectOption('Messages')
  await library.getByRole('combobox', { name: 'When' }).selectOption('Today')
  await expect(library).toContainText('Nothing found')
  await library.getByRole('combobox', { name: 'When' }).selectOption('Any time')
  await expect(library.getByRole('region', { name: 'First talk' })).toBeVisible()
  await search.press('Enter')
  await expect(
    conversation(page)
      .getByRole('article')
      .filter({ hasText: /Message 17\b/ }),
  ).toBeInViewport()
})
