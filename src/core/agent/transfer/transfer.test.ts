import { describe, expect, it } from 'vitest'
import type { Entry } from '../../log/entry.ts'
import { testAgent, sendAndSettle, stillWorld, type TestAgent } from '../agent.fixture.ts'
import { exportLinesOf, importLinesInto } from './transfer.fixture.ts'

/** A chat with tools, edits, a branch, a note, a huge text and an attachment. */
async function rich(b: TestAgent): Promise<string> {
  const { id } = await b.agent.create('A rich one')
  await b.store.putBlob(
    'picture',
    'image/png',
    new Uint8Array(300_000).map((_, index) => index % 251),
  )
  await b.agent.send(id, 'Look', [{ name: 'a.png', mime: 'image/png', bytes: 300_000, blob: 'picture' }])
  await b.settled(id)
  await sendAndSettle(b, id, 'line of a long text, with ümlauts and 汉字\n'.repeat(5000))
  await b.agent.pin(id, (await b.log(id))[0]!.id, true)
  b.events.length = 0
  await b.agent.regenerate(id, (await b.log(id)).findLast(entry => entry.type === 'assistant')!.id)
  await b.settled(id)
  await b.agent.command(id, '/context clear')
  await b.agent.undo(id)
  return id
}
/** Without the mark that an entry came with a file: exports do not hold it. */
const unmarked = (entries: readonly Entry[]): Entry[] =>
  entries.map(entry => {
    if (entry.type !== 'assistant') return entry
    const { imported: _imported, ...rest } = entry
    return rest
  })

const answers = [
  { calls: [{ name: 'get_time', arguments: {} }], text: 'Let me see.' },
  'A picture.',
  'Long.',
  'Long indeed.',
]

describe('export and import', () => {
  it('a pin travels with its chat, and an import pins nothing that is here', async () => {
    const b = testAgent(['Yes.'])
    const { id } = await b.agent.create('Pinned')
    await sendAndSettle(b, id, 'Here?')
    await b.agent.pinChat(id, true)
    const lines = await exportLinesOf(b, { kind: 'session', session: id })
    const other = testAgent([])
    await importLinesInto(other, lines)
    expect(await other.agent.sessions()).toMatchObject([{ id, pinned: true }])
    await other.agent.pinChat(id, false)
    await importLinesInto(other, lines)
    expect((await other.agent.sessions())[0]?.pinned).toBeUndefined()
    expect((await exportLinesOf(other, { kind: 'session', session: id }))[0]).not.toContain('pinned')
  })

  it('2 000 messages come back byte for byte, in pages', async () => {
    const b = testAgent([])
    const { id } = await b.agent.create('Many')
    const entries: Entry[] = []
    for (let n = 0; n < 1000; n++) {
      entries.push({
        type: 'user',
        text: `Question ${n}`,
        id: `u${n}`,
        parent: n === 0 ? null : `a${n - 1}`,
        at: 1000 + n * 2,
      })
      entries.push({
        type: 'assistant',
        text: `Answer ${n}\nwith <|endoftext|> and \u0000 and \ud800`,
        calls: [],
        model: 'm',
        local: false,
        stop: 'stop',
        id: `a${n}`,
        parent: `u${n}`,
        at: 1001 + n * 2,
      })
    }
    await b.store.append(id, entries)
    const lines = await exportLinesOf(b, { kind: 'session', session: id })
    expect(lines).toHaveLength(2001)
    const fresh = testAgent([], { prefix: 'x' })
    expect(await importLinesInto(fresh, lines)).toEqual({
      entries: 2000,
      messages: 2000,
      skipped: 0,
      sessions: [id],
      versions: [],
      documents: [],
      problems: [],
    })
    expect(await exportLinesOf(fresh, { kind: 'session', session: id })).toEqual(lines)
    expect(await fresh.log(id)).toEqual(await b.log(id))
    expect(await fresh.agent.view(id)).toEqual(await b.agent.view(id))
  })

  it('everything else comes back too: tools, edits, branches, huge texts, attachments, documents', async () => {
    const b = testAgent(answers)
    const id = await rich(b)
    await b.agent.saveDocument('workspace/a.md', 'one', 0)
    await b.agent.saveDocument('workspace/a.md', 'two', 1)
    const lines = await exportLinesOf(b, { kind: 'all' })
    const world = stillWorld('x')
    await world.sleep(60_000, new AbortController().signal) // the other device reads it later
    const fresh = testAgent([], { world })
    const report = await importLinesInto(fresh, lines)
    expect(report.problems).toEqual([])
    await importLinesInto(fresh, lines, { documents: ['workspace/a.md'] })
    expect(await exportLinesOf(fresh, { kind: 'all' })).toEqual(lines)
    expect(unmarked(await fresh.log(id))).toEqual(await b.log(id))
    expect(await fresh.agent.view(id)).toEqual(await b.agent.view(id))
    expect((await fresh.store.blob('picture'))?.bytes.length).toBe(300_000)
    expect((await fresh.store.document('workspace/a.md', 1))?.text).toBe('one')
    const huge = (await fresh.log(id)).find(entry => entry.type === 'user' && entry.rest)!
    expect(await fresh.store.text(huge.id, 'all')).toBe('line of a long text, with ümlauts and 汉字\n'.repeat(5000))
    expect((await fresh.agent.sessions())[0]).toMatchObject({
      title: 'A rich one',
      leaf: (await b.agent.sessions())[0]!.leaf,
    })
  })

  it('the same again is skipped; other content under the same id gets new ids, and what names it follows', async () => {
    const b = testAgent(answers)
    const id = await rich(b)
    const lines = await exportLinesOf(b, { kind: 'session', session: id })
    const before = await b.log(id)
    expect(await importLinesInto(b, lines)).toMatchObject({
      entries: 0,
      skipped: before.length,
      sessions: [id],
      problems: [],
    })
    expect(await b.log(id)).toEqual(before)

    const changed = lines.map((line, index) =>
      index === 0
        ? line.replace(/"id":"[^"]*"/, '"id":"elsewhere"')
        : line.replace('"A picture."', '"Another picture."'),
    )
    const report = await importLinesInto(b, changed)
    expect(report).toMatchObject({ problems: [], sessions: [id] })
    const log = await b.log(id)
    const other = log.find(entry => entry.type === 'assistant' && entry.text === 'Another picture.')!
    expect(log.some(entry => entry.parent === other.id)).toBe(true)
    expect(log.slice(0, before.length)).toEqual(before)
    await b.agent.switchLeaf(id, other.id)
    expect((await b.agent.view(id)).map(message => message.content)).toContain('Another picture.')
  })

  it('a copy has ids of its own, and the same view', async () => {
    const b = testAgent(answers)
    const id = await rich(b)
    const lines = await exportLinesOf(b, { kind: 'session', session: id })
    const report = await importLinesInto(b, lines, { asCopy: true })
    const copy = report.sessions[0]!
    expect(copy).not.toBe(id)
    const ids = new Set((await b.log(id)).map(entry => entry.id))
    expect((await b.log(copy)).some(entry => ids.has(entry.id))).toBe(false)
    expect((await b.agent.view(copy)).map(({ role, content }) => [role, content.replace(/\/\w+\.txt/g, '/…')])).toEqual(
      (await b.agent.view(id)).map(({ role, content }) => [role, content.replace(/\/\w+\.txt/g, '/…')]),
    )
  })

  it('a damaged line is reported with its number, and the path holds without it', async () => {
    const b = testAgent(['One.', 'Two.'])
    const { id } = await b.agent.create('x')
    await sendAndSettle(b, id, 'First')
    await sendAndSettle(b, id, 'Second')
    const lines = await exportLinesOf(b, { kind: 'session', session: id })
    const broken = [
      lines[0]!,
      lines[1]!,
      '{"type":"message","id":',
      lines[3]!,
      '{"type":"message","id":"q","message":{}}',
      '{"type":"weather","t":3}',
      lines[4]!,
    ]
    const fresh = testAgent([], { prefix: 'x' })
    const report = await importLinesInto(fresh, broken)
    expect(report.problems.map(({ line }) => line)).toEqual([3, 5])
    expect((await fresh.agent.view(id)).map(message => message.content).slice(2)).toEqual(['First', 'Second', 'Two.'])
    expect((await fresh.log(id)).find(entry => entry.type === 'foreign')).toMatchObject({
      raw: '{"type":"weather","t":3}',
    })
    expect(await importLinesInto(fresh, broken)).toMatchObject({ entries: 0, skipped: 4 })
  })

  it('takes bare messages of another program', async () => {
    const b = testAgent([])
    const report = await importLinesInto(b, [
      '{"type":"message","message":{"role":"user","content":"Hi"}}',
      '{"type":"message","message":{"role":"assistant","content":"","toolCalls":[{"id":"1","function":{"name":"get_time","arguments":"{}"}}]}}',
      '{"type":"message","message":{"role":"tool","content":"noon","toolCallId":"1"}}',
      '{"type":"message","message":{"role":"assistant","content":"Noon."}}',
    ])
    expect(report).toMatchObject({ entries: 4, problems: [] })
    expect((await b.agent.view(report.sessions[0]!)).map(message => message.role)).toEqual([
      'system',
      'tools',
      'user',
      'assistant',
      'tool',
      'assistant',
    ])
  })

  it('exports one day of all chats, and strictly only messages', async () => {
    const b = testAgent(['One.', 'Two.'])
    const one = await b.agent.create('one')
    await sendAndSettle(b, one.id, 'First')
    const two = await b.agent.create('two')
    await sendAndSettle(b, two.id, 'Second')
    const lines = await exportLinesOf(b, { kind: 'day', day: '2026-01-31' })
    expect(lines.map(line => (JSON.parse(line) as { type: string }).type)).toEqual([
      'session',
      'message',
      'message',
      'session',
      'message',
      'message',
    ])
    expect(await exportLinesOf(b, { kind: 'day', day: '2020-01-01' })).toEqual([])
    await b.agent.pin(one.id, (await b.log(one.id))[0]!.id, true)
    const strict = await exportLinesOf(b, { kind: 'session', session: one.id }, { strict: true })
    expect(strict.map(line => (JSON.parse(line) as { type: string }).type)).toEqual(['session', 'message', 'message'])
  })

  it('carry with them what may leave after an ordinary yes, and what does not say so stays', async () => {
    const from = testAgent(['x'])
    const chat = (id: string, leaves?: 'asks' | 'stays') =>
      from.store.createSession({ id, title: id, createdAt: 0, updatedAt: 0, leaf: null, ...(leaves ? { leaves } : {}) })
    await chat('asking', 'asks')
    await chat('staying', 'stays')
    await chat('unknown')
    for (const id of ['asking', 'staying', 'unknown'])
      await from.store.append(id, [{ type: 'user', text: `In ${id}`, id: `${id}1`, parent: null, at: 5 }])
    await from.store.saveDocument('workspace/asking.md', 'a', 5, 0, 'asks')
    await from.store.saveDocument('workspace/staying.md', 's', 5, 0, 'stays')
    await from.store.saveDocument('MEMORY.md', 'm', 5, 0)
    const lines = await exportLinesOf(from, { kind: 'all' })
    expect(
      lines
        .filter(line => line.includes('"leaves"'))
        .map(line => {
          const { id, path, leaves } = JSON.parse(line) as Record<string, string>
          return [id ?? path, leaves]
        }),
    ).toEqual([
      ['asking', 'asks'],
      ['MEMORY.md', 'asks'],
      ['workspace/asking.md', 'asks'],
    ])
    const to = testAgent([], { prefix: 'x' })
    await importLinesInto(to, lines)
    const marks = async (): Promise<Record<string, string>> =>
      Object.fromEntries([
        ...(await to.store.sessions()).map(({ id, leaves = 'none' }) => [id, leaves]),
        ...(await to.store.documents('workspace/')).map(({ path, leaves }) => [path, leaves]),
      ])
    const expected = {
      asking: 'asks',
      staying: 'stays',
      unknown: 'stays',
      'workspace/asking.md': 'asks',
      'workspace/staying.md': 'stays',
    }
    // the person said yes to them
    await importLinesInto(to, lines, { documents: ['workspace/asking.md', 'workspace/staying.md'] })
    expect(await marks()).toEqual(expected)
    // MEMORY.md waits as a proposal
    expect((await exportLinesOf(to, { kind: 'all' })).filter(line => line.includes('"leaves"'))).toHaveLength(2)
    await importLinesInto(to, lines)
    expect(await marks()).toEqual(expected)
    // What another file says of them never loosens a mark, and one that does not say so tightens it.
    await importLinesInto(
      to,
      lines.map(line =>
        line
          .replace('"format":1}', '"format":1,"leaves":"asks"}')
          .replace('"text":"s"}', '"text":"s","leaves":"asks"}'),
      ),
    )
    expect(await marks()).toEqual(expected)
    const silent = lines.map(line => line.replace(',"leaves":"asks"', '').replace('"text":"a"', '"text":"b"'))
    await importLinesInto(to, silent)
    await importLinesInto(to, silent, { documents: ['workspace/asking.md'] })
    expect(await marks()).toEqual({ ...expected, asking: 'stays', 'workspace/asking.md': 'stays' })
    const copied = await importLinesInto(
      to,
      lines.map(line => line.replace(',"leaves":"asks"', ',"leaves":"whatever"')),
      { asCopy: true },
    )
    for (const id of copied.sessions) expect((await to.store.session(id))?.leaves).toBe('stays')
  })
})
