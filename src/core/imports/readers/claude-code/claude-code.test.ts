import { describe, expect, it } from 'vitest'
import type { ForeignChat } from '../../shape/foreign-chat.ts'
import {
  processorMs,
  countedIn,
  faultsOf,
  pathInView,
  readLines,
  said,
  type ReadFile,
} from '../agent-formats.fixture.ts'
import { claudeCode } from './claude-code.ts'

const timestamp = '2026-05-01T10:00:01.000Z'
const row = (uuid: string, parentUuid: string | null, fields: object) => ({
  uuid,
  parentUuid,
  sessionId: 's',
  isSidechain: false,
  timestamp,
  ...fields,
})
const user = (uuid: string, parent: string | null, content: unknown, fields = {}) =>
  row(uuid, parent, { type: 'user', message: { role: 'user', content }, ...fields })
const part = (uuid: string, parent: string | null, id: string | undefined, block: unknown, fields = {}) =>
  row(uuid, parent, { type: 'assistant', message: { id, role: 'assistant', model: 'm', content: [block], ...fields } })
const text = (words: string) => ({ type: 'text', text: words })
const use = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: `tool-${id}`, input })
const result = (id: string, content: unknown, fields = {}) => [
  { type: 'tool_result', tool_use_id: id, content, ...fields },
]
const progress = (uuid: string, parent: string) => row(uuid, parent, { type: 'progress', data: {} })

const read = (...rows: unknown[]): ReadFile => {
  const file = readLines(claudeCode, ...rows)
  expect(file.chats.flatMap(faultsOf)).toEqual([])
  return file
}
const wordsOf = (...rows: unknown[]): string[] => said(pathInView(read(...rows).chats[0]!))

describe('a session of Claude Code', () => {
  it('has one answer of rows with one message id, whatever stands between them', () => {
    const usage = (output_tokens: number) => ({ usage: { input_tokens: 3, output_tokens, cache_read_input_tokens: 5 } })
    const { chats } = read(
      user('u', null, 'go'),
      part('a', 'u', 'm1', { type: 'thinking', thinking: 'Hm.' }, usage(1)),
      part('b', 'a', 'm1', text('Well.'), usage(1)),
      part('c', 'b', 'm1', use('1', { x: 1 }), usage(1)),
      progress('p', 'c'),
      user('r', 'c', result('1', 'one')),
      part('d', 'p', 'm1', use('2'), { ...usage(9), stop_reason: 'tool_use' }),
      user('q', 'd', result('2', [text('two')], { is_error: true })),
      part('e', 'r', 'm2', text('Done.')),
    )
    expect(chats[0]!.items).toMatchObject([
      { kind: 'user' },
      {
        id: 'a',
        parent: 'u',
        text: 'Well.',
        reasoning: 'Hm.',
        calls: [
          { id: '1', arguments: '{"x":1}' },
          { id: '2', arguments: '{}' },
        ],
        stop: 'calls',
        usage: { input: 3, output: 9, cacheRead: 5 },
      },
      { kind: 'result', callId: '1', tool: 'tool-1', text: 'one', isError: false },
      { kind: 'result', callId: '2', text: 'two', isError: true },
      { text: 'Done.' },
    ])
    expect(countedIn(chats)).toMatchObject({ branches: 1, messages: 3 })
  })

  it('has branches where the person went back, and the last line in view', () => {
    const rows = [
      user('u', null, 'one'),
      part('a', 'u', 'm1', text('1')),
      user('v', 'a', 'two'),
      part('b', 'v', 'm2', text('2')),
      user('w', 'a', 'two, edited'),
      part('c', 'w', 'm3', text('3')),
      { type: 'file-history-snapshot', messageId: 'w' },
    ]
    expect(wordsOf(...rows)).toEqual(['user one', 'assistant 1', 'user two, edited', 'assistant 3'])
    expect(countedIn(read(...rows).chats)).toMatchObject({ branches: 2, messages: 6 })
  })

  it('goes on over a compaction, with a summary that is no word of the person', () => {
    const border = (fields: object) => row('k', null, { type: 'system', subtype: 'compact_boundary', ...fields })
    const before = [user('u', null, 'one'), part('a', 'u', 'm1', text('1')), progress('p', 'a')]
    const after = [
      user('s', 'k', 'Summary: one', { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
      user('v', 's', 'two'),
    ]
    const words = ['user one', 'assistant 1', 'summary Summary: one', 'user two']
    expect(wordsOf(...before, border({ logicalParentUuid: 'p' }), ...after)).toEqual(words)
    expect(wordsOf(...before, border({ logicalParentUuid: 'never written' }), ...after)).toEqual(words)
    expect(
      wordsOf(...before, user('s', null, 'Summary: one', { isCompactSummary: true }), user('v', 's', 'two')),
    ).toEqual(words)
    const kept = { compactMetadata: { preservedSegment: { headUuid: 'a', anchorUuid: 's', tailUuid: 'a' } } }
    const { chats } = read(...before, border({ logicalParentUuid: 'p', ...kept }), ...after)
    expect(chats[0]!.items[2]).toMatchObject({ kind: 'summary', firstKept: 'a' })
  })

  it('keeps apart what the program said in the name of the person', () => {
    const { chats } = read(
      user('a', null, '<local-command-caveat>Caveat</local-command-caveat>', { isMeta: true }),
      user(
        'b',
        'a',
        '<command-name>/clear</command-name><command-message>clear</command-message><command-args></command-args>',
      ),
      user('c', 'b', '<local-command-stdout></local-command-stdout>'),
      user(
        'd',
        'c',
        '<command-message>fix</command-message>\n<command-name>/fix</command-name>\n<command-args>issue 7</command-args>',
      ),
      user('e', 'd', '<command-name>/review</command-name>'),
      user('f', 'e', 'You review code.', { isMeta: true }),
      user('g', 'f', [text('<system-reminder>x</system-reminder>'), text('mine')]),
      user('h', 'g', [text('[Request interrupted by user]')]),
      user('i', 'h', '<bash-input>ls</bash-input>'),
      user('j', 'i', '<bash-stdout>a</bash-stdout>'),
      user('k', 'j', 'seen only', { isVisibleInTranscriptOnly: true }),
      row('l', 'k', { type: 'attachment', attachment: { type: 'todo_reminder' } }),
      row('m', 'l', {
        type: 'attachment',
        attachment: { type: 'queued_command', prompt: 'and this', commandMode: 'prompt' },
      }),
      row('n', 'm', {
        type: 'attachment',
        attachment: { type: 'queued_command', prompt: 'x', commandMode: 'task-notification' },
      }),
      part('o', 'n', 'e1', text('API Error'), { model: '<synthetic>' }),
      row('p', 'o', { type: 'system', subtype: 'informational', content: 'told' }),
      row('q', 'p', { type: 'system', subtype: 'turn_duration', durationMs: 1 }),
      part('r', 'q', 'm1', text('Yes.')),
    )
    expect(said(pathInView(chats[0]!)).filter(one => !one.startsWith('foreign injected'))).toEqual([
      'user /fix issue 7',
      'user /review',
      'user mine',
      'user ! ls',
      'foreign hidden',
      'user and this',
      'assistant Yes.',
    ])
    expect(countedIn(chats)).toEqual({ chats: 1, messages: 6, branches: 1, injected: 11, hidden: 1 })
  })

  it('keeps what was typed in between and stands nowhere else', () => {
    const queued = (content: string) => ({ type: 'queue-operation', operation: 'enqueue', sessionId: 's', content })
    const { chats } = read(
      user('u', null, 'one'),
      queued('two'),
      queued('lost'),
      queued('<task-notification>x'),
      { type: 'queue-operation', operation: 'dequeue', sessionId: 's' },
      part('a', 'u', 'm1', text('1')),
      user('v', 'a', 'two'),
    )
    expect(said(pathInView(chats[0]!))).toEqual(['user one', 'foreign unknown', 'assistant 1', 'user two'])
  })

  it('keeps the rows of sub-agents beside the talk, without a branch of their own', () => {
    const side = (uuid: string, parent: string | null) => user(uuid, parent, 'sub', { isSidechain: true, agentId: 'g' })
    const rows = [
      user('u', null, 'go'),
      part('a', 'u', 'm1', use('1')),
      side('x', null),
      side('y', 'x'),
      user('r', 'a', result('1', 'done')),
      part('b', 'r', 'm2', text('Done.')),
    ]
    expect(wordsOf(...rows)).toEqual([
      'user go',
      'assistant  +tool-1',
      'result done',
      'foreign sidechain',
      'foreign sidechain',
      'assistant Done.',
    ])
    // The file of a sub-agent alone is the same chat as the session that it belongs to.
    expect(read(side('x', null), side('y', 'x')).chats).toMatchObject([{ id: 's', items: [{ id: 'x' }, { id: 'y' }] }])
  })

  it('takes rows that were written again once', () => {
    const rows = [
      user('u', null, 'go'),
      part('a', 'u', 'm1', use('1')),
      user('r', 'a', result('1', 'x')),
      part('b', 'r', 'm2', text('y')),
    ]
    expect(read(...rows, ...rows).chats).toEqual(read(...rows).chats)
    // Under new ids: the answers and results are the same, words of the person are told by their ids.
    const again = [
      part('a2', 'u', 'm1', use('1')),
      user('r2', 'a2', result('1', 'x')),
      part('b2', 'r2', 'm2', text('y')),
    ]
    expect(said(read(...rows, ...again).chats[0]!.items)).toEqual(said(read(...rows).chats[0]!.items))
    const other = [...rows, user('u', null, 'else'), user('r3', 'a', result('1', 'not x'))]
    expect(said(read(...other).chats[0]!.items)).toEqual([
      'user go',
      'assistant  +tool-1',
      'result x',
      'foreign unknown',
      'assistant y',
      'user else',
    ])
  })

  it('has results, words and files in one row', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
    const big = '<persisted-output>\nOutput too large (59KB). Full output saved to: /h/s/tool-results/b1.txt\n\nPreview'
    const { chats } = read(
      user('u', null, [
        text('see'),
        image,
        { type: 'document', title: 'a.pdf', source: { type: 'url', url: 'https://example.com/a.pdf' } },
      ]),
      part('a', 'u', 'm1', use('1')),
      user('r', 'a', [...result('1', [image, text(big)]), ...result('nobody', 'x'), text('no, stop')]),
      part('b', 'r', 'm2', { type: 'server_tool_use', id: 'w', name: 'web_search', input: { query: 'q' } }),
      part('c', 'b', 'm2', {
        type: 'web_search_tool_result',
        tool_use_id: 'w',
        content: [{ type: 'web_search_result', url: 'https://example.com' }],
      }),
      part('d', 'c', 'm2', { type: 'novelty' }),
    )
    expect(said(chats[0]!.items)).toEqual([
      'user see',
      'assistant  +tool-1',
      `result ${big}`,
      'result x',
      'user no, stop',
      'assistant  +web_search',
      'result {"type":"web_search_result","url":"https://example.com"}',
      'foreign unknown',
    ])
    expect(chats[0]!.items).toMatchObject([
      {
        attachments: [
          { name: 'image-2', mime: 'image/png', base64: 'AAAA' },
          { name: 'a.pdf', ref: 'https://example.com/a.pdf' },
        ],
      },
      {},
      { attachments: [{ name: 'image-1' }, { name: 'b1.txt', mime: 'text/plain', ref: '/h/s/tool-results/b1.txt' }] },
      {},
      {},
      {},
      {},
      {},
    ])
  })

  it('is one chat with the session that it goes on from, and another one beside others', () => {
    const { chats } = read(
      { type: 'file-history-snapshot', messageId: 'u' },
      user('u', null, 'one', { sessionId: 'old' }),
      part('a', 'u', 'm1', text('1')),
      user('z', null, 'elsewhere', { sessionId: 'other' }),
      { type: 'summary', summary: 'Of another file', leafUuid: 'not here' },
      { type: 'summary', summary: 'A title', leafUuid: 'a' },
      { type: 'ai-title', aiTitle: 'Guessed', sessionId: 'other' },
      { type: 'custom-title', customTitle: 'Chosen', sessionId: 'other' },
      { type: 'ai-title', aiTitle: 'Guessed again', sessionId: 'other' },
    )
    expect(chats.map(({ id, title, items }) => [id, title, said(items)])).toEqual([
      ['s', 'A title', ['user one', 'assistant 1']],
      ['other', 'Chosen', ['user elsewhere']],
    ])
  })

  it('is not lost by what is wrong beside it', () => {
    const { chats, findings } = read(
      null,
      { type: 'novelty', sessionId: 's' },
      user('u', 'never written', 'one'),
      part('a', 'u', undefined, text('1')),
      row('b', 'a', { type: 'assistant' }),
      row('c', 'b', { type: 'novelty' }),
      user('v', 'w', 'two'),
      user('w', 'v', 'three'),
      { type: 'progress', sessionId: 'silent', uuid: 'p', parentUuid: null },
    )
    expect(said(chats[0]!.items)).toEqual([
      'foreign unknown',
      'user one',
      'assistant 1',
      'assistant ',
      'foreign unknown',
      'user two',
      'user three',
    ])
    expect(findings).toEqual({
      skipped: [{ id: 'silent', at: 9, why: 'no messages' }],
      bad: [{ line: 1, why: 'no object' }],
      kept: [
        { line: 2, why: 'unknown row novelty' },
        { line: 6, why: 'unknown row novelty' },
      ],
      merged: [],
    })
  })

  it('may be deep, and full of progress', () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => {
      const before = i === 0 ? null : `${i - 1}`
      if (i % 4 === 0) return user(`${i}`, before, `${i}`)
      return i % 4 === 1 ? part(`${i}`, before, `m${i}`, text(`${i}`)) : progress(`${i}`, before!)
    })
    const chats: ForeignChat[] = []
    expect(processorMs(() => chats.push(...readLines(claudeCode, ...rows).chats))).toBeLessThan(1_000)
    expect(countedIn(chats)).toEqual({ chats: 1, messages: 5_000, branches: 1 })
    expect(faultsOf(chats[0]!)).toEqual([])
  })
})
