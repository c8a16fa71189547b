/** Bytes as these servers give them; what does not matter is left out. */
import { describe, expect, it } from 'vitest'
import type { ServerKind } from '../../core/ports/server-diagnosis.ts'
import { capabilitiesInList, probeCapabilities } from './capabilities.ts'
import { probeModels } from './list-models.ts'
import { modelsIn } from './model-list.ts'

const signal = new AbortController().signal
const ask = (kind: ServerKind, names: string[], answers: Record<string, unknown>) =>
  probeCapabilities(
    { id: 's', name: 'S', baseUrl: 'http://localhost:8080/v1', models: names },
    kind,
    names,
    async (url, { body }) => {
      const path = new URL(url).pathname + (body ? ` ${(JSON.parse(body) as { model: string }).model}` : '')
      return path in answers ? Response.json(answers[path]) : new Response('404', { status: 404 })
    },
    signal,
  )

describe('what a server tells of its models', () => {
  it('in llama.cpp’s /props: what the chat template knows, and whether there is an eye', async () => {
    const props = (tools: boolean, more = {}) => ({
      chat_template: '{{ messages }}',
      chat_template_caps: { supports_tools: tools, supports_tool_calls: tools, supports_parallel_tool_calls: tools },
      modalities: { vision: false, audio: false },
      ...more,
    })
    expect(await ask('llamacpp', ['m'], { '/props': props(false) })).toEqual({ m: { tools: false, images: false } })
    expect(
      await ask('llamacpp', ['m'], {
        '/props': props(true, { chat_template: '{% if enable_thinking %}', modalities: { vision: true } }),
      }),
    ).toEqual({ m: { tools: true, images: true, efforts: ['off', 'low', 'medium', 'high'] } })
    expect(await ask('llamacpp', ['m'], { '/props': { default_generation_settings: { n_ctx: 4096 } } })).toEqual({
      m: {},
    }) // an older build
  })

  it('in the /props of each loaded model behind a router of llama.cpp, also where one of them talks', async () => {
    const rows = [
      { id: 'chat', status: { value: 'loaded' } },
      { id: 'embed', status: { value: 'unloaded' } },
    ]
    const answers: Record<string, unknown> = {
      '/props': { role: 'router', default_generation_settings: { params: null, n_ctx: 0 } },
      '/models': { data: rows },
      '/props?model=chat&autoload=false': { chat_template_caps: { supports_tools: false, supports_tool_calls: false } },
    }
    for (const names of [['chat'], ['chat', 'other']]) {
      expect(
        await probeCapabilities(
          { id: 's', name: 'S', baseUrl: 'http://localhost:8080/v1', models: names },
          'llamacpp',
          names,
          async url => Response.json(answers[url.slice(21)] ?? {}),
          signal,
        ),
      ).toEqual({ chat: { tools: false } })
    }
  })

  it('in Ollama’s /api/show, and in LM Studio’s list', async () => {
    expect(
      await ask('ollama', ['gemma3', 'qwen3', 'old'], {
        '/api/show gemma3': { capabilities: ['completion', 'vision'] },
        '/api/show qwen3': { capabilities: ['completion', 'tools', 'thinking'] },
        '/api/show old': {},
      }),
    ).toEqual({
      gemma3: { tools: false, images: true, efforts: [] },
      qwen3: { tools: true, images: false, efforts: ['off', 'low', 'medium', 'high'] },
      old: {},
    })
    expect(
      await ask('lmstudio', ['a', 'b'], {
        '/api/v0/models': {
          data: [
            { id: 'a', type: 'llm', capabilities: ['tool_use'] },
            { id: 'b', type: 'vlm' },
            { id: 'e', type: 'embeddings' },
          ],
        },
      }),
    ).toEqual({ a: { images: false }, b: { images: true } })
  })

  it('in the list itself', () => {
    const list = modelsIn({
      data: [
        {
          id: 'or/thinks',
          supported_parameters: ['tools', 'reasoning'],
          architecture: { input_modalities: ['text', 'image'] },
          reasoning: { mandatory: true, supported_efforts: ['high', 'low'] },
        },
        { id: 'or/plain', supported_parameters: ['max_tokens'], architecture: { input_modalities: ['text'] } },
        { id: 'claude', capabilities: { image_input: { supported: true }, thinking: { supported: true, types: {} } } },
        { id: 'mistral', capabilities: { completion_chat: true, function_calling: false, vision: true } },
        { id: 'silent' },
        { id: 'odd', capabilities: 'yes', supported_parameters: 3 },
      ],
    })!
    expect(capabilitiesInList(list)).toEqual({
      'or/thinks': { tools: true, images: true, efforts: ['low', 'high'] },
      'or/plain': { tools: false, images: false, efforts: [] },
      claude: { images: true, efforts: ['off', 'low', 'medium', 'high'] },
      mistral: { tools: false, images: true },
    })
  })

  it('is asked for once, also where windows stand in the same answer', async () => {
    const asked: string[] = []
    const found = await probeModels(
      { id: 's', name: 'S', baseUrl: 'http://localhost:8080/v1', models: [] },
      'llamacpp',
      ['m'],
      async url => {
        asked.push(url)
        return Response.json({
          default_generation_settings: { n_ctx: 12_288 },
          chat_template_caps: { supports_tools: false, supports_tool_calls: false },
        })
      },
      signal,
    )
    expect(asked).toEqual(['http://localhost:8080/props'])
    expect(found).toEqual({ windows: { m: { tokens: 12_288, place: '/props' } }, abilities: { m: { tools: false } } })
  })
})
