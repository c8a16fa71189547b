import { describe, expect, it } from 'vitest'
import type { ForeignChat } from '../shape/foreign-chat.ts'
import { processorMs, faultsOf, pathInView, readLines, said } from './agent-formats.fixture.ts'
import { pi } from './pi.ts'

const time = '2026-05-01T10:00:01.000Z'
const session = (fields = {}) => ({ type: 'session', version: 3, id: 'p', timestamp: time, cwd: '/w', ...fields })
const message = (role: string, content: unknown, fields = {}) => ({
  type: 'message',
  timestamp: time,
  message: { role, content },
  ...fields,
})
const text = (words: string) => [{ type: 'text', text: words }]

describe('a session of pi', () => {
  it('of version 1 has no ids: a line follows the one before it, and a compaction counts lines', () => {
    const { chats, findings } = readLines(
      pi,
      session({ version: undefined, provider: 'x', modelId: 'm' }),
      message('user', 'one'),
      { type: 'thinking_level_change', timestamp: time, thinkingLevel: 'off' },
      message('assistant', text('two')),
      { type: 'compaction', timestamp: time, summary: 'one and two', firstKeptEntryIndex: 2, tokensBefore: 9 },
      message('user', text('three')),
    )
    const [chat] = chats
    expect(said(pathInView(chat!))).toEqual(['user one', 'assistant two', 'summary one and two', 'user three'])
    expect(chat!.items.map(({ id }) => id)).toEqual(['entry-1', 'entry-3', 'entry-4', 'entry-5'])
    expect(chat!.items[2]).toMatchObject({ kind: 'summary', firstKept: 'entry-3' })
    expect(findings).toEqual({ skipped: [], bad: [], kept: [], merged: [] })
  })

  it('of version 2 has hooks that spoke to the model', () => {
    const { chats } = readLines(
      pi,
      session({ version: 2 }),
      message('user', 'hi', { id: 'a', parentId: null }),
      message('hookMessage', 'rules', { id: 'b', parentId: 'a' }),
      {
        type: 'custom_message',
        id: 'c',
        parentId: 'b',
        timestamp: time,
        customType: 'x',
        content: 'more',
        display: true,
      },
      message('assistant', text('ho'), { id: 'd', parentId: 'c' }),
    )
    expect(said(pathInView(chats[0]!))).toEqual(['user hi', 'foreign injected', 'foreign injected', 'assistant ho'])
  })

  it('tells what an answer said, thought, asked for, cost, and how it ended', () => {
    const { chats } = readLines(
      pi,
      session(),
      message('user', 'look', { id: 'a', parentId: null }),
      {
        type: 'message',
        id: 'b',
        parentId: 'a',
        message: {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.' },
            { type: 'text', text: 'Looking.' },
            { type: 'toolCall', id: 't', name: 'ls', arguments: { path: '/' } },
          ],
          model: 'm-1',
          stopReason: 'toolUse',
          usage: { input: 5, output: 3, cacheRead: 2, cacheWrite: 1, cost: { total: 0.5 } },
          timestamp: 1_777_629_602_000,
        },
      },
      {
        type: 'message',
        id: 'c',
        parentId: 'b',
        message: {
          role: 'toolResult',
          toolCallId: 't',
          toolName: 'ls',
          content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }],
          isError: true,
        },
      },
      {
        type: 'message',
        id: 'd',
        parentId: 'c',
        message: { role: 'assistant', content: [], stopReason: 'aborted', usage: { input: 0, output: 0 } },
      },
    )
    expect(chats[0]!.items.slice(1)).toEqual([
      {
        id: 'b',
        parent: 'a',
        at: 1_777_629_602_000,
        kind: 'assistant',
        text: 'Looking.',
        reasoning: 'Hm.',
        calls: [{ id: 't', name: 'ls', arguments: '{"path":"/"}' }],
        model: 'm-1',
        stop: 'calls',
        usage: { input: 5, output: 3, cacheRead: 2, cacheWrite: 1, cost: 0.5 },
      },
      {
        id: 'c',
        parent: 'b',
        kind: 'result',
        callId: 't',
        tool: 'ls',
        text: '',
        isError: true,
        attachments: [{ name: 'image-1', mime: 'image/png', base64: 'AAAA' }],
      },
      { id: 'd', parent: 'c', kind: 'assistant', text: '', calls: [], stop: 'stopped' },
    ])
  })

  it('has what the person ran, with what came of it', () => {
    const run = (id: string, parentId: string | null, fields: object) => ({
      type: 'message',
      id,
      parentId,
      message: {
        role: 'bashExecution',
        command: 'make',
        output: 'no rule\n',
        exitCode: 2,
        cancelled: false,
        ...fields,
      },
    })
    const { chats } = readLines(
      pi,
      session(),
      message('user', 'x', { id: 'a', parentId: null }),
      run('b', 'a', {}),
      run('c', 'b', { exitCode: undefined, cancelled: true }),
      run('d', 'c', { exitCode: 0, output: '' }),
    )
    expect(chats[0]!.items.slice(1)).toMatchObject([
      { kind: 'result', tool: 'bash', text: '$ make\nno rule\n(exit code 2)', isError: true },
      { kind: 'result', text: '$ make\nno rule\n(cancelled)', isError: true },
      { kind: 'result', text: '$ make', isError: false },
    ])
  })

  it('has the last name that it was given, and the branch of the last line in view', () => {
    const { chats } = readLines(
      pi,
      session(),
      message('user', 'q', { id: 'a', parentId: null }),
      message('assistant', text('first'), { id: 'b', parentId: 'a' }),
      { type: 'session_info', id: 'i', parentId: 'b', name: 'Old' },
      message('assistant', text('second'), { id: 'c', parentId: 'a' }),
      { type: 'session_info', id: 'j', parentId: 'b', name: ' New ' },
    )
    expect(chats[0]).toMatchObject({ id: 'p', title: 'New', leaf: 'b' })
    expect(said(pathInView(chats[0]!))).toEqual(['user q', 'assistant first'])
  })

  it('stands beside others in a file, and is not lost by what is wrong beside it', () => {
    const { chats, findings } = readLines(
      pi,
      message('user', 'before'),
      session(),
      message('user', 'one', { id: 'a', parentId: null }),
      null,
      { type: 'message', id: 'b', parentId: 'a', message: null },
      { type: 'dance', id: 'd', parentId: 'b' },
      message('assistant', text('two'), { id: 'e', parentId: 'd' }),
      session({ id: 'empty' }),
      session({ id: 'q' }),
      message('user', 'else', { id: 'a', parentId: 'gone' }),
    )
    expect(chats.map(({ id, items }) => [id, said(items)])).toEqual([
      ['p', ['user one', 'foreign unknown', 'foreign unknown', 'assistant two']],
      ['q', ['user else']],
    ])
    expect(findings).toEqual({
      skipped: [{ id: 'empty', at: 8, why: 'no messages' }],
      bad: [
        { line: 1, why: 'message before a session' },
        { line: 4, why: 'no entry of a session' },
      ],
      kept: [
        { line: 5, why: 'unknown entry message' },
        { line: 6, why: 'unknown entry dance' },
      ],
      merged: [],
    })
  })

  it('may be deep', () => {
    const lines = Array.from({ length: 10_000 }, (_, i) =>
      message(i % 2 ? 'assistant' : 'user', `${i}`, { id: `${i}`, parentId: i === 0 ? null : `${i - 1}` }),
    )
    const read: ForeignChat[] = []
    expect(processorMs(() => read.push(...readLines(pi, session(), ...lines.toReversed()).chats))).toBeLessThan(1_000)
    expect(read[0]!.items).toHaveLength(10_000)
    expect(faultsOf(read[0]!)).toEqual([])
  })
})
