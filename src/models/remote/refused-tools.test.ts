import { beforeEach, describe, expect, it } from 'vitest'
import type { ModelPart } from '../../core/log/message.ts'
import type { StoredQuirks } from './known-quirks.ts'
import { collectParts, plainRequest, thrownBy } from '../model.laws.ts'
import { remote } from './remote.ts'
import { resetRemoteState } from './model-knowledge.ts'
import { withTextTools } from '../tool-calls/with-text-tools.ts'

const asked: Record<string, unknown>[] = []
let kept: StoredQuirks | undefined
beforeEach(() => {
  asked.length = 0
  kept = undefined
  resetRemoteState()
})
type Refusal = { status: number; body: string }
const events =
  'data: {"choices":[{"index":0,"delta":{"content":"It is noon."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
const model = (refuse: (body: Record<string, unknown>) => Refusal | undefined, learnt?: StoredQuirks) =>
  remote({
    server: { id: 's', name: 'S', baseUrl: 'http://localhost:8000/v1', models: [] },
    name: 'm',
    contextWindow: 32_768,
    local: true,
    storedQuirks: learnt,
    saveQuirks: async known => {
      kept = known
    },
    fetch: async (_url, { body }) => {
      const sent = JSON.parse(body!) as Record<string, unknown>
      asked.push(sent)
      const refusal = refuse(sent)
      return refusal
        ? new Response(refusal.body, { status: refusal.status })
        : new Response(events, { headers: { 'content-type': 'text/event-stream' } })
    },
  })
const withTools = (refusal: Refusal) => (body: Record<string, unknown>) => (body['tools'] ? refusal : undefined)
const sent = () =>
  asked
    .map(body =>
      body['tools'] ? 'tools' : JSON.stringify(body['messages']).includes('You have tools') ? 'words' : 'bare',
    )
    .join(' ')
const text = (parts: readonly ModelPart[]) => parts.map(part => (part.type === 'text' ? part.text : '')).join('')

describe('a server that refuses tools', () => {
  it.each<[string, Refusal]>([
    [
      'a plain vllm serve',
      {
        status: 400,
        body: '{"object":"error","message":"\\"auto\\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","param":null,"code":400}',
      },
    ],
    [
      'llama.cpp from before --jinja',
      {
        status: 500,
        body: '{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}',
      },
    ],
    [
      'SGLang',
      {
        status: 400,
        body: '{"object":"error","message":"Tool call parser is not configured. Please set --tool-call-parser","type":"BadRequest"}',
      },
    ],
    [
      'LiteLLM',
      {
        status: 400,
        body: '{"error":{"message":"litellm.UnsupportedParamsError: ollama does not support parameters: [\'tools\', \'tool_choice\'], for model=x","code":"400"}}',
      },
    ],
    ['a template', { status: 500, body: '{"error":{"message":"Only user and assistant roles are supported! tools"}}' }],
    [
      'Ollama',
      {
        status: 400,
        body: '{"error":{"message":"registry.ollama.ai/library/gemma3:4b does not support tools","type":"api_error"}}',
      },
    ],
    [
      'words that no table knows',
      { status: 422, body: '{"detail":"Diese Funktion (function_call) ist hier abgeschaltet"}' },
    ],
    [
      'other words that no table knows',
      { status: 400, body: '{"message":"field tools: plan \'basic\' has no entitlement"}' },
    ],
  ])('%s: is asked without, the model is told in words, and that is remembered and told', async (_, refusal) => {
    const parts = await collectParts(withTextTools(model(withTools(refusal))))
    expect(text(parts)).toBe('It is noon.')
    expect(parts.at(-1)).toMatchObject({ type: 'finish', toolsAsText: true })
    expect(sent()).toMatch(/^tools (tools )?bare words$/)
    expect(kept?.quirks).toContain('no tools')
    asked.length = 0
    resetRemoteState()
    expect((await collectParts(withTextTools(model(withTools(refusal), kept)))).at(-1)).not.toHaveProperty(
      'toolsAsText',
    )
    expect(sent()).toBe('words')
  })

  it('but for another reason says that reason, and keeps its tools', async () => {
    const refusal = { status: 400, body: '{"error":{"message":"Invalid tool history: the account is suspended"}}' }
    const one = model(() => refusal)
    expect(await thrownBy(withTextTools(one))).toMatchObject({
      code: 'model_refused',
      message: expect.stringContaining('suspended') as string,
    })
    expect(sent()).toBe('tools bare')
    expect(one.can.tools).toBe(true)
    expect(kept?.quirks ?? []).not.toContain('no tools')
  })

  it('is not suspected where the words are about something else', async () => {
    for (const body of [
      '{"error":{"message":"The model is overloaded"}}',
      '{"error":{"message":"This model\'s maximum context length is 4096 tokens, however your messages and tools resulted in 9000 tokens","code":"context_length_exceeded"}}',
    ]) {
      asked.length = 0
      await thrownBy(model(() => ({ status: 400, body })))
      expect(asked).toHaveLength(1)
    }
  })
})

it('a model whose server tells that its template knows no tools is told of them in words from the first question', async () => {
  const one = remote({
    server: { id: 's', name: 'S', baseUrl: 'http://localhost:8080/v1', models: [] },
    name: 'gemma',
    contextWindow: 32_768,
    local: true,
    abilities: { tools: false, images: false },
    fetch: async (_url, { body }) => {
      asked.push(JSON.parse(body!) as Record<string, unknown>)
      return new Response(events, { headers: { 'content-type': 'text/event-stream' } })
    },
    image: async () => ({ mime: 'image/png', bytes: new Uint8Array([1]) }),
  })
  expect([one.can.tools, one.can.images]).toEqual([false, false])
  await collectParts(withTextTools(one), {
    ...plainRequest,
    messages: [{ role: 'user', content: 'See', images: [{ mime: 'image/png', blob: 'b' }] }],
  })
  expect(sent()).toBe('words')
  expect(JSON.stringify(asked[0]!['messages'])).toContain('not sent: this model takes no images')
})
