import { expect, it } from 'vitest'
import { chatModels } from './chat-models.ts'
import { modelsIn } from './model-list.ts'

const left = (rows: readonly Record<string, unknown>[]) =>
  chatModels(modelsIn({ data: rows }) ?? []).map(({ id }) => id)

it('leaves out what cannot talk, by the fields of each server', () => {
  expect(
    left([
      { id: 'a/chat', type: 'chat' },
      { id: 'a/language', type: 'language' },
      { id: 'a/pictures', type: 'image' },
      { id: 'a/vectors', type: 'embedding' },
      { id: 'a/guard', type: 'moderation' },
      { id: 'a/order', type: 'rerank' },
    ]),
  ).toEqual(['a/chat', 'a/language']) // Together
  expect(
    left([
      { id: 'x', type: 'llm' },
      { id: 'y', type: 'vlm' },
      { id: 'z', type: 'embeddings' },
    ]),
  ).toEqual(['x', 'y']) // LM Studio
  expect(
    left([
      { id: 'mistral-large', capabilities: { completion_chat: true } },
      { id: 'mistral-ocr', capabilities: { completion_chat: false } },
    ]),
  ).toEqual(['mistral-large'])
  expect(
    left([
      { id: 'a', architecture: { output_modalities: ['text'] } },
      { id: 'b', architecture: { output_modalities: ['image', 'text'] } },
      { id: 'c', architecture: { output_modalities: ['image'] } },
      { id: 'd', architecture: { output_modalities: ['embeddings'] } },
    ]),
  ).toEqual(['a', 'b']) // OpenRouter
  expect(
    left([
      { id: 'command', endpoints: ['chat', 'generate'] },
      { id: 'other', endpoints: ['embed'] },
    ]),
  ).toEqual(['command'])
  expect(
    left([
      { id: 'f', supports_chat: true },
      { id: 'g', supports_chat: false },
    ]),
  ).toEqual(['f'])
  expect(
    left([
      { id: 'doubao', modalities: { output_modalities: ['text'] }, task_type: ['TextGeneration'] },
      { id: 'seedream', modalities: { output_modalities: ['image'] }, task_type: ['ImageToImage'] },
    ]),
  ).toEqual(['doubao']) // Ark
})

it('believes no word of a router of llama.cpp about outputs, which it writes beside each model', () => {
  // Bytes of llama.cpp v0.4.0 with --models-dir.
  const row = (id: string, ...more: string[]) => ({
    id,
    aliases: [],
    tags: [],
    object: 'model',
    owned_by: 'llamacpp',
    created: 1_795_911_321,
    source: 'models_dir',
    can_remove: false,
    architecture: { input_modalities: ['text'], output_modalities: ['text'] },
    status: {
      value: 'unloaded',
      args: [
        'llama-server',
        '--host',
        '127.0.0.1',
        '--port',
        '0',
        '--alias',
        id,
        '--model',
        `two/${id}.gguf`,
        '--threads',
        '1',
        ...more,
      ],
      preset: `[${id}]\nmodel = two/${id}.gguf\nthreads = 1\n\n`,
    },
  })
  expect(
    left([row('alpha'), row('nomic-embed-tiny'), row('vectors', '--embeddings'), row('order', '--reranking')]),
  ).toEqual(['alpha'])
})

it('leaves them out by their names where the list says nothing else', () => {
  const talking = [
    'gpt-5',
    'gpt-4o-audio-preview',
    'o4-mini',
    'claude-sonnet-4-5',
    'models/gemini-3-pro',
    'gemini-2.5-flash-image-preview',
    'llama3.1:8b',
    'qwen3-coder-30b-a3b-instruct',
    'deepseek-chat',
    'mixtral-8x7b',
    'phi-4',
    'gemma3:4b',
    'bge-m3-chat-tune',
    'text-bison',
    'veoride-7b',
    'solar-pro',
    'imagine-7b',
  ]
  const others = [
    'text-embedding-3-small',
    'nomic-embed-text:latest',
    'mxbai-embed-large',
    'bge-m3',
    'BAAI/bge-reranker-v2-m3',
    'intfloat/e5-mistral-7b',
    'all-minilm-l6-v2',
    'models/gemini-embedding-001',
    'whisper-1',
    'whisper-large-v3-turbo',
    'tts-1-hd',
    'gpt-4o-mini-tts',
    'gpt-4o-transcribe',
    'gpt-4o-realtime-preview',
    'dall-e-3',
    'gpt-image-1',
    'chatgpt-image-latest',
    'sora-2',
    'models/imagen-4.0-generate-001',
    'models/veo-3.0-generate-001',
    'models/aqa',
    'omni-moderation-latest',
    'davinci-002',
    'stabilityai/stable-diffusion-xl',
    'black-forest-labs/flux-1-schnell',
    'cogview-4',
    'wanx2.1-t2i',
    'qwen-image',
    'jina-reranker-v2',
    'playai-tts',
    'orpheus-3b',
    'cosyvoice-v2',
  ]
  const shown = left([...talking, ...others].map(id => ({ id })))
  expect(shown).toEqual(talking)
})

it('shows all where none would be left', () => {
  expect(left([{ id: 'nomic-embed-text' }])).toEqual(['nomic-embed-text'])
})
