/**
 * What people do, in the engines of other browsers. Each story has an origin of its own, and so a browser that has
 * never seen the app.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { madeLog } from '../fixtures/logs.ts'
import { key } from './page.ts'
import { until } from './webdriver.ts'
import { type Story, same, holds, start, startWithServer, importLog, used } from './story.ts'

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
    await page.say('Hello')
    await page.finished()
    await until('Markdown drawn', () =>
      page.run('() => document.querySelector("[role=log] article[aria-label^=Assistant] strong") !== null'),
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
      async () =>
        (await page.run(`() => document.querySelector('[role=meter]')?.getAttribute('data-counter') === 'bpe'`)) ===
          true && used(page),
      60_000,
    )
    await page.press('button', 'Compact')
    // its card stands at its border, which may be far up
    await page.press('button', '/^Summary of/')
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
    await page.press('button', 'Put back all anyway', { within: 'dialog[open]' })
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
        const answer = [...document.querySelectorAll('[role=log] article[aria-label^=Assistant]')].at(-1)
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
    // The story may be told again, and the file has the same name then.
    for (const name of readdirSync(page.downloads)) rmSync(join(page.downloads, name), { force: true, recursive: true })
    await page.say('/export')
    const lines = await until('the file', async () => {
      const name = readdirSync(page.downloads).find(one => one.endsWith('.jsonl'))
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
