/**
 * What must hold of export and import, whatever is in the files, and whatever happens meanwhile. Throws where a law is
 * broken.
 */
import { MemoryStore } from '../../../storage/memory-store.ts'
import { AgentError, codeOf } from '../../errors.ts'
import type { Entry, Id } from '../../log/entry.ts'
import { isLineOfItsOwn } from '../../log/file-format/jsonl.ts'
import { pathTo } from '../../log/query.ts'
import type { LogStore, SessionInfo } from '../../ports/ports.ts'
import type { TestAgent } from '../agent.fixture.ts'
import { exportLinesOf, importLinesInto } from './transfer.fixture.ts'
import { type AnyChat, dayOne, storeOf, agentOver, exportedLines, sameLines, mustHold } from './any-chats.fixture.ts'

/**
 * What goes out comes back byte for byte: as it is, twice in one file, in the canonical order, into a store that has it
 * already.
 */
export async function comesBack(chats: readonly AnyChat[]): Promise<void> {
  const store = await storeOf(chats)
  const [lines, canonical] = [await exportedLines(store), await exportedLines(store, { canonical: true })]
  for (const file of [lines, [...lines, ...lines]]) {
    const back = new MemoryStore()
    await importLinesInto(agentOver(back, 'x'), file, { atOnce: 17 })
    sameLines(await exportedLines(back), lines, 'the round trip')
    sameLines(await exportedLines(back, { canonical: true }), canonical, 'the canonical form of the round trip')
    const again = await importLinesInto(agentOver(back, 'y'), file)
    mustHold(again.entries === 0 && again.versions.length === 0, 'the same file brings something again')
    sameLines(await exportedLines(back), lines, 'the same file once more')
  }
  const back = new MemoryStore()
  await importLinesInto(agentOver(back, 'x'), canonical)
  sameLines(await exportedLines(back, { canonical: true }), canonical, 'the round trip of the canonical form')
}

/** Another chat that has an id of the file for something else. */
async function takeId(store: LogStore, id: Id | undefined): Promise<void> {
  if (id === undefined) return
  const info: SessionInfo = { id: 'other', title: 'Another', createdAt: dayOne, updatedAt: dayOne, leaf: id }
  await store.append('other', [{ type: 'user', text: 'Something else', id, parent: null, at: dayOne }], {
    create: info,
  })
}

/** An import that is cut off at any write shows what it brought, asks for nothing, and is completed by the next one. */
export async function survivesKill(
  chats: readonly AnyChat[],
  { writes, atOnce, taken }: { writes: number; atOnce: number; taken: boolean },
): Promise<void> {
  const lines = await exportedLines(await storeOf(chats))
  const isTaken = taken ? chats[0]?.entries[0]?.id : undefined
  const whole = new MemoryStore()
  await takeId(whole, isTaken)
  await importLinesInto(agentOver(whole, 'x'), lines)
  const store = new MemoryStore()
  await takeId(store, isTaken)
  await cutOff(dying(store, writes), lines, atOnce)
  for (const info of await store.sessions()) {
    const chat = chats.find(({ id }) => id === info.id)
    if (chat && isTaken === undefined) await showsWhatCame(store, info, chat)
    if (info.unfinishedImport !== undefined) await staysAsItIs(store, info)
  }
  await importLinesInto(agentOver(store, 'y'), lines)
  sameLines(await exportedLines(store), await exportedLines(whole), 'an import that was cut off and completed')
  mustHold(
    (await store.sessions()).every(info => info.unfinishedImport === undefined),
    'a whole import counts as unfinished',
  )
}

async function showsWhatCame(store: LogStore, info: SessionInfo, chat: AnyChat): Promise<void> {
  const entries = (await store.read(info.id)).map(row => row.entry)
  const tips = entries.filter(entry => !isLineOfItsOwn(entry))
  if (tips.length === 0) return
  mustHold(
    info.leaf === (tips.find(({ id }) => id === chat.leaf) ?? tips.at(-1))?.id,
    `shows ${info.leaf} of ${tips.map(({ id }) => id).join(' ')}`,
  )
  mustHold(pathTo(entries, info.leaf).length > 0, 'shows nothing')
}

/** Opening it asks for nothing and adds nothing, not even a summary that is owed: the file may bring it. */
async function staysAsItIs(store: LogStore, { id, leaf }: SessionInfo): Promise<void> {
  const before = await store.count(id)
  const b = agentOver(store, 'look')
  const opened = await b.agent.open(id)
  const status = await b.settled(id)
  await b.world.sleep(0, new AbortController().signal) // what is done after opening has begun by then
  mustHold(opened.info.leaf === leaf, 'shows another version')
  mustHold(opened.status.state !== 'asking' && status.state !== 'asking', 'a call of a file asks')
  mustHold((await store.count(id)) === before, 'opening adds something')
}

/** An import through a store that dies; its failure is what is tried. */
async function cutOff(store: LogStore, lines: readonly string[], atOnce: number): Promise<void> {
  try {
    await importLinesInto(agentOver(store, 'cut'), lines, { atOnce })
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
    createdAt: dayOne + Math.floor(n / 2),
    entries: plain(`c${n}`, size),
    leaf: `c${n}-${size - 1}`,
  }))
  for (const chat of chats)
    await store.append(chat.id, chat.entries, {
      create: { id: chat.id, title: chat.id, createdAt: chat.createdAt, updatedAt: chat.createdAt, leaf: null },
    })
  for (const path of ['workspace/a.md', 'workspace/m.md', 'workspace/z.md'])
    for (const at of [1, 2, 3]) await store.saveDocument(path, `${path} ${at}`, at, at - 1)
  const b = agentOver(store, 'out')
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
    sameLines(
      own.map(({ id }) => id),
      entries.map(entry => entry.id),
      `entries of ${id}`,
    )
    sameLines(
      own.map(({ seq }) => seq),
      entries.map((_, seq) => seq),
      `places of ${id}`,
    )
    mustHold(
      lines.filter(line => line.includes(`"type":"session"`) && line.includes(`"id":"${id}"`)).length === 1,
      `${id} begins once`,
    )
  }
  for (const path of ['workspace/a.md', 'workspace/m.md', 'workspace/z.md']) {
    if (touched.has(path)) continue
    for (const revision of [1, 2, 3])
      mustHold(
        lines.filter(line => line.includes(`"path":"${path}","revision":${revision},`)).length === 1,
        `${path} ${revision} is there once`,
      )
  }
  mustHold(new Set(lines).size === lines.length, 'a line comes twice')
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
      const createdAt = dayOne - 2 + (pick % 6)
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
    at: dayOne + n,
  }))
}
