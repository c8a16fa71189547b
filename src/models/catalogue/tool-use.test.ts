import { expect, it } from 'vitest'
import { toolUse } from './tool-use.ts'
import { webllmRows } from '../engines/webllm/webllm-list.ts'

it('says what can be expected of a model by its family and size', () => {
  const of = (name: string, kind: 'webllm' | 'remote' | 'cpu' = 'webllm') => toolUse({ kind, name })
  expect(
    [
      'Qwen3-4B-q4f16_1',
      'Hermes-3-Llama-3.1-8B-q4f32_1',
      'Ministral-3-3B-Instruct',
      'Phi-4-mini-instruct',
      'Llama-3.2-3B-Instruct',
    ].map(name => of(name)),
  ).toEqual(Array(5).fill('good'))
  expect(
    ['Qwen3-0.6B-q4f16_1', 'Llama-3.2-1B-Instruct', 'Phi-3.5-mini-instruct', 'gemma-4-E2B-it'].map(name => of(name)),
  ).toEqual(Array(4).fill('so-so'))
  expect(
    ['SmolLM2-135M-Instruct', 'TinyLlama-1.1B-Chat', 'gemma3-1b-it', 'gemma-2-2b-it'].map(name => of(name)),
  ).toEqual(Array(4).fill('no'))
  expect([
    of('gpt-5', 'remote'),
    of('qwen3:4b', 'remote'),
    of('some-new-model', 'remote'),
    of('llama3.2:1b', 'remote'),
    of('tinyllama:1.1b', 'remote'),
  ]).toEqual(['good', 'good', 'good', 'so-so', 'no'])
  expect(toolUse({ kind: 'prompt-api', name: 'Browser model' })).toBe('so-so')
  expect(toolUse({ kind: 'recall', name: 'Recall' })).toBe('good')
  const grades = webllmRows.map(({ id }) => of(id))
  for (const grade of ['good', 'so-so', 'no'] as const)
    expect(grades.filter(one => one === grade).length).toBeGreaterThan(5)
})
