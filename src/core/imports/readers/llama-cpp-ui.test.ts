import { describe, expect, it } from 'vitest'
import type { ForeignChat } from '../shape/foreign-chat.ts'
import { processorMs, faultsOf, pathInView, readLines, readList, readPieces, said } from './agent-formats.fixture.ts'
import { llamaCppUi } from './llama-cpp-ui.ts'

const session = (id: string, fields = {}) => ({ harness: 'llama.app', type: 'session', id, name: id, ...fields })
const message = (id: string, role: string, parent: string | null, fields = {}) => ({
  type: 'message',
  message: { id, convId: 'v', type: 'text', role, content: `${id} says`, parent, children: [], ...fields },
})
const conv = (id: unknown, ...messages: { message: unknown }[]) => ({
  conv: { id, name: 'x' },
  messages: messages.map(one => one.message),
})

describe('chats of llama.cpp', () => {
  it('keep their branches, and the message in view', () => {
    const { chats } = readLines(
      llamaCppUi,
      session('v', { currNode: 'b', lastModified: 1_777_629_602_000 }),
      message('r', 'system', null, { type: 'root', content: '' }),
      message('a', 'user', 'r'),
      message('b', 'assistant', 'a'),
      message('c', 'assistant', 'a'),
    )
    expect(chats[0]).toMatchObject({ id: 'v', title: 'v', leaf: 'b', updatedAt: 1_777_629_602_000 })
    expect(chats[0]!.items.map(({ id, parent }) => [id, parent])).toEqual([
      ['a', null],
      ['b', 'a'],
      ['c', 'a'],
    ])
    expect(said(pathInView(chats[0]!))).toEqual(['user a says', 'assistant b says'])
  })

  it('keep thoughts, wherever a version put them, calls as text or list, and what was counted', () => {
    const calls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }]
    const { chats, findings } = readLines(
      llamaCppUi,
      session('v'),
      message('a', 'user', null),
      message('b', 'assistant', 'a', {
        content: '<<<reasoning_content_start>>>Hm.<<<reasoning_content_end>>>Well.',
        toolCalls: JSON.stringify(calls),
        model: 'q.gguf',
        timings: { prompt_n: 4, predicted_n: 3, cache_n: 9 },
      }),
      message('t', 'tool', 'b', { toolCallId: 'c', content: 'out' }),
      message('d', 'assistant', 't', { thinking: 'Old.', toolCalls: [{ ...calls[0], id: 'e' }] }),
      message('u', 'tool', 'd', { toolCallId: 'e', content: 'more' }),
      message('f', 'assistant', 'u', { reasoningContent: 'New.', toolCalls: '{"no":"list"}' }),
    )
    expect(chats[0]!.items.slice(1)).toEqual([
      {
        id: 'b',
        parent: 'a',
        kind: 'assistant',
        text: 'Well.',
        reasoning: 'Hm.',
        calls: [{ id: 'c', name: 'f', arguments: '{}' }],
        model: 'q.gguf',
        usage: { input: 4, cacheRead: 9, output: 3 },
      },
      { id: 't', parent: 'b', kind: 'result', callId: 'c', tool: 'f', text: 'out', isError: false },
      {
        id: 'd',
        parent: 't',
        kind: 'assistant',
        text: 'd says',
        reasoning: 'Old.',
        calls: [{ id: 'e', name: 'f', arguments: '{}' }],
      },
      { id: 'u', parent: 'd', kind: 'result', callId: 'e', tool: 'f', text: 'more', isError: false },
      { id: 'f', parent: 'u', kind: 'assistant', text: 'f says', reasoning: 'New.', calls: [] },
      { id: 'aside-6', parent: 'f', kind: 'foreign', raw: '{"toolCalls":"{\\"no\\":\\"list\\"}"}', why: 'unknown' },
    ])
    expect(findings).toMatchObject({ bad: [], skipped: [{ line: 7, why: 'the calls of message f are no JSON' }] })
  })

  it('keep what was attached', () => {
    const extra = [
      { type: 'imageFile', name: 'a.png', base64Url: 'data:image/png;base64,AAAA' },
      { type: 'TEXT', name: 'n.txt', content: 'a note' },
      { type: 'PDF', name: 'p.pdf', content: 'page', base64Data: 'JVBE', processedAsImages: false },
      { type: 'PDF', name: 'q.pdf', content: '', processedAsImages: true, images: ['data:image/png;base64,BBBB', 7] },
      { type: 'AUDIO', name: 's.wav', base64Data: 'UklG', mimeType: 'audio/wav' },
      { type: 'MCP_RESOURCE', name: 'r', uri: 'mcp://r', content: 'said', mimeType: 'text/markdown' },
      { type: 'context', content: 'pasted' },
      null,
    ]
    const { chats } = readLines(llamaCppUi, session('v'), message('a', 'user', null, { extra }))
    expect(chats[0]!.items[0]).toMatchObject({
      attachments: [
        { name: 'a.png', mime: 'image/png', base64: 'AAAA' },
        { name: 'n.txt', mime: 'text/plain', text: 'a note' },
        { name: 'p.pdf', mime: 'application/pdf', text: 'page', base64: 'JVBE' },
        { name: 'q.pdf-1', mime: 'image/png', base64: 'BBBB' },
        { name: 's.wav', mime: 'audio/wav', base64: 'UklG' },
        { name: 'r', mime: 'text/markdown', text: 'said' },
        { name: 'file-7', mime: 'text/plain', text: 'pasted' },
        { name: 'file-8' },
      ],
    })
  })

  it('are two where two have one id, and one where the same came twice', () => {
    const { chats, findings } = readList(
      llamaCppUi,
      conv('v', message('a', 'user', null)),
      conv('v', message('a', 'user', null, { content: 'else' })),
      conv('v', message('a', 'user', null)),
    )
    expect(chats.map(({ id, items }) => [id, said(items)])).toEqual([
      ['v', ['user a says']],
      ['v#2', ['user else']],
    ])
    expect(findings.merged).toEqual([{ id: 'v', why: 'stands more than once in the file' }])
  })

  it('come without those beside them that cannot be read', () => {
    const { chats, findings } = readList(
      llamaCppUi,
      conv(
        'v',
        message('a', 'user', 'ghost'),
        { message: null },
        message('b', 'wizard', 'a'),
        message('c', 'user', 'b'),
      ),
      null,
      { conv: null, messages: [] },
      { conv: { id: 'w' }, messages: 'x' },
      conv('e'),
      {
        conv: {},
        messages: [
          { role: 'user', content: 'no ids' },
          { role: 'assistant', content: 'at all' },
        ],
      },
      conv('z', message('a', 'user', 'b'), message('b', 'assistant', 'a')),
    )
    expect(chats.map(({ id, items }) => [id, said(items)])).toEqual([
      ['v', ['user a says', 'foreign unknown', 'foreign unknown', 'user c says']],
      ['chat-5', ['user no ids', 'assistant at all']],
      ['z', ['user a says', 'assistant b says']],
    ])
    expect(chats.flatMap(faultsOf)).toEqual([])
    expect(findings).toEqual({
      skipped: [
        { at: 1, why: 'no object' },
        { at: 2, why: 'no conversation' },
        { id: 'w', at: 3, why: 'no messages' },
        { id: 'e', at: 4, why: 'no messages' },
      ],
      bad: [{ line: 0, why: 'message is no object' }],
      kept: [{ line: 0, why: 'message of no known role' }],
      merged: [],
    })
  })

  it('may be one object, with numbers for ids as very old versions wrote them', () => {
    const value = {
      conv: { id: 'conv-1', currNode: 3 },
      messages: [
        { id: 1, role: 'user', content: 'a', parent: -1 },
        { id: 2, role: 'assistant', content: 'b', parent: 1 },
        { id: 3, role: 'assistant', content: 'c', parent: 1 },
      ],
    }
    const { chats } = readPieces(llamaCppUi, [{ value, at: 0 }], 'object')
    expect(said(pathInView(chats[0]!))).toEqual(['user a', 'assistant c'])
  })

  it('may be deep', () => {
    const messages = Array.from({ length: 10_000 }, (_, i) =>
      message(`${i}`, i % 2 ? 'assistant' : 'user', i === 0 ? null : `${i - 1}`),
    )
    const read: ForeignChat[] = []
    expect(processorMs(() => read.push(...readList(llamaCppUi, conv('v', ...messages)).chats))).toBeLessThan(1_000)
    expect(read[0]!.items).toHaveLength(10_000)
    expect(faultsOf(read[0]!)).toEqual([])
  })
})
