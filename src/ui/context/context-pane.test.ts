import { expect, it } from 'vitest'
import fc from 'fast-check'
import type { Tile } from '../../core/agent/api.ts'
import { tilesToShow } from './tiles.ts'
import { treemap } from './treemap.ts'

const weights = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 40 })

it('gives each tile the share of the area that its weight has, inside the area, none above another', () => {
  fc.assert(fc.property(weights, fc.double({ min: 0.3, max: 3, noNaN: true }), (list, aspect) => {
    const total = list.reduce((sum, weight) => sum + weight, 0)
    const places = treemap(list, aspect)
    expect(places).toHaveLength(list.length)
    for (const [i, { x, y, width, height }] of places.entries()) {
      expect(width * height).toBeCloseTo(list[i]! / total, 6)
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(-1e-9)
      expect(Math.max(x + width, y + height)).toBeLessThanOrEqual(1 + 1e-6)
      for (const other of places.slice(i + 1)) {
        const across = Math.min(x + width, other.x + other.width) - Math.max(x, other.x)
        const down = Math.min(y + height, other.y + other.height) - Math.max(y, other.y)
        expect(Math.min(across, down)).toBeLessThan(1e-6)
      }
    }
  }), { numRuns: 100 })
})

it('makes tiles that are nearly square where the weights allow it', () => {
  const ratios = treemap([6, 6, 4, 3, 2, 2, 1], 1.5).map(({ width, height }) => Math.max(width * 1.5 / height, height / (width * 1.5)))
  expect(Math.max(...ratios)).toBeLessThan(3)
})

it('has places for nothing as well', () => {
  expect(treemap([], 1)).toEqual([])
  expect(treemap([0, 0], 1)).toHaveLength(2)
})

const tile = (tokens: number, more: Partial<Tile> = {}): Tile => ({ entry: `e${tokens}`, kind: 'user', label: '', tokens, zone: 'reserved', pinned: false, shortened: false, ...more })

it('shows the largest things, largest first, and the small ones of a zone together', () => {
  const tiles = tilesToShow([...Array.from({ length: 60 }, (_, i) => tile(i * 10)), tile(30, { zone: 'compactable' })])
  expect(tiles.slice(0, 2).map(({ tokens, count }) => [tokens, count])).toEqual([[7_800, 39], [590, 1]]) // 10 … 390 share one
  expect(tiles.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(17_730)
  expect(tiles.at(-1)).toMatchObject({ zone: 'compactable', count: 1, tokens: 30 })
})

it('gives a pinned thing its own tile, however small', () => {
  expect(tilesToShow([tile(100_000), tile(5), tile(6, { pinned: true }), tile(7)]).map(({ tokens, count }) => [tokens, count])).toEqual([[100_000, 1], [12, 2], [6, 1]])
})

it('lets a group begin with its oldest', () => {
  expect(tilesToShow([tile(100_000), tile(1, { entry: 'first' }), tile(2, { entry: 'second' })])[1]).toMatchObject({ entry: 'first', count: 2 })
})
