/** The rows of the transcript: its items, the reply being written, and the border of the context window. Pure. */
import type { Status } from '../../core/agent/api/api.ts'
import type { Id } from '../../core/log/entry.ts'
import type { AssistantItem, TranscriptItem } from './transcript-items.ts'
import { endingsOf, endsAnswer, type ContinueOffer } from './ending.ts'

/** `border`: the first message in the window, when older ones are out of it. */
export type DisplayRow = (
  | TranscriptItem
  | { type: 'writing'; key: string; entry: Id; /** The answer that it goes on with. */ continues?: AssistantItem }
) & {
  border?: boolean
  /** Another row says how it ended. */
  quiet?: boolean
  /** It says that the answer is incomplete, and offers to continue. */
  continueOffer?: ContinueOffer
}

/** `said`: a note at the end with this text is shown below the transcript, with its buttons. */
export type RowsState = { writing?: boolean; said?: string | undefined; state?: Status['state'] }

/**
 * One row per item; unchanged items stay the same objects, but for the one at the border and for how answers ended,
 * which one row says. An answer that is gone on with is the row that is being written.
 */
export function rowsOf(
  items: readonly TranscriptItem[],
  { writing = false, said, state = 'writing' }: RowsState = {},
): readonly DisplayRow[] {
  const endings = endingsOf(items, state)
  const last = items.at(-1)
  const below = last?.type === 'note' && last.text === said
  const border = borderAt(items)
  if (
    !writing &&
    !below &&
    border === undefined &&
    endings.offer === undefined &&
    endings.hidden.size + endings.quiet.size === 0
  )
    return items
  const rows: DisplayRow[] = []
  const onto = writing ? endings.open : undefined
  for (const [at, item] of items.entries()) {
    if (
      endings.hidden.has(at) ||
      (below && at === items.length - 1) ||
      (onto !== undefined && at > onto && endsAnswer(item))
    )
      continue
    rows.push(
      at === onto && item.type === 'assistant'
        ? { type: 'writing', key: item.key, entry: item.entry, continues: item }
        : marked(item, {
            border: at === border,
            quiet: endings.quiet.has(at),
            goesOn: endings.offer?.at === at ? endings.offer.how : undefined,
          }),
    )
  }
  if (writing && onto === undefined) rows.push({ type: 'writing', key: 'writing', entry: '' })
  return rows
}

/** The same row for the same item and marks. */
function marked(
  item: TranscriptItem,
  { border, quiet, goesOn }: { border: boolean; quiet: boolean; goesOn: ContinueOffer | undefined },
): DisplayRow {
  const form = `${border} ${quiet} ${goesOn}`
  if (form === 'false false undefined') return item
  const known = made.get(item)
  if (known?.form === form) return known.row
  const row: DisplayRow = {
    ...item,
    ...(border ? { border } : {}),
    ...(quiet ? { quiet } : {}),
    ...(goesOn ? { continueOffer: goesOn } : {}),
  }
  made.set(item, { form, row })
  return row
}
const made = new WeakMap<TranscriptItem, { form: string; row: DisplayRow }>()

function borderAt(items: readonly TranscriptItem[]): number | undefined {
  const lastOut = items.findLastIndex(item => 'outOfContext' in item && item.outOfContext)
  if (lastOut === -1) return undefined
  const next = items.findIndex((item, i) => i > lastOut && 'outOfContext' in item)
  return next === -1 ? undefined : next
}

/** How the rows changed at the front: true when older ones were put before what stood first. */
export function grewAtFront(before: readonly DisplayRow[], after: readonly DisplayRow[]): boolean {
  const first = before[0]?.key
  return (
    first !== undefined &&
    after.length > before.length &&
    after[0]?.key !== first &&
    after[after.length - before.length]?.key === first
  )
}

/**
 * Whether rows came only above the one with this key, which the person reads: what stands below did not change. So a
 * summary's card comes to its border without moving what is read.
 */
export function grewAbove(
  before: readonly DisplayRow[],
  after: readonly DisplayRow[],
  key: string | undefined,
): boolean {
  const more = after.length - before.length
  const at = key === undefined ? -1 : before.findIndex(row => row.key === key)
  if (more <= 0 || at < 0) return false
  return before.every((row, i) => (i < at ? true : after[i + more]?.key === row.key))
}

/** The row that shows an entry; of a call's result, its call; -1 for none. */
export function rowOf(rows: readonly DisplayRow[], entry: Id): number {
  return rows.findIndex(
    row =>
      row.entry === entry ||
      (row.type === 'assistant' && row.parts?.includes(entry) === true) ||
      ((row.type === 'tool' || row.type === 'orphan') && row.result?.entry === entry),
  )
}

/** The newest rows that surely fill a screen of this height (px): all that the first frame needs. */
export function newestFor(rows: readonly DisplayRow[], height: number): readonly DisplayRow[] {
  let filled = 0
  let from = rows.length
  while (from > 0 && filled < height) filled += leastHeight(rows[--from]!)
  return from === 0 ? rows : rows.slice(from)
}

/**
 * px that a row takes at least: a line of 90 characters is 24 px high, longer ones break, and a message may be folded.
 */
function leastHeight(row: DisplayRow): number {
  const text = row.type === 'user' || row.type === 'assistant' ? row.text.length : 0
  return 36 + Math.min(240, Math.floor(text / 90) * 24)
}
