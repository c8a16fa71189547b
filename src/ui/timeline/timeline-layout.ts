/** Where the messages of a timeline stand: blocks as wide as their tokens, small ones together. Pure. */
import {
  isPinnedMark,
  isSentMark,
  sendingOfMark,
  sendings,
  speakerOfMark,
  speakers,
  type Sending,
  type Speaker,
  type Timeline,
} from '../../core/agent/api/timeline.ts'

/**
 * `ends[i]`: where message i ends, 0…1 of the whole timeline; `detail`: the first message of the larger scale, 0 where
 * there is one scale; `most`: tokens above which a message of either part is drawn narrower than it is.
 */
export type Scale = {
  readonly ends: Float64Array
  readonly detail: number
  readonly most: { older: number; newer: number; from: number }
}

/** One message, or some that are too small to be seen alone. `x`, `width`: px. */
export type TimelineBlock = {
  first: number
  last: number
  x: number
  width: number
  tokens: number
  speaker: Speaker // who says the most of it
  sending: Sending // what became of the most of it
  pinned: boolean
  isLong: boolean // narrower than its tokens
}

/** The part that is shown, 0…1 of the whole, in so many px. */
export type ShownPart = { from: number; to: number; width: number }

/** A block with the gap behind it, px: less can be neither seen nor hit. */
export const leastWidth = 3
/** One message may fill this share of its part, so that the others stay visible; 0…1. */
const mostShare = 0.25
/** The older part gets at most this share of the line, 0…1: what comes next is decided among the newest. */
const olderShare = 0.4
/** As many blocks stand alone as fill this share of the line at the least width; beyond it they are grouped. */
const aloneShare = 0.6

/**
 * The scale of a timeline. Within a part widths are as the tokens. Where messages that are out of the request, or more
 * than a window holds, would press the newest ones together, the older part has a smaller scale of its own.
 */
export function scaleOf({ tokens, marks, window }: Timeline): Scale {
  const detail = Math.max(endOfUnsent(marks), startOfWindow(tokens, window))
  const older = weightsOf(tokens, 0, detail)
  const newer = weightsOf(tokens, detail, tokens.length)
  const share = older.sum === 0 ? 0 : newer.sum === 0 ? 1 : Math.min(olderShare, older.sum / (older.sum + newer.sum))
  const ends = new Float64Array(tokens.length)
  let at = 0
  for (let i = 0; i < tokens.length; i++) {
    const part = i < detail ? older : newer
    at += (weightOf(tokens[i]!, part.most) / part.sum) * (i < detail ? share : 1 - share)
    ends[i] = at
  }
  return {
    ends,
    detail: share < olderShare ? 0 : detail,
    most: { older: older.most, newer: newer.most, from: detail },
  }
}

/** Behind the last message that is out of the request with most of those in front of it. */
function endOfUnsent(marks: Uint8Array): number {
  let end = 0
  let out = 0
  for (let i = 0; i < marks.length; i++) {
    if (isSentMark(marks[i]!)) continue
    out++
    if (speakerOfMark(marks[i]!) !== 'note' && out * 2 >= i + 1) end = i + 1
  }
  return end
}

/** The first of the newest messages that one window holds; 0 where it holds (nearly) all. */
function startOfWindow(tokens: Uint32Array, window: number): number {
  let sum = 0
  let start = tokens.length
  while (start > 0 && sum + tokens[start - 1]! <= window) sum += tokens[--start]!
  return start === tokens.length ? 0 : start
}

/** Every message counts a little, also one without tokens. */
function weightOf(tokens: number, most: number): number {
  return Math.max(1, Math.min(tokens, most))
}

function weightsOf(tokens: Uint32Array, from: number, to: number): { sum: number; most: number } {
  let all = 0
  for (let i = from; i < to; i++) all += Math.max(1, tokens[i]!)
  const most = to - from <= 1 / mostShare ? Infinity : all * mostShare
  let sum = 0
  for (let i = from; i < to; i++) sum += weightOf(tokens[i]!, most)
  return { sum, most }
}

function startOf({ ends }: Scale, message: number): number {
  return message === 0 ? 0 : (ends[message - 1] ?? 1)
}

/** The message at a place, 0…1 of the whole; the newest for any beyond. */
export function messageAt({ ends }: Scale, place: number): number {
  let low = 0
  let high = Math.max(0, ends.length - 1)
  while (low < high) {
    const middle = (low + high) >> 1
    if (ends[middle]! > place) high = middle
    else low = middle + 1
  }
  return low
}

/** The blocks of the shown part, from the left: at most as many as fit it at the least width, and two. */
export function blocksOf(timeline: Timeline, scale: Scale, range: ShownPart): TimelineBlock[] {
  const { tokens, marks } = timeline
  if (tokens.length === 0 || range.width <= 0) return []
  const first = messageAt(scale, range.from)
  const last = messageAt(scale, range.to - 1e-12)
  const perShare = range.width / (range.to - range.from)
  const count = last - first + 1
  const alone = count * leastWidth <= aloneShare * range.width
  const blocks: TimelineBlock[] = []
  if (alone) {
    // all get the least width, and what is left by their tokens
    const rest = range.width - count * leastWidth
    let x = 0
    for (let i = first; i <= last; i++) {
      const [from, to] = [Math.max(startOf(scale, i), range.from), Math.min(scale.ends[i]!, range.to)]
      const width = leastWidth + (rest * (to - from)) / (range.to - range.from)
      blocks.push(blockOf(timeline, scale, { first: i, last: i, x, width }))
      x += width
    }
    return blocks
  }
  let begin = first
  for (let i = first; i <= last; i++) {
    const x = Math.max(0, (startOf(scale, begin) - range.from) * perShare)
    const end = Math.min(range.width, (scale.ends[i]! - range.from) * perShare)
    const breaks =
      i + 1 === scale.detail || (isSentMark(marks[i]!) !== isSentMark(marks[i + 1] ?? marks[i]!) && end - x >= 2)
    if (i < last && end - x < leastWidth && !breaks) continue
    blocks.push(blockOf(timeline, scale, { first: begin, last: i, x, width: Math.max(end - x, 2) }))
    begin = i + 1
  }
  return blocks
}

function blockOf(
  { tokens, marks }: Timeline,
  { most }: Scale,
  place: Pick<TimelineBlock, 'first' | 'last' | 'x' | 'width'>,
): TimelineBlock {
  let sum = 0
  let pinned = false
  const said = new Float64Array(speakers.length)
  const became = new Float64Array(sendings.length)
  for (let i = place.first; i <= place.last; i++) {
    const mark = marks[i]!
    const weight = Math.max(1, tokens[i]!)
    sum += tokens[i]!
    said[speakers.indexOf(speakerOfMark(mark))]! += weight
    became[sendings.indexOf(sendingOfMark(mark))]! += weight
    pinned ||= isPinnedMark(mark)
  }
  return {
    ...place,
    tokens: sum,
    speaker: speakers[said.indexOf(Math.max(...said))]!,
    sending: sendings[became.indexOf(Math.max(...became))]!,
    pinned,
    isLong: place.first === place.last && sum > (place.first < most.from ? most.older : most.newer),
  }
}

/** Where a message begins in the shown part, px; left or right of it for one that is not shown. */
export function placeOf(scale: Scale, blocks: readonly TimelineBlock[], range: ShownPart, message: number): number {
  const block = blocks.find(({ first, last }) => message >= first && message <= last)
  if (block !== undefined && block.first === message) return block.x
  return ((startOf(scale, message) - range.from) / (range.to - range.from)) * range.width
}

/** The stop that is nearest to a place in the shown part, px; -1 where there is none. */
export function nearestStop(
  stops: Uint32Array,
  { scale, blocks, range, x }: { scale: Scale; blocks: readonly TimelineBlock[]; range: ShownPart; x: number },
): number {
  const under = blocks.findLast(block => block.x <= x)
  const message =
    under !== undefined && under.first === under.last
      ? under.first
      : messageAt(scale, range.from + (x / range.width) * (range.to - range.from))
  const next = stops.findIndex(stop => stop > message)
  const before = (next === -1 ? stops.length : next) - 1
  if (next === -1 || before === -1) return next === -1 ? before : next
  const distance = (stop: number) => Math.abs(placeOf(scale, blocks, range, stops[stop]!) - x)
  return distance(before) <= distance(next) ? before : next
}

/** The shown part made smaller (`by` below 1) or larger around a place, 0…1 of the whole. */
export function zoomed({ from, to, width }: ShownPart, around: number, by: number, messages: number): ShownPart {
  const least = Math.min(1, Math.max(1e-6, 6 / Math.max(1, messages) / 4))
  const span = Math.min(1, Math.max(least, (to - from) * by))
  const start = around - ((around - from) / (to - from)) * span
  return shifted({ from: start, to: start + span, width })
}

/** The same within 0…1. */
export function shifted({ from, to, width }: ShownPart): ShownPart {
  const span = to - from
  if (span > 1 - 1e-9) return { from: 0, to: 1, width }
  const start = Math.min(1 - span, Math.max(0, from))
  return { from: start, to: start + span, width }
}

/** The shown part moved so that a message is in it. */
export function showing(scale: Scale, range: ShownPart, message: number): ShownPart {
  const [start, end] = [startOf(scale, message), scale.ends[message] ?? 1]
  if (start >= range.from && end <= range.to) return range
  const span = range.to - range.from
  return shifted({ ...range, from: (start + end) / 2 - span / 2, to: (start + end) / 2 + span / 2 })
}
