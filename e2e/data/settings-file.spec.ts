/**
 * The settings files of the published systems, as their users have them: typed after /config, or opened in Settings.
 */
import { expect, test, type Locator, type Page } from '@playwright/test'
import { publishedConfigs } from '../../src/core/context/config/published-configs.fixture.ts'
import { finished, notes, openApp, say, startWithoutModel } from '../person.ts'

const names: Record<string, string> = { cowagent: 'CowAgent', copaw: 'CoPaw', qwenpaw: 'QwenPaw' }
const strategyOf = (page: Page): Locator => page.getByRole('combobox', { name: 'Strategy', exact: true })

async function openContextSettings(page: Page): Promise<Locator> {
  await page.getByRole('navigation', { name: 'Library' }).getByRole('button', { name: 'Settings' }).click()
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await settings.getByRole('tab', { name: 'Context' }).click()
  await expect(settings.getByRole('region', { name: 'Take thresholds from a file' })).toBeVisible()
  return settings
}

for (const { strategy, because, file } of publishedConfigs) {
  test(`the published file of ${strategy}, pasted after /config, switches to it and says why and how to go back`, async ({
    page,
  }) => {
    await openApp(page)
    await startWithoutModel(page)
    await say(page, `/config ${file}`)
    await expect(notes(page).last()).toContainText(`Strategy: balanced → ${strategy}, because the file`)
    await expect(notes(page).last()).toContainText(because)
    await expect(strategyOf(page)).toHaveValue(strategy)
    await say(page, '/strategy balanced')
    await expect(strategyOf(page)).toHaveValue('balanced')
  })

  test(`the published file of ${strategy}, pasted in Settings, offers it as a line that can be left out`, async ({
    page,
  }) => {
    await openApp(page)
    await startWithoutModel(page)
    await say(page, 'A question.')
    await finished(page)
    const settings = await openContextSettings(page)
    const region = settings.getByRole('region', { name: 'Take thresholds from a file' })
    await region.getByRole('textbox', { name: 'or paste it here' }).fill(file)
    const offer = region.getByRole('checkbox', { name: `Strategy: Balanced → ${names[strategy]}` })
    await expect(offer).toBeChecked()
    await expect(offer).toHaveAccessibleName(new RegExp(because))
    const idle = region.getByText('Without effect under')
    if (strategy === 'qwenpaw') await expect(region).toContainText('dialog_path: dialog, as in every chat')
    await expect(idle).toHaveCount(0)
    await offer.uncheck()
    await expect(idle).toContainText('under Balanced')
    await expect(region).toContainText(`(only ${names[strategy]} reads it)`)
    await offer.check()
    await region.getByRole('button', { name: 'Apply' }).click()
    await expect(region.getByRole('textbox')).toHaveValue('')
    await settings.getByText(`The limits of ${names[strategy]} in words`).click()
    await expect(settings).toContainText(
      {
        cowagent: '30 turns (agent_max_context_turns)',
        copaw: '1,000 characters (tool_result_compact_max_chars)',
        qwenpaw: '80% (compact_threshold_ratio)',
      }[strategy as 'copaw'],
    )
    await page.keyboard.press('Escape')
    await expect(strategyOf(page)).toHaveValue(strategy)
  })
}

test('a file for all chats offers the strategy of new ones, and leaves that of this chat', async ({ page }) => {
  await openApp(page)
  await startWithoutModel(page)
  await say(page, '/strategy qwenpaw')
  await expect(strategyOf(page)).toHaveValue('qwenpaw')
  const settings = await openContextSettings(page)
  await settings.getByRole('combobox', { name: 'for', exact: true }).selectOption('all')
  const region = settings.getByRole('region', { name: 'Take thresholds from a file' })
  await region.getByRole('textbox', { name: 'or paste it here' }).fill(publishedConfigs[1]!.file)
  await expect(region.getByRole('checkbox', { name: /^Strategy of new chats: Balanced → CoPaw/ })).toBeChecked()
  await region.getByRole('button', { name: 'Apply' }).click()
  await expect(region.getByRole('textbox')).toHaveValue('')
  await expect(settings.getByRole('combobox', { name: 'Strategy of new chats' })).toHaveValue('copaw')
  await page.keyboard.press('Escape')
  await expect(strategyOf(page)).toHaveValue('qwenpaw')
})
