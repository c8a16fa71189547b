/** The rows of the talk: its items, the answer being written, and the border of the window. Pure. */
import type { Id } from '../../core/log/entry.ts'
import type { TranscriptItem } from '../transcript-items.ts'

/** `border`: the first message in the window, when older ones are out of it. */
export type Row = (TranscriptItem | { type: 'writing'; key: string; entry: Id }) & { border?: boolean }

/**
 * One row per item; unchanged items stay the same objects, but for the one at the border. A note at the end with the text
 * `said` has no row: it stands below the talk, with what can be done.
 */
export function rowsOf(all: readonly TranscriptItem[], writing: boolean, said?: string): readonly Row[] {
  const last = all.at(-1)
  const items = last?.type === 'note' && last.text === said ? all.slice(0, -1) : all
  const border = borderAt(items)
  if (border === undefined && !writing) return items
  const rows: Row[] = [...items]
  if (border !== undefined) rows[border] = { ...items[border]!, border: true }
  if (writing) rows.push({ type: 'writing', key: 'writing', entry: '' })
  return rows
}

function borderAt(items: readonly TranscriptItem[]): number | undefined {
  const lastOut = items.findLastIndex(item => 'out' in item && item.out)
  if (lastOut === -1) return undefined
  const next = items.findIndex((item, i) => i > lastOut && 'out' in item)
  return next === -1 ? undefined : next
}

/** How the rows changed at the front: true when older ones were put before what stood first. */
export function grewInFront(before: readonly Row[], after: readonly Row[]): boolean {
  const first = before[0]?.key
  return first !== undefined && after.length > before.length && after[0]?.key !== first && after[after.length - before.length]?.key === first
}

/** The row that shows an entry; of a call's result, its call; -1 for none. */
export function rowOf(rows: readonly Row[], entry: Id): number {
  return rows.findIndex(row => row.entry === entry || (row.type === 'tool' || row.type === 'orphan') && row.result?.entry === entry)
}

/** The newest rows that surely fill a screen of this height (px): all that the first frame needs. */
export function newestFor(rows: readonly Row[], height: number): readonly Row[] {
  let filled = 0
  let from = rows.length
  while (from > 0 && filled < height) filled += leastHeight(rows[--from]!)
  return from === 0 ? rows : rows.slice(from)
}

/** px that a row takes at least: a line of 90 characters is 24 px high, longer ones break, and a message may be folded. */
function leastHeight(row: Row): number {
  const text = row.type === 'user' || row.type === 'assistant' ? row.text.length : 0
  return 36 + Math.min(240, Math.floor(text / 90) * 24)
}
