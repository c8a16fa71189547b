import { describe, expect, it } from 'vitest'
import type { AgentError } from '../core/errors.ts'
import { modelLaws, collectParts, plainRequest, thrownBy } from './model.laws.ts'
import { scripted } from './scripted.ts'

modelLaws('scripted', {
  answers: async () => scripted(() => ({ text: ['One ', 'two ', 'three.'] })),
  goesOn: async () => scripted(() => ({ text: Array.from({ length: 40 }, (_, i) => `${i} `), delayMs: 5 })),
  calls: async () => scripted([{ text: 'Reading.', calls: [{ name: 'read_file', arguments: { path: 'notes.txt' } }] }]),
  overflows: async () => scripted([{ overflow: { limit: 4_096, actual: 5_000 } }]),
  fails: {
    'server error': async () => scripted([{ fail: { code: 'model_server' } }]),
    'after two parts': async () => scripted([{ text: ['a', 'b', 'c'], fail: { code: 'network', after: 2 } }]),
    'end of the script': async () => scripted([]),
  },
})

describe('scripted', () => {
  it('gives reasoning, text and calls in order, with usage', async () => {
    const model = scripted([
      { reasoning: 'hm', text: 'Hi', calls: [{ name: 'get_time', arguments: '{' }], usage: { input: 10, output: 3 } },
    ])
    expect(await collectParts(model)).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'Hi' },
      { type: 'call', call: { id: 'call_1', name: 'get_time', arguments: '{' } },
      { type: 'finish', stop: 'calls', usage: { input: 10, output: 3 } },
    ])
    expect(model.requests).toEqual([plainRequest])
  })

  it('keeps what came before a late failure', async () => {
    const model = scripted([{ text: ['a', 'b'], fail: { code: 'network', after: 1 } }])
    const seen: string[] = []
    try {
      for await (const part of model.generate(plainRequest, new AbortController().signal))
        if (part.type === 'text') seen.push(part.text)
    } catch (thrown) {
      seen.push((thrown as AgentError).code)
    }
    expect(seen).toEqual(['a', 'network'])
  })

  it('tells the numbers of an overflow', async () => {
    const thrown = await thrownBy(scripted([{ overflow: { limit: 4_096 } }]))
    expect((thrown as AgentError).data).toEqual({ kind: 'overflow_prompt', limit: 4_096 })
  })
})
