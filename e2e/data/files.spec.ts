/** Files from outside, dropped and pasted as a person does it, wherever they are on the page. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test, type Page } from '@playwright/test'
import { faults } from '../axe.ts'
import { madeLog } from '../fixtures/logs.ts'
import { openApp, startWithoutModel } from '../person.ts'

/** Writes files for this test; answers with their places. */
function written(files: Record<string, string | Uint8Array>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([name, content]) => {
      const path = test.info().outputPath(name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
      return [name, path]
    }),
  )
}

/**
 * What the system's own drag does: the browser itself decides what becomes of it. It drops only what the page was last
 * heard to take, and the page's answer comes back later than the call does; so where the page got no drop, as where
 * somebody lets go too early, it is dragged once more.
 */
async function drop(
  page: Page,
  to: { x: number; y: number },
  data: { files?: string[]; text?: string; link?: string },
): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const items = [
    ...(data.text === undefined ? [] : [{ mimeType: 'text/plain', data: data.text }]),
    ...(data.link === undefined ? [] : [{ mimeType: 'text/uri-list', data: data.link }]),
  ]
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    devtools.send('Input.dispatchDragEvent', {
      type,
      ...to,
      data: { items, files: data.files ?? [], dragOperationsMask: 1 },
    })
  const seen = await page.evaluateHandle(() => {
    const seen = { drop: false }
    addEventListener('drop', () => (seen.drop = true), { capture: true, once: true })
    return seen
  })
  await expect(async () => {
    await drag('dragEnter')
    await drag('dragOver') // over it the system tells again and again
    if (data.files) await expect(page.getByText('Drop files to attach them.')).toBeVisible({ timeout: 700 })
    await drag('dragOver')
    await drag('drop')
    await expect.poll(() => seen.evaluate(({ drop }) => drop), { timeout: 1000 }).toBe(true)
  }).toPass()
  await devtools.detach()
}

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10])
const grok = JSON.stringify({ conversations: [{ conversation: { id: 'x' }, responses: [] }] })
const chips = (page: Page) => page.getByRole('list', { name: 'Attachments' }).getByRole('listitem')

test('files are taken wherever they are dropped, and what cannot be is named', async ({ page }) => {
  const files = written({
    'notes.md': '# Notes',
    'photo.png': png,
    'grok.json': grok,
    'chat.jsonl': `${madeLog({ messages: 4, id: 'dropped', name: 'A dropped chat' }).join('\n')}\n`,
    'تقرير 3.txt': 'مرحبا',
    'folder/a.md': 'a',
    'folder/deep/b.md': 'b',
    'folder/.git/config': 'c',
  })
  const at = (...names: string[]): string[] => names.map(name => files[name]!)
  await openApp(page)
  const address = page.url()

  // the first page: a picture begins no chat, a text does
  await drop(page, { x: 600, y: 400 }, { files: at('photo.png') })
  await expect(page.getByRole('alert', { name: 'Files' })).toHaveText(/photo\.png: a picture/)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await drop(page, { x: 600, y: 400 }, { files: at('notes.md') })
  await expect(chips(page)).toHaveText([/notes\.md/])
  await page.getByRole('button', { name: 'Remove notes.md' }).click()

  // the library, the context, the talk; a folder
  for (const [x, places] of [
    [100, ['notes.md']],
    [1200, ['تقرير 3.txt']],
  ] as const)
    await drop(page, { x, y: 300 }, { files: at(...places) })
  await expect(chips(page)).toHaveCount(2)
  await drop(page, { x: 600, y: 300 }, { files: [dirname(files['folder/a.md']!)] })
  await expect(chips(page).filter({ hasText: 'folder/deep/b.md' })).toHaveCount(1)
  await expect(page.getByRole('alert', { name: 'Files' })).toHaveText(/folder\/\.git: kept by programs/)

  // all at once: what is left out is said once, and an export of another program can be attached after all
  await drop(page, { x: 600, y: 300 }, { files: at('photo.png', 'grok.json', 'chat.jsonl') })
  const report = page.getByRole('alert', { name: 'Files' })
  await expect(report).toContainText('an export of Grok, which Haversack cannot import yet')
  await expect(report).toContainText('chat.jsonl: 4 messages imported')
  await expect(report).toContainText('photo.png: a picture')
  expect(await faults(page)).toEqual([])
  await report.getByRole('button', { name: 'Attach as text' }).click()
  await expect(chips(page).filter({ hasText: 'grok.json' })).toHaveCount(1)
  await expect(
    page.getByRole('navigation', { name: 'Library' }).getByRole('link', { name: 'A dropped chat' }),
  ).toBeVisible()

  // with a dialog open, which says what was done behind it
  await page.getByRole('button', { name: 'Settings' }).click()
  await drop(page, { x: 600, y: 400 }, { files: at('notes.md', 'photo.png') })
  const settings = page.getByRole('dialog', { name: 'Settings' })
  await expect(settings.getByRole('alert', { name: 'Files' })).toContainText('1 file is attached to the chat')
  await page.keyboard.press('Escape')

  // words and links from elsewhere; never does the browser leave the app
  await drop(
    page,
    { x: 600, y: 300 },
    { link: 'https://elsewhere.example/page', text: 'https://elsewhere.example/page' },
  )
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('https://elsewhere.example/page')
  await drop(page, { x: 600, y: 300 }, { text: 'and these words' })
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue(
    'https://elsewhere.example/page and these words',
  )
  expect(new URL(page.url()).origin).toBe(new URL(address).origin)
  await expect(chips(page).first()).toBeVisible()
})

test('a file that is pasted is attached, a table beside its picture stays text', async ({ page }) => {
  await openApp(page)
  await startWithoutModel(page)
  const paste = (text: string, files: [string, string][], into = 'textarea') =>
    page.evaluate(
      ([text, files, into]) => {
        const data = new DataTransfer()
        if (text !== '') data.setData('text/plain', text)
        for (const [name, content] of files) data.items.add(new File([content], name))
        const target = document.querySelector(into)!
        return !target.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        )
      },
      [text, files, into] as const,
    )
  expect(await paste('a.txt', [['a.txt', 'hello']])).toBe(true)
  await expect(chips(page)).toHaveText([/a\.txt/]) // no person pastes two files in the same moment
  expect(await paste('', [['b.txt', 'hello']], 'body')).toBe(true)
  await expect(chips(page)).toHaveText([/a\.txt/, /b\.txt/])
  expect(await paste('A1\tB1', [['image.png', 'x']])).toBe(false)
})
