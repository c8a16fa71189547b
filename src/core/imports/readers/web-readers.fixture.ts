/** What the tests of the readers of chat apps share: reading pieces, counting, and the laws of a chat. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect } from 'vitest'
import { runs } from '../../text/laws.fixture.ts'
import type { ForeignChat, ForeignItem } from '../shape/foreign-chat.ts'
import type { Findings, Format } from '../shape/reader.ts'

export type FileRead = { chats: ForeignChat[]; findings: Findings }

/** Reads the pieces of one file. */
export function chatsOfPieces(format: Format, pieces: readonly unknown[]): FileRead {
  const findings: Findings = { skipped: [], bad: [], kept: [], merged: [] }
  const reader = format.begin(findings, 'list')
  const chats = pieces.flatMap((value, at) => reader.take({ value, at }))
  return { chats: [...chats, ...reader.end()], findings }
}

/** The pieces of a sample under `samples`. */
export function sampleOf(path: string): unknown[] {
  const value = JSON.parse(readFileSync(new URL(`samples/${path}`, import.meta.url), 'utf8')) as unknown
  return Array.isArray(value) ? value : [value]
}

/** Reads the one chat of a piece. */
export function readOne(format: Format, piece: unknown): ForeignChat {
  const { chats, findings } = chatsOfPieces(format, [piece])
  expect(findings.skipped).toEqual([])
  expect(chats).toHaveLength(1)
  checkChat(chats[0]!)
  return chats[0]!
}

const isMessage = (item: ForeignItem): boolean =>
  item.kind === 'user' || (item.kind === 'assistant' && item.text.trim() !== '')

/** The numbers that a person is told of chats. */
export function webCounts(chats: readonly ForeignChat[]): Record<string, number> {
  const items = chats.flatMap(chat => chat.items)
  const parents = new Set(chats.flatMap(({ id, items }) => items.map(({ parent }) => `${id} ${parent}`)))
  const counts = {
    chats: chats.length,
    messages: items.filter(isMessage).length,
    branches: chats.flatMap(({ id, items }) => items.filter(item => !parents.has(`${id} ${item.id}`))).length,
    toolCalls: items.flatMap(item => (item.kind === 'assistant' ? item.calls : [])).length,
    results: items.filter(({ kind }) => kind === 'result').length,
    reasoning: items.filter(item => item.kind === 'assistant' && item.reasoning !== undefined).length,
    attachments: items.flatMap(item => ('attachments' in item ? item.attachments : [])).length,
    foreign: items.filter(({ kind }) => kind === 'foreign').length,
    system: chats.filter(({ system }) => system !== undefined).length,
  }
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
}

/** The items from the first to the one in view. */
function pathOf({ items, leaf }: ForeignChat): ForeignItem[] {
  const byId = new Map(items.map(item => [item.id, item]))
  const path: ForeignItem[] = []
  for (let item = byId.get(leaf ?? ''); item !== undefined; item = byId.get(item.parent ?? '')) path.unshift(item)
  return path
}

export const messagesInView = (chat: ForeignChat): number => pathOf(chat).filter(isMessage).length

/** What holds of every chat, whatever it was made of. */
export function checkChat(chat: ForeignChat): void {
  expect(typeof chat.id === 'string' && chat.id !== '').toBe(true)
  expect(chat.items.length).toBeGreaterThan(0)
  if (chat.title !== undefined) expect(chat.title.trim()).not.toBe('')
  const before = new Map<string, ForeignItem>()
  const callIds = new Set<string>()
  for (const item of chat.items) {
    expect(before.has(item.id), `${item.id} stands twice`).toBe(false)
    if (item.parent !== null) expect(before.has(item.parent), `${item.parent} stands behind its child`).toBe(true)
    if (item.at !== undefined) expect(Number.isInteger(item.at)).toBe(true)
    if (item.kind === 'assistant')
      for (const { id } of item.calls) expect(callIds.size < callIds.add(id).size).toBe(true)
    if (item.kind === 'result') checkResult(item, before)
    if (item.kind === 'foreign') JSON.parse(item.raw)
    before.set(item.id, item)
  }
  if (chat.leaf !== undefined) expect(before.has(chat.leaf)).toBe(true)
}

/** Its call stands before it in its branch, and has no other result there. */
function checkResult(result: Extract<ForeignItem, { kind: 'result' }>, before: ReadonlyMap<string, ForeignItem>): void {
  for (let item = before.get(result.parent ?? ''); item !== undefined; item = before.get(item.parent ?? '')) {
    if (item.kind === 'result') expect(item.callId).not.toBe(result.callId)
    if (item.kind === 'assistant' && item.calls.some(({ id }) => id === result.callId)) return
  }
  expect.unreachable(`the call ${result.callId} is not there`)
}

/** Mutates the pieces of samples at random, and holds the reader to its laws. */
export function checkMutations(format: Format, samples: readonly (readonly unknown[])[]): void {
  fc.assert(
    fc.property(
      fc.constantFrom(...samples),
      fc.array(fc.record({ at: fc.nat(), how: mutation }), { minLength: 1, maxLength: 6 }),
      (sample, mutations) => {
        const pieces = structuredClone(sample) as unknown[]
        for (const { at, how } of mutations) mutate(pieces, at, how)
        const { chats, findings } = chatsOfPieces(format, [...pieces, ...sample])
        chats.forEach(checkChat)
        // What is wrong in one chat takes nothing of another one.
        const whole = chatsOfPieces(format, sample)
        expect(chats.slice(-whole.chats.length).map(withoutId)).toEqual(whole.chats.map(withoutId))
        expect(skippedChats(findings)).toBeGreaterThanOrEqual(skippedChats(whole.findings))
        for (const { why } of findings.skipped) expect(why).not.toContain('cannot be read')
        // No piece is more than one chat, and none that became one is told as skipped.
        expect(chats.length + skippedChats(findings)).toBeLessThanOrEqual(pieces.length + sample.length)
      },
    ),
    runs(400),
  )
}

/** Chats that are told as skipped. What has a line is a part of a chat that came. */
const skippedChats = ({ skipped }: Findings): number => skipped.filter(({ line }) => line === undefined).length

/** Ids that repeat in a file may be told apart by their content. */
const withoutId = ({ id: _id, ...chat }: ForeignChat): Omit<ForeignChat, 'id'> => chat

type Mutation = { type: 'delete' } | { type: 'set'; value: unknown } | { type: 'swap'; with: number }

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.constant({ type: 'delete' as const }),
  fc
    .constantFrom<unknown>(
      null,
      0,
      -1,
      1e300,
      '',
      'a1',
      'u1',
      true,
      [],
      {},
      [null],
      { id: 'a1' },
      ['text', {}],
      '\uE200',
    )
    .map(value => ({ type: 'set' as const, value })),
  fc.nat().map(other => ({ type: 'swap' as const, with: other })),
)

type Slot = { of: Record<string | number, unknown>; key: string | number }

function slotsOf(value: unknown): Slot[] {
  const slots: Slot[] = []
  const open = [value]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue
    const of = next as Record<string, unknown>
    for (const key of Object.keys(of)) {
      slots.push({ of, key })
      open.push(of[key])
    }
  }
  return slots
}

function mutate(pieces: unknown[], at: number, how: Mutation): void {
  const slots = slotsOf(pieces)
  const slot = slots[at % Math.max(1, slots.length)]
  if (slot === undefined) return
  // No holes in lists: what JSON says has none.
  if (how.type === 'delete' && Array.isArray(slot.of)) slot.of.splice(Number(slot.key), 1)
  else if (how.type === 'delete') delete slot.of[slot.key]
  else if (how.type === 'set') slot.of[slot.key] = structuredClone(how.value)
  else {
    const other = slots[how.with % slots.length]!
    // Copies, so that nothing comes to hold itself: what JSON says never does.
    const [one, two] = [structuredClone(slot.of[slot.key]), structuredClone(other.of[other.key])]
    slot.of[slot.key] = two
    other.of[other.key] = one
  }
}

/** What some work gives, and its processor time in ms, which a busy machine does not lengthen. */
export function timed<T>(work: () => T): { value: T; ms: number } {
  const from = process.cpuUsage()
  const value = work()
  const { user, system } = process.cpuUsage(from)
  return { value, ms: (user + system) / 1000 }
}
