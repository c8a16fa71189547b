/**
 * A database and an export as commit 3cafae8 wrote them: six chats in which tools ran, each strategy compacted, texts
 * were removed, an answer was left unfinished. Every later version has to open both, and to show models what they saw
 * then. The files are never made again; what a later version stores gets files of its own.
 */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { IDBFactory } from 'fake-indexeddb'
import { beforeAll, describe, expect, it } from 'vitest'
import { locksOf } from '../../../bridge/worker/web-locks.ts'
import { createModels } from '../../../models/registry.ts'
import { writeDatabase, type Store } from '../../../storage/indexeddb/database.fixture.ts'
import { keyVault } from '../../../storage/key-vault.ts'
import { openedStore } from '../../../storage/open-store.fixture.ts'
import { testAgent, type TestAgent } from '../agent.fixture.ts'
import { exportLinesOf, importLinesInto } from './transfer.fixture.ts'

const read = (name: string): string =>
  gunzipSync(readFileSync(new URL(`./${name}.gz`, import.meta.url))).toString('utf8')
const database = JSON.parse(read('old-database.json'), (_, value: unknown) =>
  isBytes(value) ? new Uint8Array(Buffer.from(value.$bytes, 'base64')) : value,
) as { nativeVersion: number; stores: Store[] }
const lines = read('old-export.jsonl')
  .split('\n')
  .filter(line => line !== '')

type Row = { session: string; seq: number; entry: { id: string; type: string } }
const rowsOf = (table: string): unknown[] => database.stores.find(({ name }) => name === table)!.rows
const chats = rowsOf('sessions') as { id: string; title: string; draft: string }[]
const entriesOf = (chat: string): Row['entry'][] =>
  (rowsOf('entries') as Row[])
    .filter(({ session }) => session === chat)
    .toSorted((a, b) => a.seq - b.seq)
    .map(({ entry }) => entry)

/** What a line of an export is about. */
function nameOf(line: string): string {
  const { type, id, path, revision } = JSON.parse(line) as Record<string, unknown>
  return `${String(type)} ${String(id ?? path)} ${String(revision ?? '')}`
}

function isBytes(value: unknown): value is { $bytes: string } {
  return typeof value === 'object' && value !== null && '$bytes' in value
}

describe('a database of 3cafae8', () => {
  let app: TestAgent
  beforeAll(async () => {
    const indexedDB = new IDBFactory()
    await writeDatabase(indexedDB, 'haversack', database)
    const { store, states } = await openedStore(indexedDB)
    expect(states()).toEqual(['kept'])
    app = testAgent([], { store, prefix: 'new' })
  })

  it('opens with every chat, its draft, and every entry as it was', async () => {
    const found = await app.agent.sessions()
    expect(new Map(found.map(({ id, title }) => [id, title]))).toEqual(
      new Map(chats.map(({ id, title }) => [id, title])),
    )
    for (const { id, draft } of chats) {
      expect(await app.log(id), id).toEqual(entriesOf(id))
      const opened = await app.agent.open(id)
      expect([opened.total, opened.info.draft ?? ''], id).toEqual([entriesOf(id).length, draft])
    }
    const cutOff = chats.find(({ title }) => title === 'Cut off')!
    expect((await app.agent.open(cutOff.id)).partial).toMatchObject({ text: 'Then they', reasoning: 'hm' })
  })
  it('keeps settings, servers, sealed headers, memory and what was allowed', async () => {
    const { store } = app
    const secrets = keyVault({ store, locks: locksOf(undefined), crypto: globalThis.crypto })
    const models = createModels({
      store,
      secrets,
      fetch: () => Promise.reject(new Error('nothing is asked')),
      allow: () => undefined,
    })
    expect(await app.agent.defaults()).toMatchObject({ strategy: 'qwenpaw', model: 'scripted' })
    expect(await models.servers()).toMatchObject([{ id: 'srv', name: 'Mine', models: ['m1', 'm2'] }])
    expect(await secrets.state()).toMatchObject({ by: 'passphrase', locked: true })
    await secrets.unlock('open sesame, please')
    expect(await models.servers()).toMatchObject([{ headers: { 'x-a': 'b' } }])
    expect(await app.agent.documents()).toMatchObject([{ path: 'MEMORY.md', revision: 2, leaves: 'asks' }])
    expect((await app.agent.memoryRevision(2))?.text).toBe('- likes fjords\n- 喝茶\n')
    expect((await app.agent.proposal())?.text).toContain('likes fjords and 茶')
    expect((await app.agent.permissions()).map(({ grant }) => grant)).toContain('fetch_url example.org')
  })

  it('shows models what they saw', async () => {
    const old = JSON.parse(read('old-views.json')) as Record<string, { role: string; content: string }[]>
    for (const { id, title } of chats) {
      const now = (await app.agent.view(id)).filter(({ role }) => role !== 'system' && role !== 'tools')
      const then = old[id]!.filter(({ role }) => role !== 'system' && role !== 'tools')
      expect(
        now.map(({ role, content }) => `${role}: ${content}`),
        title,
      ).toEqual(then.map(({ role, content }) => `${role}: ${content}`))
    }
  })

  it('finds what was said, and exports all of it', async () => {
    expect((await app.agent.search('how deep is row 3')).length).toBeGreaterThan(0)
    const now = new Map((await exportLinesOf(app)).map(line => [nameOf(line), JSON.parse(line) as object]))
    // Newer ones may say more, as which documents may leave.
    for (const line of lines) expect(now.get(nameOf(line)), nameOf(line)).toMatchObject(JSON.parse(line) as object)
  })
})

/**
 * Without what an import adds: calls are marked, because somebody else may have written them, and a line that is not
 * known gets an id.
 */
const asExported = (entry: { id: string; type: string }): object =>
  entry.type === 'foreign' ? { ...entry, id: undefined, at: undefined } : { ...entry, imported: undefined }

describe('an export of 3cafae8', () => {
  it('comes in whole, and a second time adds nothing', async () => {
    const app = testAgent([], { prefix: 'new' })
    const report = await importLinesInto(app, lines)
    expect(report.problems).toEqual([])
    for (const { id } of chats) {
      expect((await app.log(id)).map(asExported), id).toEqual(entriesOf(id).map(asExported))
    }
    expect(await importLinesInto(app, lines)).toMatchObject({ entries: 0, problems: [] })
  })
})
