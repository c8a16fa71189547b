import { describe, expect, it } from 'vitest'
import type { ModelInfo } from '../../core/ports/ports.ts'
import { recommended, type ModelFindings } from './recommend.ts'

const recall: ModelInfo = {
  id: 'recall',
  name: 'Recall',
  kind: 'recall',
  contextWindow: 131_072,
  local: true,
  tools: true,
  toolUse: 'good',
}
const ofServer = (server: string, name: string, more: Partial<ModelInfo> = {}): ModelInfo => ({
  id: `${server}/${name}`,
  name,
  kind: 'remote',
  server,
  serverName: server.toUpperCase(),
  contextWindow: 8_192,
  local: true,
  tools: true,
  toolUse: 'good',
  ...more,
})
const ofCard = (name: string, more: Partial<ModelInfo> = {}): ModelInfo => ({
  id: `webllm:${name}`,
  name,
  kind: 'webllm',
  contextWindow: 4_096,
  local: true,
  tools: true,
  toolUse: 'so-so',
  ...more,
})
const browser = { id: 'prompt-api:browser', name: 'Browser model' }
const choose = (found: Partial<ModelFindings>) =>
  recommended({ models: [recall], answers: {}, offline: [], browser: false, ...found }, browser)

describe('the model to begin with', () => {
  const models = [
    recall,
    ofServer('a', 'x'),
    ofServer('b', 'y'),
    ofCard('Qwen3-1.7B'),
    ofCard('Tiny', { toolUse: 'no' }),
  ]

  it('is the first in the order that is there now', () => {
    const offline = ['webllm:Qwen3-1.7B', 'webllm:Tiny']
    expect(choose({ models, answers: { a: false, b: true }, offline, browser: true })).toEqual({
      model: 'b/y',
      name: 'y',
      why: 'server',
      server: 'B',
    })
    expect(choose({ models, answers: { a: false, b: false }, offline, browser: true })).toEqual({
      model: 'webllm:Qwen3-1.7B',
      name: 'Qwen3-1.7B',
      why: 'offline',
    })
    expect(choose({ models, offline: [], browser: true })).toEqual({
      model: browser.id,
      name: browser.name,
      why: 'browser',
    })
    expect(choose({ models })).toEqual({ model: 'recall', name: 'Recall', why: 'recall' })
    expect(choose({ models: [] })).toMatchObject({ model: 'recall', why: 'recall' })
  })

  it('is never one that was not asked, not downloaded, or is gone', () => {
    expect(choose({ models, answers: {} }).why).toBe('recall')
    expect(choose({ models, offline: ['webllm:removed'] }).why).toBe('recall')
    expect(choose({ models: [recall], answers: { a: true } }).why).toBe('recall')
  })

  it('of several is the one that uses tools best, then the one that sees more at once', () => {
    const many = [
      ofServer('a', 'small', { toolUse: 'so-so', contextWindow: 200_000 }),
      ofServer('a', 'good', { contextWindow: 8_192 }),
      ofServer('a', 'better', { contextWindow: 32_768 }),
    ]
    expect(choose({ models: many, answers: { a: true } }).model).toBe('a/better')
    expect(choose({ models, offline: ['webllm:Tiny', 'webllm:Qwen3-1.7B'] }).model).toBe('webllm:Qwen3-1.7B')
  })
})
