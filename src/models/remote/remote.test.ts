import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { names } from '../../../e2e/servers/fake-scenarios.ts'
import { startFakeServer, type FakeServer } from '../../../e2e/servers/fake-server.ts'
import { overflowBodies } from '../../../e2e/servers/overflow-bodies.ts'
import { AgentError } from '../../core/errors.ts'
import type { Message, ModelPart, ModelRequest } from '../../core/log/message.ts'
import type { Model, Server } from '../../core/ports/ports.ts'
import { createAllowedFetch } from '../../net/allowed-fetch.ts'
import { modelLaws, collectParts, plainRequest, thrownBy } from '../model.laws.ts'
import { remote } from './remote.ts'

const sample = 'The quick brown fox — 敏捷的棕色狐狸 🦊 — jumps.'
const key = 'sk-test-0123456789abcdefSECRET'
/** Those that end, and within a moment. */
const ending = names.filter(name => !['hang', 'waits', 'slow', 'fast', 'rush', 'buffered'].includes(name))
let fake: FakeServer
let fetchAllowed: ReturnType<typeof createAllowedFetch>

beforeAll(async () => {
  fake = await startFakeServer({ key })
  fetchAllowed = createAllowedFetch({
    store: { setting: async () => undefined, saveSetting: async () => undefined },
    now: () => 0,
  })
  fetchAllowed.allow([fake.url])
})
afterAll(() => fake.stop())

let count = 0
function model(name: string, changes: Partial<Server> & { contextWindow?: number } = {}): Model {
  const server: Server = { id: `s${++count}`, name: 'Fake', baseUrl: fake.url, key, models: [], ...changes }
  return remote({
    server,
    name,
    contextWindow: changes.contextWindow ?? 32_768,
    local: true,
    fetch: fetchAllowed.model,
  })
}
const saying = (content: string, ...more: Message[]): ModelRequest => ({
  ...plainRequest,
  messages: [{ role: 'user', content }, ...more],
})
const textOf = (parts: readonly ModelPart[]): string =>
  parts.map(part => (part.type === 'text' ? part.text : '')).join('')
const thoughtOf = (parts: readonly ModelPart[]): string =>
  parts.map(part => (part.type === 'reasoning' ? part.text : '')).join('')
const callsOf = (parts: readonly ModelPart[]): unknown[] =>
  parts.flatMap(part => (part.type === 'call' ? [{ name: part.call.name, arguments: part.call.arguments }] : []))
const codeFor = async (name: string): Promise<string> => {
  const thrown = await thrownBy(model(name))
  return thrown instanceof AgentError ? thrown.code : String(thrown)
}

modelLaws('remote', {
  answers: async () => model('chat'),
  goesOn: async () => model('slow'),
  calls: async () => model('call'),
  overflows: async () => model('overflow'),
  fails: Object.fromEntries(
    [
      'error-in-stream',
      'error-text',
      'error-event',
      'broken-off',
      'garbage',
      'output-cap',
      'html',
      'html-502',
      'plain',
      'redirect',
      'unauthorised',
      'credit',
      'missing',
      'rate-limited',
      'down',
      'soft-overflow',
    ].map(name => [name, async () => model(name)]),
  ),
})

describe('every shape of a stream gives the same text', () => {
  for (const name of [
    'crlf',
    'cr',
    'split',
    'no-done',
    'open-end',
    'comments',
    'no-blank-lines',
    'json',
    'json-lines',
    'refuse-usage',
    'buffered',
    'usage-in-choice',
    'no-usage',
  ]) {
    it(name, async () => {
      const parts = await collectParts(model(name))
      expect(textOf(parts)).toBe(sample)
      expect(parts.at(-1)).toMatchObject({ type: 'finish', stop: 'stop' })
    })
  }

  it('no scenario of the server leaves a model without an end', async () => {
    await Promise.all(
      ending.map(async name => {
        const ended = await collectParts(model(name)).then(
          parts => parts.at(-1)?.type,
          (thrown: unknown) => (thrown instanceof AgentError ? thrown.code : 'foreign'),
        )
        expect([name, ended]).not.toEqual([name, 'foreign'])
        expect(ended).toBeDefined()
      }),
    )
  })
})

describe('reasoning', () => {
  for (const name of ['reasoning', 'reasoning-field', 'reasoning-text', 'reasoning-twice']) {
    it(name, async () => {
      const parts = await collectParts(model(name))
      expect(thoughtOf(parts)).toBe('I think about it.')
      expect(textOf(parts)).toBe('The answer.')
    })
  }
  it('is taken out of tags in the text', async () => {
    const parts = await collectParts(model('think'))
    expect(thoughtOf(parts).trim()).toBe('I think.')
    expect(textOf(parts)).toBe('The answer.')
  })
  it('is all there is when its tag is never closed', async () => {
    const parts = await collectParts(model('think-open'))
    expect(thoughtOf(parts)).toBe('I think and think')
    expect(textOf(parts)).toBe('')
    expect(parts.at(-1)).toMatchObject({ stop: 'length' })
  })
  it('is known from the second answer on where the template opens the tag', async () => {
    const one = model('think-template', { baseUrl: `${fake.url}/` }) // another address: nothing is known of it yet
    expect(textOf(await collectParts(one))).toBe('I think.\nThe answer.')
    const parts = await collectParts(one)
    expect(thoughtOf(parts).trim()).toBe('I think.')
    expect(textOf(parts)).toBe('The answer.')
  })
})

describe('tool calls', () => {
  const read = { name: 'read_file', arguments: '{"path":"MEMORY.md"}' }
  const shapes: Record<string, unknown[]> = {
    call: [read],
    calls: [read, { name: 'get_time', arguments: '{}' }],
    'call-no-index': [read],
    'call-ids-repeat': [read],
    'call-ids-change': [read],
    'call-index-zero': [read, { name: 'get_time', arguments: '{}' }],
    'call-whole': [read],
    'call-object': [read],
    'call-empty': [{ name: 'get_time', arguments: '{}' }],
    'call-legacy': [read],
    'call-stop': [read],
  }
  for (const [name, calls] of Object.entries(shapes)) {
    it(name, async () => {
      const parts = await collectParts(model(name))
      expect(callsOf(parts)).toEqual(calls)
      expect(textOf(parts)).toBe('I look. ')
      expect(parts.at(-1)).toMatchObject({ type: 'finish', stop: 'calls' })
      const ids = parts.flatMap(part => (part.type === 'call' ? [part.call.id] : []))
      expect(new Set(ids).size).toBe(ids.length)
    })
  }
  it('are announced while they are written', async () => {
    const parts = await collectParts(model('call'))
    expect(parts.filter(part => part.type === 'calling').at(-1)).toEqual({
      type: 'calling',
      name: 'read_file',
      chars: read.arguments.length,
    })
  })
})

describe('usage and stop reasons', () => {
  it('parts cached tokens from new ones', async () => {
    expect((await collectParts(model('usage-cached'))).at(-1)).toEqual({
      type: 'finish',
      stop: 'stop',
      usage: { input: 40, cacheRead: 60, output: 12 },
    })
  })
  it('finds usage inside choices, and none where there is none', async () => {
    expect((await collectParts(model('usage-in-choice'))).at(-1)).toMatchObject({ usage: { input: 40, output: 12 } })
    expect((await collectParts(model('no-usage'))).at(-1)).toEqual({ type: 'finish', stop: 'stop' })
  })
  it('hears of a window that was full, wherever the server says so', async () => {
    expect((await collectParts(model('truncated'))).at(-1)).toMatchObject({ stop: 'stop', truncated: true })
    expect((await collectParts(model('truncated'), saying('[[truncated beside]]'))).at(-1)).toMatchObject({
      stop: 'stop',
      truncated: true,
    })
    expect((await collectParts(model('chat'))).at(-1)).not.toHaveProperty('truncated')
  })
  it('names the others', async () => {
    expect((await collectParts(model('length'))).at(-1)).toMatchObject({ stop: 'length' })
    expect((await collectParts(model('filtered'))).at(-1)).toMatchObject({ stop: 'filtered' })
    expect((await collectParts(model('empty'))).map(part => part.type)).toEqual(['finish'])
  })
})

describe('failures', () => {
  it.each([
    ['unauthorised', 'model_auth'],
    ['credit', 'model_credit'],
    ['missing', 'model_not_found'],
    ['rate-limited', 'model_rate_limited'],
    ['down', 'model_server'],
    ['html', 'model_protocol'],
    ['html-502', 'model_server'],
    ['plain', 'model_protocol'],
    ['garbage', 'model_protocol'],
    ['broken-off', 'network'],
    ['error-in-stream', 'model_server'],
    ['error-text', 'model_server'],
    ['error-event', 'model_overflow'],
    ['soft-overflow', 'model_overflow'],
    ['output-cap', 'model_output_cap'],
    ['redirect', 'blocked_address'],
  ])('%s is %s', async (name, code) => {
    expect(await codeFor(name)).toBe(code)
  })

  it.each(overflowBodies.map(({ provider, limit }) => [provider, limit]))(
    '%s: a request that does not fit is an overflow',
    async (provider, limit) => {
      const thrown = (await thrownBy(
        model('overflow', { name: String(provider) }),
        saying(`[[overflow ${provider}]]`),
      )) as AgentError
      expect(thrown.code).toBe('model_overflow')
      expect(thrown.data['limit']).toBe(limit)
    },
  )

  it('tells how long to wait', async () => {
    expect(((await thrownBy(model('rate-limited'))) as AgentError).data['retryAfterMs']).toBe(2_000)
  })

  it('is not there after the server was off', async () => {
    const gone = await startFakeServer()
    await gone.stop()
    fetchAllowed.allow([fake.url, gone.url])
    const thrown = (await thrownBy(model('chat', { baseUrl: gone.url }))) as AgentError
    expect(thrown.code).toBe('network')
    expect(thrown.message).toContain(`127.0.0.1:${gone.port}`)
  })

  it('sends nothing to a host that was not named', async () => {
    const thrown = (await thrownBy(model('chat', { baseUrl: 'http://127.0.0.1:9/v1' }))) as AgentError
    expect(thrown.code).toBe('blocked_address')
  })

  it('hints at /v1 where the path is wrong', async () => {
    const thrown = (await thrownBy(model('chat', { baseUrl: fake.origin }))) as AgentError
    expect(thrown.code).toBe('model_not_found')
    expect(thrown.message).toContain('/v1')
  })

  it('never shows the key, whatever the server sends back', async () => {
    for (const name of ending) {
      const thrown = await thrownBy(model(name, { key: `${key}WRONG` }))
      expect(thrown).toBeInstanceOf(AgentError)
      const { message, data, stack, cause } = thrown as AgentError
      expect(`${message} ${JSON.stringify(data)} ${stack} ${String(cause)}`).not.toContain(key)
    }
  })

  it('closes the connection when it is stopped or left', async () => {
    fake.requests.length = 0
    for await (const part of model('slow').generate(plainRequest, new AbortController().signal))
      if (part.type === 'text') break
    const control = new AbortController()
    setTimeout(() => control.abort(), 50)
    await thrownBy(model('hang'), plainRequest, control.signal)
    await expect.poll(() => fake.requests.map(asked => asked.closedEarly)).toEqual([true, true])
  })
})

describe('what is sent', () => {
  const sent = async (name: string, request: ModelRequest): Promise<Record<string, unknown>> => {
    fake.requests.length = 0
    await collectParts(model(name), request)
    return fake.requests.at(-1)?.body ?? {}
  }
  const call = { id: 'c1', name: 'read_file', arguments: '{"path":"a"}' }

  it('keeps messages in order and arguments byte for byte', async () => {
    const body = await sent('chat', {
      ...plainRequest,
      maxTokens: 100,
      messages: [
        { role: 'user', content: 'Read a' },
        { role: 'assistant', content: '', toolCalls: [{ ...call, arguments: '{ "path" : "a" }' }] },
        { role: 'tool', toolCallId: 'c1', name: 'read_file', content: '' },
        { role: 'user', content: 'And?' },
      ],
    })
    expect(body['messages']).toEqual([
      { role: 'system', content: 'You are a test.' },
      { role: 'user', content: 'Read a' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{ "path" : "a" }' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: '(empty)' },
      { role: 'user', content: 'And?' },
    ])
    expect(body['max_tokens']).toBe(100)
    expect(body['stream_options']).toEqual({ include_usage: true })
    expect(body['tools']).toEqual([{ type: 'function', function: plainRequest.tools[0] }])
  })

  it('makes broken arguments of earlier calls legal', async () => {
    for (const broken of ['{"path":', 'null', '[1]', '', '"x"', '{"__proto__":1}']) {
      const body = await sent('chat', {
        ...plainRequest,
        messages: [
          { role: 'user', content: 'x' },
          { role: 'assistant', content: '', toolCalls: [{ ...call, arguments: broken }] },
          { role: 'tool', toolCallId: 'c1', name: 'read_file', content: 'bad' },
        ],
      })
      const text = JSON.stringify(body['messages'])
      const args = (JSON.parse(text) as { tool_calls?: { function: { arguments: string } }[] }[]).find(
        message => message.tool_calls,
      )?.tool_calls?.[0]?.function.arguments
      expect(typeof JSON.parse(args ?? '')).toBe('object')
    }
  })

  it('sends no lone surrogate and no User-Agent of the SDK', async () => {
    const body = await sent('chat', {
      ...plainRequest,
      system: 'a\ud800',
      messages: [{ role: 'user', content: '\udc00b 😀' }],
    })
    expect(JSON.stringify(body['messages'])).not.toMatch(/\\ud[89a-f]/i)
    expect(JSON.stringify(body['messages'])).toContain('😀')
    expect(fake.requests.at(-1)?.headers['user-agent'] ?? '').not.toContain('ai-sdk')
  })

  it('asks once more in the words that the server wants, and remembers', async () => {
    const one = model('refuse-max-tokens')
    expect(textOf(await collectParts(one, { ...plainRequest, maxTokens: 50 }))).toBe(sample)
    fake.requests.length = 0
    await collectParts(one, { ...plainRequest, maxTokens: 50 })
    expect(fake.requests.map(asked => asked.body?.['max_completion_tokens'])).toEqual([50])
  })

  it('bends to strict orders only where they are wanted', async () => {
    const two: Message[] = [
      { role: 'user', content: 'One' },
      { role: 'user', content: 'Two' },
    ]
    expect((await sent('chat', { ...plainRequest, messages: two }))['messages']).toHaveLength(3)
    expect((await sent('refuse-alternation', { ...plainRequest, messages: two }))['messages']).toEqual([
      { role: 'system', content: 'You are a test.' },
      { role: 'user', content: 'One\n\nTwo' },
    ])
    const after: Message[] = [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: '', toolCalls: [call] },
      { role: 'tool', toolCallId: 'c1', name: 'read_file', content: 'y' },
      { role: 'user', content: 'z' },
    ]
    const roles = (
      (await sent('refuse-user-after-tool', { ...plainRequest, messages: after }))['messages'] as { role: string }[]
    ).map(message => message.role)
    expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'user'])
    expect((await sent('refuse-tools', plainRequest))['tools']).toBeUndefined()
  })

  it('does not try again by itself when a server is down: the loop does that', async () => {
    fake.requests.length = 0
    await thrownBy(model('down'))
    expect(fake.requests).toHaveLength(1)
  })
})
