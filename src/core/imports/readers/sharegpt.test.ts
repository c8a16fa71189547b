import { describe, expect, it } from 'vitest'
import { sharegpt } from './sharegpt.ts'
import { checkChat, checkMutations, webCounts, timed, readOne, chatsOfPieces, sampleOf } from './web-readers.fixture.ts'

const samples = ['1-simple', '2-tools'].map(name => sampleOf(`sharegpt/${name}.json`))
const chat = (...turns: [string, unknown][]): object => ({
  conversations: turns.map(([from, value]) => ({ from, value })),
})

describe('ShareGPT', () => {
  it('reads the samples', () => {
    const [simple, tools] = samples.map(pieces => readOne(sharegpt, pieces[0]))
    expect(webCounts([simple!])).toEqual({ chats: 1, messages: 2, branches: 1 })
    expect(webCounts([tools!])).toEqual({ chats: 1, messages: 2, branches: 1, toolCalls: 1, results: 1, system: 1 })
    expect(tools).toMatchObject({ system: 'You have tools.' })
    expect(tools!.items.slice(1)).toMatchObject([
      { id: 'turn-2/calls', text: '', calls: [{ name: 'add', arguments: '{"a":2,"b":2}' }] },
      { kind: 'result', tool: 'add', text: '4', parent: 'turn-2/calls' },
      { id: 'turn-2', text: 'Four.', calls: [], parent: 'turn-3' },
    ])
  })

  it('tells chats apart that have one id, and gives equal ones the same', () => {
    const [one, other] = [chat(['human', 'a'], ['gpt', 'b']), chat(['human', 'c'], ['gpt', 'd'])]
    const longer = chat(['human', 'a'], ['gpt', 'b'], ['human', 'e'])
    const pieces = [one, other, one, longer].map(it => ({ id: 0, ...it }))
    const ids = chatsOfPieces(sharegpt, pieces).chats.map(({ id }) => id)
    expect(new Set(ids).size).toBe(3)
    expect(ids[2]).toBe(ids[0])
    expect(chatsOfPieces(sharegpt, pieces).chats.map(({ id }) => id)).toEqual(ids)
    // In a later file the chat has grown, and is the same.
    expect(chatsOfPieces(sharegpt, [pieces[3]]).chats[0]!.id).toBe(ids[0])
    const without = chatsOfPieces(sharegpt, [one, other, one]).chats.map(({ id }) => id)
    expect(without[2]).toBe(without[0])
    expect(without[1]).not.toBe(without[0])
  })

  it('takes each answer by itself, and several calls with their results', () => {
    const { items } = readOne(
      sharegpt,
      chat(
        ['gpt', 'I begin.'],
        ['gpt', 'Let me look.'],
        ['function_call', '[{"name":"a","arguments":{}},{"name":"b","arguments":"{\\"x\\":1}"}]'],
        ['observation', 'one'],
        ['observation', { two: 2 }],
        ['gpt', 'Done.'],
        ['USER ', 'q'],
        ['observation', 'nobody asked'],
        ['narrator', 'x'],
      ),
    )
    expect(items).toMatchObject([
      { kind: 'assistant', text: 'I begin.', calls: [] },
      {
        kind: 'assistant',
        text: 'Let me look.',
        calls: [
          { name: 'a', arguments: '{}' },
          { name: 'b', arguments: '{"x":1}' },
        ],
      },
      { kind: 'result', tool: 'a', text: 'one' },
      { kind: 'result', tool: 'b', text: '{"two":2}' },
      { kind: 'assistant', text: 'Done.' },
      { kind: 'user', text: 'q' },
      { kind: 'foreign', why: 'unknown' },
      { kind: 'foreign', why: 'unknown' },
    ])
  })

  it('keeps a call that is not JSON as it is, and tells of it', () => {
    const { chats, findings } = chatsOfPieces(sharegpt, [chat(['human', 'q'], ['function_call', 'add(2, 2)'])])
    expect(chats[0]!.items[1]).toMatchObject({ calls: [{ name: 'tool', arguments: 'add(2, 2)' }] })
    expect(findings.skipped).toEqual([{ line: 0, why: 'turn 2: the call is not JSON' }])
  })

  it('tells of chats that are none, and lets nulls pass', () => {
    const nulls = {
      id: null,
      system: null,
      conversations: [null, 1, {}, { from: 'human' }, { from: null, value: 'x' }, { from: 'gpt', value: 'y' }],
    }
    const { chats, findings } = chatsOfPieces(sharegpt, [
      null,
      {},
      { id: 'n', conversations: 'x' },
      chat(),
      chat(['system', 's']),
      nulls,
    ])
    chats.forEach(checkChat)
    expect(chats.map(({ items }) => items.map(({ kind }) => kind))).toEqual([['foreign', 'foreign', 'assistant']])
    expect(findings.skipped.map(({ why }) => why)).toEqual([
      'no object',
      'no conversations',
      'no conversations',
      'no messages',
      'no messages',
    ])
  })

  it('reads 10 000 turns in less than a second', () => {
    const rows = Array.from({ length: 10_000 }, (_, i): [string, string] => [
      i < 5_000 ? 'function_call' : 'tool',
      '{"name":"f"}',
    ])
    const piece = chat(['human', 'q'], ...rows)
    const { value, ms } = timed(() => chatsOfPieces(sharegpt, [piece]))
    expect(ms).toBeLessThan(1_000)
    expect(webCounts(value.chats)).toMatchObject({ toolCalls: 5_000, results: 5_000 })
  })

  it('holds its laws whatever is changed in a chat', () => checkMutations(sharegpt, samples), 60_000)
})
