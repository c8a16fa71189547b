import { expect, test, type Page } from '@playwright/test'
import { startFakeServer } from '../servers/fake-server.ts'
import { madeLog } from '../fixtures/logs.ts'
import { slowDown, typeInNewChat } from '../new-chat.ts'
import {
  conversation,
  finished,
  importFile,
  openApp,
  questions,
  say,
  startWithoutModel,
  openWithServer,
} from '../person.ts'

const box = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const chats = (page: Page) => page.getByRole('navigation', { name: 'Library' }).getByRole('listitem')

/** Everything that is stored of chats: rows, and entries. */
const stored = (page: Page) =>
  page.evaluate(async () => {
    const [{ name = '' } = {}] = (await indexedDB.databases()).filter(base => base.name?.includes('haversack'))
    const opening = indexedDB.open(name)
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      opening.onsuccess = () => {
        resolve(opening.result)
      }
      opening.onerror = () => {
        reject(opening.error)
      }
    })
    const count = (table: string) =>
      new Promise<number>((resolve, reject) => {
        const asked = database.transaction(table).objectStore(table).count()
        asked.onsuccess = () => {
          resolve(asked.result)
        }
        asked.onerror = () => {
          reject(asked.error)
        }
      })
    const found = { sessions: await count('sessions'), entries: await count('entries') }
    database.close()
    return found
  })

test('a new chat takes every key from the first one on, whatever stood there before', async ({ page }) => {
  await openApp(page)
  await startWithoutModel(page)
  await importFile(page, madeLog({ messages: 600, chars: 400 }))
  await expect(conversation(page)).toContainText('Message 599')
  await slowDown(page, 6)
  for (let run = 0; run < 12; run++) {
    const text = `hello world ${run}`
    const typed = await typeInNewChat(page, {
      by: run % 2 === 0 ? 'key' : 'button',
      text,
      delay: [0, 20, 60][run % 3]!,
    })
    expect(typed, `try ${run}`).toBe(text)
    await box(page).fill('')
    // Sometimes while the older messages are still on their way.
    await page.getByRole('link', { name: 'A long talk' }).click()
    await expect(conversation(page)).toContainText('Message 599')
    await expect(box(page)).toHaveValue('') // nothing of it went into the other chat
    await expect(box(page)).toBeFocused()
  }
})

test('while letters come nothing changes but the message box; lists and context follow when they rest', async ({
  page,
}) => {
  await openApp(page)
  await startWithoutModel(page)
  await say(page, 'The first one')
  await finished(page)
  await page.waitForLoadState('networkidle') // parts that come after the first screen are told in the head
  await page.keyboard.press('Alt+n')
  await page.keyboard.type('a')
  await page.evaluate(() => {
    const window_ = window as unknown as { changes: string[] }
    window_.changes = []
    // Where a busy machine lets letters wait so long that they look like a rest, what follows is not looked at.
    let letter = performance.now()
    let rested = false
    const look = (): void => {
      rested ||= performance.now() - letter > 250
    }
    addEventListener(
      'input',
      () => {
        look()
        letter = performance.now()
      },
      { capture: true },
    )
    new MutationObserver(records => {
      look()
      if (rested) return
      for (const { target } of records) {
        const element = target instanceof Element ? target : target.parentElement
        if (element?.closest('.compose') === null) window_.changes.push(`${element.tagName} ${element.className}`)
      }
    }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  })
  const changes = () => page.evaluate(() => (window as unknown as { changes: string[] }).changes)
  // longer than half a second: the draft is stored meanwhile
  await page.keyboard.type(' thought that takes a while', { delay: 60 })
  expect(await changes()).toEqual([])
  await expect.poll(async () => (await stored(page)).sessions).toBe(2)
  await expect(chats(page)).toHaveCount(2)
  await expect(page).toHaveURL(/#\/chat\//)
  await expect(page.getByRole('complementary', { name: 'Context' }).getByRole('meter')).toBeVisible()
})

test('a new chat that is left in the middle of a word is found again, and the next one is another', async ({
  page,
}) => {
  await openApp(page)
  await startWithoutModel(page)
  await page.keyboard.type('one')
  await page.keyboard.press('Alt+n')
  await page.keyboard.type('two')
  await expect(page).toHaveURL(/#\/chat\//)
  await expect(chats(page)).toHaveCount(2)
  await page.goBack()
  await expect(box(page)).toHaveValue('one')
  await page.keyboard.press('Control+z') // what was typed in another chat stays there
  await expect(box(page)).not.toHaveValue(/t/)
  await box(page).fill('one')
  await page.goForward()
  await expect(box(page)).toHaveValue('two')
})

test('a new chat leaves nothing before something is in it', async ({ page }) => {
  await openApp(page)
  await startWithoutModel(page)
  await expect(box(page)).toBeFocused()
  expect(await stored(page)).toEqual({ sessions: 0, entries: 0 })
  await page.keyboard.type('hm')
  await expect(chats(page)).toHaveCount(1)
  await box(page).fill('')
  await page.keyboard.press('Alt+n') // the one on the screen is new already
  await page.getByRole('link', { name: 'Archive' }).click()
  await page.goBack()
  await expect(box(page)).toBeFocused()
  await say(page, 'The first one')
  await finished(page)
  await page.keyboard.press('Alt+n')
  await expect(page).toHaveURL(/#\/new$/)
  await page.keyboard.type('nothing of this')
  await expect(chats(page)).toHaveCount(2)
  await box(page).fill('')
  await page.getByRole('link', { name: 'The first one' }).click()
  await expect(questions(page)).toHaveText([/The first one/])
  await expect(chats(page)).toHaveCount(1)
  await expect.poll(async () => (await stored(page)).sessions).toBe(1)
})

test('what is typed survives a reload: in a new chat, and in one that was there', async ({ page }) => {
  await openApp(page)
  await startWithoutModel(page)
  for (const [before, pause] of [0, 1_500].entries()) {
    // before the store has heard of it, and after
    await page.keyboard.press('Alt+n')
    await page.keyboard.type('a thought ')
    await page.waitForTimeout(pause)
    await page.keyboard.type(`of ${pause}`)
    await page.reload()
    await expect(box(page)).toHaveValue(`a thought of ${pause}`)
    await expect(chats(page)).toHaveCount(before + 1)
  }
  await box(page).focus()
  await page.keyboard.press('Enter')
  await finished(page)
  await page.keyboard.type('more')
  await page.reload()
  await expect(questions(page)).toHaveText([/a thought of 1500/])
  await expect(box(page)).toHaveValue('more')
})

test('a letter with nothing focused goes to the message box; one in a dialog or a field does not', async ({ page }) => {
  await openApp(page)
  await startWithoutModel(page)
  await say(page, 'Hello')
  await finished(page)
  await page.evaluate(() => {
    ;(document.activeElement as HTMLElement).blur()
  })
  await page.keyboard.type('abc')
  await expect(box(page)).toHaveValue('abc')
  await conversation(page).click()
  await page.keyboard.type('d')
  await expect(box(page)).toHaveValue('abcd')
  await page.keyboard.press('Alt+,')
  await expect(page.getByRole('dialog', { name: 'Settings' })).toBeVisible()
  await page.keyboard.type('xyz')
  await page.keyboard.press('Escape')
  await page.getByRole('searchbox').click()
  await page.keyboard.type('q')
  await expect(box(page)).toHaveValue('abcd')
})

test('/new and "Use …" show a box that takes the next key', async ({ page }) => {
  const server = await startFakeServer()
  await openWithServer(page, server.url, 'chat')
  await page.keyboard.type('typed after the dialog')
  await expect(box(page)).toHaveValue('typed after the dialog')
  await page.keyboard.press('Enter')
  await finished(page)
  await page.keyboard.type('/new Boats')
  await page.keyboard.press('Enter')
  await page.keyboard.type('about boats')
  await expect(box(page)).toHaveValue('about boats')
  await expect(page.getByRole('heading', { level: 1, name: 'Boats' })).toBeVisible()
  await expect(chats(page)).toHaveCount(2)
  await server.stop()
})
