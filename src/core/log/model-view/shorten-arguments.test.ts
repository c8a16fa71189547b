import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { shortenArguments } from './shorten-arguments.ts'
import { anyText, runs } from '../../text/laws.fixture.ts'

const limits = { limit: 40, unit: 'chars', headShare: 50 } as const

describe('shortening arguments', () => {
  it('keeps names, numbers and short values byte for byte', () => {
    const text = `{ "path" : "a.txt",\n "${'n'.repeat(60)}": 12345678901234567890, "content":"${'x'.repeat(500)}" , "deep":[{"k":"${'y'.repeat(30)}"}]}`
    const { text: shorter, omitted } = shortenArguments(text, limits, 'call/a.json')
    expect(omitted).toBe(460)
    expect(
      shorter.startsWith(
        `{ "path" : "a.txt",\n "${'n'.repeat(60)}": 12345678901234567890, "content":"${'x'.repeat(20)}[460 characters`,
      ),
    ).toBe(true)
    expect(shorter.endsWith(`${'x'.repeat(20)}" , "deep":[{"k":"${'y'.repeat(30)}"}]}`)).toBe(true)
    expect((JSON.parse(shorter) as { content: string }).content).toContain('call/a.json')
  })

  it('makes an object of what is no JSON', () => {
    const { text, omitted } = shortenArguments(`{"content": "${'x'.repeat(200)}`, limits, 'call/a.json')
    expect(omitted).toBeGreaterThan(0)
    expect(Object.keys(JSON.parse(text) as object)).toEqual(['arguments'])
  })

  it('leaves arguments alone whose strings are all short', () => {
    const text = JSON.stringify({ list: Array.from({ length: 100 }, (_, i) => i) })
    expect(shortenArguments(text, limits, 'p')).toEqual({ text, omitted: 0 })
  })

  it('is valid JSON with the same shape, whatever came in', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(anyText, anyText)), fc.nat(60), (value, limit) => {
        const text = JSON.stringify(value, null, limit % 3)
        const { text: shorter, omitted } = shortenArguments(text, { ...limits, limit }, 'call/a.json')
        const shape = (it: unknown): unknown =>
          typeof it === 'string'
            ? ''
            : Array.isArray(it)
              ? it.map(shape)
              : typeof it === 'object' && it !== null
                ? Object.entries(it).map(([name, inner]) => [name, shape(inner)])
                : it
        expect(shape(JSON.parse(shorter))).toEqual(shape(JSON.parse(text)))
        expect(omitted > 0).toBe(shorter !== text)
      }),
      runs(),
    )
  })

  it('never throws and always gives JSON for what it changed, also for text that is none', () => {
    fc.assert(
      fc.property(anyText, text => {
        const shorter = shortenArguments(text, { ...limits, limit: 10 }, 'p')
        if (shorter.omitted > 0) JSON.parse(shorter.text)
      }),
      runs(),
    )
  })
})
