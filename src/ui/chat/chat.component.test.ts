/** What a message, a tool call and a note say: in both languages, to assistive technology, and of hostile texts. */
import { flushSync, mount, unmount, type Component } from 'svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AppState } from '../state/app-state.svelte.ts'
import type { OpenSession } from '../state/session.svelte.ts'
import type { AssistantItem, NoteItem, ToolItem, UserItem } from '../transcript/transcript-items.ts'
import { useLanguage } from '../i18n/texts.ts'
import Bubble from './Bubble.svelte'
import InChat from './InChat.fixture.svelte'
import Note from './Note.svelte'
import ToolCall from './ToolCall.svelte'

const at = new Date(2026, 0, 31, 9, 5).getTime()
const marks = { at, outOfContext: false, pinned: false }
const question: UserItem = { ...marks, type: 'user', key: 'q', entry: 'q', text: 'Why?', whole: 'Why?', chips: [] }
const answer: AssistantItem = {
  ...marks,
  type: 'assistant',
  key: 'a',
  entry: 'a',
  text: 'Because **so**.',
  reasoning: '',
  model: 'm',
  local: false,
  stop: 'stop',
  calls: 0,
}
const call: ToolItem = {
  ...marks,
  type: 'tool',
  key: 't',
  entry: 't',
  call: { id: 'c', name: 'read_file', arguments: '{"path":"workspace/a.md"}' },
  result: { entry: 'r', text: 'one line', isError: false, at },
}
const note: NoteItem = { type: 'note', key: 'n', entry: 'n', at, code: 'retry', text: 'Asked again.' }
const bubble = { quiet: false, goesOn: undefined, newest: false, unfolded: false, ontoggle: () => {} }

/** The parser of Markdown comes later; on a busy machine much later. Unit: ms. */
const whileParserLoads = { timeout: 60_000 }

let done = (): void => {}
let app: AppState
let session: OpenSession
beforeEach(() => {
  app = { dialog: null } as unknown as AppState
  session = {
    busy: false,
    status: { state: 'idle' },
    items: [],
    pin: vi.fn(),
    deleteMessage: vi.fn(),
    editMessage: vi.fn(() => Promise.resolve(true)),
  } as unknown as OpenSession
})
afterEach(async () => {
  done()
  await useLanguage('en')
})

/** Renders it; answers with its article. */
function render<Props extends Record<string, unknown>>(component: Component<Props>, shown: Props): HTMLElement {
  const shownIn = mount(InChat as unknown as Component<Record<string, unknown>>, {
    target: document.body,
    props: { component, shown, app, session },
  })
  done = () => {
    void unmount(shownIn)
    document.body.replaceChildren()
    done = () => {}
  }
  flushSync()
  return document.querySelector('article')!
}
const nameOf = (element: Element | null): string =>
  (element?.getAttribute('aria-label') ?? element?.textContent ?? '').replace(/\s+/g, ' ').trim()
const describedBy = (element: Element): string | null | undefined =>
  document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent
const buttons = (within: HTMLElement): string[] => [...within.querySelectorAll('button')].map(nameOf)
const button = (within: HTMLElement, name: string): HTMLElement =>
  [...within.querySelectorAll('button')].find(one => nameOf(one) === name)!
function press(within: HTMLElement, name: string): void {
  button(within, name).click()
  flushSync()
}
const hostileTexts = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg><animate onbegin=alert(1)></svg>',
  '[click](javascript:alert(1)) [data](data:text/html,<script>1</script>)',
  '![seen](https://spy.example/pixel.png)',
  '<form action=https://spy.example><input name=a></form>',
  '<style>*{display:none}</style><base href=//spy.example>',
]
/** What a text may never become, however it is written. */
const noDanger = (within: HTMLElement): void => {
  expect(within.querySelectorAll('script, iframe, object, embed, form, img, style, base, meta')).toHaveLength(0)
  for (const element of within.querySelectorAll('*'))
    for (const { name, value } of element.attributes) {
      expect(name, element.outerHTML.slice(0, 200)).not.toMatch(/^on/i)
      if (name === 'href') expect(value).not.toMatch(/^\s*(?:javascript|data|vbscript):/i)
    }
}

describe('a message', () => {
  it('of the person stands as it was typed, with what can be done with it', () => {
    const text = '  <b>Why?</b>\n**not bold**'
    const article = render(Bubble, { ...bubble, item: { ...question, text, whole: text } })
    expect(nameOf(article)).toBe('You')
    expect(describedBy(article)).toBe('January 31, 2026 at 09:05 AM')
    expect(article.querySelector('.typed')?.textContent).toBe(text)
    expect(article.querySelector('.typed')?.getAttribute('dir')).toBe('auto')
    expect(buttons(article)).toEqual(['Copy', 'Edit', 'Pin', 'More'])
  })

  it('is deleted only after a second yes, and says when it was written', () => {
    const article = render(Bubble, { ...bubble, item: question })
    press(article, 'More')
    expect(button(article, 'More').getAttribute('aria-expanded')).toBe('true')
    expect(article.querySelector('dl')?.textContent).toContain('2026-01-31')
    press(article, 'Delete')
    const asks = article.querySelector<HTMLElement>('[role="alertdialog"]')!
    expect(document.getElementById(asks.getAttribute('aria-describedby')!)?.textContent).not.toBe('')
    expect(session.deleteMessage).not.toHaveBeenCalled()
    press(asks, 'Delete')
    expect(session.deleteMessage).toHaveBeenCalledWith('q')
  })

  it('is edited in place', async () => {
    const article = render(Bubble, { ...bubble, item: question })
    press(article, 'Edit')
    const box = article.querySelector('textarea')!
    expect(box.value).toBe('Why?')
    box.value = 'Why not?'
    box.dispatchEvent(new Event('input', { bubbles: true }))
    flushSync()
    press(article, 'Send again')
    await vi.waitFor(() => expect(session.editMessage).toHaveBeenCalledWith('q', 'Why not?'))
  })

  it('cannot be changed while an answer is written', () => {
    Object.assign(session, { busy: true })
    const article = render(Bubble, {
      ...bubble,
      item: { ...question, versions: { index: 2, count: 3, previous: 'p' } },
    })
    const off = [...article.querySelectorAll<HTMLButtonElement>('button')].filter(one => one.disabled).map(nameOf)
    expect(off).toEqual(['Previous version', 'Next version', 'Edit'])
    press(article, 'More')
    expect((button(article, 'Delete') as HTMLButtonElement).disabled).toBe(true)
    expect(article.textContent).toMatch(/2\s*(?:\/|of)\s*3/)
  })

  it('of the model is Markdown, and hostile Markdown stays text', async () => {
    const article = render(Bubble, { ...bubble, item: answer, newest: true })
    expect(nameOf(article)).toBe('Assistant')
    expect(describedBy(article)).toBe('January 31, 2026 at 09:05 AM')
    await vi.waitFor(() => expect(article.querySelector('strong')?.textContent).toBe('so'), whileParserLoads)
    expect(buttons(article)).toContain('Regenerate')
    done()
    for (const hostile of hostileTexts) {
      const shown = render(Bubble, { ...bubble, item: { ...answer, text: `${hostile}\n\n**after**` } })
      noDanger(shown)
      expect(shown.querySelector('strong')?.textContent).toBe('after')
      done()
    }
  })

  it('that was removed says when and why, and nothing else of it is there', () => {
    const item = { ...question, gone: { bytes: 4, day: '2026-01-31', why: 'deleted' } }
    const article = render(Bubble, { ...bubble, item })
    expect(article.textContent).toContain('2026-01-31')
    expect(article.textContent).not.toContain('Why?')
    expect(buttons(article)).toEqual(['More'])
  })

  it('says in Chinese what it says in English', async () => {
    await useLanguage('zh')
    const article = render(Bubble, { ...bubble, item: { ...answer, stop: 'length' } })
    for (const name of [nameOf(article), ...buttons(article), article.querySelector('.stop')?.textContent])
      expect(name).toMatch(/^\s*[^A-Za-z]*\p{Script=Han}[^A-Za-z]*$/u)
  })
})

describe('a tool call', () => {
  const folded = { unfolded: false, ontoggle: () => {} }

  it('is one line: the tool, what it is about, how it went, and where its result is read', () => {
    const article = render(ToolCall, { ...folded, item: call })
    expect(nameOf(article)).toBe('Tool read_file')
    const head = article.querySelector('.head')!
    expect(nameOf(head)).toMatch(/^read_file workspace\/a\.md /)
    expect(head.getAttribute('aria-expanded')).toBe('false')
    press(article, 'tool_result/r.txt')
    expect(app.dialog).toEqual({ name: 'path', path: 'tool_result/r.txt' })
  })

  it('unfolds to its arguments and its result, whatever stands there', () => {
    const hostile = '<img src=x onerror=alert(1)>'
    const item: ToolItem = {
      ...call,
      call: { ...call.call, name: 'x\u202e<b>', arguments: JSON.stringify({ [hostile]: hostile }) },
      result: { ...call.result!, text: hostile, isError: true },
    }
    const article = render(ToolCall, { unfolded: true, ontoggle: () => {}, item })
    noDanger(article)
    expect(article.textContent?.split(hostile).length).toBeGreaterThan(2)
    expect(nameOf(article)).not.toContain('\u202e')
    expect(article.classList).toContain('error')
  })

  it('says in Chinese what it says in English', async () => {
    await useLanguage('zh')
    const article = render(ToolCall, { unfolded: true, ontoggle: () => {}, item: { ...call, result: undefined } })
    for (const name of [nameOf(article), ...[...article.querySelectorAll('h3, p')].map(nameOf)])
      expect(name.replace('read_file', '')).toMatch(/^\s*[^A-Za-z]*\p{Script=Han}[^A-Za-z]*$/u)
  })
})

describe('a note', () => {
  it('is a sentence; a command’s answer is Markdown without anything that runs', async () => {
    expect(nameOf(render(Note, { item: note, goesOn: undefined }))).toBe('Note')
    done()
    const text = '- `max_input_length` = 4\n\n<script>alert(1)</script><a href="javascript:alert(1)">x</a>'
    const article = render(Note, { item: { ...note, code: 'command', text }, goesOn: undefined })
    await vi.waitFor(
      () => expect(article.querySelector('li code')?.textContent).toBe('max_input_length'),
      whileParserLoads,
    )
    noDanger(article)
  })

  it('of a failure says what can be done, in both languages', async () => {
    const failed: NoteItem = { ...note, code: 'model_auth', text: 'The server refused the key.', data: {} }
    expect(render(Note, { item: failed, goesOn: undefined }).textContent).toMatch(/key/)
    done()
    await useLanguage('zh')
    const article = render(Note, { item: failed, goesOn: undefined })
    expect(article.classList).toContain('bad')
    expect(article.textContent).toMatch(/\p{Script=Han}/u)
  })
})
