/**
 * What must hold of export and import, whatever is in the files, and whatever happens meanwhile. Throws where a law is
 * broken.
 */
import fc from 'fast-check'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { AgentError, codeOf } from '../../errors.ts'
import type { Entry, Id, Log, SessionId } from '../../log/entry.ts'
import { isLineOfItsOwn } from '../../log/file-format/jsonl.ts'
import { pathTo } from '../../log/query.ts'
import { anyLog } from '../../log/random-log.fixture.ts'
import { renamed } from '../../log/file-format/new-ids.ts'
import type { LogStore, SessionInfo } from '../../ports/ports.ts'
import { testAgent, type TestAgent } from '../agent.fixture.ts'
import type { ExportOptions } from '../api/transfer-api.ts'
import { exportLinesOf, importLinesInto } from './transfer.fixture.ts'

/** A chat as it lies in a store: its entries with their branches, and the version in view. */
export type AnyChat = { id: SessionId; createdAt: number; entries: readonly Entry[]; leaf: Id | null }

const start = 1_772_359_200_000 // ms
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
        { ...entry, parent, at: start + Math.floor(i / 3) * 60_000 - (pick % 11 === 0 ? 90_000 : 0) } as Entry,
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
      createdAt: start + name.length,
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

const over = (store: LogStore, prefix: string): TestAgent => testAgent([], { store, prefix })
const linesOf = async (store: LogStore, options: ExportOptions = {}): Promise<string[]> =>
  exportLinesOf(over(store, 'out'), { kind: 'all' }, options)

/**
 * What goes out comes back byte for byte: as it is, twice in one file, in the canonical order, into a store that has it
 * already.
 */
export async function comesBack(chats: readonly AnyChat[]): Promise<void> {
  const store = await storeOf(chats)
  const [lines, canonical] = [await linesOf(store), await linesOf(store, { canonical: true })]
  for (const file of [lines, [...lines, ...lines]]) {
    const back = new MemoryStore()
    await importLinesInto(over(back, 'x'), file, { atOnce: 17 })
    same(await linesOf(back), lines, 'the round trip')
    same(await linesOf(back, { canonical: true }), canonical, 'the canonical form of the round trip')
    const again = await importLinesInto(over(back, 'y'), file)
    law(again.entries === 0 && again.versions.length === 0, 'the same file brings something again')
    same(await linesOf(back), lines, 'the same file once more')
  }
  const back = new MemoryStore()
  await importLinesInto(over(back, 'x'), canonical)
  same(await linesOf(back, { canonical: true }), canonical, 'the round trip of the canonical form')
}

/** Another chat that has an id of the file for something else. */
async function takeId(store: LogStore, id: Id | undefined): Promise<void> {
  if (id === undefined) return
  const info: SessionInfo = { id: 'other', title: 'Another', createdAt: start, updatedAt: start, leaf: id }
  await store.append('other', [{ type: 'user', text: 'Something else', id, parent: null, at: start }], { create: info })
}

/** An import that is cut off at any write shows what it brought, asks for nothing, and is completed by the next one. */
export async function survivesKill(
  chats: readonly AnyChat[],
  { writes, atOnce, taken }: { writes: number; atOnce: number; taken: boolean },
): Promise<void> {
  const lines = await linesOf(await storeOf(chats))
  const isTaken = taken ? chats[0]?.entries[0]?.id : undefined
  const whole = new MemoryStore()
  await takeId(whole, isTaken)
  await importLinesInto(over(whole, 'x'), lines)
  const store = new MemoryStore()
  await takeId(store, isTaken)
  await cutOff(dying(store, writes), lines, atOnce)
  for (const info of await store.sessions()) {
    const chat = chats.find(({ id }) => id === info.id)
    if (chat && isTaken === undefined) await showsWhatCame(store, info, chat)
    if (info.unfinishedImport !== undefined) await staysAsItIs(store, info)
  }
  await importLinesInto(over(store, 'y'), lines)
  same(await linesOf(store), await linesOf(whole), 'an import that was cut off and completed')
  law(
    (await store.sessions()).every(info => info.unfinishedImport === undefined),
    'a whole import counts as unfinished',
  )
}

async function showsWhatCame(store: LogStore, info: SessionInfo, chat: AnyChat): Promise<void> {
  const entries = (await store.read(info.id)).map(row => row.entry)
  const tips = entries.filter(entry => !isLineOfItsOwn(entry))
  if (tips.length === 0) return
  law(
    info.leaf === (tips.find(({ id }) => id === chat.leaf) ?? tips.at(-1))?.id,
    `shows ${info.leaf} of ${tips.map(({ id }) => id).join(' ')}`,
  )
  law(pathTo(entries, info.leaf).length > 0, 'shows nothing')
}

/** Opening it asks for nothing and adds nothing, not even a summary that is owed: the file may bring it. */
async function staysAsItIs(store: LogStore, { id, leaf }: SessionInfo): Promise<void> {
  const before = await store.count(id)
  const b = over(store, 'look')
  const opened = await b.agent.open(id)
  const status = await b.settled(id)
  await b.world.sleep(0, new AbortController().signal) // what is done after opening has begun by then
  law(opened.info.leaf === leaf, 'shows another version')
  law(opened.status.state !== 'asking' && status.state !== 'asking', 'a call of a file asks')
  law((await store.count(id)) === before, 'opening adds something')
}

/** An import through a store that dies; its failure is what is tried. */
async function cutOff(store: LogStore, lines: readonly string[], atOnce: number): Promise<void> {
  try {
    await importLinesInto(over(store, 'cut'), lines, { atOnce })
  } catch (thrown) {
    if (codeOf(thrown) !== 'storage_lost') throw thrown
  }
}

/** A store that takes so many writes and then none, as if the app had been killed there. */
function dying(store: LogStore, writes: number): LogStore {
  const writing = new Set<PropertyKey>([
    'append',
    'createSession',
    'updateSession',
    'putBlob',
    'saveDocument',
    'saveSetting',
  ])
  let left = writes
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown => {
        if (writing.has(name) && left-- <= 0) return Promise.reject(new AgentError('storage_lost', 'killed'))
        return Reflect.apply(value, target, args) as unknown
      }
    },
  })
}

export type Meanwhile = { after: number /* lines */; do: 'remove' | 'add' | 'write'; pick: number }

/** Whatever is removed, added and written while everything is exported: what stays is in the file, whole and once. */
export async function exportsTheRest(sizes: readonly number[], meanwhile: readonly Meanwhile[]): Promise<void> {
  const store = new MemoryStore()
  const chats = sizes.map((size, n): AnyChat => ({
    id: `c${n}`,
    createdAt: start + Math.floor(n / 2),
    entries: plain(`c${n}`, size),
    leaf: `c${n}-${size - 1}`,
  }))
  for (const chat of chats)
    await store.append(chat.id, chat.entries, {
      create: { id: chat.id, title: chat.id, createdAt: chat.createdAt, updatedAt: chat.createdAt, leaf: null },
    })
  for (const path of ['workspace/a.md', 'workspace/m.md', 'workspace/z.md'])
    for (const at of [1, 2, 3]) await store.saveDocument(path, `${path} ${at}`, at, at - 1)
  const b = over(store, 'out')
  const touched = new Set<string>()
  const waiting = [...meanwhile]
  const lines = await exportLinesOf(
    b,
    { kind: 'all' },
    {
      between: async lines => {
        for (let next = waiting[0]; next && next.after <= lines; next = waiting[0]) {
          waiting.shift()
          await happen(b, next, touched)
        }
      },
    },
  )
  for (const { id, entries } of chats) {
    if (touched.has(id)) continue
    const own = lines
      .filter(line => line.includes(`"id":"${id}-`))
      .map(line => JSON.parse(line) as { id: Id; seq: number })
    same(
      own.map(({ id }) => id),
      entries.map(entry => entry.id),
      `entries of ${id}`,
    )
    same(
      own.map(({ seq }) => seq),
      entries.map((_, seq) => seq),
      `places of ${id}`,
    )
    law(
      lines.filter(line => line.includes(`"type":"session"`) && line.includes(`"id":"${id}"`)).length === 1,
      `${id} begins once`,
    )
  }
  for (const path of ['workspace/a.md', 'workspace/m.md', 'workspace/z.md']) {
    if (touched.has(path)) continue
    for (const revision of [1, 2, 3])
      law(
        lines.filter(line => line.includes(`"path":"${path}","revision":${revision},`)).length === 1,
        `${path} ${revision} is there once`,
      )
  }
  law(new Set(lines).size === lines.length, 'a line comes twice')
}

async function happen({ agent, store }: TestAgent, { do: what, pick }: Meanwhile, touched: Set<string>): Promise<void> {
  switch (what) {
    case 'remove': {
      if (pick % 4 === 0) {
        const path = ['workspace/a.md', 'workspace/m.md', 'workspace/z.md'][pick % 3]!
        touched.add(path)
        return store.removeDocument(path)
      }
      const chats = await store.sessions()
      const gone = chats[pick % Math.max(1, chats.length)]
      if (!gone) return
      touched.add(gone.id)
      return agent.remove(gone.id)
    }
    case 'add': {
      const id = `n${(await store.sessions()).length}-${pick}`
      if ((await store.count(id)) > 0 || (await store.session(id))) return
      const createdAt = start - 2 + (pick % 6)
      await store.append(id, plain(id, 2), { create: { id, title: id, createdAt, updatedAt: createdAt, leaf: null } })
      return
    }
    case 'write': {
      const path = `workspace/${'abmnz'[pick % 5]}.md`
      const document = await store.document(path)
      await store.saveDocument(path, `more ${pick} ${document?.revision}`, 9, document?.revision ?? 0)
      return
    }
    default:
      what satisfies never
  }
}

function plain(id: string, size: number): Entry[] {
  return Array.from({ length: size }, (_, n): Entry => ({
    type: 'user',
    text: `Line ${n}`,
    id: `${id}-${n}`,
    parent: n === 0 ? null : `${id}-${n - 1}`,
    at: start + n,
  }))
}

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
    const file = await linesOf(stores[from], options)
    const before = await shownPath(stores[to], chat.id)
    // ids made here come before those of the file
    const { problems } = await importLinesInto(over(stores[to], `0d${shares++}-`), file)
    law(
      problems.every(({ reason }) => !/comes twice|which is not there/.test(reason)),
      `problems: ${JSON.stringify(problems)}`,
    )
    const after = await shownPath(stores[to], chat.id)
    law(
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
  const [first, ...others] = await Promise.all(stores.map(store => linesOf(store, { canonical: true })))
  for (const other of others) same(other, first!, 'the canonical exports')
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
        at: start + pick * 60_000,
      }
      parent = own.id
      return own
    })
  const strange: Entry[] =
    pick % 2 === 0
      ? [{ type: 'foreign', raw: `{"type":"weather","degrees":${pick % 3}}`, id: `${name}f`, parent, at: start }]
      : []
  await store.append(chat, [...strange, ...entries])
}

async function look(store: LogStore, chat: SessionId, pick: number): Promise<void> {
  const entries = (await store.read(chat)).map(row => row.entry).filter(entry => entry.type !== 'foreign')
  const leaf = entries[pick % Math.max(1, entries.length)]?.id
  if (leaf !== undefined) await store.updateSession(chat, { leaf })
}

function same(found: readonly unknown[], wanted: readonly unknown[], what: string): void {
  for (let i = 0; i < Math.max(found.length, wanted.length); i++) {
    if (found[i] !== wanted[i]) throw new Error(`${what} differs at ${i}:\n${String(found[i])}\n${String(wanted[i])}`)
  }
}

function law(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}
