/** The file that is shared: what it says, that nothing in it runs, and which lines it carries. */
import { describe, expect, it } from 'vitest'
import { entryLine, sessionLine } from '../../core/log/file-format/jsonl.ts'
import { chatFile } from '../../core/log/file-format/foreign-export.ts'
import type { Entry, NewEntry } from '../../core/log/entry.ts'
import { chatLines } from '../files/chat-lines.ts'
import { forbiddenSelectors, hostileMarkdown } from '../markdown/hostile.fixture.ts'
import { safeMarkdown } from './safe-markdown.ts'
import { sharedFile, type ShareFormat } from './shared-file.ts'
import { shareWords } from './share-words.ts'

const at = Date.UTC(2026, 10, 29, 18, 30)

function linesOf(...facts: NewEntry[]): string[] {
  const entries = facts.map(
    (fact, i) => ({ ...fact, id: `n.${i}`, parent: i === 0 ? null : `n.${i - 1}`, at }) as Entry,
  )
  return [
    sessionLine({ id: 'n', name: 'A <b>talk</b>', createdAt: at }),
    ...entries.map((entry, i) => entryLine(entry, i)!),
  ]
}
const asked = (text: string): NewEntry => ({ type: 'user', text })
const said = (text: string): NewEntry => ({
  type: 'assistant',
  text,
  calls: [],
  model: 'm',
  local: false,
  stop: 'stop',
})

async function fileOf(lines: readonly string[], format: ShareFormat = 'html'): Promise<string> {
  const api = { sharedLines: async () => ({ lines: [...lines] }) }
  const parts: string[] = []
  const options = {
    api,
    handle: 'h4ndle',
    kept: { ids: [], kinds: [] },
    format,
    words: shareWords(),
    pause: async () => {},
  }
  for await (const part of sharedFile(options)) parts.push(part)
  return parts.join('')
}
const domOf = (html: string): Document => new DOMParser().parseFromString(html, 'text/html')
async function carried(file: string): Promise<string[]> {
  const found: string[] = []
  for await (const lines of chatLines(new Blob([file]).stream())) found.push(...lines)
  return found.map(line => JSON.stringify(JSON.parse(line)))
}

const whole = { timeout: 60_000 }

describe('the page', whole, () => {
  it('says who said what, with Markdown, code and a table', async () => {
    const call = { id: 'c0', name: 'read_file', arguments: '{"path":"notes.md"}' }
    const file = await fileOf(
      linesOf(
        asked('What is **this**?\n<i>tag</i>'),
        {
          ...said('It is **bold**, `code`.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet x = 1\n```'),
          calls: [call],
          stop: 'calls',
        } as NewEntry,
        { type: 'result', callId: 'c0', tool: 'read_file', text: 'one </template> line', isError: false },
      ),
    )
    const page = domOf(file)
    expect(page.title).toBe('A <b>talk</b>')
    const [question, answer] = [...page.querySelectorAll('article')]
    expect(question?.querySelector('.typed')?.textContent).toBe('What is **this**?\n<i>tag</i>')
    expect(answer?.querySelector('strong')?.textContent).toBe('bold')
    expect(answer?.querySelectorAll('table').length).toBe(1)
    expect(answer?.textContent).toContain('let x = 1')
    expect(answer?.querySelector('details')?.textContent).toMatch(/read_file notes\.md[^]*one <\/template> line/)
    expect(page.querySelectorAll('article').length).toBe(2)
  })

  it('has no script, asks for nothing, and holds nothing that a hostile answer wants in it', async () => {
    const file = await fileOf(linesOf(...hostileMarkdown.map((text, i) => (i % 4 === 0 ? asked(text) : said(text)))))
    const page = domOf(file)
    expect(file).not.toMatch(/<script/i)
    for (const selector of forbiddenSelectors)
      expect(
        page.querySelectorAll(`main ${selector.includes(',') ? `:is(${selector})` : selector}`).length,
        selector,
      ).toBe(0)
    expect(
      page.querySelectorAll('[src], [srcset], link, iframe, object, embed, base, form, :not(head) > style').length,
    ).toBe(0)
    expect(page.querySelector('meta[http-equiv]')?.getAttribute('content')).toMatch(/^default-src 'none'/)
    expect(page.querySelectorAll('article').length).toBe(hostileMarkdown.length)
  })
})

describe.each(['html', 'markdown'] as const)('the %s file', whole, format => {
  const hostile = [
    ...hostileMarkdown.filter((_, i) => i % 5 === 0),
    '</template>',
    '-->',
    '<!-- haversack-h4ndle',
    '{"type":"message"}',
    '<meta name="haversack-chat" content="x">',
    '\n<template id="haversack-h4ndle">\n{"type":"session"}\n',
  ]

  it('is known by its content and carries exactly the lines that it was made of', async () => {
    const lines = linesOf(...hostile.map((text, i) => (i % 2 === 0 ? asked(text) : said(text))))
    const file = await fileOf(lines, format)
    expect(chatFile(file.slice(0, 4_000))).toEqual({ of: 'haversack' })
    expect(await carried(file)).toEqual(lines.map(line => JSON.stringify(JSON.parse(line))))
  })
})

describe('Markdown for other programs', () => {
  it.each([
    ['a <b>bold</b> word', 'a &lt;b>bold&lt;/b> word'],
    ['if a < b && c > d', 'if a < b && c > d'],
    ['`x` and `<div>`', '`x` and <code>&#60;div&#62;</code>'],
    ['![x](https://beacon.example/1.png)', '\\![x](https://beacon.example/1.png)'],
    ['[x](javascript:alert(1)) [y](https://a.example)', '[x\\](javascript:alert(1)) [y](https://a.example)'],
    ['[x](java&#115;cript:alert(1))', '[x\\](java&#115;cript:alert(1))'],
    ['[x]: javascript:alert(1)', '[x\\]: javascript:alert(1)'],
    ['```html\n<script>x</script>\n```\n<script>', '```html\n<script>x</script>\n```\n&lt;script>'],
    ['- ```\n<script>', '- ```\n&lt;script>'],
    ['```\n<script>', '```\n<script>\n```'],
    ['open ` here\nand ` <img> ` there', 'open ` here\nand <code> &#60;img&#62; </code> there'],
  ])('%j', (text, safe) => {
    expect(safeMarkdown(text)).toBe(safe)
  })

  it('keeps the lines of what was typed', () => {
    expect(safeMarkdown('one\ntwo\n\nthree\n```\na\nb\n```\n', { keepsLines: true })).toBe(
      'one  \ntwo\n\nthree  \n```\na\nb\n```\n',
    )
  })

  it('has no raw element outside of a block of code, whatever an answer tries', () => {
    for (const text of hostileMarkdown) {
      const outside = safeMarkdown(text).replace(/^(`{3,}|~{3,})[^]*?^\1/gm, '')
      expect(outside.replace(/<\/?code>/g, '')).not.toMatch(/<[a-z/!?]/i)
      expect(outside).not.toMatch(/(?<!\\)!\[/)
    }
  })
})
