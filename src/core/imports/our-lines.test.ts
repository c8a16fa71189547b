import { describe, expect, it } from 'vitest'
import { testAgent } from '../agent/agent.fixture.ts'
import { exportLinesOf, importLinesInto } from '../agent/transfer/transfer.fixture.ts'
import { parseLine } from '../log/file-format/jsonl.ts'
import { pathTo } from '../log/query.ts'
import { modelView } from '../log/model-view/model-view.ts'
import { ourLines } from './our-lines.ts'
import type { ForeignChat } from './shape/foreign-chat.ts'

const day = Date.UTC(2025, 2, 3)
const bytes = new Uint8Array([137, 80, 78, 71])

/** Everything that a reader may find, in one chat. */
const rich: ForeignChat = {
  id: 'c 1/ß',
  title: '  Bread  ',
  createdAt: day,
  system: 'You are a baker.',
  leaf: 'a2',
  items: [
    {
      id: 'u1',
      parent: null,
      at: day + 1_000,
      kind: 'user',
      text: 'How long?',
      attachments: [
        { name: 'notes.txt', mime: 'text/plain', text: 'Flour: 500 g' },
        { name: 'loaf.png', mime: 'image/png', ref: 'file://loaf' },
        { name: 'lost.png', ref: 'file://lost' },
      ],
    },
    {
      id: 'a1',
      parent: 'u1',
      at: day + 2_000,
      kind: 'assistant',
      text: '',
      reasoning: 'An oven.',
      calls: [{ id: 'call 1', name: 'clock', arguments: '{"zone":"UTC"}' }],
      model: 'gpt-5',
    },
    { id: 'r1', parent: 'a1', kind: 'result', callId: 'call 1', tool: 'clock', text: '12:00', isError: false },
    { id: 'a2', parent: 'r1', at: Number.NaN, kind: 'assistant', text: 'Fifty minutes.', calls: [] },
    { id: 'a2b', parent: 'r1', kind: 'assistant', text: 'An hour.', calls: [] },
    { id: 'h1', parent: 'u1', kind: 'foreign', raw: '{"hidden":true}', why: 'hidden' },
    { id: 'lone', parent: 'nowhere', kind: 'user', text: 'An orphan.' },
  ],
}
const options = { beside: (ref: string) => (ref.endsWith('loaf') ? { bytes } : undefined) }

async function imported(lines: readonly string[]) {
  const b = testAgent([])
  const report = await importLinesInto(b, lines)
  return { b, report, log: report.sessions[0] === undefined ? [] : await b.log(report.sessions[0]) }
}

describe('a chat of another program', () => {
  it('is one of ours: every line is read, nothing of it is a problem', async () => {
    const lines = ourLines('chatgpt', rich, options)
    for (const line of lines) expect(['session', 'entry', 'blob']).toContain(parseLine(line, { ours: true }).kind)
    const { b, report, log } = await imported(lines)
    expect(report).toMatchObject({ problems: [], skipped: 0, messages: 6 })
    expect(await b.agent.sessions()).toMatchObject([{ title: 'Bread' }])
    const path = pathTo(log, (await b.store.session(report.sessions[0]!))!.leaf)
    expect(path.map(({ type }) => type)).toEqual(['foreign', 'user', 'assistant', 'result', 'assistant'])
    expect(path.at(-1)).toMatchObject({ text: 'Fifty minutes.', at: day + 2_000 })
    expect(path[1]).toMatchObject({
      text: 'How long?\n\nFlour: 500 g',
      attachments: [
        { name: 'notes.txt', span: [11, 23] },
        { name: 'loaf.png', mime: 'image/png', bytes: 4 },
        { name: 'lost.png', bytes: 0 },
      ],
    })
    expect(path[2]).toMatchObject({ reasoning: 'An oven.', model: 'gpt-5', stop: 'calls' })
    // another version, an orphan and a hidden row are there as well
    expect(log).toHaveLength(8)
  })

  it('comes once: a second import adds nothing, a newer export what is new', async () => {
    const lines = ourLines('chatgpt', rich, options)
    const { b, report, log } = await imported(lines)
    expect(await importLinesInto(b, lines)).toMatchObject({ entries: 0, problems: [], sessions: report.sessions })
    const grown: ForeignChat = {
      ...rich,
      leaf: 'u3',
      items: [...rich.items, { id: 'u3', parent: 'a2', at: day + 9_000, kind: 'user', text: 'Thanks.' }],
    }
    expect(await importLinesInto(b, ourLines('chatgpt', grown, options))).toMatchObject({ entries: 1, messages: 1 })
    expect((await b.log(report.sessions[0]!)).length).toBe(log.length + 1)
    const leaf = (await b.store.session(report.sessions[0]!))!.leaf
    expect((await b.log(report.sessions[0]!)).find(({ id }) => id === leaf)).toMatchObject({ text: 'Thanks.' })
  })

  it('of two programs, or two chats, with the same ids are two', () => {
    const ids = (lines: readonly string[]) => lines.map(line => (JSON.parse(line) as { id: string }).id)
    const one = ids(ourLines('chatgpt', rich))
    for (const other of [ids(ourLines('claude', rich)), ids(ourLines('chatgpt', { ...rich, id: 'c-2' }))])
      expect(one.filter(id => other.includes(id))).toEqual([])
  })

  it('stays on this device unless the person says otherwise', async () => {
    const told = async (lines: readonly string[]) => (await (await imported(lines)).b.agent.sessions())[0]
    expect((await told(ourLines('chatgpt', rich)))?.leaves).not.toBe('asks')
    expect((await told(ourLines('chatgpt', rich, { leaves: 'asks' })))?.leaves).toBe('asks')
  })

  it('whose agent has compacted shows the summary in the place of what it tells, and Undo puts that back', async () => {
    const chat: ForeignChat = {
      id: 'work',
      items: [
        { id: 'u1', parent: null, kind: 'user', text: 'First.' },
        { id: 'a1', parent: 'u1', kind: 'assistant', text: 'Done.', calls: [] },
        { id: 'u2', parent: 'a1', kind: 'user', text: 'Second.' },
        { id: 's', parent: 'u2', kind: 'summary', text: 'The first was done.', firstKept: 'u2' },
        { id: 'a2', parent: 's', kind: 'assistant', text: 'And this.', calls: [] },
      ],
    }
    const { b, report, log } = await imported(ourLines('pi', chat))
    expect(report.problems).toEqual([])
    const said = (entries: typeof log) => modelView(entries).map(({ message }) => message.content)
    expect(said(log).join('\n')).toContain('The first was done.')
    expect(said(log).join('\n')).not.toContain('First.')
    await b.agent.undo(report.sessions[0]!)
    expect(said(await b.log(report.sessions[0]!))).toEqual(['First.', 'Done.', 'Second.', 'And this.'])
    const again = testAgent([])
    await importLinesInto(again, await exportLinesOf(b))
    expect(said(await again.log(report.sessions[0]!))).toEqual(['First.', 'Done.', 'Second.', 'And this.'])
  })

  it('without anything is a chat without anything', async () => {
    const { report } = await imported(ourLines('claude', { id: '', items: [] }))
    expect(report.problems).toEqual([])
  })
})
