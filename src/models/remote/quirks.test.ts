import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startFakeServer, type FakeServer } from '../../../e2e/servers/fake-server.ts'
import type { Message, ModelRequest } from '../../core/log/message.ts'
import { createAllowedFetch } from '../../net/allowed-fetch.ts'
import { collectParts, plainRequest } from '../model.laws.ts'
import type { AgentError } from '../../core/errors.ts'
import type { Model } from '../../core/ports/ports.ts'
import { effortForm } from './effort.ts'
import { knownQuirks, readQuirks, withQuirks, type StoredQuirks } from './known-quirks.ts'
import { thrownBy } from '../model.laws.ts'
import { nextGrade, quirkIn, refusesDetails, wantsReasoning, type Quirk } from './quirks.ts'
import { remote } from './remote.ts'
import { resetRemoteState } from './model-knowledge.ts'

const call = { id: 'c1', name: 'read_file', arguments: '{"path":"a"}' }
const used: Message[] = [
  { role: 'user', content: 'Read a' },
  { role: 'assistant', content: '', toolCalls: [call] },
  { role: 'tool', toolCallId: 'c1', name: 'read_file', content: 'A' },
]
const thought = (reasoning: string): Message[] =>
  used.map(message => (message.role === 'assistant' ? { ...message, reasoning } : message))
const plain = (more: Partial<ModelRequest> = {}): ModelRequest => ({ ...plainRequest, ...more })
type Sent = { messages: (Record<string, unknown> & { role: string; content: unknown })[]; [field: string]: unknown }

/**
 * Each quirk with a server that has it, a request that it refuses, and what must be true of the one that it takes. A
 * quirk without a row does not compile.
 */
const rows: Record<Quirk, { scenario: string; request: ModelRequest; taken: (sent: Sent) => boolean }> = {
  'no usage option': { scenario: 'refuse-usage', request: plain(), taken: sent => !('stream_options' in sent) },
  max_completion_tokens: {
    scenario: 'refuse-max-tokens',
    request: plain({ maxTokens: 50 }),
    taken: sent => sent['max_completion_tokens'] === 50 && !('max_tokens' in sent),
  },
  'no effort': {
    scenario: 'refuse-effort',
    request: plain({ effort: 'high' }),
    taken: sent => !('reasoning_effort' in sent),
  },
  'no effort off': {
    scenario: 'refuse-effort-off',
    request: plain({ effort: 'off' }),
    taken: sent => sent['reasoning_effort'] === 'low',
  },
  'no temperature': {
    scenario: 'refuse-temperature',
    request: plain({ temperature: 0.2 }),
    taken: sent => !('temperature' in sent),
  },
  'no output limit': {
    scenario: 'refuse-limit',
    request: plain({ maxTokens: 50 }),
    taken: sent => !('max_completion_tokens' in sent) && !('max_tokens' in sent),
  },
  'no images': {
    scenario: 'refuse-images',
    request: plain({ messages: [{ role: 'user', content: 'See', images: [{ mime: 'image/png', blob: 'b1' }] }] }),
    taken: sent => /not sent/.test(String(sent.messages.at(-1)?.content)),
  },
  'no tool_choice': {
    scenario: 'refuse-tool-choice',
    request: plain({ toolChoice: 'none' }),
    taken: sent => !('tool_choice' in sent) && !('tools' in sent),
  },
  'no tools': { scenario: 'refuse-tools', request: plain(), taken: sent => !('tools' in sent) },
  'tools with calls': {
    scenario: 'refuse-toolless',
    request: plain({ messages: used, tools: [] }),
    taken: sent => Array.isArray(sent['tools']),
  },
  'assistant after tool': {
    scenario: 'refuse-user-after-tool',
    request: plain({ messages: [...used, { role: 'user', content: 'And?' }] }),
    taken: sent => sent.messages.at(-2)?.role === 'assistant',
  },
  'alternate roles': {
    scenario: 'refuse-alternation',
    request: plain({
      messages: [
        { role: 'user', content: 'One' },
        { role: 'user', content: 'Two' },
      ],
    }),
    taken: sent => sent.messages.at(-1)?.content === 'One\n\nTwo',
  },
  'name on results': {
    scenario: 'refuse-nameless',
    request: plain({ messages: used }),
    taken: sent => sent.messages.at(-1)?.['name'] === 'read_file',
  },
  'no reasoning': {
    scenario: 'refuse-reasoning',
    request: plain({ messages: thought('I shall.') }),
    taken: sent => !('reasoning_content' in (sent.messages.at(-2) ?? {})),
  },
  'no empty reasoning': {
    scenario: 'refuse-empty-thought',
    request: plain({ messages: thought('') }),
    taken: sent => sent.messages.at(-2)?.['reasoning_content'] === ' ',
  },
  'signed calls': {
    scenario: 'refuse-unsigned',
    request: plain({ messages: used }),
    taken: sent => /skip_thought_signature_validator/.test(JSON.stringify(sent.messages.at(-2))),
  },
  'no system role': {
    scenario: 'refuse-system',
    request: plain(),
    taken: sent =>
      sent.messages[0]?.role === 'user' && String(sent.messages[0].content).startsWith(plainRequest.system),
  },
}

let fake: FakeServer
beforeAll(async () => {
  fake = await startFakeServer()
})
afterAll(() => fake.stop())

/** The model, as after a reload: only what was kept is known. */
function reloaded(scenario: string, learnt?: StoredQuirks): { model: Model; kept: () => StoredQuirks | undefined } {
  resetRemoteState()
  const net = createAllowedFetch({
    store: { setting: async () => undefined, saveSetting: async () => undefined },
    now: () => 0,
  })
  net.allow([fake.url])
  let kept: StoredQuirks | undefined
  const model = remote({
    server: { id: 's', name: 'Fake', baseUrl: fake.url, models: [] },
    name: scenario,
    contextWindow: 32_768,
    local: true,
    fetch: net.model,
    effort: effortForm({ server: { baseUrl: 'https://api.openai.com/v1' }, name: 'gpt-5.1' }),
    image: async () => ({ mime: 'image/png', bytes: new Uint8Array([1]) }),
    storedQuirks: learnt,
    saveQuirks: async known => {
      kept = known
    },
  })
  return { model, kept: () => kept }
}
/** What was sent since, each request as the server read it. */
function asked(): Sent[] {
  return fake.requests.splice(0).map(({ body }) => body as Sent)
}
const earlier: Message[] = [
  { role: 'user', content: 'Before' },
  { role: 'assistant', content: 'Yes.' },
]

describe('a server that refuses', () => {
  for (const [quirk, { scenario, request, taken }] of Object.entries(rows)) {
    it(`${quirk}: is asked once more in its way, and from then on at once: in the next question, and after a reload`, async () => {
      const { model, kept } = reloaded(scenario)
      fake.requests.length = 0
      expect((await collectParts(model, request)).at(-1)).toMatchObject({ type: 'finish', stop: 'stop' })
      expect(asked().map(taken)).toEqual([false, true])
      const longer = { ...request, messages: [...earlier, ...request.messages] }
      await collectParts(model, longer)
      expect(asked().map(taken)).toEqual([true])
      expect(kept()).toMatchObject({ quirks: [quirk] })
      await collectParts(reloaded(scenario, kept()).model, longer)
      expect(asked().map(taken)).toEqual([true])
      await collectParts(reloaded(scenario).model, longer) // what was kept is too old: it is learnt again
      expect(asked().map(taken)).toEqual([false, true])
    })
  }

  it('for another reason is not asked again', () => {
    for (const text of ['The model is overloaded', 'Invalid value for temperature', 'context length exceeded', '']) {
      expect(quirkIn(400, text, new Set())).toBeUndefined()
      expect(wantsReasoning(400, text) || refusesDetails(400, text)).toBe(false)
    }
    expect(quirkIn(401, 'tool_choice', new Set())).toBeUndefined()
    expect(wantsReasoning(401, 'reasoning_content is missing')).toBe(false)
    expect(quirkIn(400, 'stream_options', new Set(['no usage option'] as const))).toBeUndefined()
  })
})

describe('a server that wants reasoning back', () => {
  it.each([
    'The `reasoning_content` in the thinking mode must be passed back to the API.',
    'The reasoning_content in the thinking mode must be passed back to the API.',
    'Missing `reasoning_content` field in the assistant message at message index 2. For more information, please refer to https://api-docs.deepseek.com/guides/thinking_mode#tool-calls',
    'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2',
    'The `content[].thinking` in the thinking mode must be passed back to the API.',
    'data:{"error":{"code":"400","message":"Param Incorrect","param":"The reasoning_content in the thinking mode must be passed back to the API.","type":""}}',
  ])('is understood: %s', text => {
    expect(wantsReasoning(400, text)).toBe(true)
    expect(quirkIn(400, text, new Set())).toBeUndefined()
  })
  it.each([
    "'messages.2' : for 'role:assistant' the following must be satisfied[('messages.2' : property 'reasoning_content' is unsupported)]",
    "messages.1.assistant.reasoning_content: property 'messages.1.assistant.reasoning_content' is unsupported",
    '{"detail":[{"type":"extra_forbidden","loc":["body","messages",3,"assistant","reasoning_content"],"msg":"Extra inputs are not permitted","input":"x"}]}',
    'The reasoning_content is an intermediate result for display purposes only and will not be included in the context for inference. Please remove the reasoning_content from your message to reduce network traffic.',
  ])('is not confused with one that refuses it: %s', text => {
    expect(quirkIn(400, text, new Set())).toBe('no reasoning')
  })
  it.each([
    'messages.1.content.0: Invalid `signature` in `thinking` block',
    'messages.1.content.0: Invalid signature in thinking block',
    'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".',
    'messages.11.content.11: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.',
    'Unable to submit request because Thought signature is not valid.. Learn more',
    'Invalid thought signature.',
    "Item 'rs_68a' of type 'reasoning' was provided without its required following item.",
  ])('and one that refuses what it is given back: %s', text => {
    expect(refusesDetails(400, text)).toBe(true)
  })

  it('gets one grade more for each refusal, and none that would send the same', () => {
    const turnWithCalls = thought('')
    const asking: Message[] = [...earlier, ...turnWithCalls]
    expect(nextGrade('nothing', asking)).toBe('running turn')
    expect(nextGrade('running turn', asking)).toBe('every answer') // the only turn with calls is the running one
    expect(
      nextGrade('running turn', [
        ...turnWithCalls,
        { role: 'assistant', content: 'A' },
        { role: 'user', content: 'And?' },
      ]),
    ).toBe('turns with calls')
    expect(nextGrade('nothing', [...earlier, { role: 'user', content: 'And?' }])).toBe('every answer')
    expect(nextGrade('every answer', asking)).toBeUndefined()
    expect(nextGrade('nothing', [{ role: 'user', content: 'One' }])).toBeUndefined()
  })

  it('is asked anew by whoever makes the request, with what it wants; where it wants more than there is, its refusal stands', async () => {
    const { model, kept } = reloaded('refuse-thoughtless')
    const error = (await thrownBy(model, plain({ messages: used }))) as AgentError
    expect(error.data['askAgain']).toBe(true)
    expect(model.reasoning?.text).toBe('running turn')
    expect(kept()).toEqual({ quirks: [], reasoning: 'running turn' })
    expect((await collectParts(model, plain({ messages: thought('I shall.') }))).at(-1)?.type).toBe('finish')
    expect(reloaded('refuse-thoughtless', kept()).model.reasoning?.text).toBe('running turn')
    const never = reloaded('refuse-any-thought')
    const refusals: unknown[] = []
    for (let i = 0; i < 9; i++) {
      const refused = (await thrownBy(
        never.model,
        plain({ messages: thought(never.model.reasoning?.text === 'nothing' ? 'x' : 'I shall.') }),
      )) as AgentError
      refusals.push(refused.data['askAgain'])
      if (refused.data['askAgain'] === undefined) break
    }
    expect(refusals).toEqual([true, undefined]) // all of it is sent already
  })

  it('is not given again what it did not accept: first of earlier turns, then of the running one', async () => {
    const { model } = reloaded('refuse-details')
    const [old, running] = [
      { from: model.reasoning!.from, value: [{ type: 'thinking', thinking: 'a', signature: 'x' }] },
      { from: model.reasoning!.from, value: [{ type: 'thinking', thinking: 'b', signature: 'y' }] },
    ]
    const messages: Message[] = [
      { role: 'user', content: 'One' },
      { role: 'assistant', content: 'A', details: old },
      ...used.map(message => (message.role === 'assistant' ? { ...message, details: running } : message)),
    ]
    expect(((await thrownBy(model, plain({ messages }))) as AgentError).data['askAgain']).toBe(true)
    expect([model.reasoning?.refused?.has(old), model.reasoning?.refused?.has(running)]).toEqual([true, false])
    const without = messages.map(message =>
      message.role === 'assistant' && message.details === old ? { role: 'assistant' as const, content: 'A' } : message,
    )
    expect(((await thrownBy(model, plain({ messages: without }))) as AgentError).data['askAgain']).toBe(true)
    expect(model.reasoning?.refused?.has(running)).toBe(true)
    expect((await collectParts(model, plain({ messages: [...earlier, ...used] }))).at(-1)?.type).toBe('finish')
  })
})

describe('what is known', () => {
  it('is preset for providers that tell it, and for no look-alikes', () => {
    const grade = (url: string): string => knownQuirks(url, 'm').back.text
    expect(
      [
        'https://api.deepseek.com/v1',
        'https://api.deepseek.com/anthropic',
        'https://api.moonshot.ai/v1',
        'https://token-plan-cn.xiaomimimo.com/v1',
      ].map(grade),
    ).toEqual(Array(4).fill('turns with calls'))
    expect([grade('https://api.z.ai/api/paas/v4'), grade('https://open.bigmodel.cn/api/coding/paas/v4')]).toEqual([
      'running turn',
      'every answer',
    ])
    expect(
      [
        'https://api.openai.com/v1',
        'https://api.mistral.ai/v1',
        'https://api.groq.com/openai/v1',
        'https://deepseek.com.evil.example/v1',
        'https://evil.example/deepseek.com/',
        'http://localhost:8080/v1',
      ].map(grade),
    ).toEqual(Array(6).fill('nothing'))
  })

  it('marks provider and model, and gives neither away', () => {
    const mark = (url: string, model: string): string => knownQuirks(url, model).back.from
    expect(mark('https://a.example/v1', 'm')).toBe(mark('https://a.example/v1/', 'm'))
    expect(
      new Set([mark('https://a.example/v1', 'm'), mark('https://b.example/v1', 'm'), mark('https://a.example/v1', 'n')])
        .size,
    ).toBe(3)
    expect(mark('http://192.168.1.9:1234/v1', 'secret-model')).toMatch(/^[0-9a-f]{32}$/)
  })

  it('is kept for a day, of the same address only, whatever lies there', () => {
    const kept: StoredQuirks = { quirks: ['no tools', 'no images'], reasoning: 'every answer' }
    const place = { baseUrl: 'https://a.example/v1', model: 'm' }
    const stored = withQuirks(withQuirks(undefined, { ...place, now: 0, kept }), {
      ...place,
      model: 'n',
      now: 10,
      kept,
    })
    expect(readQuirks(stored, { ...place, now: 20 })).toEqual(kept)
    expect(readQuirks(stored, { ...place, model: 'n', now: 20 })).toEqual(kept)
    expect(readQuirks(stored, { ...place, now: 25 * 3_600_000 })).toBeUndefined()
    expect(readQuirks(stored, { ...place, baseUrl: 'https://b.example/v1', now: 20 })).toBeUndefined()
    expect(Object.keys(withQuirks(stored, { ...place, model: 'o', now: 25 * 3_600_000, kept }).models)).toEqual(['o'])
    for (const odd of [
      null,
      1,
      'x',
      [],
      { baseUrl: place.baseUrl },
      { baseUrl: place.baseUrl, models: { m: {} } },
      { baseUrl: place.baseUrl, models: { m: { at: 1, quirks: 'no tools' } } },
    ]) {
      expect(readQuirks(odd, { ...place, now: 20 })).toBeUndefined()
    }
    expect(
      readQuirks(
        { baseUrl: place.baseUrl, models: { m: { at: 1, quirks: ['?', 'no tools'], reasoning: 'all' } } },
        { ...place, now: 20 },
      ),
    ).toEqual({ quirks: ['no tools'], reasoning: 'nothing' })
  })
})
