/** What is asked of the app at a `llama-server`, in whichever mode that was started: a cell of the table each. */
import { answers, connect, pane, row, say, seen, settled, until, use, type Tab } from './llama-tab.ts'
import { loaded, type Llama } from './llama-process.ts'

/** What a mode works with. `files`: models and templates, as the server finds them. */
export type Place = {
  files: Record<'tiny' | 'endless' | 'thinker' | 'says' | 'tools' | 'thinks' | 'two' | 'one', string>
  server(...args: string[]): Promise<Llama>
  tab(): Promise<Tab>
}

/** `none`: there is nothing to see in this mode, and why. */
export type Cell = { yes: string } | { no: string } | { none: string }
export type Cells = Record<string, Cell>

export const cell = (holds: boolean, what: string): Cell => (holds ? { yes: what } : { no: what })
export const after = (text: string, words: RegExp): string => words.exec(text)?.[0] ?? 'in other words'
export const article = (page: Tab['page']): Promise<string> => answers(page).last().innerText()

/** A text of about so many bytes, which are as many tokens of the tiny model. */
export const long = (bytes: number): string => 'The garden needs water in the morning. '.repeat(Math.ceil(bytes / 39))

/** Connects, chooses, asks: the first three columns. */
export async function first(
  tab: Tab,
  server: Llama,
  model: string,
  { path = '/v1', key }: { path?: string; key?: string } = {},
): Promise<Cells> {
  const settings = await connect(tab.page, `${server.origin}${path}`, key)
  const listed = await row(settings, model)
  await use(settings, model)
  await say(tab.page, 'Tell me something.')
  const lengths = await settled(tab.page)
  return {
    connects: cell(true, listed),
    streams: cell(
      lengths.length > 2 && tab.sent.every(({ status }) => status === 200),
      `${lengths.length} looks at a growing answer, ${tab.sent.length} request(s)`,
    ),
  }
}

/** What is too long for the window: one refusal at most, then an answer, and the true window in the pane. */
export async function overflow(tab: Tab, bytes: number): Promise<Cells> {
  const before = tab.sent.length
  await say(tab.page, long(bytes))
  await settled(tab.page)
  const refused = tab.sent.slice(before).filter(({ status }) => status !== 200)
  const text = await seen(tab.page)
  const alert = await tab.page.getByRole('alert').allInnerTexts()
  return {
    'overflow recognised': cell(
      alert.length === 0 && tab.sent.at(-1)?.status === 200 && refused.length <= 1,
      `${tab.sent.length - before} request(s), ${refused.length} refused; ${alert.join(' ') || after(text, /The request did not fit[^.]*\.|long texts were shortened[^.]*\.|\d+ messages? summarised[^A-Z]*/)}`,
    ),
  }
}

/** Stopped while the server has no time, so that it is sure that the answer was not done. */
export async function stop(tab: Tab, server: Llama): Promise<Cells> {
  const { page } = tab
  await begins(tab, server, 'Go on for long.')
  const had = (await article(page)).length
  await page.getByRole('button', { name: 'Stop' }).click()
  server.goOn()
  await settled(page)
  const cancelled = await until(() => /cancel task|stop: cancel/.test(server.log()), 10)
  return {
    stop: cell(
      cancelled && /Stopped/.test(await seen(page)),
      `${had} letters kept; the server ${cancelled ? 'ended the task' : 'went on'}`,
    ),
  }
}

/** Asks, and holds the server still once words have come. */
export async function begins(tab: Tab, server: Llama, question: string): Promise<void> {
  const count = await answers(tab.page).count()
  await say(tab.page, question)
  await until(async () => (await answers(tab.page).count()) > count && (await article(tab.page)).length > 20, 120, 10)
  server.hold()
}

/** Killed in mid-answer and started again: the answer grows in its place. Then killed between answers. */
export async function killed(tab: Tab, server: Llama): Promise<Cells> {
  const { page } = tab
  await begins(tab, server, 'Tell me a long story.')
  const count = await answers(page).count()
  await server.kill()
  await settled(page)
  const told = after(await seen(page), /(?:cut off|Broken off|broke off)[^;]{0,120}/i)
  await server.start()
  await loaded(server)
  const button = page.getByRole('button', { name: /^(Continue|Retry)$/ }).first()
  const name = await button.innerText()
  const before = (await article(page)).length
  await button.click()
  await settled(page)
  const [now, grown] = [await article(page), await answers(page).count()]
  const cells: Cells = {
    'killed in mid-answer': cell(
      name === 'Continue' &&
        now.indexOf('Once') >= 0 &&
        now.indexOf('Once') < 60 &&
        now.length > before &&
        grown <= count,
      `${told}; ${name}; ${before} → ${now.length} letters in the same answer`,
    ),
  }
  await server.kill()
  await say(page, 'Are you there?')
  await settled(page, 60)
  const said = (await page.getByRole('alert').allInnerTexts()).join(' ').replace(/\s+/g, ' ')
  await server.start()
  await loaded(server)
  const sent = tab.sent.length
  if (said !== '') await page.getByRole('button', { name: 'Retry' }).click()
  await settled(page)
  cells['killed between answers'] = cell(
    tab.sent.length > sent - (said === '' ? 1 : 0) && tab.sent.at(-1)?.status === 200,
    `${said.slice(0, 160) || 'answered by itself, after tries'}; then answered`,
  )
  return cells
}

/** Away when it is asked, and back with another window: the next answer has it looked at again. */
export async function otherWindow(tab: Tab, server: Llama, args: readonly string[], tokens: RegExp): Promise<Cells> {
  await server.kill()
  await say(tab.page, 'And now?')
  await settled(tab.page, 60)
  await server.start(args)
  await loaded(server)
  await tab.page.getByRole('button', { name: 'Retry' }).click()
  await settled(tab.page)
  const said = after(await pane(tab.page), /of [\d ,]+ tokens/)
  return { 'back with another window': cell(tokens.test(said), said) }
}

/** A server with this model, and a tab in which it has answered the question. */
export async function answered(
  place: Place,
  model: 'says' | 'endless' | 'thinker',
  question: string,
  ...args: string[]
): Promise<Tab> {
  const server = await place.server('-m', place.files[model], '-c', '8192', ...args)
  await loaded(server)
  const tab = await place.tab()
  await use(await connect(tab.page, `${server.origin}/v1`), `${model}.gguf`)
  await say(tab.page, question)
  await settled(tab.page)
  return tab
}
