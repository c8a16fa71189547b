/** Messages that hang on each other by ids, one after the other made into items. Pure; never throws. */
import type { JsonObject } from '../../log/file-format/json-fields.ts'
import { inRow } from './answer.ts'
import { asForest, freeId, rawJson, type TakenIds } from './fields.ts'
import type { ForeignItem } from './foreign-chat.ts'

/** A message as the source has it. `parent`: null for a root, undefined for the row before it. */
export type MessageRow = { id: string; parent: string | null | undefined; value: JsonObject }

/** `tails`: the last item of each row, or of what it hangs on where it gave none; null where there is none. */
export type RowsRead = { items: ForeignItem[]; tails: ReadonlyMap<string, string | null> }

/**
 * The items of all rows, parents before children. `itemsOf` gives those of a row, which hang on each other; `id` is the
 * row's, made unique. A row that comes twice as it is counts once; others of the same id stay beside it. Linear.
 */
export function itemsOfRows(
  rows: readonly MessageRow[],
  itemsOf: (value: JsonObject, id: string) => readonly ForeignItem[],
): RowsRead {
  const items: ForeignItem[] = []
  const tails = new Map<string, string | null>()
  for (const { id, parent, value } of asForest(withOwnIds(rows))) {
    const on = parent === null ? null : (tails.get(parent) ?? null)
    const row = inRow(itemsOf(value, id), on)
    for (const item of row) items.push(item)
    tails.set(id, row.at(-1)?.id ?? on)
  }
  return { items, tails }
}

function withOwnIds(rows: readonly MessageRow[]): (MessageRow & { parent: string | null })[] {
  const taken: TakenIds = new Map()
  const firsts = new Map<string, JsonObject>()
  const known = new Map<string, Set<string>>()
  const unique: (MessageRow & { parent: string | null })[] = []
  let before: string | null = null
  for (const { id: wished, parent, value } of rows) {
    const first = firsts.get(wished)
    if (first === undefined) firsts.set(wished, value)
    else {
      const texts = known.get(wished) ?? new Set([rawJson(first)])
      const text = rawJson(value)
      if (texts.has(text)) continue
      known.set(wished, texts.add(text))
    }
    const id = freeId(wished, taken)
    unique.push({ id, parent: parent === undefined ? before : parent, value })
    before = id
  }
  return unique
}
