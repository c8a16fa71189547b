import { describe, expect, it } from 'vitest'
import type { ForeignItem } from '../../shape/foreign-chat.ts'
import {
  checkChat,
  checkMutations,
  webCounts,
  timed,
  messagesInView,
  readOne,
  chatsOfPieces,
  sampleOf,
} from '../web-readers.fixture.ts'
import { partsOfText, wordsOfText } from './details.ts'
import { openWebui } from './open-webui.ts'

const samples = ['1-simple', '2-tree'].map(name => sampleOf(`open-webui/${name}.json`))
const chat = (messages: unknown, more: object = {}): object => ({
  id: 'o',
  title: 't',
  chat: { history: { messages, ...more } },
})
const user = (content: unknown, more: object = {}): object => ({ role: 'user', content, parentId: null, ...more })
const answer = (content: unknown, more: object = {}): object => ({ role: 'assistant', content, parentId: 'u', ...more })
const itemsOf = (messages: unknown): ForeignItem[] => readOne(openWebui, chat(messages)).items

describe("Open WebUI's export", () => {
  it('reads the samples', () => {
    const [simple, tree] = samples.map(pieces => readOne(openWebui, pieces[0]))
    expect(webCounts([simple!])).toEqual({ chats: 1, messages: 2, branches: 1 })
    expect(simple!.items[1]).toMatchObject({ model: 'm-1', usage: { input: 5, output: 2 }, at: 1_760_000_000_000 })
    const counts = { messages: 5, branches: 3, toolCalls: 1, results: 1, reasoning: 2, attachments: 1 }
    expect(webCounts([tree!])).toEqual({ chats: 1, ...counts })
    expect(messagesInView(tree!)).toBe(2)
    expect(tree).toMatchObject({ id: 'o-2', title: 'Two models', createdAt: 1_760_000_000_000, leaf: 'b2' })
    expect(tree!.items[0]).toMatchObject({ attachments: [{ name: 'image.png', mime: 'image/png', base64: /^iVBOR/ }] })
    expect(tree!.items[1]).toMatchObject({ text: 'One pixel.', reasoning: 'It is one pixel.', model: 'm-1' })
    expect(tree!.items[2]).toMatchObject({
      id: 'b2/calls',
      text: '',
      calls: [{ id: 'call_1', name: 'zoom', arguments: '{"by":10}' }],
    })
    expect(tree!.items[3]).toMatchObject({ kind: 'result', parent: 'b2/calls' })
    expect(tree!.items[4]).toMatchObject({ id: 'b2', parent: 'b2/result', text: 'A dot.', calls: [], model: 'm-2' })
  })

  it('reads calls, code and thoughts out of the text where nothing else tells of them', () => {
    const text = [
      '<details type="reasoning" done="true">\n<summary>Thought</summary>\n&gt; a &lt; b\n&gt; c\n</details>\nFirst.',
      '<details type="tool_calls" done="true" id="x" name="find" arguments="&quot;{\\&quot;q\\&quot;:1}&quot;" ' +
        'result="&quot;it&#x27;s&quot;" files="[{&quot;url&quot;:&quot;data:image/png;base64,aGk=&quot;}]">',
      '<summary>Tool Executed</summary>\n</details>',
      '<details type="tool_calls"><summary>Tool Executed</summary>&quot;plain&quot;</details>',
      '<details type="code_interpreter" output="{&quot;stdout&quot;:&quot;1&quot;}"><summary>Analyzed</summary>\n```python\nprint(1)\n```\n</details>',
      'Last. <details><summary>Mine</summary>stays</details>',
    ].join('\n')
    expect(itemsOf({ u: user('q'), a: answer(text) })).toMatchObject([
      { kind: 'user' },
      {
        reasoning: 'a < b\nc',
        text: '',
        calls: [
          { id: 'x', name: 'find', arguments: '{"q":1}' },
          { name: 'tool', arguments: '{}' },
          { name: 'code_interpreter', arguments: '{"code":"print(1)"}' },
        ],
      },
      { callId: 'x', text: "it's", attachments: [{ name: 'image.png', base64: 'aGk=' }] },
      { tool: 'tool', text: 'plain' },
      { tool: 'code_interpreter', text: '{"stdout":"1"}' },
      { text: 'First.\n\nLast. <details><summary>Mine</summary>stays</details>', calls: [] },
    ])
  })

  it('leaves a block that has no end, and a text without blocks, as they are', () => {
    for (const text of [
      '<details type="reasoning">open',
      '<details type="reasoning"',
      ' plain\n',
      '<details>x</details>',
    ])
      expect(partsOfText(text)).toEqual([{ type: 'text', text }])
    expect(partsOfText('')).toEqual([])
    expect(wordsOfText('a <details type="reasoning">x</details> b')).toBe('a\n\nb')
    const many = '<details type="x">'.repeat(50_000) + '<details type="reasoning">'.repeat(50_000)
    expect(timed(() => partsOfText(many)).ms).toBeLessThan(2_000)
  })

  it('believes the list of parts, and takes the words from the text where the list has none', () => {
    const output = [
      { type: 'reasoning', summary: [{ text: 'why' }] },
      { type: 'function_call', call_id: 'x', name: 'f', arguments: '{oops' },
      { type: 'function_call_output', call_id: 'x', output: 'out' },
      { type: 'function_call_output', call_id: 'nobody', output: 'lost' },
      { type: 'open_webui:code_interpreter', code: '1', output: { r: 1 } },
      { type: 'widget' },
      null,
    ]
    const content = '<details type="tool_calls" id="x" name="f" result="out"></details>Words.'
    expect(itemsOf({ u: user('q'), a: answer(content, { output }) }).slice(1)).toMatchObject([
      { kind: 'foreign', why: 'unknown' },
      { kind: 'foreign', raw: '{"type":"widget"}' },
      { text: '', reasoning: 'why', calls: [{ id: 'x', arguments: '{oops' }, { name: 'code_interpreter' }] },
      { callId: 'x', text: 'out' },
      { text: '{"r":1}' },
      { text: 'Words.', calls: [] },
    ])
  })

  it('takes files with what was read of them, and parts of a message', () => {
    const files = [
      {
        type: 'file',
        file: { id: 'f1', filename: 'a.txt', meta: { content_type: 'text/plain' }, data: { content: 'words' } },
      },
      { type: 'image', url: '/api/v1/files/f2/content' },
      { type: 'collection', id: 'k', name: 'Papers' },
      null,
    ]
    const content = [
      { type: 'text', text: 'a' },
      { type: 'image_url', image_url: { url: 'data:image/webp;base64,aGk=' } },
      { type: 'odd' },
    ]
    expect(itemsOf({ u: user(content, { files }) })).toMatchObject([
      { kind: 'foreign', raw: '{"type":"odd"}' },
      {
        text: 'a',
        attachments: [
          { name: 'a.txt', mime: 'text/plain', text: 'words', ref: 'f1' },
          { name: 'content', ref: '/api/v1/files/f2/content' },
          { name: 'Papers', ref: 'k' },
          { name: 'image.webp', mime: 'image/webp', base64: 'aGk=' },
        ],
      },
    ])
  })

  it('keeps the system prompts, what failed, and roles that it does not know', () => {
    const read = readOne(openWebui, {
      ...chat({}),
      chat: {
        params: { system: 'Be kind.' },
        messages: [
          { role: 'system', content: 'Be short.' },
          user('q', { parentId: undefined }),
          answer('', { id: 'f', parentId: null, error: { content: 'no model' } }),
          { role: 'narrator', content: 'x' },
          answer('half', { parentId: 'f', done: false }),
        ],
      },
    })
    expect(read.system).toBe('Be kind.\n\nBe short.')
    expect(read.items).toMatchObject([
      { kind: 'user', parent: null },
      { id: 'f', kind: 'foreign', parent: null },
      { kind: 'foreign', why: 'unknown', parent: 'f' },
      { text: 'half', stop: 'interrupted', parent: 'f' },
    ])
  })

  it('tells of chats that are none; nulls, loops and missing parents do not stop it', () => {
    const bad = [
      null,
      'x',
      {},
      { chat: null },
      { id: 'n', chat: { history: { messages: null } } },
      chat({}),
      chat({ a: null, b: 1 }),
    ]
    const loops = chat({
      a: user('1', { parentId: 'b' }),
      b: answer('2', { parentId: 'a' }),
      c: user('3', { parentId: 'gone' }),
    })
    const { chats, findings } = chatsOfPieces(openWebui, [...bad, loops])
    chats.forEach(checkChat)
    expect(chats.map(({ items }) => items.map(({ id, parent }) => [id, parent]))).toEqual([
      [
        ['a', null],
        ['b', 'a'],
        ['c', null],
      ],
    ])
    expect(findings.skipped.map(({ why }) => why)).toEqual([
      'no object',
      'no object',
      'no messages',
      'no messages',
      'no messages',
      'no messages',
      'no messages',
    ])
  })

  it('reads 10 000 messages in a row in less than a second', () => {
    const deep = Array.from({ length: 10_000 }, (_, i) => [
      `${i}m`,
      user(`${i}`, { parentId: i === 0 ? null : `${i - 1}m` }),
    ])
    const piece = chat(Object.fromEntries(deep.toReversed()), { currentId: '9999m' })
    const { value, ms } = timed(() => chatsOfPieces(openWebui, [piece]))
    expect(ms).toBeLessThan(1_000)
    const { items, leaf } = value.chats[0]!
    expect([items.length, items.at(-1)?.id, leaf]).toEqual([10_000, '9999m', '9999m'])
  })

  it('holds its laws whatever is changed in a chat', () => checkMutations(openWebui, samples), 60_000)
})
