/** Random chats in a store, what an export of it is, and how two exports are compared. */
import fc from 'fast-check'
import { MemoryStore } from '../../../storage/memory-store.ts'
import type { Entry, Id, SessionId } from '../../log/entry.ts'
import { anyLog } from '../../log/random-log.fixture.ts'
import { renamed } from '../../log/file-format/new-ids.ts'
import type { LogStore, SessionInfo } from '../../ports/ports.ts'
import { testAgent, type TestAgent } from '../agent.fixture.ts'
import type { ExportOptions } from '../api/transfer-api.ts'
import { exportLinesOf } from './transfer.fixture.ts'

/** A chat as it lies in a store: its entries with their branches, and the version in view. */
export type AnyChat = { id: SessionId; createdAt: number; entries: readonly Entry[]; leaf: Id | null }

export const dayOne = 1_772_359_200_000 // ms
const number = fc.nat(1_000)

/** Any log with branches, lines of unknown types, and times of which several are equal and some go back. */
function anyChat(name: string): fc.Arbitrary<AnyChat> {
  return fc.tuple(anyLog, fc.array(number, { minLength: 30, maxLength: 30 }), number).map(([log, picks, leaf]) => {
    const entries: Entry[] = []
    for (const [i, entry] of log.entries()) {
      const pick = picks[i]!
      const others = entries.filter(entry => entry.type !== 'foreign')
      const parent =
        others.length === 0 || pick % 23 === 0
          ? null
          : (pick % 5 === 0 ? others[pick % others.length] : others.at(-1))!.id
      const own = renamed(
        { ...entry, parent, at: dayOne + Math.floor(i / 3) * 60_000 - (pick % 11 === 0 ? 90_000 : 0) } as Entry,
        id => (/^e\d+$/.test(id) ? `${name}${id}` : id),
      )
      entries.push({ ...own, parent })
      if (pick % 13 === 0)
        entries.push({
          type: 'foreign',
          raw: `{"type":"weather","degrees":${pick % 3}}`,
          id: `${name}f${i}`,
          parent: own.id,
          at: own.at,
        })
    }
    const tips = entries.filter(entry => entry.type !== 'foreign')
    return {
      id: `chat-${name}`,
      createdAt: dayOne + name.length,
      entries,
      leaf: tips[leaf % Math.max(1, leaf % 3 === 0 ? tips.length : 1)]?.id ?? tips.at(-1)?.id ?? null,
    }
  })
}

export const anyChats = fc
  .tuple(anyChat('a'), anyChat('b'), anyChat('cc'))
  .chain(chats => fc.subarray(chats, { minLength: 1 }))

/** A store that holds these chats. */
export async function storeOf(chats: readonly AnyChat[]): Promise<MemoryStore> {
  const store = new MemoryStore()
  await store.putBlob('b1', 'image/png', new Uint8Array([1, 2, 3]))
  for (const { id, createdAt, entries, leaf } of chats) {
    const info: SessionInfo = { id, title: `The chat ${id}`, titled: true, createdAt, updatedAt: createdAt, leaf }
    if (entries.length === 0) await store.createSession(info)
    else await store.append(id, entries, { keepLeaf: true, create: info })
  }
  return store
}

export const agentOver = (store: LogStore, prefix: string): TestAgent => testAgent([], { store, prefix })
export const exportedLines = async (store: LogStore, options: ExportOptions = {}): Promise<string[]> =>
  exportLinesOf(agentOver(store, 'out'), { kind: 'all' }, options)

export function sameLines(found: readonly unknown[], wanted: readonly unknown[], what: string): void {
  for (let i = 0; i < Math.max(found.length, wanted.length); i++) {
    if (found[i] !== wanted[i]) throw new Error(`${what} differs at ${i}:\n${String(found[i])}\n${String(wanted[i])}`)
  }
}

export function mustHold(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}
