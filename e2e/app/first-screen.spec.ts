/** What can be pressed on the first screen stays where it is. */
import { expect, test } from '@playwright/test'

for (const viewport of [
  { width: 1280, height: 860 },
  { width: 390, height: 844 },
]) {
  test(`a button of the first screen does not move once it is there, ${viewport.width} px wide`, async ({ page }) => {
    await page.setViewportSize(viewport)
    await page.addInitScript(() => {
      const places: number[] = []
      Reflect.set(window, 'places', places)
      const look = () => {
        const button = [...document.querySelectorAll('button')].find(({ textContent }) =>
          textContent?.includes('Start without a model'),
        )
        if (button) places.push(Math.round(button.getBoundingClientRect().top))
        requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
    })
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'On this device', exact: true })).toHaveAccessibleDescription(/MB|GB/)
    await expect(page.getByRole('region', { name: 'This device' })).not.toContainText('…')
    const places = await page.evaluate(() => [...new Set(Reflect.get(window, 'places') as number[])])
    expect(places, 'its distance from the top, px').toHaveLength(1)
  })
}
