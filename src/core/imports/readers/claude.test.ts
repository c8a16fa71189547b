import { describe, expect, it } from 'vitest'
import { claude } from './claude.ts'
import { checkChat, timed, checkMutations, webCounts, readOne, chatsOfPieces, sampleOf } from './web-readers.fixture.ts'

const samples = ['1-simple', '2-blocks'].map(name => sampleOf(`claude/${name}/conversations.json`))
const human = (uuid: string, text: string, more: object = {}): object => ({ uuid, sender: 'human', text, ...more })
const answer = (uuid: string, content: unknown[], more: object = {}): object => ({
  uuid,
  sender: 'assistant',
  text: '',
  content,
  ...more,
})
const chat = (...chat_messages: unknown[]): object => ({ uuid: 'k', name: ' n ', chat_messages })
const zeros = '00000000-0000-4000-8000-000000000000'

describe("Claude's export", () => {
  it('reads the samples', () => {
    const [simple, blocks] = samples.map(pieces => readOne(claude, pieces[0]))
    expect(webCounts([simple!])).toEqual({ chats: 1, messages: 2, branches: 1 })
    const counts = { messages: 4, branches: 1, toolCalls: 1, results: 1, reasoning: 1, attachments: 2 }
    expect(webCounts([blocks!])).toEqual({ chats: 1, ...counts })
    expect(blocks).toMatchObject({ id: 'k-2', title: 'Recipe file', createdAt: Date.UTC(2026, 4, 1, 10) })
    expect(blocks!.items[0]).toMatchObject({
      text: 'Shorten it',
      attachments: [
        { name: 'recipe.txt', text: expect.stringContaining('Yeast') as string },
        { name: 'loaf.png', ref: 'loaf.png' },
      ],
    })
    expect(blocks!.items.slice(1, 5)).toMatchObject([
      { id: 'm2/calls', parent: 'm1', text: '', reasoning: 'They want fewer lines.', calls: [{ id: 'toolu_1' }] },
      { parent: 'm2/calls', callId: 'toolu_1', text: 'OK', isError: false },
      { id: 'm2', parent: 'm2/result', text: 'Here it is.', calls: [] },
      { kind: 'user', parent: 'm2' },
    ])
  })

  it('keeps branches, and the message in view', () => {
    const { items, leaf } = readOne(claude, {
      ...chat(
        human('u1', 'a', { parent_message_uuid: zeros }),
        answer('a1', [{ type: 'text', text: 'b' }], { parent_message_uuid: 'u1' }),
        human('u2', 'c', { parent_message_uuid: zeros }),
        answer('a2', [{ type: 'text', text: 'd' }], { parent_message_uuid: 'u2' }),
        answer('a3', [], { parent_message_uuid: 'u2' }),
        human('u3', 'e', { parent_message_uuid: 'a3' }),
        human('u4', 'f', { parent_message_uuid: 'gone' }),
      ),
      current_leaf_message_uuid: 'a1',
    })
    expect(items.map(({ id, parent }) => `${id} < ${parent}`)).toEqual([
      'u1 < null',
      'a1 < u1',
      'u2 < null',
      'a2 < u2',
      'u3 < u2', // the empty answer between them is none
      'u4 < null',
    ])
    expect(leaf).toBe('a1')
  })

  it('takes the words of older exports, and none of the placeholders', () => {
    const [old, placeholder] = [
      readOne(
        claude,
        chat(human('u', 'q'), { uuid: 'a', sender: 'assistant', text: 'plain', stop_reason: 'max_tokens' }),
      ),
      readOne(
        claude,
        chat(human('u', 'q'), {
          ...answer('a', [{ type: 'thinking', thinking: 't' }]),
          text: '```\nThis block is not supported on your current device yet.\n```\n\nWords.',
        }),
      ),
    ]
    expect(old.items[1]).toMatchObject({ text: 'plain', stop: 'length' })
    expect(placeholder.items[1]).toMatchObject({
      reasoning: 't',
      text: expect.stringMatching(/^\s*Words\.$/) as string,
    })
  })

  it('pairs results with calls in the order of the calls, and keeps what it does not know', () => {
    const { items } = readOne(
      claude,
      chat(
        answer('a', [
          { type: 'text', text: 'One, ' },
          { type: 'text', text: 'two.' },
          { type: 'text', text: 'Three.' },
          { type: 'tool_use', id: 'x', name: 'one', input: { a: 1 } },
          { type: 'tool_use', id: 'y', name: 'two', input: null },
          { type: 'tool_result', tool_use_id: 'y', content: 'second', is_error: true },
          {
            type: 'tool_result',
            tool_use_id: 'x',
            content: [
              { type: 'text', text: 'first' },
              { type: 'knowledge', url: 'u' },
            ],
          },
          { type: 'tool_result', tool_use_id: 'nobody', content: 'lost' },
          { type: 'hologram' },
          { type: 'token_budget' },
          null,
          7,
        ]),
        answer('b', [
          { type: 'tool_use', id: 'x', name: 'one', input: {} },
          { type: 'image', source: { data: 'aGk=', media_type: 'image/png' } },
        ]),
        { uuid: 'z', sender: 'narrator', text: 'who?' },
      ),
    )
    expect(items).toMatchObject([
      { kind: 'foreign', why: 'unknown' },
      { kind: 'foreign', raw: '{"type":"hologram"}' },
      { id: 'a', text: 'One, two.\n\nThree.', calls: [{ id: 'x' }, { id: 'y', arguments: '{}' }] },
      { callId: 'x', tool: 'one', text: 'first\n\n{"type":"knowledge","url":"u"}' },
      { callId: 'y', tool: 'two', text: 'second', isError: true },
      { id: 'b', calls: [{ id: 'x#2' }], attachments: [{ mime: 'image/png', base64: 'aGk=' }] },
      { id: 'z', kind: 'foreign' },
    ])
  })

  it('takes a message that comes twice once, and another of its id beside it', () => {
    const { items } = readOne(claude, chat(human('u', 'a'), human('u', 'a'), human('u', 'b')))
    expect(items.map(({ id, parent }) => [id, parent])).toEqual([
      ['u', null],
      ['u#2', 'u'],
    ])
  })

  it('tells of chats that are none, and reads those beside them', () => {
    const bad = [
      null,
      'x',
      [],
      {},
      { uuid: 'n', chat_messages: null },
      { uuid: 'e', chat_messages: [] },
      chat(null, 1, {}),
    ]
    const loop = chat(human('a', '1', { parent_message_uuid: 'b' }), human('b', '2', { parent_message_uuid: 'a' }))
    const { chats, findings } = chatsOfPieces(claude, [...bad, loop])
    chats.forEach(checkChat)
    expect(chats).toHaveLength(1)
    expect(findings.skipped.slice(3)).toEqual([
      { at: 3, why: 'no chat_messages' },
      { id: 'n', why: 'no chat_messages' },
      { id: 'e', why: 'no messages' },
      { id: 'k', why: 'no messages' },
    ])
  })

  it('reads 10 000 messages in a row in less than a second, and in view the last', () => {
    const deep = Array.from({ length: 10_000 }, (_, i) => human(`${i}m`, `${i}`, { parent_message_uuid: `${i - 1}m` }))
    const piece = { ...chat(...deep.toReversed()), current_leaf_message_uuid: '9999m' }
    const { value, ms } = timed(() => chatsOfPieces(claude, [piece]))
    expect(ms).toBeLessThan(1_000)
    const { items, leaf } = value.chats[0]!
    expect([items.length, items.at(-1)?.id, leaf]).toEqual([10_000, '9999m', '9999m'])
  })

  it('holds its laws whatever is changed in a chat', () => checkMutations(claude, samples), 60_000)
})
