import { describe, expect, it } from 'vitest'
import { MemoryStore } from '../../../storage/memory-store.ts'
import type { Entry, NewEntry } from '../../log/entry.ts'
import { parseLine } from '../../log/file-format/jsonl.ts'
import { plantedSecrets } from '../../text/redaction/planted.fixture.ts'
import { readable } from '../../text/redaction/decoded.fixture.ts'
import { testAgent, type TestAgent } from '../agent.fixture.ts'
import { importLinesInto } from '../transfer/transfer.fixture.ts'
import { everything, nothingKept, shared } from './share.fixture.ts'

const at = Date.UTC(2026, 10, 29, 18, 30, 42, 7)

async function chatOf(facts: readonly (NewEntry & { gone?: Entry['gone'] })[], title = 'A talk'): Promise<TestAgent> {
  const store = new MemoryStore()
  const entries = facts.map(
    (fact, i) => ({ ...fact, id: `e${i}`, parent: i === 0 ? null : `e${i - 1}`, at: at + i }) as Entry,
  )
  const info = { id: 's', title, titled: true, createdAt: at, updatedAt: at, leaf: entries.at(-1)?.id ?? null }
  await store.append('s', entries, { create: info })
  return testAgent([], { store })
}
const asked = (text: string): NewEntry => ({ type: 'user', text })
const said = (text: string, more: Partial<Entry> = {}): NewEntry =>
  ({ type: 'assistant', text, calls: [], model: 'm', local: false, stop: 'stop', ...more }) as NewEntry
const messages = (lines: readonly string[]) =>
  lines.slice(1).flatMap(line => {
    const parsed = parseLine(line)
    return parsed.kind === 'entry' && 'text' in parsed.entry ? [parsed.entry.text] : []
  })

const talk = [
  asked('First question'),
  said('', {
    calls: [
      {
        id: 'x',
        name: 'read_file',
        arguments: '{"path":"notes.md","content":"a long text of a file that was written"}',
      },
    ],
    stop: 'calls',
  } as Partial<Entry>),
  { type: 'result', callId: 'x', tool: 'read_file', text: 'what the file says', isError: false } as NewEntry,
  said('First answer', { reasoning: 'what it thought' } as Partial<Entry>),
  asked('Second question'),
  said('Second answer'),
]

describe('what goes out', () => {
  it('is the chat with its tool calls, under ids and to the minute of its own', async () => {
    const { review, lines } = await shared(await chatOf(talk), 's')
    expect(review).toMatchObject({ total: 4, range: { from: 1, to: 4 }, calls: 1, attached: 0, findings: [] })
    expect(review.ends.map(({ words }) => words)).toEqual(['First question', 'Second answer'])
    expect(messages(lines)).toEqual([
      'First question',
      '',
      'what the file says',
      'First answer',
      'Second question',
      'Second answer',
    ])
    expect(lines.join('\n')).not.toMatch(/"(?:e\d|s|x)"|thought|42007/)
    for (const line of lines.slice(1)) expect((JSON.parse(line) as { timestamp: number }).timestamp % 60_000).toBe(0)
  })

  it('is a line for each call, or none, where the person wants it so', async () => {
    const b = await chatOf(talk)
    const names = await shared(b, 's', { tools: 'names', attachedTexts: false })
    expect(names.lines.join('\n')).toContain('notes.md')
    expect(names.lines.join('\n')).not.toMatch(/what the file says|a long text/)
    expect(messages(names.lines)).toContain('[not-shared]')
    const none = await shared(b, 's', { tools: 'none', attachedTexts: false })
    expect(messages(none.lines)).toEqual(['First question', 'First answer', 'Second question', 'Second answer'])
  })

  it('is a part of it: from a message to a message, or the turn of one', async () => {
    const b = await chatOf(talk)
    const part = async (range: { from: number; to: number } | { around: string }) =>
      messages((await shared(b, 's', { ...everything, range })).lines)
    expect(await part({ from: 2, to: 3 })).toEqual(['First answer', 'Second question'])
    expect(await part({ around: 'e4' })).toEqual(['Second question', 'Second answer'])
    expect(await part({ around: 'e3' })).toEqual(['First question', '', 'what the file says', 'First answer'])
    expect(await part({ from: 3, to: 99 })).toEqual(['Second question', 'Second answer'])
  })

  it('of a huge text are both ends, without the words at the cut', async () => {
    const b = testAgent([])
    const { id } = await b.agent.create()
    await b.agent.send(id, `${'begin '.repeat(20_000)}${'x'.repeat(60_000)} ${'end '.repeat(30_000)}`)
    await b.settled(id)
    const [text] = messages((await shared(b, id)).lines)
    expect(text).toMatch(/^begin [\s\S]*begin\n\n\[…\]\n\nend[\s\S]*end $/)
  })

  it('is no message whose text was removed', async () => {
    const { lines } = await shared(
      await chatOf([asked('Stays'), { ...asked(''), gone: { bytes: 9, day: '2026-01-01', why: 'by hand' } }]),
      's',
    )
    expect(messages(lines)).toEqual(['Stays'])
  })

  it('is found once and taken out everywhere, in the title and in arguments too, which stay JSON', async () => {
    const json = '{"card":4111111111111111,"n":1}'
    const b = await chatOf(
      [
        asked('My card is 4111 1111 1111 1111'),
        said('', { calls: [{ id: 'x', name: 'pay', arguments: json }], stop: 'calls' } as Partial<Entry>),
      ],
      'Card 4111111111111111',
    )
    const { review, lines } = await shared(b, 's')
    expect(review.findings).toMatchObject([{ kind: 'card', number: 1, count: 3 }])
    expect(review.findings[0]!.places.map(({ entry, found }) => [entry, found])).toContainEqual([
      'e0',
      '4111 1111 1111 1111',
    ])
    expect(lines.join('\n')).not.toMatch(/4111/)
    expect(lines[0]).toContain('Card [removed-card-1]')
    const call = (JSON.parse(lines[2]!) as { message: { toolCalls: { function: { arguments: string } }[] } }).message
      .toolCalls[0]!
    expect(JSON.parse(call.function.arguments)).toEqual({ card: '[removed-card-1]', n: 1 })
  })

  it('stays where it is kept, by itself or by its kind', async () => {
    const b = await chatOf([asked('anna.mayer@posteo.de and b.weber@kontor.org, +49 171 1234567')])
    const { review } = await shared(b, 's')
    const [mail] = review.findings
    expect(messages((await shared(b, 's', everything, { ids: [mail!.id], kinds: ['phone'] })).lines)).toEqual([
      'anna.mayer@posteo.de and [removed-mail-2], +49 171 1234567',
    ])
  })

  it('is gone when another look has come', async () => {
    const b = await chatOf(talk)
    const { handle } = await b.agent.reviewShare('s', everything)
    await b.agent.reviewShare('s', everything)
    await expect(b.agent.sharedLines(handle, nothingKept)).rejects.toMatchObject({ code: 'not_found' })
  })
})

it('leaves none of the planted secrets in a chat that holds all of them, in every kind of message', async () => {
  const planted = plantedSecrets(7)
  const facts = planted.flatMap(({ text }, i): NewEntry[] => {
    if (i % 3 === 0) return [asked(text)]
    if (i % 3 === 1) return [said(text)]
    const calls = [{ id: `c${i}`, name: 'run', arguments: JSON.stringify({ command: text }) }]
    return [
      said('', { calls, stop: 'calls' } as Partial<Entry>),
      { type: 'result', callId: `c${i}`, tool: 'run', text: JSON.stringify({ stdout: text }), isError: false },
    ]
  })
  const b = await chatOf(facts)
  const { review, lines } = await shared(b, 's')
  expect(readable(lines.join('\n'), planted)).toEqual([])
  expect(review.counts.reduce((sum, { findings }) => sum + findings, 0)).toBeGreaterThanOrEqual(200)
  const back = testAgent([])
  expect(await importLinesInto(back, lines)).toMatchObject({ messages: lines.length - 1, problems: [] })
})
