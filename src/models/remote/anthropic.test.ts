import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startFakeServer, type FakeServer } from '../../../e2e/servers/fake-server.ts'
import { stillWorld } from '../../core/agent/agent.fixture.ts'
import { askInOrder } from '../../core/agent/request/ask-summariser.ts'
import type { Message, ModelRequest } from '../../core/log/message.ts'
import type { Model, Server } from '../../core/ports/ports.ts'
import { createAllowedFetch } from '../../net/allowed-fetch.ts'
import { dialectOf, headersFor, listRoute } from '../catalogue/dialects.ts'
import { diagnoseServer } from '../diagnosis/diagnose-server.ts'
import { listModels } from '../catalogue/list-models.ts'
import { modelLaws, collectParts, plainRequest } from '../model.laws.ts'
import { anthropicBody } from './anthropic-body.ts'
import { remote } from './remote.ts'

const key = 'sk-ant-api-0123456789SECRET'
const signal = new AbortController().signal
const net = createAllowedFetch({
  store: { setting: async () => undefined, saveSetting: async () => undefined },
  now: () => 0,
})
let fake: FakeServer
beforeAll(async () => {
  fake = await startFakeServer({ key, models: ['chat'] })
  net.allow([fake.url])
})
afterAll(() => fake.stop())
beforeEach(() => {
  fake.requests.length = 0
})

const server = (changes: Partial<Server> = {}): Server => ({
  id: 's',
  name: 'Anthropic',
  baseUrl: fake.url,
  dialect: 'anthropic',
  key,
  models: [],
  ...changes,
})
const model = (name: string): Model =>
  remote({
    server: server(),
    name,
    contextWindow: 200_000,
    local: false,
    fetch: net.model,
    image: async () => ({ mime: 'image/png', bytes: new Uint8Array([1, 2]) }),
  })
const sent = async (name: string, changes: Partial<ModelRequest>): Promise<Record<string, unknown>> => {
  await collectParts(model(name), { ...plainRequest, ...changes })
  return fake.requests.at(-1)?.body ?? {}
}

modelLaws('Anthropic', {
  answers: async () => model('chat'),
  goesOn: async () => model('slow'),
  calls: async () => model('call'),
  overflows: async () => model('overflow'),
  fails: Object.fromEntries(
    ['overloaded', 'error-in-stream', 'broken-off'].map(name => [name, async () => model(name)]),
  ),
})

describe('the temperature', () => {
  it('is at most 1 here, and left out beside a thinking budget', async () => {
    expect((await sent('chat', {}))['temperature']).toBeUndefined()
    expect((await sent('chat', { temperature: 0.3 }))['temperature']).toBe(0.3)
    expect((await sent('chat', { temperature: 1.7 }))['temperature']).toBe(1)
    const request = { ...plainRequest, temperature: 0.3 }
    const options = { model: 'm', maxTokens: 4_096, images: new Map<string, string>(), quirks: new Set<never>() }
    expect(anthropicBody(request, options)['temperature']).toBe(0.3)
    const thinking = { thinking: { type: 'enabled', budget_tokens: 1_024 } }
    expect('temperature' in anthropicBody(request, { ...options, thinking })).toBe(false)
  })
})

describe('Anthropic’s own API', () => {
  it('gets its headers, and only those', () => {
    expect(headersFor(server())).toEqual({
      'x-api-key': key,
      'anthropic-version': '2023-06-01',
      'anthropic-dangerous-direct-browser-access': 'true',
    })
    expect(dialectOf({ baseUrl: 'https://api.anthropic.com/v1' })).toBe('anthropic')
    expect(dialectOf({ baseUrl: 'https://openrouter.ai/api/v1' })).toBe('openai')
    expect(listRoute(server())).toBe(`${fake.url}/models?limit=1000`)
  })

  it('lists its models, and is examined like any other', async () => {
    expect((await listModels(server(), net.model, signal)).models).toEqual(['chat'])
    const here = { location: { protocol: 'http:', hostname: 'localhost' } }
    expect(await diagnoseServer(server(), 'chat', { fetch: net.model, here }, signal)).toMatchObject({ fault: null })
    expect(fake.requests.at(-1)?.path).toBe('/v1/messages')
    expect(
      await diagnoseServer(server({ key: 'sk-ant-wrong-000000' }), undefined, { fetch: net.model, here }, signal),
    ).toMatchObject({ fault: 'key wrong' })
  })

  it('is asked to remember the system prompt and the talk so far', async () => {
    const body = await sent('chat', { maxTokens: 100 })
    expect(body).toEqual({
      model: 'chat',
      max_tokens: 100,
      stream: true,
      system: [{ type: 'text', text: plainRequest.system, cache_control: { type: 'ephemeral' } }],
      messages: [
        { role: 'user', content: [expect.objectContaining({ type: 'text', cache_control: { type: 'ephemeral' } })] },
      ],
      tools: plainRequest.tools.map(({ name, description, parameters }) => ({
        name,
        description,
        input_schema: parameters,
      })),
    })
  })

  it('gets legal turns out of any talk: results first behind their calls, no empty text, ids and arguments that it takes', async () => {
    const messages: Message[] = [
      { role: 'assistant', content: 'Earlier.' },
      { role: 'user', content: 'One' },
      { role: 'user', content: 'Two', images: [{ mime: 'image/png', blob: 'b' }] },
      {
        role: 'assistant',
        content: '',
        toolCalls: [
          { id: 'functions.read:0', name: 'read_file', arguments: '{"path":"a"}' },
          { id: 'c2', name: 'get_time', arguments: 'broken' },
        ],
      },
      { role: 'tool', toolCallId: 'functions.read:0', name: 'read_file', content: '' },
      { role: 'tool', toolCallId: 'c2', name: 'get_time', content: 'No.', isError: true },
      { role: 'user', content: 'And?' },
    ]
    const body = await sent('chat', { messages })
    expect(body['messages']).toMatchObject([
      { role: 'user', content: [{ text: '…' }] },
      { role: 'assistant', content: [{ text: 'Earlier.' }] },
      {
        role: 'user',
        content: [
          { text: 'One' },
          { text: 'Two' },
          { type: 'image', source: { media_type: 'image/png', data: 'AQI=' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'functions_read_0', input: { path: 'a' } },
          { id: 'c2', input: { not_a_json_object: 'broken' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'functions_read_0', content: '(empty)' },
          { tool_use_id: 'c2', is_error: true },
          { text: 'And?' },
        ],
      },
    ])
  })

  it('answers a summariser like any other: what comes in pieces, with its thinking apart, is one text', async () => {
    const summary = await askInOrder([model('thinking-call')], stillWorld())(
      { system: 'Sum up.', messages: [{ role: 'user', content: 'The roses.' }] },
      { maxTokens: 500, signal },
    )
    expect(summary).toMatchObject({ text: 'I look. ', model: model('thinking-call').name })
  })

  it('is told of tools that stand in the talk, also where none is offered', async () => {
    const body = await sent('chat', {
      tools: [],
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'get_time', arguments: '' }] },
        { role: 'tool', toolCallId: 'a', name: 'get_time', content: 'noon' },
      ],
    })
    expect(body).toMatchObject({
      tools: [{ name: 'get_time', input_schema: { type: 'object' } }],
      tool_choice: { type: 'none' },
    })
  })

  it('gets its thinking back, signed, in front of the calls that came of it', async () => {
    const question: Message = { role: 'user', content: 'Read it' }
    const parts = await collectParts(model('thinking-call'), { ...plainRequest, messages: [question] })
    expect(parts.map(part => (part.type === 'reasoning' ? part.text : '')).join('')).toBe('I think.')
    const calls = parts.flatMap(part => (part.type === 'call' ? [part.call] : []))
    const details = { from: 'here', value: parts.flatMap(part => (part.type === 'finish' ? [part.details] : []))[0] }
    expect(calls).toEqual([
      { id: 'toolu_1', name: 'read_file', arguments: '{"path":"MEMORY.md"}' },
      { id: 'toolu_2', name: 'get_time', arguments: '{}' },
    ])
    const body = await sent('thinking-call', {
      messages: [
        question,
        { role: 'assistant', content: 'I look. ', toolCalls: calls, details },
        ...calls.map((call): Message => ({ role: 'tool', toolCallId: call.id, name: call.name, content: 'x' })),
      ],
    })
    expect((body['messages'] as { content: unknown[] }[])[1]?.content).toMatchObject([
      { type: 'thinking', thinking: 'I think.', signature: 'c2lnbmVk' },
      { type: 'text' },
      { type: 'tool_use' },
      { type: 'tool_use' },
    ])
    expect(JSON.stringify(body)).not.toContain('"index"')
  })

  it('tells what was read anew, from the cache and into it, and why it ended', async () => {
    expect((await collectParts(model('cached'))).at(-1)).toEqual({
      type: 'finish',
      stop: 'stop',
      usage: { input: 10, cacheRead: 60, cacheWrite: 30, output: 1 },
    })
    expect((await collectParts(model('length'))).at(-1)).toMatchObject({ stop: 'length' })
    expect((await collectParts(model('refusal'))).at(-1)).toMatchObject({ stop: 'filtered' })
  })
})
