import { describe, expect, it } from 'vitest'
import { startFakeServer } from '../../../e2e/servers/fake-server.ts'
import { AgentError } from '../../core/errors.ts'
import type { ModelPart, ModelRequest } from '../../core/log/message.ts'
import type { Model } from '../../core/ports/ports.ts'
import { createAllowedFetch } from '../../net/allowed-fetch.ts'
import { modelLaws, collectParts, plainRequest, thrownBy } from '../model.laws.ts'
import { remote } from '../remote/remote.ts'
import { scripted, type Script, type ScriptedModel } from '../scripted.ts'
import { withTextTools } from './with-text-tools.ts'

type Schema = Model['can']['schema']
const speaker = (script: Script, schema: Schema = false): ScriptedModel =>
  scripted(script, { can: { tools: false, images: false, schema } })
const call = '<tool_call>\n{"name": "read_file", "arguments": {"path": "notes.txt"}}\n</tool_call>'
const broken = '<tool_call>\n{"name": "read_file", "arguments": {"path": "say "x" now"}}\n</tool_call>'
const many = Array.from({ length: 40 }, (_, n) => `word ${n} `)
const text = (parts: readonly ModelPart[]): string =>
  parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('')
const calls = (parts: readonly ModelPart[]): [string, string, string][] =>
  parts.flatMap(part => (part.type === 'call' ? [[part.call.id, part.call.name, part.call.arguments]] : []))

for (const schema of [false, 'whole', 'between'] as const) {
  modelLaws(`A model without tools of its own, held to ${schema || 'nothing'}`, {
    answers: async () => withTextTools(speaker(() => ({ text: ['Hello', ' there', '.'] }), schema)),
    goesOn: async () => withTextTools(speaker(() => ({ text: many, delayMs: 5 }), schema)),
    calls: async () =>
      withTextTools(
        speaker(
          () => (schema === 'whole' ? '{"name": "read_file", "arguments": {"path": "a"}}' : `I look. ${call}`),
          schema,
        ),
      ),
    overflows: async () => withTextTools(speaker([{ overflow: true }], schema)),
    fails: { 'refuses all': async () => withTextTools(speaker(() => ({ fail: { code: 'model_refused' } }), schema)) },
  })
}

describe('tools on any model', () => {
  it('tells the model of them in words, and makes calls of its words', async () => {
    const model = speaker(
      [
        {
          text: ['I look.\n', '<tool', '_call>\n{"name": "read_file", "argu', 'ments": {"path": "a"}}\n</tool_call>'],
          usage: { input: 50, output: 9 },
        },
      ],
      'between',
    )
    const parts = await collectParts(withTextTools(model))
    expect(parts.map(part => part.type)).toEqual(['text', 'calling', 'call', 'finish'])
    expect(calls(parts)).toEqual([['call_1', 'read_file', '{"path": "a"}']])
    expect(parts.at(-1)).toEqual({ type: 'finish', stop: 'calls', usage: { input: 50, output: 9 } })
    const [asked] = model.requests
    expect(asked!.tools).toEqual([])
    expect(asked!.system).toContain('- read_file(path)')
    expect(asked!.shape).toMatchObject({ trigger: '<tool_call>' })
  })

  it('changes nothing where the model has calls of its own, or where no tool is offered', async () => {
    const own = scripted([{ calls: [{ name: 'read_file', arguments: '{}' }] }])
    expect(calls(await collectParts(withTextTools(own)))).toEqual([['call_1', 'read_file', '{}']])
    expect(own.requests[0]).toBe(plainRequest)
    const bare = speaker([call])
    const request: ModelRequest = { ...plainRequest, tools: [] }
    expect(text(await collectParts(withTextTools(bare), request))).toBe(call)
    expect(bare.requests[0]).toBe(request)
  })

  it('asks once more when a call cannot be read, and only once', async () => {
    const mended = speaker([
      { text: `I look. ${broken}`, usage: { input: 9, output: 20 } },
      { text: call, usage: { input: 9, output: 5 } },
    ])
    const parts = await collectParts(withTextTools(mended))
    expect([text(parts), calls(parts)]).toEqual(['I look. ', [['call_1', 'read_file', '{"path": "notes.txt"}']]])
    expect(parts.at(-1)).toMatchObject({ stop: 'calls', usage: { output: 25 } })
    expect(mended.requests[1]!.messages.slice(-2)).toMatchObject([
      { role: 'assistant' },
      { role: 'user', content: expect.stringContaining('not valid JSON') },
    ])
    expect(mended.requests[1]!.system).toBe(mended.requests[0]!.system)

    const never = speaker([broken, broken])
    const again = await collectParts(withTextTools(never))
    expect(never.requests).toHaveLength(2)
    // The loop answers it with the parser's message.
    expect(calls(again)).toEqual([['call_1', 'read_file', expect.stringContaining('say "x" now')]])

    const nameless = speaker(['<tool_call>read_file a</tool_call>', 'Sorry.'])
    const lost = await collectParts(withTextTools(nameless))
    expect([text(lost), calls(lost), lost.at(-1)]).toEqual(['read_file a', [], { type: 'finish', stop: 'stop' }])
  })

  it('keeps the answer when the second round fails, and is stopped in it at once', async () => {
    const full = speaker([broken, { overflow: true }])
    expect(calls(await collectParts(withTextTools(full)))).toHaveLength(1)
    const slow = speaker([broken, { text: many, delayMs: 20 }])
    const control = new AbortController()
    setTimeout(() => {
      control.abort()
    }, 60)
    expect(await thrownBy(withTextTools(slow), plainRequest, control.signal)).toMatchObject({ code: 'stopped' })
  })

  it('does not ask again at the output limit, nor where no tool may run', async () => {
    const cut = speaker([{ text: '<tool_call>{"name": "read_file", "arguments": {"path": "no', stop: 'length' }])
    expect(calls(await collectParts(withTextTools(cut)))).toEqual([
      ['call_1', 'read_file', '{"name": "read_file", "arguments": {"path": "no'],
    ])
    const last = speaker([`I would like ${broken}`])
    const parts = await collectParts(withTextTools(last), { ...plainRequest, toolChoice: 'none' })
    expect([text(parts), calls(parts), last.requests.length]).toEqual(['I would like ', [], 1])
  })

  it('leaves a model that makes up the result of its own call', async () => {
    const dreamer = speaker([{ text: [call, '\n<tool_resp', 'onse>All is well', ...many] }])
    const parts = await collectParts(withTextTools(dreamer))
    expect([text(parts), calls(parts).length]).toEqual(['', 1])
  })

  it('goes on without a form when the engine refuses one, and remembers it', async () => {
    const model = speaker(
      request =>
        request.shape ? { fail: { code: 'model_refused', message: 'response_format is not supported' } } : 'Fine.',
      'whole',
    )
    const wrapped = withTextTools(model)
    expect(text(await collectParts(wrapped))).toBe('Fine.')
    expect(text(await collectParts(wrapped))).toBe('Fine.')
    expect(model.requests.map(({ shape }) => shape !== undefined)).toEqual([true, false, false])
    // A refusal that has another reason stays one.
    const never = withTextTools(speaker(() => ({ fail: { code: 'model_refused', message: 'Not for you.' } }), 'whole'))
    expect(await thrownBy(never)).toMatchObject({ code: 'model_refused', message: 'Not for you.' })
  })

  it('takes over from a server that turns out to have no tools', async () => {
    const can = { tools: true, images: false, schema: false as const }
    const asked: ModelRequest[] = []
    const server: Model = {
      id: 'x',
      name: 'x',
      contextWindow: 8_192,
      maxOutput: 512,
      local: false,
      reportsWholePrompt: true,
      can,
      async *generate(request) {
        asked.push(request)
        if (request.tools.length > 0) can.tools = false // refused; what follows is an answer without them
        yield { type: 'text', text: request.tools.length > 0 ? 'I cannot look.' : call }
        yield { type: 'finish', stop: 'stop' }
      },
    }
    const wrapped = withTextTools(server)
    for (const requests of [2, 3]) {
      const parts = await collectParts(wrapped)
      expect([text(parts), calls(parts).length, asked.length]).toEqual(['', 1, requests])
    }
  })

  it('tells a real server without tools of them in words, and asks it for a form', async () => {
    const fake = await startFakeServer()
    try {
      const net = createAllowedFetch({
        store: { setting: async () => undefined, saveSetting: async () => undefined },
        now: () => 0,
      })
      net.allow([fake.url])
      const server = { id: 'one', name: 'Fake', baseUrl: fake.url, models: [] }
      const wrapped = withTextTools(
        remote({ server, name: 'refuse-tools', contextWindow: 8_192, local: true, fetch: net.model }),
      )
      expect(text(await collectParts(wrapped))).toContain('quick brown fox')
      expect(text(await collectParts(wrapped))).toContain('quick brown fox')
      const bodies = fake.requests.filter(({ method }) => method === 'POST').map(({ body }) => body!)
      expect(bodies.map(body => [body['tools'] !== undefined, body['response_format'] !== undefined])).toEqual([
        [true, false],
        [false, false],
        [false, true],
        [false, true],
      ])
      expect(JSON.stringify(bodies.at(-1)!['messages'])).toContain('- read_file(path)')
      expect(bodies.at(-1)!['response_format']).toMatchObject({
        type: 'json_schema',
        json_schema: { name: 'answer', schema: { anyOf: [{}, {}] } },
      })
    } finally {
      await fake.stop()
    }
  })

  it('passes thoughts through, and errors as they are', async () => {
    const parts = await collectParts(withTextTools(speaker([{ reasoning: 'I should call <tool_call>', text: 'No.' }])))
    expect(parts.slice(0, 2)).toEqual([
      { type: 'reasoning', text: 'I should call <tool_call>' },
      { type: 'text', text: 'No.' },
    ])
    const failing = withTextTools(speaker([{ text: 'a', fail: { code: 'network', after: 1 } }]))
    expect(await thrownBy(failing)).toBeInstanceOf(AgentError)
  })
})
