/** The same answers with other numbers, in other wrappings and other letters get the same verdict. */
import fc from 'fast-check'
import { runs } from '../../text/laws.fixture.ts'
import { describe, expect, it } from 'vitest'
import { classify, isOverflow } from './overflow.ts'
import type { ProviderRefusal } from './verdict.ts'
import { type SeenRefusal, seenRefusals, thrownOf, refusalOf, numbersOf } from './overflow.fixture.ts'

/** Numbers that are sizes: at least 1 024 and no code of a provider. Names of models and days keep theirs. */
const sizes = /(?<![\w.-])(?!2013\b)(?:[2-9]\d{3}|1(?:02[4-9]|0[3-9]\d|[1-9]\d\d)|\d{5,9})(?![\w-]|\.\d)/g

const scaled = (text: string, factor: number): string => text.replace(sizes, digits => String(Number(digits) * factor))
const separated = (text: string, mark: string): string =>
  text.replace(sizes, digits => digits.replace(/\B(?=(?:\d{3})+$)/g, mark))
const wrapped = (text: string, times: number): string => {
  let body = text
  for (let i = 0; i < times; i++) body = JSON.stringify(i % 2 === 0 ? { error: { message: body } } : { detail: body })
  return body
}
const scaledNumber = (value: number | undefined, factor: number): number | undefined =>
  value === undefined || !new RegExp(`^${sizes.source}$`).test(String(value)) ? value : value * factor

const overflows = seenRefusals.filter(one => one.overflow && one.body !== '' && !thrownOf(one.body))
const lookAlikes = seenRefusals.filter(one => !one.overflow && one.body !== '' && !thrownOf(one.body))

describe('classify, on the same answers in other clothes', () => {
  const one = fc.constantFrom(...overflows)
  const check = (
    refusal: ProviderRefusal,
    expected: Pick<SeenRefusal, 'kind' | 'limit' | 'actual' | 'maxOutput'>,
  ): void => {
    const verdict = classify(refusal)
    expect({ kind: verdict.kind, ...numbersOf(verdict) }).toEqual({ kind: expected.kind, ...numbersOf(expected) })
  }

  it('reads other numbers', () => {
    fc.assert(
      fc.property(one, fc.integer({ min: 2, max: 40 }), (real, factor) => {
        fc.pre(!/\dk\b/.test(real.body)) // "128k" would keep its digits
        check(
          { ...refusalOf(real), body: scaled(real.body, factor) },
          {
            kind: real.kind,
            limit: scaledNumber(real.limit, factor),
            actual: scaledNumber(real.actual, factor),
            maxOutput: scaledNumber(real.maxOutput, factor),
          },
        )
      }),
      runs(300),
    )
  })

  it('reads numbers with thousands separators', () => {
    fc.assert(
      fc.property(one, fc.constantFrom(',', ' ', '_', '\u00a0', '\u202f', '.'), (real, mark) => {
        // In JSON's own numbers a dot is a point: 13.392 there is a number of its own.
        fc.pre(mark !== '.' || !/"n_ctx"/.test(real.body))
        check({ ...refusalOf(real), body: separated(real.body, mark) }, real)
      }),
      runs(300),
    )
  })

  it('finds it in JSON in a string, up to eight deep', () => {
    fc.assert(
      fc.property(one, fc.integer({ min: 1, max: 8 - 1 }), (real, times) =>
        check({ ...refusalOf(real), body: wrapped(real.body, times) }, real),
      ),
      runs(300),
    )
    // Eight levels around plain words.
    check(
      { status: 400, body: wrapped('prompt is too long: 213462 tokens > 200000 maximum', 8) },
      { kind: 'overflow_prompt', limit: 200_000, actual: 213_462 },
    )
  })

  it('finds it in an event of a stream', () => {
    fc.assert(
      fc.property(one, real => {
        const payload = /^\s*\{"/.test(real.body)
          ? real.body
          : JSON.stringify({ error: { message: real.body.replace(/^data: /, '') } })
        check({ ...refusalOf(real), body: `event: error\ndata: ${payload}\n\n` }, real)
      }),
      runs(300),
    )
  })

  it('does not mind lower case', () => {
    for (const real of overflows) check({ ...refusalOf(real), body: real.body.toLowerCase() }, real)
  })

  it('finds it in what was thrown: a cause, the last attempt of a retry, a response body, a cycle', () => {
    for (const real of overflows) {
      const cause = new Error('request failed', { cause: new Error(real.body) })
      check({ provider: real.provider, status: real.status, thrown: cause }, real)
      const retry = Object.assign(new Error('Failed after 3 attempts.'), {
        name: 'AI_RetryError',
        errors: [new Error('Rate limit reached, try again in 4s'), new Error('x')],
        lastError: Object.assign(new Error('Bad Request'), {
          statusCode: real.status ?? undefined,
          responseBody: real.body,
          requestBodyValues: { messages: [{ content: 'rate limit: 429 too many requests' }] },
        }),
      })
      check({ provider: real.provider, status: real.status, thrown: retry }, real)
      const cycle: Record<string, unknown> = { message: real.body }
      cycle['cause'] = { error: cycle, cause: cycle }
      check({ provider: real.provider, status: real.status, thrown: cycle }, real)
    }
  })

  it('still knows an overflow when the status is lost', () => {
    // An empty body and HTML say nothing without their status; a 404 does not matter.
    const missed = overflows
      .filter(real => !isOverflow(classify({ ...refusalOf(real), status: null }).kind))
      .map(real => real.body)
    expect(missed).toEqual([])
  })

  it('is not fooled by look-alikes in other clothes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...lookAlikes),
        fc.integer({ min: 0, max: 4 }),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        (real, times, factor, lower) => {
          // A tool's words or prose inside an error body are no longer what they were.
          fc.pre(times === 0 || !['prose', 'tool_text'].includes(real.kind))
          const body = wrapped(scaled(lower ? real.body.toLowerCase() : real.body, factor), times)
          const verdict = classify({ ...refusalOf(real), body })
          expect(isOverflow(verdict.kind), `${body} -> ${verdict.kind}`).toBe(false)
        },
      ),
      runs(300),
    )
  })
})
