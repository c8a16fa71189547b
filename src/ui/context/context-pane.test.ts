import { expect, it } from 'vitest'
import fc from 'fast-check'
import type { Tile } from '../../core/agent/api/context-api.ts'
import { pathOfTile, tileText } from './tile-text.ts'
import { neighbour, treemap } from './treemap.ts'

const weights = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 40 })

const near = 1e-6

it('fills the area with tiles that do not overlap', () => {
  fc.assert(
    fc.property(weights, fc.double({ min: 0.3, max: 3, noNaN: true }), (list, aspect) => {
      const places = treemap(list, aspect)
      expect(places).toHaveLength(list.length)
      expect(places.reduce((sum, { width, height }) => sum + width * height, 0)).toBeCloseTo(1, 6)
      for (const [i, { x, y, width, height }] of places.entries()) {
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(-near)
        expect(Math.max(x + width, y + height)).toBeLessThanOrEqual(1 + near)
        for (const other of places.slice(i + 1)) {
          const across = Math.min(x + width, other.x + other.width) - Math.max(x, other.x)
          const down = Math.min(y + height, other.y + other.height) - Math.max(y, other.y)
          expect(Math.min(across, down)).toBeLessThan(near)
        }
      }
    }),
    { numRuns: 100 },
  )
})

it('gives each tile the share of the area that its weight has, but for strips that would be too low to read', () => {
  fc.assert(
    fc.property(weights, list => {
      const total = list.reduce((sum, weight) => sum + weight, 0)
      const places = treemap(list, 1.36)
      const perWeight = places.map(({ width, height }, i) => (width * height) / (list[i]! / total))
      const high = perWeight.filter((_, i) => places[i]!.height > 0.11 + near)
      for (const ratio of high) expect(ratio).toBeCloseTo(high[0]!, 4)
      if (places.every(({ height }) => height > 0.11 + near)) expect(perWeight[0]).toBeCloseTo(1, 4)
      for (const { height } of places) expect(height).toBeGreaterThan(Math.min(0.11, 1 / list.length) - near)
    }),
    { numRuns: 100 },
  )
})

it('reads like a text: in order, from left to right, strip below strip', () => {
  fc.assert(
    fc.property(weights, list => {
      const places = treemap(list, 1.36)
      for (const [i, { x, y }] of places.entries()) {
        const before = places[i - 1]
        if (before === undefined) expect([x, y]).toEqual([0, 0])
        else if (before.y === y) expect(x).toBeCloseTo(before.x + before.width, 9)
        else expect([x, y > before.y]).toEqual([0, true])
      }
    }),
    { numRuns: 100 },
  )
})

it('makes tiles that words fit into where the weights allow it', () => {
  const ratios = treemap([3, 2, 6, 1, 4, 2, 6, 2], 1.36).map(({ width, height }) => (width * 1.36) / height)
  expect(Math.min(...ratios)).toBeGreaterThan(0.5)
  expect(Math.max(...ratios)).toBeLessThan(5)
})

it('walks with the arrows: along the order, and between strips to the nearest', () => {
  const places = treemap([1, 1, 1, 1, 1, 1], 1.36)
  const columns = places.filter(({ y }) => y === 0).length
  expect(columns).toBeGreaterThan(1)
  expect(neighbour(places, 0, 'ArrowRight')).toBe(1)
  expect(neighbour(places, 0, 'ArrowLeft')).toBe(-1)
  expect(neighbour(places, 1, 'ArrowDown')).toBe(1 + columns)
  expect(neighbour(places, 1 + columns, 'ArrowUp')).toBe(1)
  expect(neighbour(places, 0, 'ArrowUp')).toBe(-1)
  expect(neighbour(places, 5, 'ArrowDown')).toBe(-1)
  expect([neighbour(places, 2, 'Home'), neighbour(places, 2, 'End'), neighbour(places, 2, 'a')]).toEqual([0, 5, -1])
})

it('has places for nothing as well', () => {
  expect(treemap([], 1)).toEqual([])
  expect(treemap([0, 0], 1)).toHaveLength(2)
})

const tile = (tokens: number, more: Partial<Tile> = {}): Tile => ({
  entry: `e${tokens}`,
  kind: 'user',
  label: '',
  tokens,
  count: 1,
  zone: 'reserved',
  pinned: false,
  shortened: false,
  ...more,
})

it('tells the words of a message, and of a silent answer its calls', () => {
  const base = { id: 'a', parent: null, at: 0 }
  expect(tileText({ ...base, type: 'user', text: ` ${'x'.repeat(9_000)}` })).toHaveLength(399)
  expect(
    tileText({
      ...base,
      type: 'assistant',
      text: '',
      calls: [{ id: 'c', name: 'get_time', arguments: '{}' }],
      model: 'm',
      local: true,
      stop: 'calls',
    }),
  ).toBe('get_time {}')
  expect(tileText(undefined)).toBe('')
})

it('knows where the whole of a shortened thing lies', () => {
  const out = {
    group: 'g',
    kind: 'shortened',
    entry: 'e9',
    label: 'read_file',
    count: 1,
    at: 0,
    path: 'tool_result/e9.txt',
  } as const
  expect(pathOfTile(tile(9, { shortened: true }), [out])).toBe('tool_result/e9.txt')
  expect(pathOfTile(tile(9), [out])).toBeUndefined()
})
