/** Requests to a server, and every failure that it may answer with. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startFakeServer } from '../../../e2e/servers/fake-server.ts'
import { overflowBodies } from '../../../e2e/servers/overflow-bodies.ts'
import { AgentError } from '../../core/errors.ts'
import type { Message, ModelRequest } from '../../core/log/message.ts'
import { modelLaws, collectParts, plainRequest, thrownBy } from '../model.laws.ts'
import { ending, key, sample, saying, textOf, startScenarioServer, type ScenarioServer } from './remote.fixture.ts'

let server: ScenarioServer
beforeAll(async () => {
  server = await startScenarioServer()
})
afterAll(() => server.fake.stop())
const model: ScenarioServer['model'] = (...asked) => server.model(...asked)
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
    server.allow([server.fake.url, gone.url])
    const thrown = (await thrownBy(model('chat', { baseUrl: gone.url }))) as AgentError
    expect(thrown.code).toBe('network')
    expect(thrown.message).toContain(`127.0.0.1:${gone.port}`)
  })

  it('sends nothing to a host that was not named', async () => {
    const thrown = (await thrownBy(model('chat', { baseUrl: 'http://127.0.0.1:9/v1' }))) as AgentError
    expect(thrown.code).toBe('blocked_address')
  })

  it('hints at /v1 where the path is wrong', async () => {
    const thrown = (await thrownBy(model('chat', { baseUrl: server.fake.origin }))) as AgentError
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
    server.fake.requests.length = 0
    for await (const part of model('slow').generate(plainRequest, new AbortController().signal))
      if (part.type === 'text') break
    const control = new AbortController()
    setTimeout(() => control.abort(), 50)
    await thrownBy(model('hang'), plainRequest, control.signal)
    await expect.poll(() => server.fake.requests.map(asked => asked.closedEarly)).toEqual([true, true])
  })
})

describe('what is sent', () => {
  const sent = async (name: string, request: ModelRequest): Promise<Record<string, unknown>> => {
    server.fake.requests.length = 0
    await collectParts(model(name), request)
    return server.fake.requests.at(-1)?.body ?? {}
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
    expect(server.fake.requests.at(-1)?.headers['user-agent'] ?? '').not.toContain('ai-sdk')
  })

  it('asks once more in the words that the server wants, and remembers', async () => {
    const one = model('refuse-max-tokens')
    expect(textOf(await collectParts(one, { ...plainRequest, maxTokens: 50 }))).toBe(sample)
    server.fake.requests.length = 0
    await collectParts(one, { ...plainRequest, maxTokens: 50 })
    expect(server.fake.requests.map(asked => asked.body?.['max_completion_tokens'])).toEqual([50])
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
    server.fake.requests.length = 0
    await thrownBy(model('down'))
    expect(server.fake.requests).toHaveLength(1)
  })
})
