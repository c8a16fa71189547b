/** What is stored beside MEMORY.md: proposals that wait for the person, and up to when notes were merged. */
import type { Id } from '../../log/entry.ts'
import type { LogStore, World } from '../../ports/ports.ts'
import type { MemoryProposal, MemorySource } from '../api/memory-api.ts'

/**
 * `until`: notes up to then were decided on, ms; `tried`: the day on which it was last done by itself. `imported`:
 * texts that came with files, oldest first; each replaces nothing before the person says so.
 */
export type DreamState = {
  until?: number
  tried?: string
  proposal?: PendingProposal
  imported?: ImportedPage[]
  sources?: Map<string, MemorySource[]>
}
/** `entries`: the notes it was made of; where one is removed, the proposal goes too. */
export type PendingProposal = Pick<MemoryProposal, 'at' | 'text' | 'revision' | 'days' | 'by' | 'model'> & {
  until: number
  sources: Map<string, MemorySource[]>
  entries: Id[]
}
export type ImportedPage = { at: number /* ms, when it came */; text: string }

const key = 'memory.dream'
/** Imported texts that wait; the oldest goes when one more comes. It can be imported again. */
const mostImported = 10

export async function readDreamState(store: LogStore): Promise<DreamState> {
  return ((await store.setting(key)) as DreamState | undefined) ?? {}
}

export async function updateDreamState(store: LogStore, changes: Partial<DreamState>): Promise<void> {
  await store.saveSetting(key, { ...(await readDreamState(store)), ...changes })
}

/** An imported MEMORY.md becomes a proposal; the same text is not proposed twice. */
export async function proposeImported(
  { store, world }: { store: LogStore; world: World },
  text: string,
): Promise<void> {
  const { imported = [] } = await readDreamState(store)
  if (imported.some(page => page.text === text)) return
  await updateDreamState(store, { imported: [...imported, { at: world.now(), text }].slice(-mostImported) })
}
