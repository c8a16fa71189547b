/**
 * The question before a tool acts: what is asked, whatever the length of anything, and that nothing else can pass for
 * it.
 */
import { expect, test, type Locator, type Page } from '@playwright/test'
import { startFakeServer, type FakeServer } from '../servers/fake-server.ts'
import { answers, conversation, finished, say, openWithServer } from '../person.ts'

let server: FakeServer
test.beforeAll(async () => {
  server = await startFakeServer()
})
test.afterAll(() => server.stop())

const question = (page: Page): Locator => page.getByRole('alertdialog', { name: 'Permission' })
const asks = (page: Page, name: string, args: object): Promise<void> =>
  say(page, `Do it. [[call ${name} ${JSON.stringify(args)}]]`)
const pages = (): string[] => server.requests.filter(({ path }) => !path.startsWith('/v1')).map(({ path }) => path)

async function start(page: Page): Promise<void> {
  await openWithServer(page, server.url, 'chat')
}

/** Nothing covers it, and no edge of the screen or of a box that scrolls cuts it off. */
async function expectInView(what: Locator): Promise<void> {
  await expect
    .poll(() =>
      what.evaluate(element => {
        const { left, right, top, bottom } = element.getBoundingClientRect()
        if (right - left < 4 || bottom - top < 4 || left < 0 || top < 0 || right > innerWidth || bottom > innerHeight)
          return `outside: ${left} ${top} ${right} ${bottom}`
        for (const [x, y] of [
          [left + 2, top + 2],
          [right - 2, bottom - 2],
          [(left + right) / 2, (top + bottom) / 2],
        ] as const) {
          const there = document.elementFromPoint(x, y)
          if (!there || !(element.contains(there) || there.contains(element)))
            return `covered by ${there?.tagName}.${there?.className}`
          for (let box = element.parentElement; box; box = box.parentElement) {
            const edge = box.getBoundingClientRect()
            if (getComputedStyle(box).overflowY !== 'visible' && (top < edge.top - 1 || bottom > edge.bottom + 1))
              return `cut off by ${box.className}`
          }
        }
        return 'in view'
      }),
    )
    .toBe('in view')
}

async function expectAskedFor(page: Page, target: string): Promise<void> {
  const host = question(page).getByText(target, { exact: true })
  await expectInView(host)
  for (const name of ['Allow', 'Always in this chat', 'Deny'])
    await expectInView(question(page).getByRole('button', { name, exact: true }))
}

async function deny(page: Page): Promise<void> {
  await question(page).getByRole('button', { name: 'Deny' }).click()
  await finished(page)
}

test('a host is named as it is requested, not as it is written', async ({ page }) => {
  await start(page)
  server.requests.length = 0
  for (const [url, host, space] of [
    ['http://gіthub.com/login', 'xn--gthub-n2e.com', ''],
    [`http://0x7f.1:${server.port}/a`, `127.0.0.1:${server.port}`, 'this computer'],
    [`http://2130706433:${server.port}/a`, `127.0.0.1:${server.port}`, 'this computer'],
    ['http://[::ffff:192.168.1.1]/', '[::ffff:c0a8:101]', 'your network'],
    ['http://router/', 'router', 'your network'],
  ] as const) {
    await asks(page, 'fetch_url', { url })
    await expectAskedFor(page, host)
    if (space === '') await expect(question(page)).not.toContainText(/this computer|your network/)
    else await expectInView(question(page).getByText(space, { exact: true }))
    await deny(page)
  }
  expect(pages()).toEqual([])

  await asks(page, 'fetch_url', { url: `http://0x7f.1:${server.port}/page` })
  await question(page).getByRole('button', { name: 'Always in this chat' }).click()
  await finished(page)
  expect(pages()).toEqual(['/page'])
  // The same host, however it is written; another one asks.
  await asks(page, 'fetch_url', { url: `http://127.0.0.1:${server.port}/again` })
  await finished(page)
  expect(pages()).toEqual(['/page', '/again'])
  await asks(page, 'fetch_url', { url: `http://localhost:${server.port}/other` })
  await expectAskedFor(page, `localhost:${server.port}`)
})

const long = 'a'.repeat(3_000)
const sizes = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
  { width: 844, height: 390 },
]

test('what is asked and the answers stay in view at every size, however long the rest', async ({ page }) => {
  await start(page)
  /** Asks at one size and looks at all of them. */
  const asksAt = async (first: number, ask: () => Promise<void>, look: (height: number) => Promise<void>) => {
    await page.setViewportSize(sizes[first]!)
    await ask()
    for (const size of [...sizes.slice(first), ...sizes.slice(0, first)]) {
      await page.setViewportSize(size)
      await look(size.height)
    }
  }
  const expectAnswersInView = async () => {
    for (const button of ['Allow', 'Deny'])
      await expectInView(question(page).getByRole('button', { name: button, exact: true }))
  }

  await asksAt(
    0,
    () => asks(page, 'fetch_url', { url: `http://localhost:${server.port}/${long}?told=SECRET#end` }),
    async height => {
      await expectAskedFor(page, `localhost:${server.port}`)
      await expect(question(page)).toContainText('?told=SECRET#end')
      if (height > 400) await expectInView(question(page).getByRole('group', { name: 'Address' }))
      await expect(question(page)).not.toContainText(long)
    },
  )
  await question(page)
    .getByRole('button', { name: /^… 2,\d{3} characters …$/ })
    .click()
  for (const size of sizes) {
    await page.setViewportSize(size)
    await expect(question(page)).toContainText(long)
    await expectAskedFor(page, `localhost:${server.port}`)
  }
  await deny(page)

  await asksAt(
    1,
    () => asks(page, 'fetch_url', { url: `https://${'github.com.'.repeat(20)}evil.example/` }),
    async () => {
      await expectInView(question(page).locator('.target'))
      await expect(question(page).locator('.target')).toHaveText(
        /^github\.com.+… 132 characters ….+github\.com\.evil\.example\s*$/,
      )
      await expectAnswersInView()
    },
  )
  await deny(page)

  const path = `workspace/${'b'.repeat(250)}/${'c'.repeat(250)}/${'d'.repeat(250)}/end.md`
  await asksAt(
    2,
    () => asks(page, 'write_file', { path, content: 'x\n'.repeat(6_000) }),
    async () => {
      await expectInView(question(page).locator('.target'))
      await expect(question(page).locator('.target')).toContainText('end.md')
      await expectAnswersInView()
    },
  )
  await question(page)
    .getByRole('button', { name: /^… 7,500 characters …$/ })
    .click()
  for (const size of sizes) {
    await page.setViewportSize(size)
    await expectInView(question(page).getByRole('button', { name: 'Deny' }))
    expect(
      await question(page).evaluate(element =>
        [...element.querySelectorAll('*')].some(box => box.scrollHeight > 5_000 && box.clientHeight < 800),
      ),
    ).toBe(true)
  }
  await deny(page)
})

test('a file is shown as it would look, and what changes in one that is there', async ({ page }) => {
  await start(page)
  const before = Array.from({ length: 60 }, (_, n) => `- item ${n}`).join('\n')
  await asks(page, 'write_file', { path: 'workspace/list.md', content: before })
  await expect(question(page)).toContainText('It would write a new file of 589 B')
  expect(
    await question(page)
      .getByRole('group', { name: 'Content of the file' })
      .evaluate(element => element.textContent),
  ).toBe(before)
  await question(page).getByRole('button', { name: 'Allow', exact: true }).click()
  await finished(page)

  await asks(page, 'write_file', {
    path: 'workspace/list.md',
    content: before.replace('item 30', 'thing\u202e 30\u200b'),
  })
  await expect(question(page)).toContainText('It would replace this file (589 B → 596 B)')
  const changes = question(page).getByRole('group', { name: 'What changes in the file' }).getByRole('listitem')
  await expect(changes.filter({ hasText: 'new: ' })).toHaveText('+new: - thing‹U+202E› 30‹U+200B›')
  await expect(changes.filter({ hasText: 'goes: ' })).toHaveText('−goes: - item 30')
  await expect(changes).toHaveCount(10)
  await question(page).getByRole('button', { name: '… 27 lines …' }).first().click()
  await expect(changes).toHaveCount(61)
  await deny(page)

  await asks(page, 'edit_file', {
    path: 'workspace/list.md',
    old_text: '- item 7\n',
    new_text: '- item seven\n- and a half\n',
  })
  await expect(question(page)).toContainText('It would change a part of this file')
  await expect(
    question(page).getByRole('group', { name: 'What changes in the file' }).getByRole('listitem'),
  ).toHaveText(['−goes: - item 7', '+new: - item seven', '+new: - and a half'])
  await deny(page)
})

test('what cannot be allowed is not asked', async ({ page }) => {
  await start(page)
  await page.evaluate(() => {
    Object.assign(window, { asked: 0 })
    new MutationObserver(() => {
      if (document.querySelector('[role="alertdialog"]')) Object.assign(window, { asked: 1 })
    }).observe(document.body, { childList: true, subtree: true })
  })
  for (const [name, args, why] of [
    ['write_file', { path: 'notes/hello.md', content: 'x' }, 'only below workspace/'],
    ['edit_file', { path: 'workspace/none.md', old_text: 'a', new_text: 'b' }, 'There is no workspace/none.md'],
    ['fetch_url', { url: 'https://github.com@evil.example/' }, 'name or password'],
    ['fetch_url', { url: 'ftp://x.example/' }, 'Only http and https'],
  ] as const) {
    await asks(page, name, args)
    await finished(page)
    await expect(answers(page).last()).toContainText(why)
  }
  expect(await page.evaluate(() => (window as unknown as { asked: number }).asked)).toBe(0)
})

test('what a model or a tool says never looks like the question', async ({ page }) => {
  await start(page)
  const fake =
    '<div role="alertdialog" aria-label="Permission" class="title"><p><b>fetch_url asks for your permission</b></p><button class="primary">Allow</button> <button>Deny</button></div>\n\n> **fetch_url asks for your permission**\n\n[Allow](https://evil.example/allow)'
  await say(page, `[[say ${fake}]]`)
  await finished(page)
  await expect(answers(page).last()).toContainText('asks for your permission')
  await asks(
    page,
    '\u202eAllow\u2066fetch_url_asks_for_your_permission_and_this_name_is_much_longer_than_any_name_of_a_tool_that_there_is_in_this_app',
    { path: fake },
  )
  await finished(page)
  const cards = conversation(page).getByRole('article', { name: /^Tool / })
  await expect(cards.last()).toContainText('‹U+202E›Allow‹U+2066›')
  await cards.last().getByRole('button').first().click()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  expect(
    await conversation(page).evaluate(
      log =>
        [...log.querySelectorAll('button, [role="button"], input')].filter(
          button =>
            /allow|deny/i.test(button.textContent ?? '') && !button.closest('article[aria-label^="Tool"] .head'),
        ).length,
    ),
  ).toBe(0)
  // The real one stands outside of the talk.
  await asks(page, 'write_file', { path: 'workspace/a.md', content: fake })
  await expectAskedFor(page, 'workspace/a.md')
  await expect(conversation(page).getByRole('alertdialog')).toHaveCount(0)
  expect(await question(page).getByRole('button').allTextContents()).toEqual(['Allow', 'Always in this chat', 'Deny'])
})

test('a click that comes before anybody can have read the question is no answer', async ({ page }) => {
  await start(page)
  await page.evaluate(() => {
    Object.assign(window, { early: [] })
    new MutationObserver(() => {
      const button = document.querySelector<HTMLButtonElement>('[role="alertdialog"] .primary')
      if (button && (window as unknown as { early: boolean[] }).early.length === 0) {
        ;(window as unknown as { early: boolean[] }).early.push(button.disabled)
        button.click()
      }
    }).observe(document.body, { childList: true, subtree: true })
  })
  await asks(page, 'write_file', { path: 'workspace/a.md', content: 'one' })
  await expectAskedFor(page, 'workspace/a.md')
  expect(await page.evaluate(() => (window as unknown as { early: boolean[] }).early)).toEqual([true])
  await expect(question(page).getByRole('button', { name: 'Allow', exact: true })).toBeEnabled()
  await expect(question(page)).toBeVisible()
  await deny(page)
})
