/** A turn runs its tools, is stopped, and meets failures of its model. */
import { describe, expect, it } from 'vitest'
import { strategyNames } from '../../context/strategy.ts'
import { AgentError } from '../../errors.ts'
import { utf8Bytes } from '../../text/bytes.ts'
import { testAgent, logSummary, sendAndSettle } from '../agent.fixture.ts'
import { scriptedCall, openedChat } from './run-turn.fixture.ts'

describe('tools in a turn', () => {
  it('answers arguments that are no JSON with the parser’s message, and goes on', async () => {
    const b = await openedChat([scriptedCall('get_time', '{"a":'), 'Sorry.'])
    await sendAndSettle(b, b.id, 'Hi')
    const result = (await b.log(b.id)).find(entry => entry.type === 'result')
    expect(result).toMatchObject({ isError: true })
    expect(result?.type === 'result' && result.text).toMatch(/not valid JSON: .*JSON/)
  })

  it('answers an unknown tool with the names that there are', async () => {
    const b = await openedChat([scriptedCall('run_shell'), 'Sorry.'])
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
    const b = await openedChat([scriptedCall('fetch_url', { url: 'https://example.org/' }, 'c1'), 'Read.'], {
      readPage,
    })
    await b.store.updateSession(b.id, { allowed: ['fetch_url example.org'] })
    expect(await sendAndSettle(b, b.id, 'Read it')).toEqual({ state: 'interrupted' })
    expect(b.events.findLast(event => event.type === 'failed')).toMatchObject({ code: 'new_version' })
    gone = false
    b.events.length = 0
    await b.agent.resume(b.id)
    expect(await b.settled(b.id)).toEqual({ state: 'idle' })
    expect(logSummary(await b.log(b.id)).at(-1)).toBe('assistant: Read.')
  })

  it.each(strategyNames.flatMap(strategy => [75_000, 300_000].map(bytes => ({ strategy, bytes }))))(
    'keeps a page of $bytes bytes whole under $strategy, shows what a tool may give, and says where the rest is',
    async ({ strategy, bytes }) => {
      const markdown = Array.from({ length: bytes / 50 }, (_, n) => `line ${n}`.padEnd(49, '.')).join('\n')
      const path = (content = ''): string => /tool_result\/\w+\.txt/.exec(content)?.[0] ?? 'nowhere'
      const b = await openedChat(
        (request, index) =>
          index === 0
            ? scriptedCall('fetch_url', { url: 'https://example.org/' })
            : index === 1
              ? scriptedCall('read_file', {
                  path: path(request.messages.at(-1)?.content),
                  start_line: 1_400,
                  end_line: 1_400,
                })
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
    const b = await openedChat([scriptedCall('read_file', { path: 'nowhere.txt' }), 'Sorry.'])
    await sendAndSettle(b, b.id, 'Hi')
    expect((await b.log(b.id)).find(entry => entry.type === 'result')).toMatchObject({ isError: true })
  })

  it('does not run the third identical call with equal results, nor the fourth', async () => {
    const same = scriptedCall('list_files')
    const b = await openedChat([same, same, same, same, 'Enough.'])
    await sendAndSettle(b, b.id, 'Hi')
    const log = await b.log(b.id)
    expect(log.filter(entry => entry.type === 'result').map(entry => entry.type === 'result' && entry.isError)).toEqual(
      [false, false, true, true],
    )
    expect(log.filter(entry => entry.type === 'note' && entry.code === 'loop_broken')).toHaveLength(2)
  })

  it('lets clocks be asked again and again', async () => {
    const same = scriptedCall('get_time')
    const b = await openedChat([same, same, same, same, 'Enough.'])
    await sendAndSettle(b, b.id, 'Hi')
    expect((await b.log(b.id)).every(entry => entry.type !== 'result' || !entry.isError)).toBe(true)
  })

  it('takes a write between identical calls as a new beginning', async () => {
    const read = scriptedCall('list_files')
    const write = scriptedCall('write_file', { path: 'workspace/a.md', content: 'x' })
    const b = await openedChat([read, read, write, read, read, 'Done.'])
    await b.store.updateSession(b.id, { allowed: ['write_file'] })
    await sendAndSettle(b, b.id, 'Hi')
    expect((await b.log(b.id)).every(entry => entry.type !== 'result' || !entry.isError)).toBe(true)
  })

  it('asks for a final answer without tools at the step limit, and does not run what is called all the same', async () => {
    const b = await openedChat((_request, index) => ({ ...scriptedCall('get_time'), text: `step ${index}` }))
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
    const b = await openedChat([times(3), times(2), 'Noon.'])
    await b.agent.setConfig(b.id, { agent_max_steps: 2 })
    await sendAndSettle(b, b.id, 'Hi')
    expect((await b.log(b.id)).filter(entry => entry.type === 'result')).toHaveLength(5)
    expect(b.model.requests.map(request => request.toolChoice)).toEqual([undefined, undefined, 'none'])
  })

  it('begins anew with each message', async () => {
    const b = await openedChat([times(1), 'Noon.', times(1), 'Later.'])
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

describe('stop', () => {
  it('keeps the part that had come, and marks it', async () => {
    const b = await openedChat([{ text: ['One ', 'two ', 'three ', 'four '], delayMs: 5 }])
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
    const b = await openedChat([{ text: ['One ', 'two '], delayMs: 5 }, 'three.'])
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
    const b = await openedChat([fails('network'), fails('model_server'), fails('network'), 'Here I am.'])
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
    const b = await openedChat([
      fails('network'),
      fails('network'),
      fails('network'),
      fails('network'),
      'Late, but here.',
    ])
    expect(await sendAndSettle(b, b.id, 'Hi')).toEqual({ state: 'interrupted' })
    expect(logSummary(await b.log(b.id))).toEqual(['user: Hi', 'note network'])
    expect(b.events.find(event => event.type === 'failed')).toMatchObject({ code: 'network' })
    b.events.length = 0
    await b.agent.resume(b.id)
    await b.settled(b.id)
    expect(logSummary(await b.log(b.id)).at(-1)).toBe('assistant: Late, but here.')
  })

  it('are waited for as long as the server says, and above a minute they become a note', async () => {
    const b = await openedChat([
      fails('model_rate_limited', { retryAfterMs: 7000 }),
      fails('model_rate_limited', { retryAfterMs: 61_000 }),
    ])
    expect(await sendAndSettle(b, b.id, 'Hi')).toEqual({ state: 'interrupted' })
    expect(b.world.slept.some(ms => ms >= 7000 && ms <= 8400)).toBe(true)
    const note = (await b.log(b.id)).at(-1)
    expect(note).toMatchObject({ type: 'note', code: 'retry' })
  })

  it('are not tried again for other refusals', async () => {
    const b = await openedChat([fails('model_auth')])
    expect(await sendAndSettle(b, b.id, 'Hi')).toEqual({ state: 'interrupted' })
    expect(b.model.requests).toHaveLength(1)
  })

  it('after the first part keep what came, and it is continued', async () => {
    const b = await openedChat([fails('network', undefined, 1), 'and the rest.'])
    expect(await sendAndSettle(b, b.id, 'Hi')).toEqual({ state: 'interrupted' })
    expect(logSummary(await b.log(b.id))).toEqual(['user: Hi', 'assistant (failed): part one ', 'note network'])
    b.events.length = 0
    await b.agent.resume(b.id)
    expect(await b.settled(b.id)).toEqual({ state: 'idle' })
    expect(b.model.requests).toHaveLength(2)
  })

  it('can be stopped while they are waited for', async () => {
    const b = await openedChat([fails('model_rate_limited', { retryAfterMs: 50_000 }), 'Never.'])
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
    const once = await openedChat(['', 'Now.'])
    await sendAndSettle(once, once.id, 'Hi')
    expect(logSummary(await once.log(once.id))).toEqual(['user: Hi', 'assistant: Now.'])
    const twice = await openedChat(['', ' '])
    expect(await sendAndSettle(twice, twice.id, 'Hi')).toEqual({ state: 'interrupted' })
    expect(logSummary(await twice.log(twice.id))).toEqual(['user: Hi', 'note model_empty'])
  })

  it('a model that is not there is said, and the question is kept', async () => {
    const b = await openedChat(['x'])
    await b.agent.choose(b.id, { model: 'gone' })
    expect(await sendAndSettle(b, b.id, 'Hi')).toEqual({ state: 'interrupted' })
    expect(logSummary(await b.log(b.id))).toEqual(['user: Hi', 'note model_unavailable'])
  })
})
