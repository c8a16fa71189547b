/** Stories of browsers that give less: a private window, no site data, plain http, a worker that cannot start. */
import { key } from './page.ts'
import { until } from './webdriver.ts'
import { type Story, same, holds, start } from './story.ts'

/** In a private window whose browser lets that be seen: it says so, does not ask to keep, and copies no model. */
export const privateWindow: Story = {
  name: 'a private window says that all goes with it, and offers no model of the processor',
  async tell({ page, url }) {
    await start(page, url)
    await page.say('Secret.')
    await page.finished()
    await page.reads('[data-notice=private]', /goes with this window/)
    same(await page.count('[data-notice=keep]'), 0, 'notices that ask to keep')
    await page.press('button', 'Settings')
    await page.press('button', 'This device')
    await page.reads('section[aria-labelledby=cpu-models]', /lets the page keep no files/)
    same(
      await page.run('() => [...document.querySelectorAll("section[aria-labelledby=cpu-models] button")].length'),
      0,
      'buttons that offer a copy',
    )
  },
}

/** With site data blocked everything is refused: the app starts, works in memory and says so. */
export const blocked: Story = {
  name: 'with site data blocked the app works in memory and says that nothing is kept',
  async tell({ page, url }) {
    const began = Date.now()
    await start(page, url)
    holds(Date.now() - began < 12_000, 'it took longer than the heartbeat of a dead worker')
    await page.reads('[data-notice=memory]', /Nothing is kept here/)
    await page.say('The gate code of the garden is 4711.')
    await page.finished()
    await page.press('button', '/^New chat/')
    await until('the empty chat', async () => (await page.count('[role=log] article')) === 0)
    await page.say('What is the gate code?')
    await page.finished()
    holds(/4711/.test((await page.said('Assistant')).at(-1)!), 'Recall does not answer')
    same(
      await page.count('[data-notice=restarted],[data-notice=gaveUp],[data-notice=notStarted]'),
      0,
      'notices of a worker in trouble',
    )
  },
}

/** Without https or localhost the browser has neither clipboard nor locks nor caches. */
export const plainHttp: Story = {
  name: 'over plain http it works, and Copy copies',
  async tell({ page, url }) {
    await start(page, url)
    same(await page.run('() => [isSecureContext, typeof navigator.clipboard]'), [false, 'undefined'], 'the page')
    await page.reads('[data-notice=insecure]', /plain http/)
    await page.say('Copy this sentence.')
    await page.finished()
    await page.hover('[role=log] article[aria-label^=You]') // what can be done with it shows
    await page.press('button', 'Copy', { within: '[role=log] article[aria-label^=You]' })
    await page.find('button', 'Copied', { within: '[role=log] article[aria-label^=You]' })
    await page.press('textbox', 'Message')
    await page.chord(key.control, 'v')
    await until('the pasted sentence', () => page.run('() => document.activeElement.value === "Copy this sentence."'))
  },
}

/** An error in the worker's first lines is told at once with its words, and no other worker is started. */
export const brokenStart: Story = {
  name: "a worker that ends at its start is told of at once, with the browser's words",
  async tell({ page, url }) {
    await page.goto(url)
    await page.reads('[data-notice=notStarted]', /could not be started[\s\S]*This browser is too old/, 5_000)
    same(await page.count('[data-notice=restarted],[data-notice=gaveUp]'), 0, 'notices of restarts')
  },
}
