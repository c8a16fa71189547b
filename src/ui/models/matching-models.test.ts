import { describe, expect, it } from 'vitest'
import type { ModelInfo } from '../../core/ports/ports.ts'
import { matchingModels, modelRows } from './matching-models.ts'

const model = (name: string, serverName?: string): ModelInfo => ({
  id: `${serverName ?? ''}/${name}`,
  name,
  kind: serverName === undefined ? 'webllm' : 'remote',
  ...(serverName === undefined ? {} : { server: serverName, serverName }),
  contextWindow: 1_000,
  local: serverName === undefined,
  tools: true,
})
const models = [
  model('Recall'),
  model('openai/gpt-4o', 'OpenRouter'),
  model('openai/gpt-4o-mini', 'OpenRouter'),
  model('mistral-small', 'OpenRouter'),
  model('gpt-oss:20b', 'Ollama'),
]
const found = (query: string): string[] => matchingModels(models, query, 'This device').map(({ name }) => name)

describe('models that fit what is typed', () => {
  it('are all where nothing is typed', () => {
    expect(found('  ')).toHaveLength(models.length)
  })
  it('are found without their punctuation, by several words, and by their server', () => {
    expect(found('gpt4o')).toEqual(['openai/gpt-4o', 'openai/gpt-4o-mini'])
    expect(found('mini OPENAI')).toEqual(['openai/gpt-4o-mini'])
    expect(found('ollama')).toEqual(['gpt-oss:20b'])
    expect(found('this device')).toEqual(['Recall'])
    expect(found('nothing like it')).toEqual([])
  })
  it('stand in the order of how well they fit', () => {
    expect(found('gpt')).toEqual(['gpt-oss:20b', 'openai/gpt-4o', 'openai/gpt-4o-mini'])
    const numbered = ['a/model-139', 'a/model-39', 'b/model-390'].map(name => model(name, 'One'))
    expect(matchingModels(numbered, 'model 39', '').map(({ name }) => name)).toEqual([
      'a/model-39',
      'b/model-390',
      'a/model-139',
    ])
  })
})

describe('the rows of the list', () => {
  it('name each place once, and count the models alone', () => {
    const rows = modelRows([models[1]!, models[4]!, models[2]!], 'This device')
    expect(rows.map(row => (row.type === 'place' ? row.name : `${row.at} ${row.model.name}`))).toEqual([
      'OpenRouter',
      '0 openai/gpt-4o',
      '1 openai/gpt-4o-mini',
      'Ollama',
      '2 gpt-oss:20b',
    ])
  })
  it('name no place where there is one', () => {
    expect(modelRows([models[0]!], 'This device').map(({ type }) => type)).toEqual(['model'])
  })
})
