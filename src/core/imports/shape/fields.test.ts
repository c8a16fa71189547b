import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyText, runs } from '../../text/laws.fixture.ts'
import {
  argumentsOf,
  asForest,
  countOf,
  attachmentAt,
  freeId,
  idOf,
  inOrder,
  joinTexts,
  rawJson,
  timeOf,
  type TakenIds,
} from './fields.ts'

describe('fields that someone else wrote', () => {
  it('reads a time in seconds, ms, ISO, and digits as text; others are none', () => {
    expect(timeOf(1_760_000_000.5)).toBe(1_760_000_000_500)
    expect(timeOf(1_760_000_000_500)).toBe(1_760_000_000_500)
    expect(timeOf('1760000000')).toBe(1_760_000_000_000)
    expect(timeOf('2026-05-01T10:00:00.123456Z')).toBe(Date.UTC(2026, 4, 1, 10, 0, 0, 123))
    expect(timeOf('2026-05-01 10:00:00')).toBe(Date.UTC(2026, 4, 1, 10))
    expect(timeOf('2026-05-01T12:00:00+02:00')).toBe(Date.UTC(2026, 4, 1, 10))
    for (const none of [null, undefined, 0, -1, 5, NaN, Infinity, 1e300, '', 'yesterday', '1999-01-01', {}, [], true])
      expect(timeOf(none), String(none)).toBeUndefined()
  })

  it('takes ids as they are, also numbers', () => {
    expect(['a ', 7, '', ' ', null, {}].map(idOf)).toEqual(['a ', '7', undefined, undefined, undefined, undefined])
    expect([3, 0, -1, NaN, '3'].map(countOf)).toEqual([3, 0, undefined, undefined, undefined])
  })

  it('joins what is not blank by one blank line', () => {
    expect(joinTexts(['a\n', '', '  ', '\n\nb '])).toBe('a\n\nb ')
    expect(joinTexts(['\n a \n'])).toBe('\n a \n')
    expect(joinTexts([])).toBe('')
  })

  it('splits a data: address, and refers to every other', () => {
    expect(attachmentAt('data:image/png;base64,aGk=', 'a')).toEqual({ name: 'a', mime: 'image/png', base64: 'aGk=' })
    expect(attachmentAt('data:;base64,aGk=', 'a', 'x/y')).toEqual({ name: 'a', mime: 'x/y', base64: 'aGk=' })
    expect(attachmentAt('data:text/plain;charset=utf-8,a%20b', 'a')).toEqual({
      name: 'a',
      mime: 'text/plain',
      text: 'a b',
    })
    expect(attachmentAt('data:,100%', 'a')).toEqual({ name: 'a', text: '100%' })
    expect(attachmentAt('sediment://file_1', 'a')).toEqual({ name: 'a', ref: 'sediment://file_1' })
  })

  it('gives each id once', () => {
    const taken: TakenIds = new Map()
    expect(['a', 'a', 'a#2', 'a', 'a#2', 'b'].map(id => freeId(id, taken))).toEqual([
      'a',
      'a#2',
      'a#2#2',
      'a#3',
      'a#2#3',
      'b',
    ])
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'a#2', 'a#3', 'a#2#2', 'b')), ids => {
        const used: TakenIds = new Map()
        const free = ids.map(id => freeId(id, used))
        expect(new Set(free).size).toBe(ids.length)
      }),
      runs(),
    )
    const many: TakenIds = new Map()
    const from = performance.now()
    for (let i = 0; i < 50_000; i++) freeId('x', many)
    expect(performance.now() - from).toBeLessThan(2_000)
  })

  it('writes what is nested too deep as far as it can', () => {
    let deep: unknown = 1
    for (let i = 0; i < 200_000; i++) deep = [deep]
    expect(rawJson({ a: 1, deep })).toBe('{"a":1}')
    expect(rawJson([1, deep])).toBe('[1]')
    expect(rawJson(undefined)).toBe('null')
    expect(argumentsOf({ deep })).toBe('{}')
    expect([argumentsOf('x'), argumentsOf(''), argumentsOf(null), argumentsOf({ a: 1 })]).toEqual([
      'x',
      '{}',
      '{}',
      '{"a":1}',
    ])
  })
})

describe('things that hang on each other', () => {
  it('cuts a loop before its first thing, and what hangs on the loop stays on it', () => {
    const things = [
      { id: 'leaf', parent: 'b' },
      { id: 'a', parent: 'c' },
      { id: 'b', parent: 'a' },
      { id: 'c', parent: 'b' },
      { id: 'self', parent: 'self' },
      { id: 'lone', parent: 'nowhere' },
    ]
    expect(asForest(things)).toEqual([
      { id: 'a', parent: null },
      { id: 'b', parent: 'a' },
      { id: 'c', parent: 'b' },
      { id: 'leaf', parent: 'b' },
      { id: 'self', parent: null },
      { id: 'lone', parent: null },
    ])
  })

  it('is a forest whatever hangs on what', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(30)), { maxLength: 30 }), parents => {
        const things = parents.map((parent, i) => ({ id: `${i}`, parent: parent === null ? null : `${parent}` }))
        const forest = asForest(things)
        expect(forest.map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual(parents.map((_, i) => i))
        const before = new Set<string>()
        for (const { id, parent } of forest) {
          if (parent !== null) expect(before.has(parent)).toBe(true)
          before.add(id)
        }
        // Only what no forest can hold is cut: missing parents, and one link of each loop.
        const cut = forest.filter(({ id, parent }) => parent === null && things[Number(id)]!.parent !== null)
        for (const { id } of cut) expect(isInLoop(Number(id), parents) || isMissing(Number(id), parents)).toBe(true)
      }),
      runs(),
    )
  })

  it('is linear', () => {
    const chain = Array.from({ length: 50_000 }, (_, i) => ({ id: `${i}`, parent: `${(i + 1) % 50_000}` }))
    const from = performance.now()
    expect(asForest(chain)).toHaveLength(50_000)
    expect(performance.now() - from).toBeLessThan(3_000)
  })

  it('takes off what a summary says of an item that is not there', () => {
    const summary = { id: 's', parent: null, kind: 'summary', text: 'x' } as const
    expect(inOrder([{ ...summary, firstKept: 'gone' }])).toEqual([summary])
    expect(inOrder([{ ...summary, firstKept: 's' }])).toEqual([{ ...summary, firstKept: 's' }])
  })

  it('joins any texts without losing a word', () => {
    fc.assert(
      fc.property(fc.array(anyText), parts => {
        const squeezed = (text: string): string => text.replaceAll(/\s/g, '')
        expect(squeezed(joinTexts(parts))).toBe(squeezed(parts.join('')))
      }),
      runs(),
    )
  })
})

function isInLoop(start: number, parents: readonly (number | null)[]): boolean {
  let at = parents[start] ?? null
  for (let i = 0; i <= parents.length && at !== null; i++) {
    if (at === start) return true
    at = parents[at] ?? null
  }
  return false
}
const isMissing = (id: number, parents: readonly (number | null)[]): boolean => (parents[id] ?? -1) >= parents.length
