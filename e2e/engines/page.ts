/** What a person does in a browser that is driven by WebDriver, by the names that they see. */
import { elementKey, until, type Driven, type Element } from './webdriver.ts'

type Role = 'button' | 'textbox' | 'link' | 'option' | 'alertdialog' | 'any'
type Where = { within?: string; ms?: number }

/** Keys by WebDriver's code points. */
export const key = { enter: '\uE007', escape: '\uE00C', shift: '\uE008', control: '\uE009', alt: '\uE00A' }

/**
 * Runs in the page: the first element of this role that is drawn and has this name. A name between slashes is a
 * pattern.
 */
const finder = `function (role, name, within) {
  const roots = within ? [...document.querySelectorAll(within)] : [document]
  const root = roots.at(-1)
  if (!root) return null
  const kinds = { button: 'button,[role=button],summary', textbox: 'textarea,input:not([type=hidden]):not([type=file]),[role=textbox]', link: 'a', option: '[role=option]', alertdialog: '[role=alertdialog]', any: '*' }
  const labelsOf = element => {
    const label = element.labels && element.labels[0]
    const own = label ? [label.innerText, ...[...label.childNodes].map(node => node.textContent)] : []
    return [element.getAttribute('aria-label'), ...own, element.innerText, element.getAttribute('placeholder')].filter(Boolean).map(text => text.trim())
  }
  const pattern = /^\\/(.*)\\/$/.exec(name)
  const fits = pattern ? text => new RegExp(pattern[1], 'i').test(text) : text => text === name
  return [...root.querySelectorAll(kinds[role])].find(element => element.getClientRects().length > 0 && !element.disabled && labelsOf(element).some(fits)) ?? null
}`

/** Runs in the page: whether this stands still in view, and a press on its middle would reach it. */
const pressable = `async element => {
  element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  const look = () => { const { left, top, width, height } = element.getBoundingClientRect(); return [left, top, width, height] }
  const before = look()
  await new Promise(resolve => { setTimeout(resolve, 150) })
  const [left, top, width, height] = look()
  const at = document.elementFromPoint(left + width / 2, top + height / 2)
  return before.join() === [left, top, width, height].join() && at !== null && (element.contains(at) || at.contains(element))
}`

export class Page {
  readonly #driven: Driven
  constructor(driven: Driven) {
    this.#driven = driven
  }

  get downloads(): string {
    return this.#driven.downloads
  }

  async goto(url: string): Promise<void> {
    await this.#driven.say('WebDriver:Navigate', { url })
  }
  async reload(): Promise<void> {
    await this.#driven.say('WebDriver:Refresh')
  }

  /** Runs the text of a function in the page, waits for its promise, and answers with what it came to. */
  async run<T>(fn: string, ...args: unknown[]): Promise<T> {
    const script = `const done = arguments[arguments.length - 1]
      Promise.resolve().then(() => (${fn})(...[...arguments].slice(0, -1))).then(value => { done({ value: value === undefined ? null : value }) }, error => { done({ error: String(error) }) })`
    const told = (await this.#driven.say('WebDriver:ExecuteAsyncScript', { script, args })) as
      | { value: T }
      | { error: string }
    if ('error' in told) throw new Error(`in the page: ${told.error}`)
    return told.value
  }

  find(role: Role, name: string, { within = '', ms }: Where = {}): Promise<Element> {
    return until(
      `${role} "${name}"${within ? ` in ${within}` : ''}`,
      async () =>
        (await this.#driven.say('WebDriver:ExecuteScript', {
          script: `return (${finder}).apply(null, arguments)`,
          args: [role, name, within],
        })) as Element | null,
      ms,
    )
  }

  /**
   * Presses what a person would press, once it stands still: a press meant for what has just moved would be lost. It is
   * never made twice.
   */
  async press(role: Role, name: string, where: Where = {}): Promise<void> {
    await until(
      `a press of "${name}"`,
      async () => {
        const element = await this.find(role, name, where)
        if (!(await this.run<boolean>(pressable, element))) return false
        try {
          await this.#driven.say('WebDriver:ElementClick', { id: element[elementKey] })
          return true
        } catch (thrown) {
          if (/stale|not interactable|intercepted/i.test(String(thrown))) return false // nothing was pressed
          throw thrown
        }
      },
      where.ms,
    )
  }

  /** Points at the middle of what a selector finds last, and presses nothing. */
  async hover(selector: string): Promise<void> {
    const origin = await this.run<Element>(
      'selector => { const found = [...document.querySelectorAll(selector)].at(-1); found.scrollIntoView({ block: "nearest" }); return found }',
      selector,
    )
    await this.#driven.say('WebDriver:PerformActions', {
      actions: [
        {
          type: 'pointer',
          id: 'mouse',
          parameters: { pointerType: 'mouse' },
          actions: [{ type: 'pointerMove', x: 0, y: 0, origin }],
        },
      ],
    })
  }

  /** Sets the value of a box as typing would, in place of what was there. */
  async fill(name: string, text: string, where: Where = {}): Promise<void> {
    const box = await this.find('textbox', name, where)
    await this.#driven.say('WebDriver:ExecuteScript', {
      args: [box, text],
      script: `const [box, text] = arguments
      box.focus(); box.value = text; box.dispatchEvent(new Event('input', { bubbles: true })); box.dispatchEvent(new Event('change', { bubbles: true }))`,
    })
  }

  /** The person's keys, to whatever has the focus; those before the last are held down. */
  async chord(...keys: string[]): Promise<void> {
    const actions = [
      ...keys.map(value => ({ type: 'keyDown', value })),
      ...keys.toReversed().map(value => ({ type: 'keyUp', value })),
    ]
    await this.#driven.say('WebDriver:PerformActions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
    await this.#driven.say('WebDriver:ReleaseActions')
  }

  async type(text: string): Promise<void> {
    await this.#driven.say('WebDriver:PerformActions', {
      actions: [
        {
          type: 'key',
          id: 'keyboard',
          actions: [...text].flatMap(value => [
            { type: 'keyDown', value },
            { type: 'keyUp', value },
          ]),
        },
      ],
    })
    await this.#driven.say('WebDriver:ReleaseActions')
  }

  /** Gives a file to a hidden file input, as its picker would. */
  async choose(selector: string, path: string): Promise<void> {
    const input = await until(
      selector,
      async () =>
        (await this.#driven.say('WebDriver:ExecuteScript', {
          script: 'return document.querySelector(arguments[0])',
          args: [selector],
        })) as Element | null,
    )
    await this.#driven.say('WebDriver:ElementSendKeys', { id: input[elementKey], text: path })
  }

  text(selector = 'body'): Promise<string> {
    return this.run('selector => document.querySelector(selector)?.innerText ?? ""', selector)
  }
  count(selector: string): Promise<number> {
    return this.run('selector => document.querySelectorAll(selector).length', selector)
  }

  /** Waits until the text of this place has this in it. */
  async reads(selector: string, wanted: RegExp, ms?: number): Promise<void> {
    let last = ''
    await until(`${wanted} in ${selector}`, async () => wanted.test((last = await this.text(selector))), ms).catch(
      (thrown: unknown) => {
        throw new Error(`${String(thrown)}\n  it reads: ${last.slice(-600)}`)
      },
    )
  }

  async say(text: string): Promise<void> {
    await this.fill('Message', text)
    await this.press('button', 'Send')
  }

  /**
   * Waits until nothing runs any more: no Stop, nothing being written, and something behind the newest question; seen
   * twice.
   */
  async finished(ms = 90_000): Promise<void> {
    let before = ''
    await until(
      'the end of the answer',
      async () => {
        const now = await this.run<string>(`() => {
        const talk = document.querySelector('[role=log]')
        const stops = [...document.querySelectorAll('button')].some(button => (button.getAttribute('aria-label') ?? button.textContent ?? '').trim() === 'Stop')
        const articles = talk?.querySelectorAll('article') ?? []
        const newest = articles[articles.length - 1]?.getAttribute('aria-label')
        return stops || talk?.querySelector('article[aria-busy="true"]') || !newest || newest.startsWith('You') ? '' : articles.length + ' ' + newest
      }`)
        const same = now !== '' && now === before
        before = now
        return same
      },
      ms,
    )
  }

  /** Texts of all messages of a kind: `You`, `Assistant`, `Tool …`; their names tell when they were said as well. */
  said(label: string): Promise<string[]> {
    return this.run(
      'label => [...document.querySelectorAll("[role=log] article")].filter(article => article.getAttribute("aria-label").split(", ")[0] === label).map(article => article.innerText)',
      label,
    )
  }

  /** Opens another window and goes there; answers with how to go back. */
  async another(kind: { type: 'tab' | 'window'; private?: boolean }): Promise<{ handle: string; first: string }> {
    const first = (await this.#driven.say('WebDriver:GetWindowHandle')) as string
    const { handle } = (await this.#driven.say('WebDriver:NewWindow', kind)) as { handle: string }
    await this.switchTo(handle)
    return { handle, first }
  }
  async switchTo(handle: string): Promise<void> {
    await this.#driven.say('WebDriver:SwitchToWindow', { handle })
  }
  async closeWindow(): Promise<void> {
    await this.#driven.say('WebDriver:CloseWindow')
  }

  async screenshot(): Promise<Buffer> {
    return Buffer.from((await this.#driven.say('WebDriver:TakeScreenshot', { full: false })) as string, 'base64')
  }
}
