import { describe, expect, it } from 'vitest'
import { MemoryStore } from '../../../storage/memory-store.ts'
import { AgentError } from '../../errors.ts'
import { testAgent, processLocks, sendAndSettle, until, type TestAgent } from '../agent.fixture.ts'
import { exportLinesOf, importLinesInto } from './transfer.fixture.ts'

const at = 1_772_359_200_000
const header = (id = 's', more: object = {}): string =>
  JSON.stringify({ type: 'session', harness: 'haversack', id, name: 'A chat', createdAt: at, format: 1, ...more })
const message = (n: number | string, parent: number | string | null, content: string, more: object = {}): string =>
  JSON.stringify({
    type: 'message',
    id: `m${n}`,
    parent: parent === null ? null : `m${parent}`,
    seq: 0,
    timestamp: at + Number(n) || at,
    message: { role: Number(n) % 2 === 0 ? 'user' : 'assistant', content, ...more },
  })
/** Messages m0 … of one path. */
const talk = (to: number, from = 0): string[] =>
  Array.from({ length: to - from }, (_, i) =>
    message(from + i, from + i === 0 ? null : from + i - 1, `Words ${from + i}`),
  )
const shown = async (b: TestAgent, id = 's'): Promise<string[]> =>
  (await b.agent.view(id)).flatMap(({ role, content }) => (role === 'user' || role === 'assistant' ? [content] : []))
const words = (to: number): string[] => Array.from({ length: to }, (_, n) => `Words ${n}`)

describe('the version in view after an import', () => {
  it('goes on where the file goes on from it', async () => {
    const b = testAgent([])
    await importLinesInto(b, [header(), ...talk(10)])
    expect(await importLinesInto(b, [header(), ...talk(20)])).toMatchObject({
      entries: 10,
      messages: 10,
      skipped: 10,
      sessions: ['s'],
      versions: [],
    })
    expect(await shown(b)).toEqual(words(20))
    expect(b.events.some(event => event.type === 'leaf' && event.leaf === 'm19')).toBe(true)
  })

  it('is the same when both exports are in one file', async () => {
    const b = testAgent([])
    expect(await importLinesInto(b, [header(), ...talk(10), header(), ...talk(20)])).toMatchObject({
      entries: 20,
      skipped: 10,
      sessions: ['s'],
      versions: [],
      problems: [],
    })
    expect(await shown(b)).toEqual(words(20))
    const copy = await importLinesInto(b, [header(), ...talk(10), header(), ...talk(20)], { asCopy: true })
    expect(copy).toMatchObject({ entries: 20, skipped: 10, versions: [], problems: [] })
    expect(copy.sessions).toHaveLength(1)
    expect(await shown(b, copy.sessions[0])).toEqual(words(20))
  })

  it('stays where the person has gone on in another way; the other one is named and can be shown', async () => {
    const b = testAgent(['Mine.'])
    await importLinesInto(b, [header(), ...talk(10)])
    await sendAndSettle(b, 's', 'My own words')
    const report = await importLinesInto(b, [header(), ...talk(20)])
    expect(report).toMatchObject({ entries: 10, versions: [{ session: 's', leaf: 'm19' }] })
    expect((await shown(b)).slice(-2)).toEqual(['My own words', 'Mine.'])
    await b.agent.switchLeaf('s', report.versions[0]!.leaf)
    expect(await shown(b)).toEqual(words(20))
  })

  it('does not go back to an older export', async () => {
    const b = testAgent([])
    await importLinesInto(b, [header(), ...talk(20)])
    expect(await importLinesInto(b, [header(), ...talk(10)])).toMatchObject({
      entries: 0,
      skipped: 10,
      sessions: ['s'],
      versions: [],
    })
    expect(await shown(b)).toEqual(words(20))
  })

  it('of a chat that only shows what an import brought that was cut off is the one of the file', async () => {
    const b = testAgent([])
    const branches = [
      header('s', { leaf: 'm7' }),
      ...talk(4),
      message('4', 3, 'One way'),
      message('5', 4, 'One answer'),
      message('6', 3, 'Another way'),
      message('7', 6, 'Another answer'),
    ]
    const handle = await b.agent.importStart({ asCopy: false })
    await b.agent.importLines(handle, branches.slice(0, 7))
    await b.agent.importLines(handle, branches.slice(7)) // the tab is closed here
    expect(await shown(b)).toEqual([...words(4), 'One way', 'One answer'])
    const again = testAgent([], { store: b.store, prefix: 'again' })
    expect(await importLinesInto(again, branches)).toMatchObject({ entries: 2, skipped: 6, versions: [], problems: [] })
    expect(await shown(again)).toEqual([...words(4), 'Another way', 'Another answer'])
    expect((await again.store.session('s'))?.unfinishedImport).toBeUndefined()
  })

  it('of a chat that an earlier version of the app left without one is its newest, at opening and when something is sent', async () => {
    const old = async (): Promise<MemoryStore> => {
      const store = new MemoryStore()
      const from = testAgent([])
      await importLinesInto(from, [header(), ...talk(6)])
      await store.append('s', await from.log('s'), {
        keepLeaf: true,
        create: { id: 's', title: 'A chat', createdAt: at, updatedAt: at, leaf: null },
      })
      return store
    }
    const opened = testAgent([], { store: await old() })
    expect((await opened.agent.open('s')).info.leaf).toBe('m5')
    await until(async () => (await opened.store.session('s'))?.leaf === 'm5')
    const sent = testAgent(['Well.'], { store: await old() })
    await sendAndSettle(sent, 's', 'Go on')
    expect(await shown(sent)).toEqual([...words(6), 'Go on', 'Well.'])
    const completed = testAgent([], { store: await old() })
    expect(await importLinesInto(completed, [header(), ...talk(9)])).toMatchObject({
      entries: 3,
      skipped: 6,
      versions: [],
    })
    expect(await shown(completed)).toEqual(words(9))
  })
})

describe('calls that a file leaves open', () => {
  const call = {
    toolCalls: [{ id: 'c', function: { name: 'fetch_url', arguments: '{"url":"https://example.org"}' } }],
    stop: 'calls',
  }
  const open = [header(), message(0, null, 'Read it'), message(1, 0, '', call)]
  const result = JSON.stringify({
    type: 'message',
    id: 'm2',
    parent: 'm1',
    seq: 2,
    timestamp: at + 2,
    message: { role: 'tool', content: 'The page.', toolCallId: 'c', name: 'fetch_url' },
  })

  it('ask for nothing, also after a reload, after export and import, and of a copy', async () => {
    const b = testAgent([])
    const [copy] =
      (await importLinesInto(b, open)).sessions && (await importLinesInto(b, open, { asCopy: true })).sessions
    const elsewhere = testAgent([], { prefix: 'x' })
    await importLinesInto(elsewhere, await exportLinesOf(b, { kind: 'session', session: 's' }))
    for (const [one, id] of [
      [b, 's'],
      [testAgent([], { store: b.store }), 's'],
      [b, copy!],
      [elsewhere, 's'],
    ] as const) {
      const before = await one.log(id)
      expect((await one.agent.open(id)).status.state).not.toBe('asking')
      expect((await one.settled(id)).state).not.toBe('asking')
      await expect(one.agent.resolvePermission(id, 'c', 'allow')).rejects.toThrow('answered already')
      expect(await one.log(id)).toEqual(before)
    }
  })

  it('are answered by the view alone, so that the real result is shown when it comes', async () => {
    const b = testAgent(['As you like.'])
    await importLinesInto(b, open)
    const tool = (await b.agent.view('s')).find(({ role }) => role === 'tool')
    expect(tool?.content).toMatch(/no result was recorded.*came with an import/)
    expect(await importLinesInto(b, [...open, result])).toMatchObject({ entries: 1, skipped: 2, versions: [] })
    expect((await b.agent.view('s')).find(({ role }) => role === 'tool')?.content).toMatch(/^The page\.\n/)
  })

  it('get no result in the log from a new message, Stop, or Continue; calls that are made here ask as ever', async () => {
    const b = testAgent([
      'Never mind.',
      { text: 'Again.', calls: [{ name: 'fetch_url', arguments: { url: 'https://example.org/' } }] },
    ])
    await importLinesInto(b, open)
    await b.agent.stop('s')
    expect((await b.log('s')).filter(entry => entry.type === 'result')).toEqual([])
    await sendAndSettle(b, 's', 'Leave it')
    expect((await b.log('s')).filter(entry => entry.type === 'result')).toEqual([])
    b.events.length = 0
    await b.agent.send('s', 'Now read it')
    expect(await b.settled('s')).toMatchObject({ state: 'asking', question: { tool: 'fetch_url' } })
    const reloaded = testAgent([], { store: b.store })
    expect((await reloaded.agent.open('s')).status.state).toBe('asking')
  })
})

describe('what was here before', () => {
  it('is said when there is nothing else, and a chat that left the list is listed again', async () => {
    const b = testAgent([])
    await importLinesInto(b, [header(), ...talk(4)])
    await b.store.updateSession('s', { hidden: true })
    expect(await importLinesInto(b, [header(), ...talk(4)])).toMatchObject({
      entries: 0,
      messages: 0,
      skipped: 4,
      sessions: ['s'],
      problems: [],
    })
    expect((await b.agent.sessions()).map(({ id }) => id)).toEqual(['s'])
  })

  it('and was deleted comes back whole, as a chat of its own, once', async () => {
    const b = testAgent(['Words.'])
    const { id } = await b.agent.create('To go')
    await sendAndSettle(b, id, 'Hello')
    await b.agent.pin(id, (await b.log(id))[0]!.id, true)
    const lines = await exportLinesOf(b, { kind: 'session', session: id })
    await b.agent.remove(id)
    const report = await importLinesInto(b, lines)
    expect(report).toMatchObject({ entries: 3, skipped: 0, problems: [] })
    expect(await shown(b, report.sessions[0])).toEqual(['Hello', 'Words.'])
    expect(await importLinesInto(b, lines)).toMatchObject({ entries: 0, skipped: 3, sessions: report.sessions })
    expect(await b.agent.sessions()).toHaveLength(1)
  })

  it('and whose text was removed is still the same: the rest of the chat goes on behind it', async () => {
    const b = testAgent([])
    await importLinesInto(b, [header(), ...talk(6)])
    await b.agent.deleteMessage('s', 'm2')
    expect(await importLinesInto(b, [header(), ...talk(8)])).toMatchObject({ entries: 2, skipped: 6, versions: [] })
    expect((await b.store.find('m2'))?.row.entry.gone).toBeDefined()
    expect((await shown(b)).slice(-2)).toEqual(['Words 6', 'Words 7'])
  })

  it('under another content is told apart, and the same file brings it only once', async () => {
    const b = testAgent([])
    await importLinesInto(b, [header(), ...talk(4)])
    const other = [header(), ...talk(2), message(2, 1, 'Other words'), message(3, 2, 'Other answer')]
    expect(await importLinesInto(b, other)).toMatchObject({ entries: 2, skipped: 2, versions: [{ session: 's' }] })
    expect(await importLinesInto(b, other)).toMatchObject({ entries: 0, skipped: 4 })
  })
})

describe('an import that cannot be stored', () => {
  it('is over, so that nothing is left out without a word; the next one completes it', async () => {
    const b = testAgent([])
    const append = b.store.append.bind(b.store)
    let full = false
    b.store.append = async (...args) => {
      if (full) throw new AgentError('storage_full', 'The disk is full')
      return append(...args)
    }
    const [first, second, third] = [[header(), ...talk(4)], talk(8, 4), talk(12, 8)]
    const handle = await b.agent.importStart({ asCopy: false })
    await b.agent.importLines(handle, first!)
    await b.agent.importLines(handle, second!)
    full = true
    await expect(b.agent.importLines(handle, third!)).rejects.toMatchObject({ code: 'storage_full' })
    full = false
    await expect(b.agent.importLines(handle, third!)).rejects.toMatchObject({ code: 'not_found' })
    await expect(b.agent.importEnd(handle)).rejects.toMatchObject({ code: 'not_found' })
    expect(await shown(b)).toEqual(words(4))
    expect(await importLinesInto(b, [...first!, ...second!, ...third!])).toMatchObject({ entries: 8, skipped: 4 })
    expect(await shown(b)).toEqual(words(12))
  })
})

describe('lines in another order', () => {
  it('a parent may come a little later; one that never comes is named', async () => {
    const b = testAgent([])
    const [first, second, third] = talk(3)
    expect(await importLinesInto(b, [header(), first!, third!, second!])).toMatchObject({ entries: 3, problems: [] })
    expect(await shown(b)).toEqual(words(3))
    const report = await importLinesInto(b, [header('t'), message('90', null, 'First'), message('91', '77', 'Second')])
    expect(report.problems).toEqual([{ line: 3, reason: expect.stringMatching(/m77, which is not there/) as string }])
    expect(await shown(b, 't')).toEqual(['First', 'Second'])
  })

  it('two tabs that import the same file at once bring it once', async () => {
    const store = new MemoryStore()
    const locks = processLocks()
    const [one, two] = [testAgent([], { store, locks, prefix: 'a' }), testAgent([], { store, locks, prefix: 'b' })]
    const lines = [header(), ...talk(40)]
    const reports = await Promise.all([
      importLinesInto(one, lines, { atOnce: 7 }),
      importLinesInto(two, lines, { atOnce: 5 }),
    ])
    expect(reports.flatMap(({ problems }) => problems)).toEqual([])
    expect(reports[0]!.entries + reports[1]!.entries).toBe(40)
    expect((await one.log('s')).map(({ id }) => id)).toEqual(words(40).map((_, n) => `m${n}`))
  })
})
