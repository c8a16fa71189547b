import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startFakeServer, type FakeServer } from '../../../e2e/servers/fake-server.ts'
import type { Message, ReasoningDetails } from '../../core/log/message.ts'
import { createAllowedFetch } from '../../net/allowed-fetch.ts'
import { collectParts, plainRequest } from '../model.laws.ts'
import { detailsReader, extraOfCall, partsOfReasoning } from './reasoning-details.ts'
import { remote } from './remote.ts'

let fake: FakeServer
beforeAll(async () => {
  fake = await startFakeServer()
})
afterAll(() => fake.stop())
beforeEach(() => {
  fake.requests.length = 0
})

/**
 * Plays a call, gives its result with all that came of the answer, and answers with the assistant message that was then
 * sent.
 */
async function sentBack(name: string): Promise<Record<string, unknown>> {
  const net = createAllowedFetch({
    store: { setting: async () => undefined, saveSetting: async () => undefined },
    now: () => 0,
  })
  net.allow([fake.url])
  const model = remote({
    server: { id: 's', name: 'Fake', baseUrl: fake.url, models: [] },
    name,
    contextWindow: 32_768,
    local: true,
    fetch: net.model,
  })
  const question: Message = { role: 'user', content: 'Read it' }
  const parts = await collectParts(model, { ...plainRequest, messages: [question] })
  const calls = parts.flatMap(part => (part.type === 'call' ? [part.call] : []))
  const value = parts.flatMap(part => (part.type === 'finish' && part.details !== undefined ? [part.details] : []))[0]
  const details: ReasoningDetails | undefined = value === undefined ? undefined : { from: model.reasoning!.from, value }
  const results: Message[] = calls.map(call => ({
    role: 'tool',
    toolCallId: call.id,
    name: call.name,
    content: 'done',
  }))
  await collectParts(model, {
    ...plainRequest,
    messages: [
      question,
      { role: 'assistant', content: 'I look. ', toolCalls: calls, ...(details ? { details } : {}) },
      ...results,
    ],
  })
  const { messages = [] } = (fake.requests.at(-1)?.body ?? {}) as { messages?: Record<string, unknown>[] }
  return messages.find(message => message['role'] === 'assistant') ?? {}
}

describe('what a provider gave comes back to it', () => {
  it('details of its reasoning, joined from their pieces, sealed ones as they came', async () => {
    expect((await sentBack('call-details'))['reasoning_details']).toEqual([
      { type: 'reasoning.text', index: 0, text: 'I look.', format: 'x', signature: 'c2ln' },
      { type: 'reasoning.encrypted', index: 1, data: 'b3BhcXVl' },
    ])
  })
  it('the signature of a call, and no details where there are none', async () => {
    const sent = await sentBack('call-signed')
    expect(sent['tool_calls']).toMatchObject([
      { function: { name: 'read_file' }, extra_content: { google: { thought_signature: 'c2lnbmVk' } } },
    ])
    expect(sent).not.toHaveProperty('reasoning_details')
  })
  it('nothing to a server that gave nothing, and no reasoning that nobody demanded', async () => {
    for (const name of ['call', 'call-thought'])
      expect(Object.keys(await sentBack(name)).toSorted()).toEqual(['content', 'role', 'tool_calls'])
  })
})

describe('the reader', () => {
  const delta = (fields: Record<string, unknown>): unknown => ({ choices: [{ index: 0, delta: fields }] })
  it('takes a signature that comes in a later piece of its call', () => {
    const reader = detailsReader()
    reader.push(
      delta({
        tool_calls: [
          { index: 0, id: 'a', function: { name: 'x', arguments: '' } },
          { index: 1, id: 'b', function: { name: 'x', arguments: '' } },
        ],
      }),
    )
    reader.push(
      delta({
        tool_calls: [
          { index: 1, function: { arguments: '{}' }, extra_content: { google: { thought_signature: 's' } } },
        ],
      }),
    )
    const details = { from: '', value: reader.end() }
    expect(extraOfCall(details, 'b')).toEqual({ google: { thought_signature: 's' } })
    expect(extraOfCall(details, 'a')).toBeUndefined()
    expect(partsOfReasoning(details)).toEqual([])
  })
  it('keeps nothing rather than a part of what is too much', () => {
    const reader = detailsReader()
    for (let i = 0; i < 3; i++)
      reader.push(delta({ reasoning_details: [{ type: 'reasoning.encrypted', index: i, data: 'x'.repeat(400_000) }] }))
    expect(reader.end()).toBeUndefined()
  })
  it('survives anything', () => {
    const reader = detailsReader()
    for (const chunk of [
      null,
      1,
      'x',
      [],
      {},
      { choices: 1 },
      { choices: [null] },
      delta({ reasoning_details: [null, 1, {}], tool_calls: [null, { id: 1, extra_content: 1 }] }),
    ])
      reader.push(chunk)
    for (const value of [undefined, null, 1, 'x', {}, [null, 1, []], reader.end()]) {
      expect(partsOfReasoning({ from: '', value }).every(item => typeof item === 'object')).toBe(true)
      expect(extraOfCall({ from: '', value }, 'x')).toBeUndefined()
    }
    const polluting = detailsReader()
    polluting.push(
      JSON.parse(
        '{"choices":[{"delta":{"reasoning_details":[{"type":"a","index":0},{"type":"a","index":0,"__proto__":{"x":1}}]}}]}',
      ),
    )
    expect(polluting.end()).toEqual([{ type: 'a', index: 0 }])
  })
})
