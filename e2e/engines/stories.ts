/**
 * What people do, in the engines of other browsers. Each story has an origin of its own, and so a browser that has
 * never seen the app.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FakeServer } from '../servers/fake-server.ts'
import { madeLog } from '../fixtures/logs.ts'
import { key, type Page } from './page.ts'
import { until } from './webdriver.ts'

/** `url` is the app's address, `server` a model server of its own. */
export type Scene = { page: Page; url: string; server: FakeServer }
export type Story = { name: string; tell(scene: Scene): Promise<void> }

function same(actual: unknown, expected: unknown, what: string): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    throw new Error(`${what}: is ${JSON.stringify(actual)}, should be ${JSON.stringify(expected)}`)
}
function holds(condition: boolean, what: string): void {
  if (!condition) throw new Error(what)
}

/** The first start, without a model. */
export async function start(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.press('button', 'Start without a model', { ms: 40_000 })
  await page.find('textbox', 'Message')
}

/** The first start with a server, one of whose models is taken. */
async function startWithServer(page: Page, url: string, server: FakeServer, model = 'chat'): Promise<void> {
  const settings = { within: 'dialog[open],[role=dialog]' }
  await page.goto(url)
  await page.press('button', '/another server/', { ms: 40_000 })
  await page.fill('Name', 'Test server', settings)
  await page.fill('/^Address(?! of)/', server.url, settings)
  await page.press('button', 'Connect and save', settings)
  await page.press('button', `Use ${model}`, settings)
  await page.chord(key.escape)
  await page.find('textbox', 'Message')
}

/** Gives a log to Import; answers when its chat stands in the library. */
async function importLog(page: Page, lines: readonly string[], name: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'haversack-log-'))
  try {
    const path = join(folder, 'talk.jsonl')
    writeFileSync(path, `${lines.join('\n')}\n`)
    await page.choose('input[type=file][accept*=jsonl]', path)
    await page.find('link', `/${name}/`, { ms: 60_000 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Tokens that the context pane shows as used. */
const used = (page: Page): Promise<number> =>
  page.run(
    `() => Number([...document.querySelectorAll('[role=meter]')].find(meter => /Context used/.test(meter.getAttribute('aria-label')))?.getAttribute('aria-valuenow'))`,
  )

const sentOnce: Story = {
  name: 'sent once, kept once',
  async tell({ page, url, server }) {
    await startWithServer(page, url, server)
    await page.say('Only once, please.')
    await page.finished()
    const looksRight = async (when: string): Promise<void> => {
      same(
        [(await page.said('You')).length, (await page.said('Assistant')).length],
        [1, 1],
        `questions and answers ${when}`,
      )
    }
    await looksRight('on the screen')
    const asked = server.requests.filter(
      ({ path, body }) => path.endsWith('/chat/completions') && JSON.stringify(body).includes('Only once, please.'),
    )
    same(asked.length, 1, 'requests to the server')
    await page.reload()
    await page.reads('[role=log]', /Only once/)
    await page.finished()
    await looksRight('after a reload')
  },
}

const recall: Story = {
  name: 'the first start, and Recall finds what was said in another chat',
  async tell({ page, url }) {
    await start(page, url)
    await page.say('Hello, what can you do?')
    await page.finished()
    holds((await page.said('Assistant')).at(-1)!.includes('not a language model'), 'Recall does not say what it is')
    await page.say('The gate code of the garden is 4711.')
    await page.finished()
    await page.press('button', '/^New chat/')
    await until('the empty chat', async () => (await page.count('[role=log] article')) === 0)
    await page.say('What is the gate code?')
    await page.finished()
    holds(/4711/.test((await page.said('Assistant')).at(-1)!), 'the answer lacks what was said')
  },
}

const reload: Story = {
  name: 'a reload keeps the chat, its title and what was chosen',
  async tell({ page, url }) {
    await start(page, url)
    await page.say('Keep the blue door.')
    await page.finished()
    await until('Markdown drawn', () =>
      page.run('() => document.querySelector("[role=log] article[aria-label=Assistant] strong") !== null'),
    )
    const before = await page.text('[role=log]')
    await page.goto('about:blank')
    await page.goto(url)
    await page.reads('[role=log]', /blue door/)
    await page.finished()
    // Markdown is drawn as plain text until its part of the app is there.
    await until(`the chat as before: ${before}`, async () => (await page.text('[role=log]')) === before)
    await page.find('link', '/blue door/')
  },
}

const importAndCompact: Story = {
  name: '2 000 messages are imported, compacted, and the compaction is undone',
  async tell({ page, url }) {
    await start(page, url)
    await importLog(page, madeLog({ messages: 2_000, chars: 400 }), 'A long talk')
    await page.press('link', '/A long talk/')
    await page.reads('[role=log]', /Message 1999/)
    const before = await until(
      'the count of tokens',
      async () => (await page.text('body').then(text => /Counted by/.test(text))) && used(page),
      60_000,
    )
    await page.press('button', 'Compact')
    await until(
      'the summary',
      () =>
        page.run(
          `() => /messages summarised/.test([...document.querySelectorAll('article[aria-label=Summary]')].at(-1)?.innerText ?? '')`,
        ),
      60_000,
    )
    await until('less context', async () => (await used(page)) < before / 2)
    await page.press('button', '/^Undo/', { within: 'article[aria-label=Summary]' })
    await until('the context as before', async () => (await used(page)) === before)
  },
}

const markdown: Story = {
  name: 'Markdown streams in: headings, a table, code in colours, formulas',
  async tell({ page, url, server }) {
    await startWithServer(page, url, server)
    await page.say(String.raw`Go [[say # Title

Some **bold** text and $a^2+b^2=c^2$.

| name | value |
|---|---:|
| alpha | 1 |

~~~ts
const x: number = await read('a')
~~~
]]`)
    await page.finished()
    await until('every part', async () => {
      const parts = await page.run<number[]>(`() => {
        const answer = [...document.querySelectorAll('[role=log] article[aria-label=Assistant]')].at(-1)
        return ['h1,h2,h3', 'strong', 'table td', 'pre code', '[class*=hljs-]', '.katex,math'].map(part => answer.querySelectorAll(part).length)
      }`)
      if (parts.every(count => count > 0)) return true
      throw new Error(`heading, bold, cells, code, colours, formulas: ${parts.join(', ')}`)
    })
  },
}

const tool: Story = {
  name: 'a tool asks before it acts, also after a reload, and runs once',
  async tell({ page, url, server }) {
    await startWithServer(page, url, server)
    await page.say('Write it down. [[call write_file {"path":"workspace/a.md","text":"one","content":"one"}]]')
    await page.reads('[role=alertdialog]', /workspace\/a\.md/)
    await page.reload()
    await page.reads('[role=alertdialog]', /workspace\/a\.md/)
    await page.press('button', '/^Allow/', { within: '[role=alertdialog]' })
    await page.reads('[role=log]', /The tool said:/)
    await page.finished()
    same(
      [
        (await page.said('Tool write_file')).length,
        (await page.said('Assistant')).filter(text => text.includes('The tool said:')).length,
      ],
      [1, 1],
      'runs of the tool, and answers',
    )
  },
}

const stop: Story = {
  name: 'Stop ends an answer, keeps what came and marks it',
  async tell({ page, url, server }) {
    await startWithServer(page, url, server)
    await page.say('Slowly [[slow 60]]')
    await page.reads('[role=log]', /slow8/)
    await page.press('button', 'Stop')
    await page.finished()
    const text = await page.text('[role=log]')
    holds(
      text.includes('slow8') && !text.includes('slow59') && text.includes('Stopped by you'),
      `the chat reads: ${text.slice(-300)}`,
    )
  },
}

const search: Story = {
  name: 'search finds a message among 600, and so does the find bar',
  async tell({ page, url }) {
    await start(page, url)
    await importLog(page, madeLog({ messages: 600, chars: 300 }), 'A long talk')
    await page.fill('/Search everything/', 'message 105 about')
    await page.reads('nav[aria-label=Library], [aria-label=Library]', /Message 105 /)
    await page.fill('/Search everything/', '')
    await page.press('link', '/A long talk/')
    await page.reads('[role=log]', /Message 599/)
    await page.press('textbox', 'Message')
    await page.chord(key.control, 'f')
    await page.fill('Find in chat', 'message 105 about')
    await until('the message in view', () =>
      page.run(`() => {
      const found = [...document.querySelectorAll('[role=log] article')].find(article => /Message 105 /.test(article.innerText))
      const box = found?.getBoundingClientRect()
      return box !== undefined && box.bottom > 0 && box.top < innerHeight
    }`),
    )
  },
}

const newChat: Story = {
  name: 'a new chat by its key, what is typed there, and Enter sends it',
  async tell({ page, url }) {
    await start(page, url)
    await page.say('The first chat.')
    await page.finished()
    await page.press('textbox', 'Message')
    await page.chord(key.alt, 'n')
    await page.type('Typed at once')
    await page.chord(key.shift, key.enter)
    await page.type('and below')
    same(await page.run('() => document.activeElement.value'), 'Typed at once\nand below', 'the message box')
    await page.chord(key.enter)
    await page.finished()
    same(
      (await page.said('You')).map(text => text.includes('Typed at once')),
      [true],
      'questions',
    )
  },
}

const exporting: Story = {
  name: 'an export is a file with all that was said',
  async tell({ page, url }) {
    await start(page, url)
    await page.say('The key lies under the mat.')
    await page.finished()
    // a dialog of the system cannot be driven
    await page.run('() => { delete window.showSaveFilePicker; delete Window.prototype.showSaveFilePicker }')
    const before = new Set(readdirSync(page.downloads))
    await page.say('/export')
    const lines = await until('the file', async () => {
      const name = readdirSync(page.downloads).find(one => !before.has(one) && one.endsWith('.jsonl'))
      if (name === undefined || existsSync(join(page.downloads, `${name}.part`))) return undefined
      return readFileSync(join(page.downloads, name), 'utf8')
        .trimEnd()
        .split('\n')
        .map(line => JSON.parse(line) as { type: string })
    })
    holds(
      lines[0]!.type === 'session' && JSON.stringify(lines).split('under the mat').length - 1 >= 1,
      `the file reads ${JSON.stringify(lines).slice(0, 300)}`,
    )
    const users = lines.filter(
      line => line.type === 'message' && (line as { message?: { role?: string } }).message?.role === 'user',
    )
    holds(
      users.length >= 1 && new Set(users.map(line => JSON.stringify(line))).size === users.length,
      'no message, or one twice',
    )
    same(users.filter(line => JSON.stringify(line).includes('under the mat')).length, 1, 'the message in the file')
  },
}

const twoTabs: Story = {
  name: 'two tabs show the same chat, and each what the other says',
  async tell({ page, url }) {
    await start(page, url)
    await page.say('The blue door.')
    await page.finished()
    const chat = await page.run<string>('() => location.href')
    const { handle, first } = await page.another({ type: 'tab' })
    await page.goto(chat)
    await page.reads('[role=log]', /blue door/)
    await page.say('Said in the second tab.')
    await page.finished()
    await page.switchTo(first)
    await page.reads('[role=log]', /Said in the second tab/)
    await page.say('And in the first.')
    await page.finished()
    await page.switchTo(handle)
    await page.reads('[role=log]', /And in the first/)
    await page.finished()
    // Older ones may be out of view, and then are not drawn.
    same(
      (await page.said('You')).map(text => text.split('\n')[0]).slice(-2),
      ['Said in the second tab.', 'And in the first.'],
      'the newest questions',
    )
    await page.closeWindow()
    await page.switchTo(first)
  },
}

/** In every engine. */
export const everywhere: readonly Story[] = [
  sentOnce,
  recall,
  reload,
  importAndCompact,
  markdown,
  tool,
  stop,
  search,
  newChat,
  exporting,
]
export const tabs: Story = twoTabs

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
    await page.run(
      '() => { const own = document.querySelector("[role=log] article[aria-label=You]"); own.scrollIntoView() }',
    )
    await page.press('button', 'Copy', { within: '[role=log] article[aria-label=You]' })
    await page.find('button', 'Copied', { within: '[role=log] article[aria-label=You]' })
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
