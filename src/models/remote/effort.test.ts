import { describe, expect, it } from 'vitest'
import type { Effort, ModelPart, ModelRequest } from '../../core/log/message.ts'
import { anthropicBody } from './anthropic-body.ts'
import { effortForm, type EffortTarget } from './effort.ts'
import { plainRequest } from '../model.laws.ts'
import { remote } from './remote.ts'
import { resetRemoteState } from './model-knowledge.ts'

const at = (baseUrl: string, name: string, more: Partial<EffortTarget> = {}): EffortTarget => ({
  server: { baseUrl },
  name,
  ...more,
})
const all: Effort[] = ['off', 'low', 'medium', 'high']
const fields = (place: EffortTarget, effort: Effort, maxTokens = 10_000) => effortForm(place)?.fields(effort, maxTokens)

describe('how a model is told to think is each provider’s own form', () => {
  const openAi = 'https://api.openai.com/v1'
  it.each<[EffortTarget, Effort, Record<string, unknown>]>([
    [at(openAi, 'gpt-5.1'), 'off', { reasoning_effort: 'none' }],
    [at(openAi, 'gpt-5-mini'), 'off', { reasoning_effort: 'minimal' }],
    [at(openAi, 'o3'), 'high', { reasoning_effort: 'high' }],
    [at('https://openrouter.ai/api/v1', 'x/y', { advertised: all }), 'off', { reasoning: { effort: 'none' } }],
    [at('https://openrouter.ai/api/v1', 'x/y', { advertised: all }), 'medium', { reasoning: { effort: 'medium' } }],
    [
      at('https://api.anthropic.com/v1', 'claude-sonnet-4-5-20250929'),
      'low',
      { thinking: { type: 'enabled', budget_tokens: 2_000 } },
    ],
    [
      at('https://api.anthropic.com/v1', 'claude-3-7-sonnet-20250219'),
      'high',
      { thinking: { type: 'enabled', budget_tokens: 8_000 } },
    ],
    [at('https://api.anthropic.com/v1', 'claude-opus-4-20250514'), 'off', {}],
    [
      at('https://api.anthropic.com/v1', 'claude-opus-4-7'),
      'high',
      { thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
    ],
    [at('https://api.anthropic.com/v1', 'claude-sonnet-4-6'), 'off', {}],
    [
      at('https://generativelanguage.googleapis.com/v1beta/openai', 'models/gemini-2.5-flash'),
      'off',
      { reasoning_effort: 'none' },
    ],
    [
      at('https://generativelanguage.googleapis.com/v1beta/openai', 'models/gemini-3-pro-preview'),
      'low',
      { reasoning_effort: 'low' },
    ],
    [
      at('http://localhost:11434/v1', 'qwen3:8b', { kind: 'ollama', advertised: all }),
      'off',
      { reasoning_effort: 'none' },
    ],
    [
      at('http://localhost:8080/v1', 'x', { kind: 'llamacpp', advertised: all }),
      'off',
      { chat_template_kwargs: { enable_thinking: false, thinking: false }, thinking_budget_tokens: 0 },
    ],
    [
      at('http://localhost:8080/v1', 'x', { kind: 'llamacpp', advertised: all }),
      'medium',
      { chat_template_kwargs: { enable_thinking: true, thinking: true }, thinking_budget_tokens: 5_000 },
    ],
    [
      at('http://localhost:8080/v1', 'gpt-oss-20b.gguf', { kind: 'llamacpp' }),
      'high',
      { chat_template_kwargs: { reasoning_effort: 'high' } },
    ],
    [at('http://localhost:1234/v1', 'qwen/qwen3-8b', { kind: 'lmstudio' }), 'off', { reasoning_effort: 'none' }],
    [
      at('http://localhost:8000/v1', 'Qwen/Qwen3-8B', { kind: 'vllm' }),
      'off',
      { chat_template_kwargs: { enable_thinking: false, thinking: false } },
    ],
    [at('http://localhost:8000/v1', 'openai/gpt-oss-120b', { kind: 'vllm' }), 'low', { reasoning_effort: 'low' }],
    [at('https://api.deepseek.com/v1', 'deepseek-v4-pro'), 'off', { thinking: { type: 'disabled' } }],
    [
      at('https://api.deepseek.com/v1', 'deepseek-v4-pro'),
      'low',
      { thinking: { type: 'enabled' }, reasoning_effort: 'low' },
    ],
    [at('https://open.bigmodel.cn/api/paas/v4', 'glm-4.6'), 'off', { thinking: { type: 'disabled' } }],
    [at('https://api.moonshot.ai/v1', 'kimi-k2.5'), 'high', { thinking: { type: 'enabled' } }],
    [at('https://api.groq.com/openai/v1', 'qwen/qwen3-32b'), 'off', { reasoning_effort: 'none' }],
    [at('https://api.siliconflow.cn/v1', 'Qwen/Qwen3-8B'), 'low', { enable_thinking: true, thinking_budget: 2_000 }],
  ])('%o %s', (place, effort, expected) => {
    expect(effortForm(place)!.efforts).toContain(effort)
    expect(fields(place, effort)).toEqual(expected)
  })

  it('and offers nothing where nobody knows one', () => {
    for (const place of [
      at(openAi, 'gpt-4.1'),
      at(openAi, 'gpt-5-chat-latest'),
      at('https://openrouter.ai/api/v1', 'x/y'),
      at('https://api.anthropic.com/v1', 'claude-3-5-haiku-latest'),
      at('http://localhost:8080/v1', 'llama-3.2-3b', { kind: 'llamacpp' }),
      at('http://localhost:11434/v1', 'qwen3:8b', { kind: 'ollama', advertised: [] }),
      at('https://example.org/v1', 'qwen3-coder-30b'),
      at('https://api.mistral.ai/v1', 'codestral-latest'),
    ])
      expect(effortForm(place), place.name).toBeUndefined()
  })

  it('never asks for a budget that leaves no answer, or that the API refuses', () => {
    for (const maxTokens of [300, 1_024, 1_280, 2_000, 64_000])
      for (const effort of all) {
        const { thinking } = fields(at('https://api.anthropic.com/v1', 'claude-haiku-4-5'), effort, maxTokens) as {
          thinking?: { budget_tokens: number }
        }
        if (thinking) expect(thinking.budget_tokens).toBeGreaterThanOrEqual(1_024)
        if (thinking) expect(thinking.budget_tokens).toBeLessThan(maxTokens)
      }
  })

  it('lets a turn go on as it began: behind calls without a thought no budget is asked for', () => {
    const calls = [{ id: 'c', name: 'get_time', arguments: '{}' }]
    const request: ModelRequest = {
      ...plainRequest,
      messages: [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: '', toolCalls: calls },
        { role: 'tool', content: 'noon', toolCallId: 'c', name: 'get_time' },
      ],
    }
    const options = {
      model: 'claude-haiku-4-5',
      maxTokens: 8_192,
      images: new Map<string, string>(),
      quirks: new Set<never>(),
      thinking: { thinking: { type: 'enabled', budget_tokens: 2_000 } },
    }
    expect(anthropicBody(request, options)).not.toHaveProperty('thinking')
    expect(anthropicBody({ ...request, messages: request.messages.slice(0, 1) }, options)).toHaveProperty('thinking')
    const thought = { from: 'm', value: [{ type: 'thinking', thinking: 'Hm.', signature: 's' }] }
    const [question, answer, result] = request.messages
    expect(
      anthropicBody(
        { ...request, messages: [question!, { ...answer!, details: thought } as typeof answer & object, result!] },
        options,
      ),
    ).toHaveProperty('thinking')
  })
})

describe('a server that refuses to be told', () => {
  const asked: Record<string, unknown>[] = []
  const effort = effortForm(at('https://api.openai.com/v1', 'gpt-5.1'))!
  const model = (refuse: (body: Record<string, unknown>) => string | undefined) => {
    asked.length = 0
    resetRemoteState()
    return remote({
      server: { id: 's', name: 'S', baseUrl: 'https://api.example.org/v1', models: [] },
      name: 'm',
      contextWindow: 32_768,
      local: false,
      effort,
      fetch: async (_url, { body }) => {
        asked.push(JSON.parse(body!) as Record<string, unknown>)
        const said = refuse(asked.at(-1)!)
        if (said !== undefined)
          return new Response(JSON.stringify({ error: { message: said } }), {
            status: 400,
            headers: { 'content-type': 'application/json' },
          })
        return new Response(
          'data: {"choices":[{"index":0,"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
          { headers: { 'content-type': 'text/event-stream' } },
        )
      },
    })
  }
  const run = async (one: ReturnType<typeof model>, request: Partial<ModelRequest> = {}): Promise<ModelPart[]> => {
    const parts: ModelPart[] = []
    for await (const part of one.generate({ ...plainRequest, ...request }, new AbortController().signal))
      parts.push(part)
    return parts
  }
  const sent = () => asked.map(body => body['reasoning_effort'] ?? '-').join(' ')

  it('is asked without it, and from then on offers no choice', async () => {
    const one = model(body =>
      'reasoning_effort' in body ? 'Unrecognized request argument supplied: reasoning_effort' : undefined,
    )
    expect(one.efforts).toEqual(all)
    await run(one, { effort: 'high' })
    expect(sent()).toBe('high -')
    expect(one.efforts).toBeUndefined()
    await run(one, { effort: 'high' })
    expect(sent()).toBe('high - -')
  })

  it('no thoughts at all gets the fewest that it takes', async () => {
    const one = model(body =>
      body['reasoning_effort'] === 'none'
        ? "Unsupported value: 'reasoning_effort' does not support 'none' with this model. Supported values are: 'minimal', 'low', 'medium', and 'high'."
        : undefined,
    )
    await run(one, { effort: 'off' })
    expect(sent()).toBe('none low')
    expect(one.efforts).toEqual(['low', 'medium', 'high'])
  })

  it('is not suspected of that where nothing was sent of it', async () => {
    const one = model(() => 'thinking is not available today: reasoning_effort')
    await expect(run(one)).rejects.toMatchObject({ code: 'model_refused' })
    expect(asked).toHaveLength(1)
  })
})
