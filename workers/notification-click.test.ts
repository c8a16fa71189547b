import { expect, it } from 'vitest'
import { openFromNotification } from './notification-click.ts'

const scope = 'https://a.example/haversack/'

/** Tabs by their address; answers with what was done. */
async function click(data: unknown, urls: string[]): Promise<string[]> {
  const done: string[] = []
  await openFromNotification(data, {
    scope,
    tabs: {
      matchAll: async () =>
        urls.map(url => ({
          url,
          focus: async () => done.push(`focus ${url}`),
          postMessage: message => done.push(`${JSON.stringify(message)} to ${url}`),
        })),
      openWindow: async url => done.push(`open ${url}`),
    },
  })
  return done
}

it('opens the chat in the tab that was used last, and brings it to the front', async () => {
  expect(await click({ hash: '#/chat/a' }, [`${scope}#/chat/b`, `${scope}#/memory`])).toEqual([
    `{"type":"OPEN","hash":"#/chat/a"} to ${scope}#/chat/b`,
    `focus ${scope}#/chat/b`,
  ])
})

it('takes the tab that shows the chat already', async () => {
  expect((await click({ hash: '#/chat/a' }, [`${scope}#/memory`, `${scope}#/chat/a`])).at(-1)).toBe(
    `focus ${scope}#/chat/a`,
  )
})

it('opens a window where no tab of the app is left', async () => {
  expect(await click({ hash: '#/chat/a' }, ['https://a.example/other/'])).toEqual([`open ${scope}#/chat/a`])
})

it('opens nothing but a chat', async () => {
  for (const data of [null, 'x', { hash: '#/reset' }, { hash: 'https://b.example/' }, {}])
    expect(await click(data, [])).toEqual([`open ${scope}#/`])
})
