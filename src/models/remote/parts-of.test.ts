/** Whatever the shape of a stream, its text, thoughts, calls and end come out the same. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AgentError } from '../../core/errors.ts'
import type { ModelPart } from '../../core/log/message.ts'
import { collectParts } from '../model.laws.ts'
import { ending, sample, saying, textOf, startScenarioServer, type ScenarioServer } from './remote.fixture.ts'

let server: ScenarioServer
beforeAll(async () => {
  server = await startScenarioServer()
})
afterAll(() => server.fake.stop())
const model: ScenarioServer['model'] = (...asked) => server.model(...asked)
const thoughtOf = (parts: readonly ModelPart[]): string =>
  parts.map(part => (part.type === 'reasoning' ? part.text : '')).join('')
const callsOf = (parts: readonly ModelPart[]): unknown[] =>
  parts.flatMap(part => (part.type === 'call' ? [{ name: part.call.name, arguments: part.call.arguments }] : []))

describe('every shape of a stream gives the same text', () => {
  for (const name of [
    'crlf',
    'cr',
    'split',
    'no-done',
    'open-end',
    'comments',
    'no-blank-lines',
    'json',
    'json-lines',
    'refuse-usage',
    'buffered',
    'usage-in-choice',
    'no-usage',
  ]) {
    it(name, async () => {
      const parts = await collectParts(model(name))
      expect(textOf(parts)).toBe(sample)
      expect(parts.at(-1)).toMatchObject({ type: 'finish', stop: 'stop' })
    })
  }

  it('no scenario of the server leaves a model without an end', async () => {
    await Promise.all(
      ending.map(async name => {
        const ended = await collectParts(model(name)).then(
          parts => parts.at(-1)?.type,
          (thrown: unknown) => (thrown instanceof AgentError ? thrown.code : 'foreign'),
        )
        expect([name, ended]).not.toEqual([name, 'foreign'])
        expect(ended).toBeDefined()
      }),
    )
  })
})

describe('reasoning', () => {
  for (const name of ['reasoning', 'reasoning-field', 'reasoning-text', 'reasoning-twice']) {
    it(name, async () => {
      const parts = await collectParts(model(name))
      expect(thoughtOf(parts)).toBe('I think about it.')
      expect(textOf(parts)).toBe('The answer.')
    })
  }
  it('is taken out of tags in the text', async () => {
    const parts = await collectParts(model('think'))
    expect(thoughtOf(parts).trim()).toBe('I think.')
    expect(textOf(parts)).toBe('The answer.')
  })
  it('is all there is when its tag is never closed', async () => {
    const parts = await collectParts(model('think-open'))
    expect(thoughtOf(parts)).toBe('I think and think')
    expect(textOf(parts)).toBe('')
    expect(parts.at(-1)).toMatchObject({ stop: 'length' })
  })
  it('is known from the second answer on where the template opens the tag', async () => {
    const one = model('think-template', { baseUrl: `${server.fake.url}/` }) // another address: nothing is known of it yet
    expect(textOf(await collectParts(one))).toBe('I think.\nThe answer.')
    const parts = await collectParts(one)
    expect(thoughtOf(parts).trim()).toBe('I think.')
    expect(textOf(parts)).toBe('The answer.')
  })
})

describe('tool calls', () => {
  const read = { name: 'read_file', arguments: '{"path":"MEMORY.md"}' }
  const shapes: Record<string, unknown[]> = {
    call: [read],
    calls: [read, { name: 'get_time', arguments: '{}' }],
    'call-no-index': [read],
    'call-ids-repeat': [read],
    'call-ids-change': [read],
    'call-index-zero': [read, { name: 'get_time', arguments: '{}' }],
    'call-whole': [read],
    'call-object': [read],
    'call-empty': [{ name: 'get_time', arguments: '{}' }],
    'call-legacy': [read],
    'call-stop': [read],
  }
  for (const [name, calls] of Object.entries(shapes)) {
    it(name, async () => {
      const parts = await collectParts(model(name))
      expect(callsOf(parts)).toEqual(calls)
      expect(textOf(parts)).toBe('I look. ')
      expect(parts.at(-1)).toMatchObject({ type: 'finish', stop: 'calls' })
      const ids = parts.flatMap(part => (part.type === 'call' ? [part.call.id] : []))
      expect(new Set(ids).size).toBe(ids.length)
    })
  }
  it('are announced while they are written', async () => {
    const parts = await collectParts(model('call'))
    expect(parts.filter(part => part.type === 'calling').at(-1)).toEqual({
      type: 'calling',
      name: 'read_file',
      chars: read.arguments.length,
    })
  })
})

describe('usage and stop reasons', () => {
  it('parts cached tokens from new ones', async () => {
    expect((await collectParts(model('usage-cached'))).at(-1)).toEqual({
      type: 'finish',
      stop: 'stop',
      usage: { input: 40, cacheRead: 60, output: 12 },
    })
  })
  it('finds usage inside choices, and none where there is none', async () => {
    expect((await collectParts(model('usage-in-choice'))).at(-1)).toMatchObject({ usage: { input: 40, output: 12 } })
    expect((await collectParts(model('no-usage'))).at(-1)).toEqual({ type: 'finish', stop: 'stop' })
  })
  it('hears of a window that was full, wherever the server says so', async () => {
    expect((await collectParts(model('truncated'))).at(-1)).toMatchObject({ stop: 'stop', truncated: true })
    expect((await collectParts(model('truncated'), saying('[[truncated beside]]'))).at(-1)).toMatchObject({
      stop: 'stop',
      truncated: true,
    })
    expect((await collectParts(model('chat'))).at(-1)).not.toHaveProperty('truncated')
  })
  it('names the others', async () => {
    expect((await collectParts(model('length'))).at(-1)).toMatchObject({ stop: 'length' })
    expect((await collectParts(model('filtered'))).at(-1)).toMatchObject({ stop: 'filtered' })
    expect((await collectParts(model('empty'))).map(part => part.type)).toEqual(['finish'])
  })
})
