/** Rows of a file that hang on each other, made into the items of a chat. Pure; never throws; linear. */
import type { ForeignItem } from '../shape/foreign-chat.ts'
import { asForest, freeId, rawJson, type TakenIds } from '../shape/fields.ts'

type WithoutPlace<T> = T extends unknown ? Omit<T, 'id' | 'parent'> : never

/** What an item says, without its place. `firstKept` of a summary names a row. */
export type ItemContent = WithoutPlace<ForeignItem>

/**
 * A row of a file. Without `content` it is only passed through: what hangs on it hangs on the item above. `behind`: it
 * has no branch of its own but stands right behind the row that `parent` names (null: before all), and what hangs on
 * that one comes after it.
 */
export type TreeRow = { id: string; parent: string | null; content?: ItemContent; behind?: true }

export type ItemTree = {
  items: ForeignItem[]
  /** The item that a row became, or for a row that became none the one above it. */
  itemAt(row: string): string | undefined
}

/**
 * The items of rows, parents before children. A row that comes twice is one; another one of the same id gets an id of
 * its own. Results that follow their answer without a fork stand in the order of its calls. Call ids are unique in the
 * chat, a result bears the id of the nearest call above it that waits for it; a second result of a call is foreign.
 */
export function itemTree(rows: readonly TreeRow[]): ItemTree {
  const { own, idOf } = withOwnIds(rows)
  const { placed, lastBehind } = withRowsBehind(own)
  const ordered = asForest(placed)
  const above = new Map<string, string | null>() // of each row: itself where it became an item, else the one above it
  const below = firstItemsBelow(ordered)
  const items: ForeignItem[] = []
  for (const { id, parent, content } of ordered) {
    const up = parent === null ? null : (above.get(parent) ?? null)
    above.set(id, content === undefined ? up : id)
    if (content === undefined) continue
    if (content.kind !== 'summary' || content.firstKept === undefined) {
      items.push({ id, parent: up, ...content })
      continue
    }
    const { firstKept, ...rest } = content
    const named = idOf.get(firstKept)
    const kept = named === undefined ? undefined : above.get(named) === named ? named : below.get(named)
    items.push({ id, parent: up, ...rest, ...(kept === undefined ? {} : { firstKept: kept }) })
  }
  sortResults(items)
  matchCalls(items)
  return {
    items,
    itemAt: row => {
      const id = idOf.get(row)
      return id === undefined ? undefined : (above.get(lastBehind.get(id) ?? id) ?? undefined)
    },
  }
}

/** `idOf`: the id of the first row that came under a name. */
function withOwnIds(rows: readonly TreeRow[]): { own: TreeRow[]; idOf: Map<string, string> } {
  const taken: TakenIds = new Map()
  const first = new Map<string, { row: TreeRow; id: string; json?: string }>()
  const own: TreeRow[] = []
  for (const row of rows) {
    const known = first.get(row.id)
    if (known) {
      known.json ??= rawJson(known.row)
      if (rawJson(row) === known.json) continue
    }
    const id = freeId(row.id, taken)
    if (!known) first.set(row.id, { row, id })
    own.push(id === row.id ? row : { ...row, id })
  }
  const idOf = new Map([...first].map(([name, { id }]) => [name, id]))
  return {
    own: own.map(row => {
      const parent = row.parent === null ? null : (idOf.get(row.parent) ?? row.parent)
      return parent === row.parent ? row : { ...row, parent }
    }),
    idOf,
  }
}

/** Puts rows that stand behind others between these and what hangs on them. */
function withRowsBehind(rows: readonly TreeRow[]): { placed: TreeRow[]; lastBehind: Map<string | null, string> } {
  const lastBehind = new Map<string | null, string>()
  const standsBehind = new Map<string, string | null>()
  const parents = new Map<TreeRow, string | null>()
  for (const row of rows) {
    if (row.behind !== true) continue
    const before = row.parent === null ? null : (standsBehind.get(row.parent) ?? row.parent)
    parents.set(row, lastBehind.get(before) ?? before)
    standsBehind.set(row.id, before)
    lastBehind.set(before, row.id)
  }
  if (lastBehind.size === 0) return { placed: [...rows], lastBehind }
  const placed = rows.map(row => {
    const before = row.parent === null ? null : (standsBehind.get(row.parent) ?? row.parent)
    const parent = parents.has(row) ? parents.get(row)! : (lastBehind.get(before) ?? before)
    return parent === row.parent ? row : { ...row, parent }
  })
  return { placed, lastBehind }
}

/** Of each row that becomes no item: the first item that hangs on it, directly or over others of its kind. */
function firstItemsBelow(ordered: readonly TreeRow[]): Map<string, string> {
  const without = new Map(ordered.flatMap(row => (row.content === undefined ? [[row.id, row.parent] as const] : [])))
  const below = new Map<string, string>()
  for (const { id, parent, content } of ordered) {
    if (content === undefined) continue
    for (let up = parent; up !== null && without.has(up) && !below.has(up); up = without.get(up)!) below.set(up, id)
  }
  return below
}

/** The places of what hangs on each item. */
function placesBelow(items: readonly ForeignItem[]): Map<string | null, number[]> {
  const below = new Map<string | null, number[]>()
  for (const [place, { parent }] of items.entries()) {
    const places = below.get(parent)
    if (places) places.push(place)
    else below.set(parent, [place])
  }
  return below
}

function sortResults(items: ForeignItem[]): void {
  const below = placesBelow(items)
  for (const answer of items) {
    if (answer.kind !== 'assistant' || answer.calls.length < 2) continue
    const order = new Map(answer.calls.map(({ id }, i) => [id, i]))
    const places: number[] = []
    const results: (ForeignItem & { kind: 'result' })[] = []
    for (let next = below.get(answer.id); next?.length === 1; next = below.get(items[next[0]!]!.id)) {
      const item = items[next[0]!]!
      if (item.kind !== 'result' || !order.has(item.callId)) break
      places.push(next[0]!)
      results.push(item)
    }
    const sorted = [...results].sort((a, b) => order.get(a.callId)! - order.get(b.callId)!)
    if (sorted.every((item, i) => item === results[i])) continue
    const after = below.get(results.at(-1)!.id) ?? []
    for (const [i, item] of sorted.entries()) {
      items[places[i]!] = { ...item, parent: i === 0 ? answer.id : sorted[i - 1]!.id }
      below.set(item.id, i === sorted.length - 1 ? after : [places[i + 1]!])
    }
    for (const place of after) items[place] = { ...items[place]!, parent: sorted.at(-1)!.id }
  }
}

/** A call on the path, which waits for its result. */
type Waiting = { id: string; name: string }

/** Gives each call an id of its own and each result the id of its call; walks the branches one after the other. */
function matchCalls(items: ForeignItem[]): void {
  const taken: TakenIds = new Map()
  const waitingOf = new Map<number, { called: string; call: Waiting }[]>()
  for (const [place, item] of items.entries()) {
    if (item.kind !== 'assistant' || item.calls.length === 0) continue
    const calls = item.calls.map(call => ({ ...call, id: freeId(call.id === '' ? 'call' : call.id, taken) }))
    waitingOf.set(
      place,
      calls.map((call, i) => ({ called: item.calls[i]!.id, call: { id: call.id, name: call.name } })),
    )
    items[place] = { ...item, calls }
  }
  const path = new CallsOnPath()
  const onPath = new Set<string>()
  const below = placesBelow(items)
  const walk: (number | (() => void))[] = (below.get(null) ?? []).toReversed()
  for (let step = walk.pop(); step !== undefined; step = walk.pop()) {
    if (typeof step === 'function') {
      step()
      continue
    }
    const item = items[step]!
    onPath.add(item.id)
    let leave = (): void => {}
    if (item.kind === 'assistant') leave = path.ask(waitingOf.get(step) ?? [])
    else if (item.kind === 'summary' && item.firstKept !== undefined && !onPath.has(item.firstKept)) {
      const { firstKept: _elsewhere, ...rest } = item
      items[step] = rest
    } else if (item.kind === 'result') {
      const found = path.answer(item.callId)
      leave = found.leave
      const { id, parent, at } = item
      if (found.call)
        items[step] = { ...item, callId: found.call.id, tool: item.tool === '' ? found.call.name : item.tool }
      else if (found.known)
        items[step] = { id, parent, ...(at === undefined ? {} : { at }), ...foreign(item, 'unknown') }
      else items[step] = { ...item, callId: freeId(item.callId === '' ? 'call' : item.callId, taken) }
    }
    walk.push(() => {
      leave()
      onPath.delete(item.id)
    })
    for (const place of (below.get(item.id) ?? []).toReversed()) walk.push(place)
  }
}

/** The calls above, by the ids that the source gave them, which may repeat. */
class CallsOnPath {
  readonly #waiting = new Map<string, Waiting[]>()
  readonly #asked = new Map<string, number>()

  /** An answer asks for tools; what is given back takes it off again. */
  ask(calls: readonly { called: string; call: Waiting }[]): () => void {
    // The first of two of one id is answered first.
    for (const { called, call } of calls.toReversed()) {
      const waiting = this.#waiting.get(called)
      if (waiting) waiting.push(call)
      else this.#waiting.set(called, [call])
      this.#asked.set(called, (this.#asked.get(called) ?? 0) + 1)
    }
    return () => {
      for (const { called } of calls) {
        this.#waiting.get(called)!.pop()
        this.#asked.set(called, this.#asked.get(called)! - 1)
      }
    }
  }

  /** The call that a result belongs to; `known`: there is one, and it has its result. */
  answer(called: string): { call?: Waiting; known: boolean; leave: () => void } {
    const waiting = this.#waiting.get(called)
    const call = waiting?.pop()
    if (call) return { call, known: true, leave: () => waiting!.push(call) }
    return { known: (this.#asked.get(called) ?? 0) > 0, leave: () => {} }
  }
}

/** A thing that is kept as it came. */
export function foreign(value: unknown, why: 'hidden' | 'injected' | 'sidechain' | 'unknown') {
  return { kind: 'foreign' as const, raw: rawJson(value), why }
}
