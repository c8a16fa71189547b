import { describe, expect, it } from 'vitest'
import type { ForeignChat } from '../shape/foreign-chat.ts'
import { processorMs, faultsOf, readLines, readList, readPieces, said } from './agent-formats.fixture.ts'
import { openaiMessages } from './openai-messages.ts'

const user = (content: unknown) => ({ role: 'user', content })
const assistant = (content: unknown, fields = {}) => ({ role: 'assistant', content, ...fields })

describe('messages of OpenAI', () => {
  it('stand in an object, in a list or lines of such, in lists, or one by one', () => {
    const chat = [user('a'), assistant('b')]
    const words = ['user a', 'assistant b']
    expect(
      readPieces(openaiMessages, [{ value: { messages: chat }, at: 0 }], 'object').chats.map(one => said(one.items)),
    ).toEqual([words])
    for (const read of [readList, readLines]) {
      expect(
        read(openaiMessages, { messages: chat }, { messages: [user('c')] }).chats.map(one => said(one.items)),
      ).toEqual([words, ['user c']])
      expect(read(openaiMessages, chat, [user('c')]).chats.map(one => said(one.items))).toEqual([words, ['user c']])
      expect(read(openaiMessages, ...chat).chats.map(one => said(one.items))).toEqual([words])
    }
  })

  it('keep instructions apart, wherever they stand', () => {
    const { chats } = readList(openaiMessages, {
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'developer', content: [{ type: 'text', text: 'Be short.' }] },
        user('a'),
        { role: 'system', content: 'Be kind.' },
      ],
    })
    expect(chats[0]).toMatchObject({ system: 'Be kind.\n\nBe short.' })
    expect(said(chats[0]!.items)).toEqual(['user a'])
  })

  it('have calls of today and of old, each with its result', () => {
    const { chats } = readList(openaiMessages, {
      messages: [
        user('a'),
        assistant(null, { function_call: { name: 'f', arguments: '{"x":1}' } }),
        { role: 'function', name: 'f', content: 'one' },
        assistant(null, { function_call: { name: 'f', arguments: '{broken' } }),
        { role: 'function', name: 'f', content: 'two' },
        assistant('', {
          tool_calls: [
            { id: 'c', type: 'function', function: { name: 'g', arguments: '' } },
            { id: 'd', type: 'custom', custom: { name: 'patch', input: '*** Begin' } },
          ],
        }),
        { role: 'tool', tool_call_id: 'd', content: 'done' },
        { role: 'tool', tool_call_id: 'c', content: 'three' },
        { role: 'tool', tool_call_id: 'nobody', content: 'four' },
      ],
    })
    const [chat] = chats
    expect(faultsOf(chat!)).toEqual([])
    expect(
      chat!.items
        .slice(1)
        .map(item =>
          item.kind === 'assistant' ? item.calls : 'callId' in item ? [item.callId, item.tool, item.text] : '',
        ),
    ).toEqual([
      [{ id: 'call-1', name: 'f', arguments: '{"x":1}' }],
      ['call-1', 'f', 'one'],
      [{ id: 'call-3', name: 'f', arguments: '{broken' }],
      ['call-3', 'f', 'two'],
      [
        { id: 'c', name: 'g', arguments: '{}' },
        { id: 'd', name: 'patch', arguments: '{"input":"*** Begin"}' },
      ],
      ['c', 'g', 'three'],
      ['d', 'patch', 'done'],
      ['nobody', '', 'four'],
    ])
  })

  it('have parts of every kind', () => {
    const { chats } = readList(openaiMessages, {
      model: 'm',
      messages: [
        user([
          'bare',
          { type: 'text', text: 'see' },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
          { type: 'image_url', image_url: 'data:image/gif;base64,R0lG' },
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' } },
          { type: 'file', file: { file_id: 'file-7' } },
        ]),
        assistant(null, { refusal: 'No.', reasoning: 'Hm.' }),
        assistant(null, { audio: { transcript: 'Heard.' } }),
      ],
    })
    expect(chats[0]!.items).toMatchObject([
      {
        text: 'bare\n\nsee',
        attachments: [
          { name: 'image-1', ref: 'https://example.com/a.png' },
          { name: 'image-2', mime: 'image/gif', base64: 'R0lG' },
          { name: 'audio-3.mp3', mime: 'audio/mp3', base64: 'AAAA' },
          { name: 'a.pdf', mime: 'application/pdf', base64: 'JVBE' },
          { name: 'file-5', ref: 'file-7' },
        ],
      },
      { text: 'No.', reasoning: 'Hm.', model: 'm' },
      { text: 'Heard.' },
    ])
  })

  it('have the id that is given, else one of their content: again the same, and never that of another', () => {
    const one = { messages: [user('a'), assistant('b')] }
    const other = { messages: [user('a'), assistant('c')] }
    const { chats, findings } = readLines(
      openaiMessages,
      one,
      other,
      one,
      { ...one, id: 'x', title: ' T ' },
      { ...other, id: 'x' },
    )
    expect(chats.map(({ id }) => id)).toEqual([chats[0]!.id, chats[1]!.id, 'x', 'x#2'])
    expect(chats[0]!.id).not.toBe(chats[1]!.id)
    expect(chats[2]).toMatchObject({ title: 'T' })
    expect(findings.merged).toEqual([{ id: chats[0]!.id, why: 'stands more than once in the file' }])
    expect(readLines(openaiMessages, one).chats[0]!.id).toBe(chats[0]!.id)
  })

  it('are told where they cannot be read, and the others come', () => {
    const { chats, findings } = readLines(
      openaiMessages,
      { messages: [user('a')] },
      7,
      { id: 'n', messages: null },
      { id: 'e', messages: [] },
      { messages: [user('b'), null, { role: 'wizard', content: 'x' }, assistant('c')] },
    )
    expect(chats.map(({ items }) => said(items))).toEqual([
      ['user a'],
      ['user b', 'foreign unknown', 'foreign unknown', 'assistant c'],
    ])
    expect(findings).toEqual({
      skipped: [
        { at: 2, why: 'no object' },
        { id: 'n', at: 3, why: 'no messages' },
        { id: 'e', at: 4, why: 'no messages' },
      ],
      bad: [],
      kept: [
        { line: 5, why: 'message 2 of the chat is of no known role' },
        { line: 5, why: 'message 3 of the chat is of no known role' },
      ],
      merged: [],
    })
  })

  it('may be many', () => {
    const messages = Array.from({ length: 10_000 }, (_, i) =>
      i % 2
        ? assistant('', { tool_calls: [{ id: 'same', function: { name: 'f' } }] })
        : { role: 'tool', tool_call_id: 'same', content: 'x' },
    )
    const read: ForeignChat[] = []
    expect(processorMs(() => read.push(...readList(openaiMessages, { messages }).chats))).toBeLessThan(1_000)
    expect(faultsOf(read[0]!)).toEqual([])
  })
})
