import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isSentMark, sendings, speakers, timelineMark, type Timeline } from '../../core/agent/api/timeline.ts'
import {
  blocksOf,
  leastWidth,
  messageAt,
  nearestStop,
  placeOf,
  scaleOf,
  showing,
  zoomed,
  type ShownPart,
} from './timeline-layout.ts'

const timeline = (tokens: number[], marks: number[] = tokens.map(() => 0), window = 32_768): Timeline => ({
  tokens: Uint32Array.from(tokens),
  marks: Uint8Array.from(marks),
  stops: new Uint32Array(),
  keeps: new Uint32Array(),
  automatic: -1,
  border: -1,
  window,
})
const whole = (width = 272): ShownPart => ({ from: 0, to: 1, width })

const anyMark = fc
  .tuple(fc.constantFrom(...speakers), fc.constantFrom(...sendings), fc.boolean())
  .map(([speaker, sending, pinned]) => timelineMark(speaker, sending, pinned))
const anyTimeline = fc
  .array(fc.tuple(fc.oneof(fc.nat(600), fc.constant(0), fc.constant(90_000)), anyMark), {
    minLength: 1,
    maxLength: 400,
  })
  .map(list =>
    timeline(
      list.map(([tokens]) => tokens),
      list.map(([, mark]) => mark),
    ),
  )
const anyRange = fc
  .tuple(
    fc.double({ min: 0, max: 0.95, noNaN: true }),
    fc.double({ min: 0.01, max: 1, noNaN: true }),
    fc.integer({ min: 120, max: 700 }),
  )
  .map(([from, span, width]): ShownPart => ({ from, to: Math.min(1, from + span), width }))

it('has each shown message in one block, in order, inside the line, and none too narrow to be seen', () => {
  fc.assert(
    fc.property(anyTimeline, anyRange, (made, range) => {
      const scale = scaleOf(made)
      const blocks = blocksOf(made, scale, range)
      expect(blocks[0]!.first).toBe(messageAt(scale, range.from))
      for (const [i, { first, last, x, width }] of blocks.entries()) {
        expect(last).toBeGreaterThanOrEqual(first)
        if (i > 0) expect([first, x >= blocks[i - 1]!.x]).toEqual([blocks[i - 1]!.last + 1, true])
        expect(x).toBeGreaterThanOrEqual(0)
        expect(width).toBeGreaterThanOrEqual(2)
        expect(x + width).toBeLessThanOrEqual(range.width + 2.001)
      }
      expect(blocks.length).toBeLessThanOrEqual(range.width / 2 + 2)
      expect(blocks.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(
        made.tokens.slice(blocks[0]!.first, blocks.at(-1)!.last + 1).reduce((sum, tokens) => sum + tokens, 0),
      )
    }),
    { numRuns: 300 },
  )
})

it('makes a message as wide as its tokens, with the least width for all', () => {
  const made = timeline([100, 200, 300, 100, 300, 0])
  const widths = blocksOf(made, scaleOf(made), whole()).map(({ width }) => width - leastWidth)
  expect(widths[1]! / widths[0]!).toBeCloseTo(2, 3)
  expect(widths[3]! / widths[0]!).toBeCloseTo(1, 3)
  expect(widths[2]! / widths[0]!).toBeCloseTo(2.5, 1) // at most a quarter of the line
  expect(widths[5]).toBeLessThan(0.5)
})

it('leaves the others visible beside a very long one, and says so of it', () => {
  const made = timeline([50, 50, 60_000, 50, 50, 50], undefined, 128_000)
  const blocks = blocksOf(made, scaleOf(made), whole())
  expect(blocks.map(({ isLong }) => isLong)).toEqual([false, false, true, false, false, false])
  expect(Math.min(...blocks.map(({ width }) => width))).toBeGreaterThanOrEqual(leastWidth)
})

it('gives the newest messages most of the line where older ones are out of the request, or above the window', () => {
  const out = timelineMark('person', 'summarised', false)
  for (const made of [
    timeline(
      [...Array.from({ length: 2_000 }, () => 220), ...Array.from({ length: 22 }, () => 220)],
      [...Array.from({ length: 2_000 }, () => out), ...Array.from({ length: 22 }, () => 0)],
    ),
    timeline(Array.from({ length: 2_022 }, () => 220)),
  ]) {
    const scale = scaleOf(made)
    expect(scale.detail).toBeGreaterThan(0)
    expect(scale.ends[scale.detail - 1]).toBeCloseTo(0.4, 6)
    const blocks = blocksOf(made, scale, whole())
    expect(blocks.some(({ first }) => first === scale.detail)).toBe(true) // no block stands on both scales
  }
})

it('shows a chat that fits on one scale', () => {
  const made = timeline(Array.from({ length: 40 }, () => 300))
  expect(scaleOf(made).detail).toBe(0)
  expect(blocksOf(made, scaleOf(made), whole())).toHaveLength(40)
})

it('finds the stop that is nearest to where the line was dragged', () => {
  fc.assert(
    fc.property(anyTimeline, anyRange, fc.double({ min: 0, max: 1, noNaN: true }), (made, range, share) => {
      const stops = Uint32Array.from([...made.tokens.keys()].filter(i => i % 3 === 1))
      const scale = scaleOf(made)
      const blocks = blocksOf(made, scale, range)
      const x = share * range.width
      const found = nearestStop(stops, { scale, blocks, range, x })
      if (stops.length === 0) {
        expect(found).toBe(-1)
        return
      }
      const distance = (i: number) => Math.abs(placeOf(scale, blocks, range, stops[i]!) - x)
      // blocks of a group share their pixels: a neighbour may be as near
      expect(distance(found)).toBeLessThanOrEqual(Math.min(...[...stops.keys()].map(distance)) + 2 * leastWidth)
    }),
    { numRuns: 200 },
  )
})

it('zooms around a place, stays inside, and brings a message into the shown part', () => {
  fc.assert(
    fc.property(anyTimeline, fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(), (made, around, n) => {
      const scale = scaleOf(made)
      let range = whole()
      for (let i = 0; i < 12; i++)
        range = zoomed(range, Math.min(range.to, Math.max(range.from, around)), 0.5, made.tokens.length)
      expect(range.from).toBeGreaterThanOrEqual(0)
      expect(range.to).toBeLessThanOrEqual(1 + 1e-9)
      const message = n % made.tokens.length
      const moved = showing(scale, range, message)
      const blocks = blocksOf(made, scale, moved)
      expect(blocks.some(({ first, last }) => first <= message && message <= last)).toBe(true)
      expect(zoomed(moved, moved.from, 1e9, made.tokens.length)).toMatchObject({ from: 0, to: 1 })
    }),
    { numRuns: 200 },
  )
})

it('lays out ten thousand messages in less than a frame of processor time', () => {
  const tokens = Array.from({ length: 10_000 }, (_, i) => 20 + ((i * 7_919) % 900))
  const marks = tokens.map((_, i) =>
    timelineMark(speakers[i % 3]!, i < 9_900 ? 'summarised' : i % 3 === 2 ? 'shortened' : 'whole', i % 997 === 0),
  )
  const made = timeline(tokens, marks)
  const times = Array.from({ length: 25 }, () => {
    const before = process.cpuUsage()
    const scale = scaleOf(made)
    const blocks = blocksOf(made, scale, whole(640))
    expect(blocks.length).toBeLessThan(330)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }).toSorted((a, b) => a - b)
  expect(times[12]).toBeLessThan(8) // ms; the page draws in the rest of 16
  expect(made.marks.filter(isSentMark)).toHaveLength(100)
})
