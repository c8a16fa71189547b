import { describe, expect, it } from 'vitest'
import { librechat } from './librechat.ts'
import { checkMutations, webCounts, timed, readOne, chatsOfPieces, sampleOf } from './web-readers.fixture.ts'

const samples = ['1-flat', '2-recursive'].map(name => sampleOf(`librechat/${name}.json`))
const zeros = '00000000-0000-0000-0000-000000000000'
const chat = (messages: unknown, options: unknown = {}): object => ({
  conversationId: 'l',
  title: 't',
  options,
  messages,
})
const user = (messageId: string, text: string, more: object = {}): object => ({
  messageId,
  isCreatedByUser: true,
  text,
  parentMessageId: zeros,
  ...more,
})
const answer = (messageId: string, content: unknown, more: object = {}): object => ({
  messageId,
  isCreatedByUser: false,
  text: '',
  content,
  parentMessageId: zeros,
  ...more,
})

describe("LibreChat's export", () => {
  it('reads the samples', () => {
    const [flat, nested] = samples.map(pieces => readOne(librechat, pieces[0]))
    expect(webCounts([flat!])).toEqual({ chats: 1, messages: 2, branches: 1, system: 1 })
    const counts = { messages: 4, branches: 2, toolCalls: 1, results: 1, reasoning: 1, attachments: 1, system: 1 }
    expect(webCounts([nested!])).toEqual({ chats: 1, ...counts })
    expect(nested).toMatchObject({ id: 'l', title: 'Paint', system: 'You are a painter.' })
    expect(nested!.items).toMatchObject([
      { id: 'a', parent: null, attachments: [{ name: 'leaf.png', mime: 'image/png', ref: '/images/leaf.png' }] },
      {
        id: 'b/calls',
        parent: 'a',
        text: '',
        reasoning: 'Blue and yellow.',
        calls: [{ id: 'call_1' }],
        model: 'm-1',
      },
      { callId: 'call_1', tool: 'mix', text: 'green', parent: 'b/calls' },
      { id: 'b', parent: 'b/result', text: 'Blue with yellow.', calls: [], model: 'm-1' },
      { id: 'd', kind: 'user', parent: 'b' },
      { id: 'c', parent: 'a' },
    ])
  })

  it('reads parts of every kind, and keeps what it does not know', () => {
    const { items } = readOne(
      librechat,
      chat([
        answer('a', [
          'bare',
          { type: 'text', text: { value: 'held' } },
          {
            type: 'tool_call',
            tool_call: { id: 'x', type: 'function', function: { name: 'f', arguments: '{}', output: 'o' } },
          },
          { type: 'tool_call', tool_call: { id: 'x', name: 'g', args: { a: 1 } } },
          {
            type: 'tool_call',
            tool_call: { type: 'code_interpreter', code_interpreter: { input: '1', outputs: [2] } },
          },
          { type: 'tool_call' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
          { type: 'image_file', image_file: { file_id: 'f', filename: 'p.png', filepath: '/p.png' } },
          { type: 'agent_update' },
          { type: 'hologram' },
          null,
        ]),
      ]),
    )
    expect(items).toMatchObject([
      { kind: 'foreign', raw: '{"type":"tool_call"}' },
      { kind: 'foreign', raw: '{"type":"hologram"}' },
      {
        text: 'bare\n\nheld',
        calls: [
          { id: 'x', name: 'f' },
          { id: 'x#2', name: 'g', arguments: '{"a":1}' },
          { name: 'code_interpreter', arguments: '{"input":"1"}' },
        ],
        attachments: [
          { name: 'image', base64: 'aGk=' },
          { name: 'p.png', ref: '/p.png' },
        ],
      },
      { callId: 'x', text: 'o' },
      { tool: 'code_interpreter', text: '[2]' },
    ])
  })

  it('takes thoughts before a text, why it ended, and the text of a file', () => {
    const { items } = readOne(
      librechat,
      chat(
        [
          user('u', 'q', {
            files: [{ filename: 'a.txt', filepath: 'x/a.txt', type: 'text/plain', text: 'words' }, null, {}],
          }),
          answer('a', null, {
            text: ':::thinking\nwhy\n:::\nSo \uE202turn0search0.',
            parentMessageId: 'u',
            finish_reason: 'length',
          }),
          answer('b', null, { text: ':::thinking\nwhy', parentMessageId: 'u', unfinished: true, model: 'own' }),
          answer('c', [{ type: 'error', error: 'no key' }], { parentMessageId: 'u', error: true }),
        ],
        { model: 'm' },
      ),
    )
    expect(items).toMatchObject([
      { attachments: [{ name: 'a.txt', mime: 'text/plain', text: 'words' }] },
      { reasoning: 'why', text: 'So.', stop: 'length', model: 'm' },
      { text: ':::thinking\nwhy', stop: 'stopped', model: 'own' },
      { text: 'no key', stop: 'failed' },
    ])
  })

  it('hangs what is nested on what nests it, and cuts loops; missing parents make roots', () => {
    const { items } = readOne(
      librechat,
      chat([
        user('a', '1', { parentMessageId: 'b' }),
        user('b', '2', {
          parentMessageId: 'a',
          children: [user('c', '3', { parentMessageId: 'gone', children: [null, 'x'] })],
        }),
        user('d', '4', { parentMessageId: 'gone' }),
        user('e', '5', { parentMessageId: null }),
        user('e', '5', { parentMessageId: null }),
        user('e', '6', { parentMessageId: 'a' }),
      ]),
    )
    expect(items.map(({ id, parent }) => `${id} < ${parent}`)).toEqual([
      'a < null',
      'b < a',
      'c < b',
      'd < null',
      'e < d',
      'e#2 < a',
    ])
  })

  it('knows who speaks by the name where nothing else says it, and keeps who says nothing of it', () => {
    const { items, system } = readOne(
      librechat,
      chat([
        { messageId: 's', role: 'system', text: 'Be short.' },
        { messageId: 'a', sender: 'User', text: 'q' },
        { messageId: 'b', sender: 'GPT-4', text: 'a' },
        { messageId: 'c', text: 'who?' },
      ]),
    )
    expect(items.map(({ kind }) => kind)).toEqual(['user', 'assistant', 'foreign'])
    expect(system).toBe('Be short.')
  })

  it('tells of chats that are none', () => {
    const { chats, findings } = chatsOfPieces(librechat, [
      null,
      {},
      { conversationId: 'n', messages: {} },
      chat([]),
      chat([null, {}]),
    ])
    expect(chats).toEqual([])
    expect(findings.skipped).toEqual([
      { at: 0, why: 'no object' },
      { at: 1, why: 'no messages' },
      { id: 'n', why: 'no messages' },
      { id: 'l', why: 'no messages' },
      { id: 'l', why: 'no messages' },
    ])
  })

  it('reads 10 000 messages in each other, and as many in a row, in less than a second', () => {
    let nested: object = user('last', 'x')
    for (let i = 0; i < 10_000; i++) nested = user(`${i}m`, `${i}`, { children: [nested] })
    const flat = Array.from({ length: 10_000 }, (_, i) => user(`${i}m`, `${i}`, { parentMessageId: `${i - 1}m` }))
    for (const messages of [[nested], flat.toReversed()]) {
      const { value, ms } = timed(() => chatsOfPieces(librechat, [chat(messages)]))
      expect(ms).toBeLessThan(1_000)
      const { items } = value.chats[0]!
      expect(items.filter(({ parent }) => parent === null)).toHaveLength(1)
    }
  })

  it('holds its laws whatever is changed in a chat', () => checkMutations(librechat, samples), 60_000)
})
