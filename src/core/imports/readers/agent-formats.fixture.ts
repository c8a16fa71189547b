/** What the tests of these readers share: pieces of a text, what came of them, and what must hold for each chat. */
import fc from 'fast-check'
import type { ForeignChat, ForeignItem } from '../shape/foreign-chat.ts'
import type { Findings, Format, SourcePiece, SourceShape } from '../shape/reader.ts'

declare const process: { cwd(): string; cpuUsage(before?: object): { user: number; system: number } }

/** The samples lie here. */
export const samplesFolder = (format: string): string => `${process.cwd()}/src/core/imports/readers/samples/${format}`

export type ReadFile = { chats: ForeignChat[]; findings: Findings }

/** What work costs, in ms of the processor: others that share the machine do not count. */
export function processorMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** The chats of pieces. */
export function readPieces(format: Format, pieces: readonly SourcePiece[], shape: SourceShape): ReadFile {
  const findings: Findings = { skipped: [], bad: [], kept: [], merged: [] }
  const reader = format.begin(findings, shape)
  const chats = pieces.flatMap(piece => reader.take(piece))
  return { chats: [...chats, ...reader.end()], findings }
}

/** The chats of values, one a line. */
export const readLines = (format: Format, ...values: unknown[]): ReadFile =>
  readPieces(
    format,
    values.map((value, i) => ({ value, at: i + 1 })),
    'lines',
  )

/** The chats of the items of a list. */
export const readList = (format: Format, ...values: unknown[]): ReadFile =>
  readPieces(
    format,
    values.map((value, at) => ({ value, at })),
    'list',
  )

/** The pieces of the text of a file; lines that are no JSON are told, as they are before a reader gets them. */
export function piecesOf(text: string, name: string): { pieces: SourcePiece[]; shape: SourceShape; broken: number[] } {
  if (name.endsWith('.jsonl')) {
    const pieces: SourcePiece[] = []
    const broken: number[] = []
    for (const [i, line] of text
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/)
      .entries()) {
      if (line.trim() === '') continue
      try {
        pieces.push({ value: JSON.parse(line), at: i + 1 })
      } catch {
        broken.push(i + 1)
      }
    }
    return { pieces, shape: 'lines', broken }
  }
  const value: unknown = JSON.parse(text)
  return Array.isArray(value)
    ? { pieces: value.map((one, at) => ({ value: one as unknown, at })), shape: 'list', broken: [] }
    : { pieces: [{ value, at: 0 }], shape: 'object', broken: [] }
}

const isMessage = (item: ForeignItem): boolean =>
  item.kind === 'user' || (item.kind === 'assistant' && item.text.trim() !== '')

/** How many there are of what; what there is none of is left out. */
export function countedIn(chats: readonly ForeignChat[]): Record<string, number> {
  const items = chats.flatMap(chat => chat.items)
  const count = (is: (item: ForeignItem) => boolean): number => items.filter(is).length
  const why = (reason: string) => count(item => item.kind === 'foreign' && item.why === reason)
  const all = {
    chats: chats.length,
    messages: count(isMessage),
    branches: chats.reduce((sum, chat) => {
      const parents = new Set(chat.items.map(({ parent }) => parent))
      return sum + chat.items.filter(({ id }) => !parents.has(id)).length
    }, 0),
    toolCalls: items.reduce((sum, item) => sum + (item.kind === 'assistant' ? item.calls.length : 0), 0),
    results: count(({ kind }) => kind === 'result'),
    reasoning: count(item => item.kind === 'assistant' && item.reasoning !== undefined),
    attachments: items.reduce((sum, item) => sum + ('attachments' in item ? (item.attachments?.length ?? 0) : 0), 0),
    system: chats.filter(({ system }) => system !== undefined).length,
    summaries: count(({ kind }) => kind === 'summary'),
    hidden: why('hidden'),
    injected: why('injected'),
    sidechains: why('sidechain'),
    unknown: why('unknown'),
  }
  return Object.fromEntries(Object.entries(all).filter(([, n]) => n > 0))
}

/** The items from the first one to the one in view. */
export function pathInView(chat: ForeignChat): ForeignItem[] {
  const byId = new Map(chat.items.map(item => [item.id, item]))
  const path: ForeignItem[] = []
  for (let at = byId.get(chat.leaf ?? ''); at !== undefined; at = byId.get(at.parent ?? '')) path.unshift(at)
  return path
}

/** What of a path is said, in short: `user text`, `assistant text (calls)`, `result text`, … */
export const said = (items: readonly ForeignItem[]): string[] =>
  items.map(item => {
    const words = item.kind === 'foreign' ? item.why : item.text
    const calls = item.kind === 'assistant' ? item.calls.map(({ name }) => ` +${name}`).join('') : ''
    return `${item.kind} ${words}${calls}`
  })

/** What is wrong with a chat; nothing for a right one. */
export function faultsOf(chat: ForeignChat): string[] {
  const faults: string[] = []
  const calls = new Map<string, Set<string>>() // of each item: the calls above it that wait
  const ids = new Set<string>()
  const callIds = new Set<string>()
  for (const item of chat.items) {
    if (ids.has(item.id)) faults.push(`${item.id} stands twice`)
    if (item.parent !== null && !ids.has(item.parent)) faults.push(`${item.id} stands before its parent, or has none`)
    ids.add(item.id)
    const waiting = new Set(item.parent === null ? [] : calls.get(item.parent))
    if (item.kind === 'assistant') {
      for (const call of item.calls) {
        if (callIds.has(call.id)) faults.push(`call ${call.id} stands twice`)
        callIds.add(call.id)
        waiting.add(call.id)
      }
    }
    if (item.kind === 'result' && !waiting.delete(item.callId) && callIds.has(item.callId))
      faults.push(`call ${item.callId} is answered twice, or before it stands there`)
    if (item.kind === 'summary' && item.firstKept !== undefined && !ids.has(item.firstKept))
      faults.push(`${item.id} keeps from what is not before it`)
    if (item.at !== undefined && !(item.at > 0)) faults.push(`${item.id} has a senseless time`)
    calls.set(item.id, waiting)
  }
  if (chat.leaf !== undefined && !ids.has(chat.leaf)) faults.push('the leaf is not there')
  if (chat.id === '') faults.push('it has no id')
  return faults
}

/** One change of a value at a place that is chosen by chance. */
type Change = { way: number[]; to: unknown; how: 'put' | 'delete' | 'swap' }

/** Changes that no program makes by itself. */
export const someChanges: fc.Arbitrary<Change[]> = fc.array(
  fc.record({
    way: fc.array(fc.nat(40), { minLength: 1, maxLength: 7 }),
    to: fc.constantFrom<unknown[]>(null, 0, -1, 1e300, '', 'a', 'a1', true, [], {}, [null], { type: 'text' }, ['x']),
    how: fc.constantFrom('put', 'delete', 'swap'),
  }),
  { minLength: 1, maxLength: 8 },
)

/** The same values with the changes made. */
export function changed(values: readonly unknown[], changes: readonly Change[]): unknown[] {
  const copy = structuredClone(values) as unknown[]
  for (const { way, to, how } of changes) {
    let at: unknown = copy
    for (const [depth, step] of way.entries()) {
      if (typeof at !== 'object' || at === null) break
      const holder = at as Record<string, unknown>
      const keys = Object.keys(holder)
      const key = keys[step % Math.max(1, keys.length)]
      if (key === undefined) break
      const next = holder[key]
      if (depth < way.length - 1 && typeof next === 'object' && next !== null) {
        at = next
        continue
      }
      const other = keys[(step + 1) % keys.length]!
      if (how === 'put') holder[key] = to
      else if (how === 'swap') [holder[key], holder[other]] = [holder[other], next]
      else if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else delete holder[key]
      break
    }
  }
  return copy
}
