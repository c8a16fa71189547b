/** C12: a turn always ends, and nothing that was paid for is asked for again. */
import { describe, expect, it } from 'vitest'
import { testAgent, logSummary, sendAndSettle, type TestAgent } from '../agent.fixture.ts'

async function opened(
  script: Parameters<typeof testAgent>[0],
  options?: Parameters<typeof testAgent>[1],
): Promise<TestAgent & { id: string }> {
  const b = testAgent(script, options)
  const { id } = await b.agent.create('A chat')
  return { ...b, id }
}
const call = (name: string, args: Record<string, unknown> | string = {}) => ({ calls: [{ name, arguments: args }] })
const goOn = async (b: TestAgent & { id: string }, how?: 'more room' | 'answer now') => {
  b.events.length = 0
  await b.agent.resume(b.id, how)
  return b.settled(b.id)
}
const asks = (b: TestAgent) => b.model.requests.map(({ toolChoice }) => toolChoice ?? 'auto').join(' ')

describe('thoughts', () => {
  const thoughts = 'It may be 17. Or 19? '.repeat(20)

  it('that reach the output limit are kept, told with the limit, and nothing is asked again by itself', async () => {
    const b = await opened([{ reasoning: thoughts, stop: 'length', usage: { input: 2000, output: 6553 } }])
    expect(await sendAndSettle(b, b.id, 'Which?')).toEqual({ state: 'idle' })
    expect(b.model.requests).toHaveLength(1)
    const log = await b.log(b.id)
    expect(log[1]).toMatchObject({ type: 'assistant', reasoning: thoughts, stop: 'length', usage: { output: 6553 } })
    expect(log[2]).toMatchObject({
      type: 'note',
      code: 'thought_limit',
      tokens: 8192,
      text: expect.stringMatching(/until its output limit of 8.192 tokens/) as string,
    })
    expect((await b.agent.context(b.id)).spent).toMatchObject({ output: 6553 })
  })

  it('go along when the answer is gone on with, with twice the room', async () => {
    const b = await opened(
      [{ reasoning: thoughts, stop: 'length' }, { reasoning: 'Still thinking.', stop: 'length' }, '19.'],
      { model: { maxOutput: 65_536 } },
    )
    await sendAndSettle(b, b.id, 'Which?')
    await goOn(b, 'more room')
    expect(await goOn(b, 'more room')).toEqual({ state: 'idle' })
    expect(b.model.requests.map(({ maxTokens }) => maxTokens)).toEqual([8192, 16_384, 32_768])
    expect(b.model.requests[1]!.messages.map(({ role }) => role)).toEqual(['user', 'user'])
    expect(b.model.requests[1]!.messages[1]!.content).toContain(thoughts.trim())
    expect(b.model.requests[2]!.messages[1]!.content).toContain('Still thinking.')
    expect(logSummary(await b.log(b.id)).at(-1)).toBe('assistant: 19.')
    // what was said stays, what was thought does not
    expect((await b.agent.view(b.id)).map(({ content }) => content).join()).not.toContain('Or 19?')
  })

  it('are asked to end where the person wants the answer now', async () => {
    const b = await opened([{ reasoning: thoughts, stop: 'length' }, '19.'])
    await sendAndSettle(b, b.id, 'Which?')
    await goOn(b, 'answer now')
    expect(b.model.requests[1]).toMatchObject({ maxTokens: 8192 })
    expect(b.model.requests[1]!.messages.at(-1)!.content).toMatch(/Or 19\?[^]*Answer now/)
  })

  it('alone are an answer also where no limit ended them, and where the provider does not show them', async () => {
    const shown = await opened([{ reasoning: thoughts }])
    expect(await sendAndSettle(shown, shown.id, 'Hi')).toEqual({ state: 'idle' })
    expect(logSummary(await shown.log(shown.id))).toEqual(['user: Hi', 'assistant: ', 'note thought_limit'])
    const hidden = await opened([{ stop: 'length', usage: { input: 2000, output: 4096 } }, 'Now.'])
    await sendAndSettle(hidden, hidden.id, 'Hi')
    expect(logSummary(await hidden.log(hidden.id))).toEqual(['user: Hi', 'assistant (length): ', 'note thought_limit'])
    await goOn(hidden, 'more room')
    expect(hidden.model.requests[1]!.messages.at(-1)!.content).toBe('Think briefly, then answer.')
  })

  it('never make the request larger than the window, nor drive anything out of it', async () => {
    const b = await opened(
      request =>
        request.messages.length > 4 || request.maxTokens !== 819
          ? '19.'
          : { reasoning: 'x '.repeat(4000), stop: 'length' },
      { model: { contextWindow: 4096 } },
    )
    await sendAndSettle(b, b.id, 'Which? '.repeat(150))
    await goOn(b, 'more room')
    const { system, messages, tools, maxTokens = 0 } = b.model.requests[1]!
    expect(
      (system.length + JSON.stringify(tools).length + messages.map(({ content }) => content).join('').length) / 4 +
        maxTokens,
    ).toBeLessThanOrEqual(4096)
    expect(maxTokens).toBeGreaterThan(819)
    expect((await b.log(b.id)).some(({ type }) => type === 'cut' || type === 'shorten')).toBe(false)
  })

  it('that had come when the connection broke are kept, and go along', async () => {
    const b = await opened([{ reasoning: ['One ', 'two '], fail: { code: 'network', after: 2 } }, 'Three.'])
    expect(await sendAndSettle(b, b.id, 'Count')).toEqual({ state: 'interrupted' })
    expect((await b.log(b.id))[1]).toMatchObject({ type: 'assistant', reasoning: 'One two ', stop: 'failed' })
    await goOn(b)
    expect(b.model.requests[1]!.messages.at(-1)!.content).toContain('One two')
  })
})

describe('a model that goes in circles', () => {
  const answers = (always: ReturnType<typeof call>, atLast: string | undefined) => (request: { toolChoice?: string }) =>
    request.toolChoice === 'none' && atLast !== undefined ? atLast : always

  it.each([
    ['an unknown tool', call('run_shell', { cmd: 'ls' })],
    ['arguments that are no JSON', call('write_file', '{"path":"workspace/a.md","content":"x"')],
  ])('with %s is asked to answer without tools after the third', async (_, faulty) => {
    const b = await opened(answers(faulty, 'I give up.'))
    expect(await sendAndSettle(b, b.id, 'Write it')).toEqual({ state: 'idle' })
    expect(asks(b)).toBe('auto auto auto none')
    const log = await b.log(b.id)
    expect(log.filter(entry => entry.type === 'note' && entry.code === 'loop_broken')).toHaveLength(1)
    expect(logSummary(log).at(-1)).toBe('assistant: I give up.')
  })

  it('counts the same fault whatever the rest of the call says, and not one that another call stands between', async () => {
    let n = 0
    const b = await opened(request => (request.toolChoice === 'none' ? 'I give up.' : call('run_shell', { n: n++ })))
    await sendAndSettle(b, b.id, 'Hi')
    expect(asks(b)).toBe('auto auto auto none')
    const helped = await opened([
      call('run_shell'),
      call('run_shell'),
      call('list_files'),
      call('run_shell'),
      call('run_shell'),
      'Done.',
    ])
    await sendAndSettle(helped, helped.id, 'Hi')
    expect(logSummary(await helped.log(helped.id)).at(-1)).toBe('assistant: Done.')
  })

  it('and calls on although it may not is stopped, with Continue, which begins anew', async () => {
    const b = await opened(() => call('run_shell'))
    expect(await sendAndSettle(b, b.id, 'Hi')).toEqual({ state: 'interrupted' })
    expect(asks(b)).toBe('auto auto auto none')
    expect(logSummary(await b.log(b.id)).at(-1)).toBe('note loop_ended')
    expect((await testAgent([], { store: b.store, prefix: 'n' }).agent.open(b.id)).status).toEqual({
      state: 'interrupted',
    })
    expect(await goOn(b)).toEqual({ state: 'interrupted' })
    expect(asks(b)).toBe('auto auto auto none auto auto auto none')
    const speaks = await opened(request => ({
      ...call('run_shell'),
      text: request.toolChoice === 'none' ? 'As I said.' : '',
    }))
    expect(await sendAndSettle(speaks, speaks.id, 'Hi')).toEqual({ state: 'idle' })
    expect(logSummary(await speaks.log(speaks.id)).slice(-2)).toEqual(['assistant: As I said.', 'note loop_ended'])
  })

  it('with good calls whose results it has is asked to answer after six of them', async () => {
    const b = await opened(answers(call('memory_search', { query: 'zebra' }), 'There is none.'))
    expect(await sendAndSettle(b, b.id, 'Look it up')).toEqual({ state: 'idle' })
    expect(asks(b)).toBe('auto auto auto auto auto auto auto none')
    let n = 0
    const two = await opened(request =>
      request.toolChoice === 'none' ? 'None.' : call('memory_search', { query: n++ % 2 ? 'zebra' : 'lion' }),
    )
    await sendAndSettle(two, two.id, 'Look it up')
    expect(asks(two)).toBe('auto auto auto auto auto auto auto auto none')
  })

  it('is none that asks for the time, writes between, or finds something new', async () => {
    const times = Array.from({ length: 9 }, () => call('get_time'))
    const clock = await opened([...times, 'Noon.'])
    await sendAndSettle(clock, clock.id, 'Wait for noon')
    expect(asks(clock)).not.toContain('none')
    const write = (n: number) => call('write_file', { path: 'workspace/a.md', content: String(n) })
    const writes = await opened([
      ...Array.from({ length: 8 }, (_, n) => (n % 2 ? write(n) : call('list_files'))),
      'Done.',
    ])
    await writes.store.updateSession(writes.id, { allowed: ['write_file'] })
    await sendAndSettle(writes, writes.id, 'Write')
    expect(asks(writes)).not.toContain('none')
    const finds = await opened([
      ...Array.from({ length: 9 }, (_, n) => call('memory_search', { query: `word${n}` })),
      'Done.',
    ])
    await sendAndSettle(finds, finds.id, 'Look')
    expect(asks(finds)).not.toContain('none')
  })

  it('is told that the output limit cut its call off, not that its JSON has a slip', async () => {
    const b = await opened([
      { ...call('write_file', '{"path":"workspace/a.md","content":"half of'), stop: 'length' },
      'In pieces then.',
    ])
    await sendAndSettle(b, b.id, 'Write it')
    expect((await b.log(b.id)).find(({ type }) => type === 'result')).toMatchObject({
      isError: true,
      text: expect.stringMatching(/cut off at the output limit/) as string,
    })
  })
})

describe('the output limit', () => {
  it('is a setting, and what it is is kept free and asked for; what a chat sets stands before the model’s, and that before all chats’', async () => {
    const b = await opened(() => 'ok', { model: { contextWindow: 100_000, outputLimit: 5_000, maxOutput: 50_000 } })
    const limit = async () => {
      await sendAndSettle(b, b.id, 'Hi')
      const { outputReserve } = await b.agent.context(b.id)
      expect(b.model.requests.at(-1)!.maxTokens).toBe(outputReserve)
      return outputReserve
    }
    await b.agent.setConfig(null, { max_output_tokens: 3_000 })
    expect(await limit()).toBe(5_000)
    await b.agent.command(b.id, '/config max_output_tokens 20000')
    expect(await limit()).toBe(20_000)
    await b.agent.setConfig(b.id, { max_output_tokens: 90_000 })
    expect(await limit()).toBe(50_000) // half of the window
    const plain = await opened(() => 'ok', { model: { contextWindow: 100_000 } })
    await plain.agent.setConfig(null, { max_output_tokens: 3_000 })
    await sendAndSettle(plain, plain.id, 'Hi')
    expect(plain.model.requests[0]!.maxTokens).toBe(3_000)
  })
})

describe('how much is thought', () => {
  const efforts = ['off', 'low', 'high'] as const

  it('is set for a chat or all, and asked for as near as the model can', async () => {
    const b = await opened(() => 'ok', { model: { efforts } })
    const effort = async (set: string) => {
      await b.agent.setConfig(b.id, { reasoning_effort: set })
      await sendAndSettle(b, b.id, 'Hi')
      return b.model.requests.at(-1)!.effort
    }
    for (const [set, asked] of [
      ['default', undefined],
      ['off', 'off'],
      ['low', 'low'],
      ['medium', 'low'],
      ['high', 'high'],
    ] as const)
      expect(await effort(set)).toBe(asked)
    const cannot = await opened(() => 'ok')
    await cannot.agent.setConfig(null, { reasoning_effort: 'high' })
    await sendAndSettle(cannot, cannot.id, 'Hi')
    expect(cannot.model.requests[0]).not.toHaveProperty('effort')
  })

  it.each([
    ['en', /has no effect/, /asked for “low”/],
    ['zh', /不起作用/, /实际按“low”请求/],
  ] as const)(
    'is said in %s not to be heard, or not so, where the model in use cannot be told',
    async (language, nothing, instead) => {
      const noteOf = async (b: Awaited<ReturnType<typeof opened>>, line: string): Promise<string> => {
        expect(await b.agent.command(b.id, line)).toEqual({})
        const note = (await b.log(b.id)).at(-1)
        return note?.type === 'note' ? note.text : ''
      }
      const deaf = await opened(() => 'ok')
      await deaf.agent.setLanguage(language)
      for (const line of [
        '/config reasoning_effort high',
        '/config reasoning_effort',
        '/config reasoning_effort off --all',
        '/config {"reasoning_effort": "low"}',
      ])
        expect(await noteOf(deaf, line), line).toMatch(nothing)
      // it does not take effect
      expect(await noteOf(deaf, '/config reasoning_effort high')).not.toMatch(/next request|下一次请求/)
      expect(await noteOf(deaf, '/config max_output_tokens 3000')).not.toMatch(nothing)
      const b = await opened(() => 'ok', { model: { efforts } })
      await b.agent.setLanguage(language)
      expect(await noteOf(b, '/config reasoning_effort medium')).toMatch(instead)
      for (const line of [
        '/config reasoning_effort high',
        '/config reasoning_effort default',
        '/config reasoning_effort',
      ])
        expect(await noteOf(b, line), line).not.toMatch(/“|has no effect|不起作用/)
    },
  )

  it('is as little as can be where the answer is wanted now', async () => {
    const b = await opened([{ reasoning: 'Hm.', stop: 'length' }, 'Now.'], { model: { efforts } })
    await b.agent.setConfig(b.id, { reasoning_effort: 'high' })
    await sendAndSettle(b, b.id, 'Hi')
    await goOn(b, 'answer now')
    expect(b.model.requests.map(({ effort }) => effort)).toEqual(['high', 'off'])
  })
})

it('that a server takes no tools is told where it was found out', async () => {
  const b = await opened([{ text: 'Hi.', toolsInWords: true }, 'Again.'])
  await sendAndSettle(b, b.id, 'Hi')
  await sendAndSettle(b, b.id, 'Hi')
  expect((await b.log(b.id)).filter(({ type }) => type === 'note')).toMatchObject([
    { code: 'tools_in_words', data: { model: 'scripted' } },
  ])
})
