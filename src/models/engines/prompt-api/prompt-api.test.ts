import { describe, expect, it } from 'vitest'
import type { AgentError } from '../../../core/errors.ts'
import type { Engine, EngineState } from '../../../core/ports/local-engine.ts'
import type { Model } from '../../../core/ports/ports.ts'
import { localModel } from '../local-model.ts'
import { modelLaws, collectParts, plainRequest } from '../../model.laws.ts'
import { browserModel, promptApi } from './prompt-api.ts'

const never = new AbortController().signal

type Double = {
  old?: boolean
  availability?: string
  window?: number
  used?: number
  pieces?: readonly string[]
  everyMs?: number
  tooLarge?: { requested: number; quota: number }
  overflowEvent?: boolean
  broken?: DOMException
  asked?: { responseConstraint?: unknown; omitResponseConstraintInput?: boolean }[]
  created?: { initialPrompts?: unknown[]; systemPrompt?: string }[]
  destroyed?: number
}

/** What Chrome puts on `window`, under its present or its former names. */
function install(double: Double): object {
  const names = double.old
    ? { usage: 'inputUsage', window: 'inputQuota', measure: 'measureInputUsage', overflow: 'quotaoverflow' }
    : { usage: 'contextUsage', window: 'contextWindow', measure: 'measureContextUsage', overflow: 'contextoverflow' }
  const api = {
    ...(double.old
      ? {
          capabilities: async () => ({
            available: { available: 'readily', downloadable: 'after-download', unavailable: 'no' }[
              double.availability ?? 'available'
            ],
          }),
        }
      : { availability: async () => double.availability ?? 'available' }),
    create: async (options: {
      initialPrompts?: unknown[]
      systemPrompt?: string
      signal: AbortSignal
      monitor?: (monitor: EventTarget) => void
    }) => {
      options.signal.throwIfAborted()
      ;(double.created ??= []).push({
        ...(options.initialPrompts ? { initialPrompts: options.initialPrompts } : {}),
        ...(options.systemPrompt ? { systemPrompt: options.systemPrompt } : {}),
      })
      if (double.tooLarge)
        throw Object.assign(new Error('The input is too large.'), { name: 'QuotaExceededError', ...double.tooLarge })
      const monitor = new EventTarget()
      options.monitor?.(monitor)
      for (const loaded of [0, 0.5, 1])
        monitor.dispatchEvent(Object.assign(new Event('downloadprogress'), { loaded, total: 1 }))
      double.availability = 'available'
      const session = new EventTarget()
      return Object.assign(session, {
        [names.usage]: double.used ?? 10,
        [names.window]: double.window ?? 4_000,
        [names.measure]: async (text: string) => Math.ceil(text.length / 4),
        destroy: () => {
          double.destroyed = (double.destroyed ?? 0) + 1
        },
        promptStreaming: (_: string, { signal, ...held }: { signal: AbortSignal; responseConstraint?: unknown }) => {
          ;(double.asked ??= []).push(held)
          let n = 0
          return new ReadableStream<string>(
            {
              async pull(controller) {
                if (n === 0 && double.overflowEvent) session.dispatchEvent(new Event(names.overflow))
                if (double.broken) {
                  controller.error(double.broken)
                  return
                }
                await new Promise(resolve => {
                  setTimeout(resolve, double.everyMs ?? 1)
                })
                if (signal.aborted) {
                  controller.error(new DOMException('The prompt was aborted.', 'AbortError'))
                  return
                }
                const pieces = double.pieces ?? ['A ', 'short ', 'answer.']
                if (n >= pieces.length) {
                  controller.close()
                  return
                }
                controller.enqueue(double.old ? pieces.slice(0, ++n).join('') : pieces[n++]!)
              },
            },
            { highWaterMark: 0 },
          )
        },
      })
    },
  }
  return double.old ? { ai: { languageModel: api } } : { LanguageModel: api }
}

const modelOver = (double: Double): Model => {
  const engine = promptApi(install(double))
  return localModel(browserModel, async () => engine)
}
const stateOf = (engine: Engine): EngineState => {
  let state: EngineState | undefined
  engine.watch(now => {
    state = now
  })()
  return state!
}
const many = Array.from({ length: 60 }, (_, n) => `w${n} `)

for (const old of [false, true]) {
  modelLaws(`The browser's own model, ${old ? 'former' : 'present'} names`, {
    answers: async () => modelOver({ old }),
    goesOn: async () => modelOver({ old, pieces: many, everyMs: 5 }),
    calls: async () => modelOver({ old, pieces: ['{"name": "read_', 'file", "arguments": {"path": "a"}}'] }),
    overflows: async () => modelOver({ old, window: 256, used: 250, pieces: ['never'] }),
    fails: {
      'not downloaded yet': async () => modelOver({ old, availability: 'downloadable' }),
      'not for this device': async () => modelOver({ old, availability: 'unavailable' }),
      'not allowed': async () => modelOver({ old, broken: new DOMException('no', 'NotAllowedError') }),
      'ended by the browser': async () => modelOver({ old, broken: new DOMException('gone', 'AbortError') }),
    },
    request: {
      ...plainRequest,
      messages: [{ role: 'user', content: 'What is in the file that I showed you an hour ago?' }],
    },
  })
}

describe("the browser's own model", () => {
  it('is given the system prompt and the turns first, the question last, and is let go of after each answer', async () => {
    for (const old of [false, true]) {
      const double: Double = { old }
      const request = {
        system: 'Be brief.',
        tools: [],
        messages: [
          { role: 'user' as const, content: 'a' },
          { role: 'assistant' as const, content: 'b' },
          { role: 'user' as const, content: 'c' },
        ],
      }
      const parts = await collectParts(modelOver(double), request)
      expect(
        parts
          .filter(part => part.type === 'text')
          .map(part => part.text)
          .join(''),
      ).toBe('A short answer.')
      const turns = [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
      ]
      expect(double.created).toEqual([
        old
          ? { systemPrompt: 'Be brief.', initialPrompts: turns }
          : { initialPrompts: [{ role: 'system', content: 'Be brief.' }, ...turns] },
      ])
      expect(double.destroyed).toBe(1)
      expect(parts.at(-1)).toMatchObject({ type: 'finish', stop: 'stop', usage: { input: 11 } })
    }
  })

  it('makes an overflow of all three: too much measured, too much refused, turns dropped without a word', async () => {
    const caught = async (double: Double): Promise<AgentError> =>
      collectParts(modelOver(double)).then(
        () => {
          throw new Error('it answered')
        },
        (error: AgentError) => error,
      )
    for (const old of [false, true]) {
      expect(await caught({ old, window: 300, used: 299 })).toMatchObject({
        code: 'model_overflow',
        data: { limit: 300 },
      })
      expect(await caught({ old, tooLarge: { requested: 9_000, quota: 4_096 } })).toMatchObject({
        code: 'model_overflow',
        data: { limit: 4_096, actual: 9_000 },
      })
      expect(await caught({ old, overflowEvent: true })).toMatchObject({
        code: 'model_overflow',
        data: { limit: 4_000 },
      })
    }
  })

  it('uses tools in words, and is held to their form', async () => {
    const double: Double = { pieces: ['{"name": "read_file", ', '"arguments": {"path": "a"}}'] }
    const request = { ...plainRequest, messages: [{ role: 'user' as const, content: 'What is in a?' }] }
    const parts = await collectParts(modelOver(double), request)
    expect(parts.filter(part => part.type === 'call')).toEqual([
      { type: 'call', call: { id: 'call_1', name: 'read_file', arguments: '{"path": "a"}' } },
    ])
    expect(double.asked).toMatchObject([
      {
        responseConstraint: { anyOf: [{ required: ['answer'] }, { required: ['name', 'arguments'] }] },
        omitResponseConstraintInput: true,
      },
    ])
    expect(JSON.stringify(double.created)).toContain('- read_file(path)')
    const answered: Double = { pieces: ['{"answer": "It is ', 'empty."}'] }
    expect(await collectParts(modelOver(answered), request)).toMatchObject([
      { type: 'text', text: 'It is ' },
      { type: 'text', text: 'empty.' },
      { type: 'finish', stop: 'stop' },
    ])
    const bare: Double = {}
    await collectParts(modelOver(bare), { ...request, tools: [] })
    expect(bare.asked).toEqual([{}])
  })

  it('keeps thoughts apart from the answer, also one that never ends', async () => {
    const of = async (pieces: string[]) =>
      (await collectParts(modelOver({ pieces }), { ...plainRequest, tools: [] })).slice(0, -1)
    expect(await of(['<thi', 'nk>hm', '</think>\n\nYes.'])).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'Yes.' },
    ])
    expect((await of(['<think>hm and on', ' and on'])).every(part => part.type === 'reasoning')).toBe(true)
  })

  it('downloads with progress, and tells the true window', async () => {
    const engine = promptApi(install({ availability: 'downloadable', window: 6_144 }))
    const seen: number[] = []
    engine.watch(({ work }) => {
      if (work.state === 'downloading') seen.push(work.done)
    })
    await engine.act({ type: 'measure' }, never)
    expect(stateOf(engine).disk[browserModel.id]!.missing).toEqual(['weights'])
    await engine.act({ type: 'download', model: browserModel }, never)
    expect(seen[0]).toBe(0)
    expect(stateOf(engine)).toMatchObject({
      work: { state: 'idle' },
      disk: { [browserModel.id]: { missing: [], window: 6_144 } },
    })
  })

  it('says where there is none, and where this device may not have it', async () => {
    const none = promptApi({})
    await none.act({ type: 'measure' }, never)
    expect(stateOf(none)).toMatchObject({ device: null, deviceProblem: { code: 'model_unavailable' } })
    const small = promptApi(install({ availability: 'unavailable' }))
    await small.act({ type: 'measure' }, never)
    expect(stateOf(small).deviceProblem!.message).toMatch(/22 GB/)
  })
})
