/** The built-in model: it finds, keeps what it is told, says where nothing was said, and leads to a real model. */
import { expect, test } from '@playwright/test'
import { answers, conversation, finished, openApp, say, startWithoutModel } from '../person.ts'

test('Recall keeps a statement, finds it, and offers a real model where nothing says it', async ({ page }) => {
  await openApp(page)
  await startWithoutModel(page)
  await say(page, 'My sister Anna has her birthday on 4 May')
  await finished(page)
  await expect(answers(page).last()).toContainText('Kept.')
  await expect(conversation(page).getByRole('article', { name: /^Tool/ })).toHaveCount(0)

  await say(page, "When is Anna's birthday?")
  await finished(page)
  await expect(answers(page).last()).toContainText('4 May')
  await expect(answers(page).last().getByRole('button', { name: 'Choose a model' })).toHaveCount(0)
  const step = conversation(page).getByRole('article', { name: 'Tool memory_search' })
  await expect(step).toHaveCount(1)
  await expect(step).toContainText('Looked through what is kept here')
  await expect(step).not.toContainText('birthday')
  await step.getByRole('button', { name: 'Looked through what is kept here' }).click()
  await expect(step).toContainText('4 May')

  await say(page, 'What is the capital of France?')
  await finished(page)
  await expect(answers(page).last()).toContainText('Nothing here says that.')
  await answers(page).last().getByRole('button', { name: 'Choose a model' }).click()
  await expect(page.getByRole('dialog', { name: 'Settings' }).getByRole('tab', { name: 'Models' })).toHaveAttribute(
    'aria-selected',
    'true',
  )
})

test('what an empty chat with Recall suggests, Recall can do', async ({ page }) => {
  await openApp(page)
  await startWithoutModel(page)
  const ways = page.getByRole('main').getByRole('listitem').getByRole('button')
  await expect(ways).toHaveCount(4)
  const box = page.getByRole('textbox', { name: 'Message' })
  await page.getByRole('button', { name: /^Keep something/ }).click()
  await expect(box).toHaveValue('Remember that ')
  await say(page, 'Remember that the boat is called Aurora')
  await finished(page)
  await expect(answers(page).last()).toContainText('Kept.')
  const told: [RegExp, string, RegExp][] = [
    [/^Find what was said/, 'the boat', /Aurora/],
    [/^See what is kept/, '', /dialog\//],
    [/^Get to know Recall/, '', /not a language model/],
  ]
  for (const [way, rest, answer] of told) {
    await page.getByRole('button', { name: 'New chat' }).first().click()
    await page.getByRole('button', { name: way }).click()
    await say(page, `${await box.inputValue()}${rest}`)
    await finished(page)
    await expect(answers(page).last()).toContainText(answer)
  }
})
