/** The ways in which a `llama-server` is started, and what is asked of the app in each. */
import { comes, connect, pane, row, say, seen, settled, until, use } from './llama-tab.ts'
import { loaded } from './llama-process.ts'
import {
  after,
  answered,
  article,
  begins,
  cell,
  first,
  killed,
  long,
  otherWindow,
  overflow,
  stop,
  type Cells,
  type Place,
} from './llama-cells.ts'

/**
 * A template that knows tools: with one that does not the app asks for JSON, and the model's own words are bent to it.
 */
const withTools = (files: Place['files']): string[] => ['--jinja', '--chat-template-file', files.tools]

export const modes: Record<string, (place: Place) => Promise<Cells>> = {
  async 'one model'(place) {
    const args = ['-m', place.files.tiny, '-c', '8192', ...withTools(place.files)]
    const server = await place.server(...args)
    await loaded(server)
    const bare = await place.tab()
    const settings = await connect(bare.page, server.origin)
    const without = await row(settings, 'tiny.gguf')
    const tab = await place.tab()
    const cells = await first(tab, server, 'tiny.gguf')
    return {
      ...cells,
      'connects without /v1': cell(/8[ ,]?192/.test(without), without),
      tools: cell((tab.sent[0]?.tools ?? 0) > 0, `${tab.sent[0]?.tools} sent`),
      'window learnt': cell(
        /of 8[ ,]?192/.test(await pane(tab.page)),
        after(await pane(tab.page), /of [\d ,]+ tokens/),
      ),
      ...(await stop(tab, server)),
      ...(await overflow(tab, 9_000)),
      ...(await killed(tab, server)),
      ...(await otherWindow(
        tab,
        server,
        ['-m', place.files.tiny, '-c', '12288', ...withTools(place.files)],
        /12[ ,]?288/,
      )),
    }
  },

  async '--api-key'(place) {
    const server = await place.server(
      '-m',
      place.files.tiny,
      ...withTools(place.files),
      '-c',
      '8192',
      '--api-key',
      'sk-right-000000',
    )
    await loaded(server)
    const tab = await place.tab()
    const settings = await connect(tab.page, `${server.origin}/v1`)
    const wants = await comes(tab.page, /wants a key/)
    await connect(tab.page, `${server.origin}/v1`, 'sk-wrong-000000')
    const wrong = await comes(tab.page, /does not accept the key/)
    const cells = await first(tab, server, 'tiny.gguf', { key: 'sk-right-000000' })
    void settings
    return {
      'told without a key': cell(wants, 'wants a key'),
      'told with a wrong key': cell(wrong, 'does not accept the key'),
      ...cells,
      ...(await stop(tab, server)),
      ...(await overflow(tab, 9_000)),
      ...(await killed(tab, server)),
    }
  },

  async 'one slot (-np 1)'(place) {
    const server = await place.server('-m', place.files.tiny, ...withTools(place.files), '-c', '8192', '-np', '1')
    await loaded(server)
    const [one, two] = [await place.tab(), await place.tab()]
    const cells = await first(one, server, 'tiny.gguf')
    await use(await connect(two.page, `${server.origin}/v1`), 'tiny.gguf')
    await begins(one, server, 'Go on for long.')
    await say(two.page, 'I wait.')
    await until(() => two.sent.length > 0)
    const waits = !/Once/.test(await seen(two.page))
    server.goOn()
    await settled(two.page)
    await settled(one.page)
    return {
      ...cells,
      'two chats at once': cell(
        waits && /Once/.test(await seen(two.page)) && two.sent[0]?.status === 200,
        'the second waits and is answered',
      ),
      ...(await stop(one, server)),
      ...(await overflow(one, 9_000)),
      ...(await killed(one, server)),
    }
  },

  async 'router, two models and one of embeddings'(place) {
    const server = await place.server('--models-dir', place.files.two, '-c', '8192', ...withTools(place.files))
    await loaded(server)
    const tab = await place.tab()
    const settings = await connect(tab.page, `${server.origin}/v1`)
    const listed = await row(settings, 'alpha')
    const embeds = await settings.getByRole('option', { name: /nomic/ }).count()
    const cells = await first(tab, server, 'alpha')
    const loadedNow = (
      (await (await fetch(`${server.origin}/models`)).json()) as { data: { id: string; status: { value: string } }[] }
    ).data
      .filter(({ status }) => status.value === 'loaded')
      .map(({ id }) => id)
    await say(tab.page, 'And again?')
    await settled(tab.page)
    const said = after(await pane(tab.page), /of [\d ,]+ tokens/)
    const result: Cells = {
      ...cells,
      'lists without embeddings': cell(embeds === 0, listed),
      'loads only what is asked': cell(loadedNow.join() === 'alpha', loadedNow.join(', ')),
      'window learnt': cell(/8[ ,]?192/.test(said), said),
      tools: cell((tab.sent.at(-1)?.tools ?? 0) > 0, `${tab.sent.at(-1)?.tools} sent`),
      ...(await overflow(tab, 9_000)),
    }
    await say(tab.page, '/model beta')
    await say(tab.page, 'And you?')
    await settled(tab.page)
    result['another model of it'] = cell(
      tab.sent.at(-1)?.model === 'beta' && tab.sent.at(-1)?.status === 200,
      `${tab.sent.at(-1)?.model}, ${tab.sent.at(-1)?.status}`,
    )
    return {
      ...result,
      stop: { none: 'the model is a process of its own here, which the bench cannot hold still; see the other rows' },
    }
  },

  async 'router, one model and one of embeddings'(place) {
    const server = await place.server('--models-dir', place.files.one, '-c', '8192')
    await loaded(server)
    const tab = await place.tab()
    const cells = await first(tab, server, 'alpha')
    await say(tab.page, 'And again?')
    await settled(tab.page)
    const said = after(await pane(tab.page), /of [\d ,]+ tokens/)
    return {
      ...cells,
      'window learnt': cell(/8[ ,]?192/.test(said), said),
      tools: cell(
        tab.sent.at(-1)?.tools === 0 && tab.sent.at(-1)?.inWords === true,
        `${tab.sent.at(-1)?.tools} sent, ${tab.sent.at(-1)?.inWords ? 'in words' : 'not in words'}`,
      ),
    }
  },

  async 'small window (-c 512)'(place) {
    const server = await place.server('-m', place.files.tiny, ...withTools(place.files), '-c', '512', '-np', '1')
    await loaded(server)
    const tab = await place.tab()
    const settings = await connect(tab.page, `${server.origin}/v1`)
    const listed = await row(settings, 'tiny.gguf')
    await use(settings, 'tiny.gguf')
    const cells: Cells = {
      connects: cell(true, listed),
      'window learnt': cell(/\b512\b/.test((await pane(tab.page)) + listed), listed),
    }
    await say(tab.page, 'Hi')
    const lengths = await settled(tab.page)
    const alert = (await tab.page.getByRole('alert').allInnerTexts()).join(' ').replace(/\s+/g, ' ')
    cells['streams'] = cell(
      alert === '' && lengths.length > 1 && tab.sent.at(-1)?.status === 200,
      `${lengths.length} looks, statuses ${tab.sent.map(({ status }) => status).join(', ')}; ${alert.slice(0, 300)}`,
    )
    await say(tab.page, long(3_000))
    await settled(tab.page)
    const told = after(await seen(tab.page), /It has [^;]*window \d+/)
    // A token of this model is a byte: the notice in a shortened text has 300 of them.
    return {
      ...cells,
      'overflow recognised': /window 512/.test(told)
        ? { none: `what is too long cannot be shortened enough where a byte is a token, and that is said: ${told}` }
        : cell(tab.sent.at(-1)?.status === 200, told),
    }
  },

  async '--context-shift'(place) {
    const server = await place.server(
      '-m',
      place.files.tiny,
      ...withTools(place.files),
      '-c',
      '12288',
      '-np',
      '1',
      '--context-shift',
    )
    await loaded(server)
    const tab = await place.tab()
    const cells = await first(tab, server, 'tiny.gguf')
    return {
      ...cells,
      'window learnt': cell(
        /of 12[ ,]?288/.test(await pane(tab.page)),
        after(await pane(tab.page), /of [\d ,]+ tokens/),
      ),
      ...(await overflow(tab, 13_000)),
    }
  },

  async '--jinja, a template with tools'(place) {
    const tab = await answered(place, 'says', 'What time is it?', '--jinja', '--chat-template-file', place.files.tools)
    const text = await seen(tab.page)
    return {
      tools: cell(
        (tab.sent[0]?.tools ?? 0) > 0 &&
          !tab.sent[0]!.inWords &&
          /The clock has answered/.test(text) &&
          tab.sent.length === 2,
        `${tab.sent[0]?.tools} sent, ${tab.sent.length} requests, ${after(text, /The clock has answered|get_time/)}`,
      ),
    }
  },

  async 'a template without tools'(place) {
    const tab = await answered(place, 'endless', 'What is there?')
    const [call] = tab.sent
    return {
      tools: cell(
        call?.tools === 0 && call.inWords && tab.sent.every(({ status }) => status === 200),
        `${call?.tools} sent, ${call?.inWords ? 'told in words, held to JSON by the server' : 'not told'}; ${tab.sent.length} request(s)`,
      ),
    }
  },

  async 'thoughts that the template opens'(place) {
    const tab = await answered(
      place,
      'thinker',
      'Think about it.',
      '--jinja',
      '--chat-template-file',
      place.files.thinks,
    )
    const text = await seen(tab.page)
    const asked = tab.sent.length
    const cells: Cells = {
      'thoughts to the limit': cell(
        asked === 1 && /thought until its output limit/.test(text),
        `${asked} request(s); ${after(text, /The model thought until[^.]*\./)}`,
      ),
    }
    const { page } = tab
    await page.getByRole('button', { name: 'Answer now' }).click()
    await settled(page)
    cells['answer now'] = cell(
      tab.sent.length === asked + 1 && /Here is the answer/.test(await article(page)),
      `${tab.sent.length - asked} request(s), thinking switched off: ${after(await article(page), /Here is the answer/)}`,
    )
    return cells
  },

  async 'slow loading'(place) {
    const args = ['-m', place.files.tiny, '-c', '8192', ...withTools(place.files)]
    const server = await place.server(...args)
    await loaded(server)
    const tab = await place.tab()
    const restart = async (): Promise<() => void> => {
      await server.kill()
      const starting = server.start(args)
      const faster = server.slowly()
      await starting
      return faster
    }
    let faster = await restart()
    await connect(tab.page, `${server.origin}/v1`)
    const told = await comes(tab.page, /is still loading/, 20)
    const cells: Cells = {
      'connecting meanwhile': cell(told, told ? 'is still loading its model' : await seen(tab.page)),
    }
    faster()
    await loaded(server)
    Object.assign(cells, await first(tab, server, 'tiny.gguf'))
    faster = await restart()
    await say(tab.page, 'Are you awake?')
    const words = (await until(async () => /loading|attempt/.test(await seen(tab.page)), 20))
      ? after(await seen(tab.page), /[^.]{0,80}(?:loading|attempt)[^.]{0,60}/)
      : 'nothing is said'
    faster()
    await settled(tab.page)
    cells['asked meanwhile'] = cell(
      tab.sent.at(-1)?.status === 200 && tab.sent.some(({ status }) => status === 503),
      `${words}; statuses ${tab.sent.map(({ status }) => status).join(', ')}`,
    )
    return cells
  },

  async 'CORS for its own page only (--cors-origins)'(place) {
    const server = await place.server('-m', place.files.tiny, '-c', '8192', '--cors-origins', 'http://example.org')
    await loaded(server)
    const tab = await place.tab()
    await connect(tab.page, `${server.origin}/v1`)
    const told = await comes(tab.page, /does not let this page read/)
    return {
      'told with what helps': cell(
        told,
        after(await seen(tab.page), /is there, but does not let this page read[^.]*\./),
      ),
    }
  },

  async 'only a model of embeddings'(place) {
    const server = await place.server(
      '-m',
      place.files.tiny,
      '-c',
      '2048',
      '--embeddings',
      '--alias',
      'nomic-embed-tiny',
    )
    await loaded(server)
    const tab = await place.tab()
    const settings = await connect(tab.page, `${server.origin}/v1`)
    const listed = await row(settings, 'nomic-embed-tiny')
    await use(settings, 'nomic-embed-tiny')
    await say(tab.page, 'Hi')
    await settled(tab.page)
    const alert = (await tab.page.getByRole('alert').allInnerTexts()).join(' ').replace(/\s+/g, ' ')
    return {
      'listed and told': cell(
        alert === '' || /embedding|not support/.test(alert),
        `${listed}; ${alert.slice(0, 240) || 'it answers all the same'}`,
      ),
    }
  },
}
