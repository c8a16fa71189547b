/** The suite that every model passes. */
import { describe, expect, it } from 'vitest'
import { AgentError, codes } from '../core/errors.ts'
import type { ModelPart, ModelRequest } from '../core/log/message.ts'
import type { Model } from '../core/ports/ports.ts'

/**
 * How a body is brought into each situation. A model that cannot be brought into one leaves it out and says why beside.
 */
export type ModelUnderTest = {
  /** Answers with some text in several parts. */
  answers(): Promise<Model>
  /** Goes on for at least 20 parts, each some ms apart. */
  goesOn(): Promise<Model>
  /** Wants a tool; the request offers `read_file`. */
  calls?(): Promise<Model>
  /** The prompt does not fit. */
  overflows?(): Promise<Model>
  /** Ways to fail, each with its name. */
  fails?: Record<string, () => Promise<Model>>
  request?: ModelRequest
}

/** A plain request with a tool, as the loop makes it. */
export const plainRequest: ModelRequest = {
  system: 'You are a test.',
  messages: [{ role: 'user', content: 'What is in notes.txt?' }],
  tools: [
    {
      name: 'read_file',
      description: 'Reads a file.',
      parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
  ],
}

/** All parts of one answer. */
export async function collectParts(
  model: Model,
  request: ModelRequest = plainRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<ModelPart[]> {
  const parts: ModelPart[] = []
  for await (const part of model.generate(request, signal)) parts.push(part)
  return parts
}

/** What an answer throws; undefined if it ends well. */
export async function thrownBy(
  model: Model,
  request: ModelRequest = plainRequest,
  signal?: AbortSignal,
): Promise<unknown> {
  try {
    await collectParts(model, request, signal)
    return undefined
  } catch (thrown) {
    return thrown
  }
}

/** Declares the laws for one body. */
export function modelLaws(name: string, under: ModelUnderTest): void {
  const request = under.request ?? plainRequest
  describe(`${name} keeps the laws of a model`, () => {
    it('ends with exactly one finish part, and nothing after it', async () => {
      const parts = await collectParts(await under.answers(), request)
      expect(parts.filter(part => part.type === 'finish')).toHaveLength(1)
      expect(parts.at(-1)?.type).toBe('finish')
      expect(parts.some(part => part.type === 'text' && part.text.length > 0)).toBe(true)
    })

    it('never gives an empty text or reasoning part', async () => {
      for (const part of await collectParts(await under.answers(), request)) {
        if (part.type === 'text' || part.type === 'reasoning') expect(part.text).not.toBe('')
      }
    })

    it('throws `stopped` before the first part when it was stopped before', async () => {
      const model = await under.answers()
      const control = new AbortController()
      control.abort()
      const thrown = await thrownBy(model, request, control.signal)
      expect(thrown).toBeInstanceOf(AgentError)
      expect((thrown as AgentError).code).toBe('stopped')
    })

    it('ends within one part after a stop, with `stopped`', async () => {
      const model = await under.goesOn()
      const control = new AbortController()
      let after = 0
      let thrown: unknown
      try {
        for await (const part of model.generate(request, control.signal)) {
          if (control.signal.aborted) after++
          expect(part.type).not.toBe('finish')
          control.abort()
        }
      } catch (error) {
        thrown = error
      }
      expect(thrown).toBeInstanceOf(AgentError)
      expect((thrown as AgentError).code).toBe('stopped')
      expect(after).toBeLessThanOrEqual(1)
    })

    it('ends a wait for the next part at once when it is stopped', async () => {
      const model = await under.goesOn()
      const control = new AbortController()
      setTimeout(() => control.abort(), 30)
      const thrown = await thrownBy(model, request, control.signal)
      expect((thrown as AgentError).code).toBe('stopped')
    })

    it('can be left in the middle without a leak or an unhandled rejection', async () => {
      const model = await under.goesOn()
      for await (const part of model.generate(request, new AbortController().signal)) {
        expect(part.type).not.toBe('finish')
        break
      }
    })

    it('answers two requests at once without mixing them', async () => {
      const model = await under.answers()
      const [one, two] = await Promise.all([collectParts(model, request), collectParts(model, request)])
      expect(one.at(-1)?.type).toBe('finish')
      expect(two.at(-1)?.type).toBe('finish')
    })

    if (under.calls)
      it('gives calls whole: an id, a name, JSON arguments, and the finish says `calls`', async () => {
        const parts = await collectParts(await under.calls!(), request)
        const calls = parts.filter(part => part.type === 'call')
        expect(calls.length).toBeGreaterThan(0)
        for (const { call } of calls) {
          expect(call.id).not.toBe('')
          expect(call.name).toBe('read_file')
          expect(typeof JSON.parse(call.arguments)).toBe('object')
        }
        expect(parts.at(-1)).toMatchObject({ type: 'finish', stop: 'calls' })
      })

    if (under.overflows)
      it('calls an overflow `model_overflow`, never `network`', async () => {
        const thrown = await thrownBy(await under.overflows!(), request)
        expect(thrown).toBeInstanceOf(AgentError)
        expect((thrown as AgentError).code).toBe('model_overflow')
      })

    for (const [how, make] of Object.entries(under.fails ?? {})) {
      it(`gives a failure a code and words: ${how}`, async () => {
        const thrown = await thrownBy(await make(), request)
        expect(thrown).toBeInstanceOf(AgentError)
        const error = thrown as AgentError
        expect(codes).toContain(error.code)
        expect(error.code).not.toBe('unknown')
        expect(error.message.length).toBeGreaterThan(10)
      })
    }
  })
}
