import { describe, expect, it } from 'vitest'
import type { AgentError } from '../../../core/errors.ts'
import type { Engine } from '../../../core/ports/local-engine.ts'
import type { Model } from '../../../core/ports/ports.ts'
import { connectEngine, serveEngine, type EngineChannel } from '../../../bridge/shared/engine-channel.ts'
import { localModel } from '../local-model.ts'
import { modelLaws, collectParts, plainRequest, thrownBy } from '../../model.laws.ts'
import { testHost, stateOf, tinyModel, type Behaviour } from './webllm.fixture.ts'

const never = new AbortController().signal

/** As in the app: the engine on one side of a line, the model on the other. */
function overLine(engine: Engine): Engine {
  const ears = { lender: new Set<(message: unknown) => void>(), borrower: new Set<(message: unknown) => void>() }
  const end = (mine: keyof typeof ears, theirs: keyof typeof ears): EngineChannel => ({
    post: message => {
      const copy = structuredClone(message)
      queueMicrotask(() => {
        for (const hear of ears[theirs]) hear(copy)
      })
    },
    onMessage(listener) {
      ears[mine].add(listener)
      return () => {
        ears[mine].delete(listener)
      }
    },
  })
  serveEngine(engine, end('lender', 'borrower'))
  return connectEngine(end('borrower', 'lender'))
}

async function whole(behave: () => Behaviour = () => ({})): Promise<ReturnType<typeof testHost> & { model: Model }> {
  const bench = testHost(behave)
  await bench.host.act({ type: 'download', model: tinyModel }, never)
  const engine = overLine(bench.host)
  return { ...bench, model: localModel(tinyModel, async () => engine) }
}

const many = Array.from({ length: 60 }, (_, n) => `word${n} `)
const named = (name: string, message: string) => () => Object.assign(new Error(message), { name })
const overflow = named(
  'ContextWindowSizeExceededError',
  'Prompt tokens exceed context window size: number of prompt tokens: 900; context window size: 1024',
)

modelLaws('A model of the graphics card, over a line', {
  answers: async () => (await whole()).model,
  goesOn: async () => (await whole(() => ({ pieces: many, everyMs: 5 }))).model,
  calls: async () =>
    localModel({ ...tinyModel, tools: true }, async () =>
      overLine(
        (
          await whole(() => ({
            pieces: ['<tool_call>\n{"name": "read_file", ', '"arguments": {"path": "a"}}\n</tool_call>'],
          }))
        ).host,
      ),
    ),
  overflows: async () => (await whole(() => ({ onCreate: overflow }))).model,
  fails: {
    'a model that was never downloaded': async () => localModel(tinyModel, async () => overLine(testHost().host)),
    'a device that is lost again and again': async () =>
      (
        await whole(() => ({
          onCreate: named('ModelNotLoadedError', 'Model not loaded before trying to complete ChatCompletionRequest.'),
        }))
      ).model,
    'an error that came as a string': async () =>
      (
        await whole(() => ({
          onCreate: () => 'ToolCallOutputParseError: Internal error: error encountered when parsing outputMessage',
        }))
      ).model,
    'an answer without an end': async () => (await whole(() => ({ finish: '' }))).model,
    'words of the driver': async () =>
      (await whole(() => ({ onCreate: () => new Error('GPUDevice was lost: DXGI_ERROR_DEVICE_HUNG') }))).model,
  },
})

describe('the engine of the graphics card', () => {
  it('loads at the first question, with the window that was chosen, and keeps what is loaded', async () => {
    const { model, engines, host } = await whole()
    await collectParts(model)
    await collectParts(model)
    expect(engines).toHaveLength(1)
    expect(engines[0]!.loads).toEqual([{ model: 'Tiny', options: { context_window_size: 1_024 } }])
    expect(stateOf(host).work).toEqual({ state: 'ready', model: tinyModel.id })
    await collectParts(localModel({ ...tinyModel, contextWindow: 2_048 }, async () => host))
    expect(engines[0]!.unloads).toBe(1)
    expect(engines[1]!.loads[0]!.options).toEqual({ context_window_size: 2_048 })
  })

  it('after a stop it reads to the end, so that the next question is not blocked', async () => {
    const { model, engines } = await whole(() => ({ pieces: many, everyMs: 5 }))
    const control = new AbortController()
    setTimeout(() => {
      control.abort()
    }, 60)
    expect(((await thrownBy(model, plainRequest, control.signal)) as AgentError).code).toBe('stopped')
    const parts = await collectParts(model)
    expect(parts.at(-1)).toMatchObject({ type: 'finish', stop: 'stop' })
    expect(engines[0]!.locked).toBe(false)
    expect(engines).toHaveLength(1)
  })

  it('loads once more by itself when the device was lost between two questions', async () => {
    let lost = true
    const { model, engines } = await whole(() => ({
      onCreate: () => {
        if (!lost) return undefined
        lost = false
        return named('ModelNotLoadedError', 'Model not loaded')()
      },
    }))
    expect((await collectParts(model)).at(-1)).toMatchObject({ type: 'finish', stop: 'stop' })
    expect(engines).toHaveLength(2)
  })

  it('does not load again by itself what killed the tab; a person may', async () => {
    const { model, host, marker } = await whole()
    marker.value = tinyModel.id
    const error = (await thrownBy(model)) as AgentError
    expect([error.code, error.data['reason']]).toEqual(['model_unavailable', 'unfinished'])
    await host.act({ type: 'measure' }, never)
    expect(stateOf(host).unfinished).toBe(tinyModel.id)
    await host.act({ type: 'load', model: tinyModel }, never)
    expect(marker.value).toBeUndefined()
    expect(stateOf(host).unfinished).toBeUndefined()
    expect((await collectParts(model)).at(-1)?.type).toBe('finish')

    const failing = await whole(() => ({
      onLoad: async () => {
        throw new Error('Out of memory')
      },
    }))
    failing.marker.value = tinyModel.id
    await failing.host.act({ type: 'measure' }, never)
    // that told what is wrong: it did not kill the tab
    await failing.host.act({ type: 'load', model: tinyModel }, never).catch(() => {})
    expect([failing.marker.value, stateOf(failing.host).unfinished]).toEqual([undefined, undefined])
  })

  it('marks a loading while it runs, and takes the mark away however it ends', async () => {
    const seen: (string | undefined)[] = []
    const bench = await whole(() => ({
      onLoad: async () => {
        seen.push(bench.marker.value)
        throw new Error('Out of memory')
      },
    }))
    const error = (await thrownBy(bench.model)) as AgentError
    expect(error.data['reason']).toBe('out-of-memory')
    expect(seen).toEqual([tinyModel.id])
    expect(bench.marker.value).toBeUndefined()
    expect(stateOf(bench.host).work).toMatchObject({ state: 'failed', problem: { reason: 'out-of-memory' } })
  })

  it('a stop ends a loading that never ends; what the older loading still says is passed over', async () => {
    const bench = await whole(() => ({ onLoad: () => new Promise(() => {}) }))
    const control = new AbortController()
    setTimeout(() => {
      control.abort()
    }, 20)
    const thrown = await bench.host
      .act({ type: 'load', model: tinyModel }, control.signal)
      .catch((error: AgentError) => error.code)
    expect(thrown).toBe('stopped')
    expect(bench.engines[0]!.unloads).toBe(1)
    expect(stateOf(bench.host).work).toEqual({ state: 'idle' })
    expect(bench.marker.value).toBeUndefined()
  })

  it('a stop before another one is loaded leaves the one that is there', async () => {
    const bench = await whole()
    await bench.host.act({ type: 'load', model: tinyModel }, never)
    const control = new AbortController()
    control.abort()
    const other = { ...tinyModel, contextWindow: 512 }
    expect(
      await bench.host.act({ type: 'load', model: other }, control.signal).catch((error: AgentError) => error.code),
    ).toBe('stopped')
    expect(stateOf(bench.host).work).toEqual({ state: 'ready', model: tinyModel.id })
    expect((await collectParts(localModel(tinyModel, async () => bench.host))).at(-1)).toMatchObject({ type: 'finish' })
    expect(bench.engines).toHaveLength(1)
  })

  it('refuses before it loads: no WebGPU, no half precision, a buffer that is too large', async () => {
    const limits = {
      maxBufferSize: 1 << 30,
      maxStorageBufferBindingSize: 1 << 28,
      maxComputeWorkgroupStorageSize: 32_768,
      maxStorageBuffersPerShaderStage: 10,
    }
    const adapter = async () => ({ features: new Set<string>(), limits })
    const reason = async (bench: ReturnType<typeof testHost>, model = tinyModel): Promise<unknown> =>
      bench.host.act({ type: 'load', model }, never).then(
        () => 'loaded',
        (error: AgentError) => error.data['reason'],
      )
    expect(await reason(testHost(() => ({}), { adapter: async () => null }))).toBe('no-webgpu')
    expect(
      await reason(
        testHost(() => ({}), {
          adapter: async () => ({
            features: new Set<string>(),
            limits: { ...limits, maxComputeWorkgroupStorageSize: 16_384 },
          }),
        }),
      ),
    ).toBe('too-large')
    expect(
      await reason(
        testHost(() => ({}), { adapter }),
        { ...tinyModel, webllm: { ...tinyModel.webllm!, features: ['shader-f16'] } },
      ),
    ).toBe('no-f16')
    expect(
      await reason(
        testHost(() => ({}), { adapter }),
        { ...tinyModel, webllm: { ...tinyModel.webllm!, bufferBytes: 1 << 28 } },
      ),
    ).toBe('too-large')
  })

  it('uses tools in words, holds calls to their schemas, and goes on without where its grammar cannot be made', async () => {
    const withTools = async (behave: () => Behaviour) => {
      const bench = await whole(behave)
      return { ...bench, model: localModel({ ...tinyModel, tools: true }, async () => overLine(bench.host)) }
    }
    const call = ['I look.\n<tool', '_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n</tool_call>']
    const { model, engines } = await withTools(() => ({ pieces: call }))
    const parts = await collectParts(model)
    expect(parts.map(part => part.type)).toEqual(['text', 'call', 'finish'])
    expect(parts.at(-1)).toMatchObject({ stop: 'calls' })
    const format = engines[0]!.requests[0]!.response_format as { type: string; structural_tag: string }
    expect(format.type).toBe('structural_tag')
    expect(JSON.parse(format.structural_tag)).toEqual({
      type: 'structural_tag',
      format: {
        type: 'triggered_tags',
        triggers: ['<tool_call>'],
        tags: [
          {
            type: 'tag',
            begin: '<tool_call>\n{"name": "read_file", "arguments": ',
            content: { type: 'json_schema', json_schema: plainRequest.tools[0]!.parameters },
            end: '}\n</tool_call>',
          },
        ],
      },
    })
    await collectParts(model, { ...plainRequest, tools: [] })
    expect(engines[0]!.requests[1]!.response_format).toBeUndefined()

    let asked = 0
    const odd = await withTools(() => ({
      pieces: call,
      onCreate: () =>
        asked++ === 0
          ? Object.assign(new Error('the grammar is not one'), { name: 'GrammarMatcherInitError' })
          : undefined,
    }))
    expect((await collectParts(odd.model)).filter(part => part.type === 'call')).toHaveLength(1)
    expect(
      odd.engines.flatMap(engine => engine.requests.map(request => request.response_format !== undefined)),
    ).toEqual([true, false])
  })

  it('gives reasoning apart, and history with calls as text in strict turns', async () => {
    const { model, engines } = await whole(() => ({ pieces: ['<thi', 'nk>hm</think>', 'Yes.'] }))
    const parts = await collectParts(model, {
      system: 'S',
      tools: [],
      messages: [
        { role: 'user', content: 'a' },
        { role: 'user', content: 'b' },
        { role: 'assistant', content: '', toolCalls: [{ id: '1', name: 'get_time', arguments: '{}' }] },
        { role: 'tool', content: 'noon', toolCallId: '1', name: 'get_time' },
      ],
    })
    expect(
      parts.map(part => (part.type === 'text' || part.type === 'reasoning' ? `${part.type}: ${part.text}` : part.type)),
    ).toEqual(['reasoning: hm', 'text: Yes.', 'finish'])
    expect(parts.at(-1)).toMatchObject({ usage: { input: 12, output: 3 } })
    expect(engines[0]!.requests[0]!.messages).toEqual([
      { role: 'system', content: 'S' },
      { role: 'user', content: 'a\n\nb' },
      { role: 'assistant', content: '[get_time {}]' },
      { role: 'user', content: '[Result of get_time]\nnoon' },
    ])
  })
})
