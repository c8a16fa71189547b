/** What must hold where devices give each other their exports: in the end all have the same. */
import { MemoryStore } from '../../../storage/memory-store.ts'
import type { Entry, Id, Log, SessionId } from '../../log/entry.ts'
import { pathTo } from '../../log/query.ts'
import { renamed } from '../../log/file-format/new-ids.ts'
import type { LogStore } from '../../ports/ports.ts'
import type { ExportOptions } from '../api/transfer-api.ts'
import { importLinesInto } from './transfer.fixture.ts'
import { type AnyChat, dayOne, storeOf, agentOver, exportedLines, sameLines, mustHold } from './any-chats.fixture.ts'

export type DeviceIndex = 0 | 1 | 2
export type DeviceAct =
  | { do: 'write'; on: DeviceIndex; log: Log; pick: number }
  | { do: 'look'; on: DeviceIndex; pick: number }
  | { do: 'share'; from: DeviceIndex; to: DeviceIndex; canonical: boolean }

/**
 * Three devices share a chat, go on with it each in its own way, and give each other their exports in any order: all
 * end with the same.
 */
export async function devicesAgree(
  chat: AnyChat,
  acts: readonly DeviceAct[],
  order: readonly [DeviceIndex, DeviceIndex][],
): Promise<void> {
  const stores = [await storeOf([chat]), new MemoryStore(), new MemoryStore()] as const
  let shares = 0
  const share = async (from: DeviceIndex, to: DeviceIndex, options: ExportOptions = {}): Promise<void> => {
    const file = await exportedLines(stores[from], options)
    const before = await shownPath(stores[to], chat.id)
    // ids made here come before those of the file
    const { problems } = await importLinesInto(agentOver(stores[to], `0d${shares++}-`), file)
    mustHold(
      problems.every(({ reason }) => !/comes twice|which is not there/.test(reason)),
      `problems: ${JSON.stringify(problems)}`,
    )
    const after = await shownPath(stores[to], chat.id)
    mustHold(
      before.every((id, n) => after[n] === id),
      'an import hides what was shown',
    )
  }
  await share(0, 1)
  await share(0, 2)
  for (const [n, act] of acts.entries()) {
    if (act.do === 'share') await share(act.from, act.to, { canonical: act.canonical })
    else if (act.do === 'write') await write(stores[act.on], chat.id, act, `w${n}`)
    else await look(stores[act.on], chat.id, act.pick)
  }
  for (const [from, to] of [...order, ...order]) await share(from, to)
  const [first, ...others] = await Promise.all(stores.map(store => exportedLines(store, { canonical: true })))
  for (const other of others) sameLines(other, first!, 'the canonical exports')
}

async function shownPath(store: LogStore, chat: SessionId): Promise<Id[]> {
  const info = await store.session(chat)
  return info
    ? pathTo(
        (await store.read(chat)).map(row => row.entry),
        info.leaf,
      ).map(entry => entry.id)
    : []
}

/** Something is said on this device, behind the version in view or elsewhere. */
async function write(
  store: LogStore,
  chat: SessionId,
  { log, pick }: { log: Log; pick: number },
  name: string,
): Promise<void> {
  const info = await store.session(chat)
  if (!info || log.length === 0) return
  const rows = await store.read(chat)
  const others = rows.map(row => row.entry).filter(entry => entry.type !== 'foreign')
  let parent = pick % 3 === 0 ? (others[pick % Math.max(1, others.length)]?.id ?? null) : info.leaf
  const entries = log
    .filter(entry => entry.type !== 'foreign')
    .map((entry): Entry => {
      const own = {
        ...renamed(entry, id => (/^e\d+$/.test(id) ? `${name}${id}` : id)),
        parent,
        at: dayOne + pick * 60_000,
      }
      parent = own.id
      return own
    })
  const strange: Entry[] =
    pick % 2 === 0
      ? [{ type: 'foreign', raw: `{"type":"weather","degrees":${pick % 3}}`, id: `${name}f`, parent, at: dayOne }]
      : []
  await store.append(chat, [...strange, ...entries])
}

async function look(store: LogStore, chat: SessionId, pick: number): Promise<void> {
  const entries = (await store.read(chat)).map(row => row.entry).filter(entry => entry.type !== 'foreign')
  const leaf = entries[pick % Math.max(1, entries.length)]?.id
  if (leaf !== undefined) await store.updateSession(chat, { leaf })
}
