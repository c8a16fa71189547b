import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startFakeServer, type FakeServer } from '../../e2e/fake-server.ts'
import type { Message, ModelRequest } from '../core/log/message.ts'
import { createAllowedFetch } from '../net/allowed-fetch.ts'
import { partsOf, plainRequest } from './model.laws.ts'
import { quirkIn, type Quirk } from './quirks.ts'
import { remote } from './remote.ts'

const call = { id: 'c1', name: 'read_file', arguments: '{"path":"a"}' }
const used: Message[] = [
  { role: 'user', content: 'Read a' }, { role: 'assistant', content: '', reasoning: 'I shall.', toolCalls: [call] }, { role: 'tool', toolCallId: 'c1', name: 'read_file', content: 'A' },
]
const plain = (more: Partial<ModelRequest> = {}): ModelRequest => ({ ...plainRequest, ...more })
type Sent = { messages: (Record<string, unknown> & { role: string; content: unknown })[]; [field: string]: unknown }

/** Each quirk with a server that has it, a request that it refuses, and what must be true of the one that it takes. A quirk without a row does not compile. */
const rows: Record<Quirk, { scenario: string; request: ModelRequest; taken: (sent: Sent) => boolean }> = {
  'no usage option': { scenario: 'refuse-usage', request: plain(), taken: sent => !('stream_options' in sent) },
  max_completion_tokens: { scenario: 'refuse-max-tokens', request: plain({ maxTokens: 50 }), taken: sent => sent['max_completion_tokens'] === 50 && !('max_tokens' in sent) },
  'no output limit': { scenario: 'refuse-limit', request: plain({ maxTokens: 50 }), taken: sent => !('max_completion_tokens' in sent) && !('max_tokens' in sent) },
  'no images': { scenario: 'refuse-images', request: plain({ messages: [{ role: 'user', content: 'See', images: [{ mime: 'image/png', blob: 'b1' }] }] }), taken: sent => /not sent/.test(String(sent.messages.at(-1)?.content)) },
  'no tool_choice': { scenario: 'refuse-tool-choice', request: plain({ toolChoice: 'none' }), taken: sent => !('tool_choice' in sent) && !('tools' in sent) },
  'no tools': { scenario: 'refuse-tools', request: plain(), taken: sent => !('tools' in sent) },
  'tools with calls': { scenario: 'refuse-toolless', request: plain({ messages: used, tools: [] }), taken: sent => Array.isArray(sent['tools']) },
  'assistant after tool': { scenario: 'refuse-user-after-tool', request: plain({ messages: [...used, { role: 'user', content: 'And?' }] }), taken: sent => sent.messages.at(-2)?.role === 'assistant' },
  'alternate roles': { scenario: 'refuse-alternation', request: plain({ messages: [{ role: 'user', content: 'One' }, { role: 'user', content: 'Two' }] }), taken: sent => sent.messages.at(-1)?.content === 'One\n\nTwo' },
  'name on results': { scenario: 'refuse-nameless', request: plain({ messages: used }), taken: sent => sent.messages.at(-1)?.['name'] === 'read_file' },
  'reasoning back': { scenario: 'refuse-thoughtless', request: plain({ messages: used }), taken: sent => sent.messages.at(-2)?.['reasoning_content'] === 'I shall.' },
  'signed calls': { scenario: 'refuse-unsigned', request: plain({ messages: used }), taken: sent => /skip_thought_signature_validator/.test(JSON.stringify(sent.messages.at(-2))) },
  'no system role': { scenario: 'refuse-system', request: plain(), taken: sent => sent.messages[0]?.role === 'user' && String(sent.messages[0].content).startsWith(plainRequest.system) },
}

let fake: FakeServer
beforeAll(async () => { fake = await startFakeServer() })
afterAll(() => fake.stop())

describe('a server that refuses', () => {
  for (const [quirk, { scenario, request, taken }] of Object.entries(rows)) {
    it(`${quirk}: is asked once more in its way, and from then on at once`, async () => {
      const net = createAllowedFetch({ store: { setting: async () => undefined, saveSetting: async () => undefined }, now: () => 0 })
      net.allow([fake.url])
      const model = remote({
        server: { id: quirk, name: 'Fake', baseUrl: fake.url, models: [] }, name: scenario, contextWindow: 32_768, local: true, fetch: net.model,
        image: async () => ({ mime: 'image/png', bytes: new Uint8Array([1]) }),
      })
      fake.requests.length = 0
      expect((await partsOf(model, request)).at(-1)).toMatchObject({ type: 'finish', stop: 'stop' })
      const sent = (): Sent[] => fake.requests.map(asked => asked.body as Sent)
      expect(sent()).toHaveLength(2)
      expect(taken(sent()[0] as Sent)).toBe(false)
      expect(taken(sent()[1] as Sent)).toBe(true)
      await partsOf(model, request)
      expect(sent()).toHaveLength(3)
      expect(taken(sent()[2] as Sent)).toBe(true)
    })
  }

  it('for another reason is not asked again', () => {
    for (const text of ['The model is overloaded', 'Invalid value for temperature', 'context length exceeded', '']) expect(quirkIn(400, text, new Set())).toBeUndefined()
    expect(quirkIn(401, 'tool_choice', new Set())).toBeUndefined()
    expect(quirkIn(400, 'stream_options', new Set(['no usage option'] as const))).toBeUndefined()
  })
})
