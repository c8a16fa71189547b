import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../text/laws.fixture.ts'
import type { Findings, SourcePiece, SourceShape } from './shape/reader.ts'
import { shapeOf, SourcePieces } from './source-pieces.ts'

type Found = Pick<Findings, 'bad' | 'skipped'>

function piecesOf(
  shape: SourceShape,
  parts: readonly string[],
  found: Found = { bad: [], skipped: [] },
): SourcePiece[] {
  const pieces = new SourcePieces(shape, found)
  return [...parts.flatMap(part => pieces.push(part)), ...pieces.end()]
}

describe('the pieces of a file', () => {
  it('are the items of a list, however the text is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 6 }), fc.integer({ min: 1, max: 9 }), (values, size) => {
        for (const text of [JSON.stringify(values), `\uFEFF ${JSON.stringify(values, null, 2)}\n`]) {
          const parts = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
          expect(piecesOf('list', parts).map(({ value }) => value)).toEqual(JSON.parse(text.replace(/^\uFEFF/, '')))
        }
      }),
      runs(),
    )
  })

  it('are its lines; empty ones count, and one that is no JSON is told with its number', () => {
    const found: Found = { bad: [], skipped: [] }
    expect(piecesOf('lines', ['\uFEFF{"a"', ':1}\r\n\r\nno', ' JSON\n[2]'], found)).toEqual([
      { value: { a: 1 }, at: 1 },
      { value: [2], at: 4 },
    ])
    expect(found.bad).toEqual([{ line: 3, why: 'not JSON' }])
  })

  it('are the one object; a list that is cut off loses its last item alone', () => {
    expect(piecesOf('object', ['{"a":', '\n1}'])).toEqual([{ value: { a: 1 }, at: 0 }])
    const found: Found = { bad: [], skipped: [] }
    expect(piecesOf('list', ['[{"a":1},{"b"'], found)).toEqual([{ value: { a: 1 }, at: 0 }])
    expect(found.skipped).toEqual([{ at: 1, why: 'the file ends in it' }])
  })

  it('one that is no JSON in a list is told with its place, the others come', () => {
    const found: Found = { bad: [], skipped: [] }
    expect(piecesOf('list', ['[1,nonsense,{"b":2}]'], found).map(({ value }) => value)).toEqual([1, { b: 2 }])
    expect(found.skipped).toEqual([{ at: 1, why: 'not JSON' }])
  })

  it('a piece that comes in many parts takes time by its length alone', () => {
    const parts = ['["', ...Array.from({ length: 20_000 }, () => 'x'.repeat(1_000)), '"]']
    const began = performance.now()
    expect(piecesOf('list', parts)).toHaveLength(1)
    expect(performance.now() - began).toBeLessThan(5_000)
  })
})

it('how they lie is known by the beginning', () => {
  expect(shapeOf(' [1]', true)).toBe('list')
  expect(shapeOf('{"a":1}', true)).toBe('lines')
  expect(shapeOf('{"a":1}', false)).toBe('object')
  expect(shapeOf('{"a":1}\n{"b":2}', false)).toBe('lines')
  expect(shapeOf('{\n  "a": 1\n}', false)).toBe('object')
})
