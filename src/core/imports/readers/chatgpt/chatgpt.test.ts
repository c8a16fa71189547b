import { describe, expect, it } from 'vitest'
import type { ForeignItem } from '../../shape/foreign-chat.ts'
import {
  checkChat,
  timed,
  checkMutations,
  webCounts,
  messagesInView,
  readOne,
  chatsOfPieces,
  sampleOf,
} from '../web-readers.fixture.ts'
import { chatgpt } from './chatgpt.ts'

const samples = [
  '1-simple/conversations',
  '2-tree/conversations',
  '3-nasty/conversations-000',
  '3-nasty/conversations-001',
]
const sample = (name: string): unknown[] => sampleOf(`chatgpt/${name}.json`)

type Message = Record<string, unknown>
/** A chat of nodes: id, parent, message. */
const chat = (nodes: Record<string, [string | null, Message | null]>, more: object = {}): unknown => ({
  title: 't',
  id: 'c',
  mapping: Object.fromEntries(
    Object.entries(nodes).map(([id, [parent, message]]) => [
      id,
      { id, parent, message, children: Object.keys(nodes).filter(child => nodes[child]![0] === id) },
    ]),
  ),
  ...more,
})
const said = (role: string, text: string, more: Message = {}): Message => ({
  author: { role },
  content: { content_type: 'text', parts: [text] },
  ...more,
})
const call = (tool: string, text: string): Message => said('assistant', text, { recipient: tool })
const result = (tool: string, text: string, more: Message = {}): Message => ({
  ...said('tool', text),
  author: { role: 'tool', name: tool },
  ...more,
})
const read = (nodes: Record<string, [string | null, Message | null]>, more: object = {}): ForeignItem[] =>
  readOne(chatgpt, chat(nodes, more)).items

describe("ChatGPT's export", () => {
  it('reads the samples', () => {
    const [simple, tree] = [readOne(chatgpt, sample(samples[0]!)[0]), readOne(chatgpt, sample(samples[1]!)[0])]
    expect(webCounts([simple])).toEqual({ chats: 1, messages: 2, branches: 1 })
    expect(simple).toMatchObject({ id: 'c-1', title: 'Tomatoes', createdAt: 1_760_000_000_500, leaf: 'a1' })
    expect(simple.items[1]).toMatchObject({ kind: 'assistant', model: 'gpt-x', at: 1_760_000_002_000 })
    const counts = { messages: 7, branches: 3, toolCalls: 1, results: 1, reasoning: 1, attachments: 1, foreign: 1 }
    expect(webCounts([tree])).toEqual({ chats: 1, ...counts })
    expect(messagesInView(tree)).toBe(4)
    expect(tree.items[0]).toMatchObject({ id: 'ctx', kind: 'foreign', why: 'hidden' })
    expect(tree.items[1]).toMatchObject({
      text: 'How long is this fence?',
      attachments: [{ name: 'fence.png', mime: 'image/png', ref: 'sediment://file_fence01' }],
    })
    expect(tree.items[2]).toMatchObject({
      id: 'th1/calls',
      text: '',
      reasoning: 'Measure\nCount the boards.',
      calls: [{ name: 'python', arguments: '{"code":"print(12*0.9)"}' }],
      model: 'gpt-x-thinking',
    })
    expect(tree.items[3]).toMatchObject({ kind: 'result', tool: 'python', text: '10.8', isError: false })
    expect(tree.items[4]).toMatchObject({
      id: 'th1',
      parent: tree.items[3]!.id,
      text: 'About 10.8 m.',
      calls: [],
      model: 'gpt-x-thinking',
    })
  })

  it('reads the nasty sample: what is wrong is told, the others come in', () => {
    const { chats, findings } = chatsOfPieces(chatgpt, sample(samples[2]!))
    chats.forEach(checkChat)
    expect(findings).toEqual({
      skipped: [
        { id: 'c-4', why: 'no mapping' },
        { at: 3, why: 'no object' },
      ],
      bad: [],
      kept: [],
      merged: [],
    })
    expect(chats.map(({ id, title, leaf }) => [id, title, leaf])).toEqual([
      ['c-3', 'Ok chat', undefined],
      ['c-5', undefined, 'a1'],
      ['c-6', 'Voice', 'a1'],
    ])
    expect(webCounts(chats)).toEqual({ chats: 3, messages: 7, branches: 4, attachments: 1 })
    expect(chats[0]!.items[0]).toMatchObject({ text: 'first\n\nsecond' })
    expect(chats[2]!.items[0]).toMatchObject({ attachments: [{ name: 'file_none', ref: 'sediment://file_none' }] })
    expect(webCounts(chatsOfPieces(chatgpt, sample(samples[3]!)).chats)).toEqual({ chats: 1, messages: 3, branches: 1 })
    const links = chatsOfPieces(chatgpt, sample('3-nasty/shared_conversations'))
    expect([links.chats, links.findings.skipped]).toEqual([[], []])
  })

  it('keeps the order of siblings that their parent says, and hangs on the list who names no parent', () => {
    const node = (message: Message, children: string[] = []): object => ({ message, children })
    const mapping = {
      u: node(said('user', 'q'), ['b', 'a']),
      a: node(said('assistant', 'second')),
      b: node(said('assistant', 'first')),
    }
    expect(readOne(chatgpt, { id: 'c', mapping }).items.map(({ id, parent }) => [id, parent])).toEqual([
      ['u', null],
      ['b', 'u'],
      ['a', 'u'],
    ])
  })

  it('gives several calls their results, whatever their order, and joins two results of one call', () => {
    const items = read({
      u: [null, said('user', 'q')],
      c1: ['u', call('web', '{"q":1}')],
      c2: ['c1', call('python', 'x')],
      r2: ['c2', result('python', 'two')],
      r1: ['r2', result('web', 'one')],
      r3: ['r1', result('web', 'and more')],
      a: ['r3', said('assistant', 'done')],
    })
    expect(items.slice(1)).toMatchObject([
      { id: 'c1/calls', text: '', calls: [{ arguments: '{"q":1}' }, { arguments: '{"input":"x"}' }] },
      { id: 'r1', callId: 'c1/call', text: 'one\n\nand more' },
      { id: 'r2', callId: 'c1/call#2', text: 'two' },
      { id: 'c1', parent: 'r2', text: 'done', calls: [] },
    ])
  })

  it('parts an answer where it parts into branches', () => {
    const items = read({
      u: [null, said('user', 'q')],
      c: ['u', call('web', '{}')],
      r: ['c', result('web', 'one')],
      a: ['r', said('assistant', 'first')],
      r2: ['c', result('web', 'other')],
      b: ['r2', said('assistant', 'second')],
    })
    expect(items.map(({ id, parent, kind }) => [id, parent, kind])).toEqual([
      ['u', null, 'user'],
      ['c', 'u', 'assistant'],
      ['r', 'c', 'result'],
      ['a', 'r', 'assistant'],
      ['r2', 'c', 'result'],
      ['b', 'r2', 'assistant'],
    ])
  })

  it('keeps what no tool was called for as injected, and shows its pictures with the answer', () => {
    const picture = { content_type: 'image_asset_pointer', asset_pointer: 'file-service://file-1#x' }
    const content = { content_type: 'multimodal_text', parts: [picture, null, 'made'] }
    const items = read({
      u: [null, said('user', 'q')],
      f: ['u', result('file_search', 'pages of the file')],
      i: ['f', result('image', '', { content })],
      a: ['i', said('assistant', 'here')],
    })
    expect(items.slice(1)).toMatchObject([
      { id: 'f', kind: 'foreign', why: 'injected' },
      { id: 'i', kind: 'foreign', why: 'injected' },
      { text: 'here', attachments: [{ ref: 'file-service://file-1#x' }] },
    ])
  })

  it('reads old and odd kinds of content', () => {
    const items = read({
      s: [null, said('system', 'Be short.')],
      u: [
        's',
        said('user', 'q', { metadata: { attachments: [{ id: 'file-9', name: 'a.pdf' }, null, { name: 'x' }] } }),
      ],
      c: ['u', call('browser', 'search("x")')],
      r: ['c', result('browser', '', { content: { content_type: 'tether_browsing_display', result: 'page' } })],
      c2: ['r', call('browser', 'click(1)')],
      r2: [
        'c2',
        result('browser', '', { content: { content_type: 'tether_quote', url: 'https://a.b', title: 'T', text: 'w' } }),
      ],
      c3: ['r2', call('python', 'x')],
      r3: ['c3', result('python', '', { content: { content_type: 'system_error', name: 'Error', text: 'no' } })],
      x: ['r3', { author: { role: 'assistant' }, content: { content_type: 'new_thing', widget: { a: 1 } } }],
      k: ['x', { author: { role: 'assistant' }, content: { content_type: 'code', language: 'css', text: 'a{}' } }],
      e: ['k', said('assistant', '')],
    })
    expect(items).toMatchObject([
      { kind: 'user', attachments: [{ name: 'a.pdf', ref: 'file-9' }, { name: 'x' }] },
      { kind: 'foreign', why: 'unknown' },
      { kind: 'assistant', text: '' },
      { text: 'page' },
      { text: 'T\nhttps://a.b\nw' },
      { text: 'Error\nno', isError: true },
      { kind: 'assistant', text: '```css\na{}\n```' },
    ])
    expect(readOne(chatgpt, chat({ s: [null, said('system', 'Be short.')], u: ['s', said('user', 'q')] })).system).toBe(
      'Be short.',
    )
  })

  it('reads messages in the shape of the interface, with a plain role and plain words', () => {
    const items = read({ u: [null, { role: 'user', content: 'q' }], a: ['u', { role: 'assistant', content: 'a' }] })
    expect(items).toMatchObject([
      { kind: 'user', text: 'q' },
      { kind: 'assistant', text: 'a' },
    ])
  })

  it('goes on without a gap where an answer was continued at its limit', () => {
    const cut = { metadata: { finish_details: { type: 'max_tokens' } } }
    const items = read({
      u: [null, said('user', 'q')],
      a: ['u', said('assistant', 'un', cut)],
      b: ['a', said('assistant', 'broken', { metadata: { finish_details: { type: 'stop' } } })],
    })
    expect(items[1]).toMatchObject({ text: 'unbroken', stop: 'stop' })
  })

  it('lets one chat without messages, nulls everywhere and loops pass', () => {
    const nothing = [null, 1, 'x', [], {}, { mapping: null }, { mapping: [] }, { id: 'e', mapping: {} }]
    const loops = {
      a: { parent: 'b', message: said('user', '1') },
      b: { parent: 'a', message: said('assistant', '2') },
    }
    const nulls = {
      a: null,
      b: { message: null },
      c: { message: { author: null, content: null, metadata: null } },
      d: { message: said('user', 'q') },
    }
    const { chats, findings } = chatsOfPieces(chatgpt, [
      ...nothing,
      { id: 'l', mapping: loops },
      { id: 'n', mapping: nulls },
    ])
    chats.forEach(checkChat)
    expect(chats.map(({ items }) => items.map(({ id, parent, kind }) => [id, parent, kind]))).toEqual([
      [
        ['a', null, 'user'],
        ['b', 'a', 'assistant'],
      ],
      [
        ['c', null, 'foreign'],
        ['d', null, 'user'],
      ],
    ])
    expect(findings.skipped).toHaveLength(nothing.length)
    expect(findings.skipped.at(-1)).toEqual({ id: 'e', why: 'no messages' })
  })

  it('gives a chat without an id the same one each time', () => {
    const nodes: Record<string, [null, Message]> = { u: [null, said('user', 'q')] }
    const ids = [1, 2].map(() => readOne(chatgpt, chat(nodes, { id: null })).id)
    expect(ids[0]).toBe(ids[1])
    expect(readOne(chatgpt, chat({ u: [null, said('user', 'other')] }, { id: null })).id).not.toBe(ids[0])
  })

  it('reads 10 000 nodes in a row in less than a second, of whatever kind', () => {
    const kinds: ((i: number) => Message)[] = [
      i => said(i % 2 === 0 ? 'user' : 'assistant', `${i}`),
      () => call('web', '{}'),
      i => (i < 5_000 ? call('web', '{}') : result('web', 'x')),
      () => said('assistant', 'x', { metadata: { is_visually_hidden_from_conversation: true } }),
    ]
    for (const kind of kinds) {
      const mapping = Object.fromEntries(
        Array.from({ length: 10_000 }, (_, i) => [
          `${i}n`,
          { parent: i === 0 ? null : `${i - 1}n`, message: i === 0 ? said('user', 'q') : kind(i) },
        ]),
      )
      const { value, ms } = timed(() => chatsOfPieces(chatgpt, [{ id: 'deep', mapping }]))
      expect(ms).toBeLessThan(1_000)
      expect(value.chats).toHaveLength(1)
    }
  })

  it('holds its laws whatever is changed in a chat', () => checkMutations(chatgpt, samples.map(sample)), 60_000)
})
