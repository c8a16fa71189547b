import { expect, it } from 'vitest'
import type { Tile } from '../api/context-api.ts'
import { tilesToShow } from './tiles.ts'

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

it('keeps the order of the request, and shows small ones of a zone together, in tiles large enough to read', () => {
  const tiles = tilesToShow([...Array.from({ length: 60 }, (_, i) => tile(i * 10)), tile(30, { zone: 'compactable' })])
  const groups = tiles.filter(({ count }) => count > 1)
  for (const group of groups.slice(0, -1)) expect(group.tokens).toBeGreaterThanOrEqual(0.12 * 17_730)
  expect(groups[0]).toMatchObject({ entry: 'e10', tokens: 2_310, count: 21 }) // 10 … 210
  expect(tiles.map(({ entry }) => Number(entry!.slice(1)))).toEqual(
    tiles.map(({ entry }) => Number(entry!.slice(1))).toSorted((a, b) => (a === 30 ? 1 : b === 30 ? -1 : a - b)),
  )
  expect(tiles.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(17_730)
  expect(tiles.reduce((sum, { count }) => sum + count, 0)).toBe(60)
  expect(tiles.at(-1)).toMatchObject({ zone: 'compactable', count: 1, tokens: 30 })
})

it('shows many equal messages as runs of them', () => {
  const tiles = tilesToShow(Array.from({ length: 200 }, (_, i) => tile(203, { entry: `m${i}` })))
  expect(tiles.map(({ entry, count }) => [entry, count])).toEqual(
    Array.from({ length: 9 }, (_, i) => [`m${i * 24}`, i === 8 ? 8 : 24]),
  )
})

it('gives a pinned thing its own tile, however small', () => {
  expect(
    tilesToShow([tile(100_000), tile(5), tile(6, { pinned: true }), tile(7)]).map(({ tokens, count }) => [
      tokens,
      count,
    ]),
  ).toEqual([
    [100_000, 1],
    [12, 2],
    [6, 1],
  ])
})

it('lets a group begin with its oldest', () => {
  expect(tilesToShow([tile(100_000), tile(1, { entry: 'first' }), tile(2, { entry: 'second' })])[1]).toMatchObject({
    entry: 'first',
    count: 2,
  })
})
