import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startFakeServer, type FakeServer } from '../../e2e/fake-server.ts'
import type { Message } from '../core/log/message.ts'
import { createAllowedFetch } from '../net/allowed-fetch.ts'
import { partsOf, plainRequest } from './model.laws.ts'
import { remote } from './remote.ts'

let fake: FakeServer
beforeAll(async () => { fake = await startFakeServer() })
afterAll(() => fake.stop())
beforeEach(() => { fake.requests.length = 0 })

/** Plays a call, gives its result, and answers with the assistant message that was then sent. */
async function sentBack(first: string, second = first): Promise<Record<string, unknown>> {
  const net = createAllowedFetch({ store: { setting: async () => undefined, saveSetting: async () => undefined }, now: () => 0 })
  net.allow([fake.url])
  const model = (name: string) => remote({ server: { id: 's', name: 'Fake', baseUrl: fake.url, models: [] }, name, contextWindow: 32_768, local: true, fetch: net.model })
  const question: Message = { role: 'user', content: 'Read it' }
  const calls = (await partsOf(model(first), { ...plainRequest, messages: [question] })).flatMap(part => part.type === 'call' ? [part.call] : [])
  const results: Message[] = calls.map(call => ({ role: 'tool', toolCallId: call.id, name: call.name, content: 'done' }))
  await partsOf(model(second), { ...plainRequest, messages: [question, { role: 'assistant', content: 'I look. ', toolCalls: calls }, ...results] })
  const { messages = [] } = (fake.requests.at(-1)?.body ?? {}) as { messages?: Record<string, unknown>[] }
  return messages.find(message => message['role'] === 'assistant') ?? {}
}

describe('what a provider wants back', () => {
  it('are the details of its reasoning, joined from their pieces, sealed ones as they came', async () => {
    expect((await sentBack('call-details'))['reasoning_details']).toEqual([
      { type: 'reasoning.text', index: 0, text: 'I look.', format: 'x', signature: 'c2ln' }, { type: 'reasoning.encrypted', index: 1, data: 'b3BhcXVl' },
    ])
  })
  it('is the signature of a call', async () => {
    expect((await sentBack('call-signed'))['tool_calls']).toMatchObject([{ function: { name: 'read_file' }, extra_content: { google: { thought_signature: 'c2lnbmVk' } } }])
  })
  it('is never sent to another model, and nothing is sent to a server that gave nothing', async () => {
    const other = await sentBack('call-details', 'chat')
    expect(other).not.toHaveProperty('reasoning_details')
    const plain = await sentBack('call')
    expect(Object.keys(plain).toSorted()).toEqual(['content', 'role', 'tool_calls'])
    expect(JSON.stringify(plain)).not.toContain('extra_content')
  })
  it('is plain reasoning only where it was demanded, though no message of ours carries it', async () => {
    expect(await sentBack('call-thought')).not.toHaveProperty('reasoning_content')
    expect(await sentBack('call-thoughtless')).toMatchObject({ reasoning_content: 'I look.' })
  })
})
