import { describe, expect, it } from 'vitest'
import type { ForeignChat } from '../../shape/foreign-chat.ts'
import { processorMs, countedIn, faultsOf, pathInView, readLines, said } from '../agent-formats.fixture.ts'
import { codex } from './codex.ts'

const timestamp = '2026-05-01T10:00:01.000Z'
const meta = (fields = {}) => ({
  timestamp,
  type: 'session_meta',
  payload: { id: 'x', timestamp, cwd: '/w', ...fields },
})
const item = (payload: object) => ({ timestamp, type: 'response_item', payload })
const event = (type: string, fields = {}) => ({ timestamp, type: 'event_msg', payload: { type, ...fields } })
const bare = (role: string, text: string) => ({
  type: 'message',
  role,
  content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
})
const says = (role: string, text: string) => item(bare(role, text))
const call = (id: string, name = 'exec') => item({ type: 'function_call', name, arguments: '{}', call_id: id })
const output = (id: string, text: unknown) => item({ type: 'function_call_output', call_id: id, output: text })

const wordsOf = (...lines: unknown[]): string[] => {
  const { chats } = readLines(codex, ...lines)
  expect(chats.flatMap(faultsOf)).toEqual([])
  return said(pathInView(chats[0]!))
}

describe('a session of Codex', () => {
  it('of 2025 has a header and bare items', () => {
    const { chats, findings } = readLines(
      codex,
      { id: 'old', timestamp, instructions: 'Be careful.', git: {} },
      bare('user', '<environment_context>\n</environment_context>'),
      { record_type: 'state' },
      bare('user', 'hi'),
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Greet.' }] },
      bare('assistant', 'ho'),
      { type: 'local_shell_call', call_id: 'c', status: 'completed', action: { type: 'exec', command: ['ls'] } },
      { type: 'function_call_output', call_id: 'c', output: '{"output":"a.py","metadata":{"exit_code":1}}' },
    )
    expect(chats[0]).toMatchObject({ id: 'old', system: 'Be careful.', createdAt: Date.parse(timestamp) })
    expect(said(chats[0]!.items)).toEqual(['foreign injected', 'user hi', 'assistant ho +local_shell', 'result a.py'])
    expect(chats[0]!.items[2]).toMatchObject({ reasoning: 'Greet.' })
    expect(chats[0]!.items[3]).toMatchObject({ isError: true, tool: 'local_shell' })
    expect(findings).toEqual({ skipped: [], bad: [], kept: [], merged: [] })
  })

  it('has one answer of what came in one go, and its results in the order of the calls', () => {
    const words = wordsOf(
      meta(),
      says('user', 'go'),
      item({ type: 'reasoning', summary: [{ text: 'One.' }], content: null }),
      says('assistant', 'Looking.'),
      call('a', 'f'),
      item({ type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'Two.' }] }),
      call('b', 'g'),
      event('token_count', {
        info: { last_token_usage: { input_tokens: 10, cached_input_tokens: 4, output_tokens: 2 } },
      }),
      output('b', [{ type: 'input_text', text: 'second' }]),
      output('a', { content: 'first', success: false }),
      says('assistant', 'Done.'),
      event('task_complete'),
      says('assistant', 'More.'),
    )
    expect(words).toEqual([
      'user go',
      'assistant Looking. +f +g',
      'result first',
      'result second',
      'assistant Done.',
      'assistant More.',
    ])
  })

  it('gives a late result to the answer that asked for it, and keeps one that nobody asked for', () => {
    const words = wordsOf(
      meta(),
      says('user', 'go'),
      call('a'),
      call('b'),
      output('a', 'A'),
      says('assistant', 'Hm.'),
      output('b', 'B'),
      output('z', 'Z'),
    )
    expect(words).toEqual(['user go', 'assistant  +exec +exec', 'result A', 'result B', 'assistant Hm.', 'result Z'])
  })

  it('takes events only where the talk stands in no items', () => {
    const events = [
      event('user_message', { message: 'hi', kind: 'plain' }),
      event('agent_reasoning', { text: 'Greet.' }),
      event('agent_message', { message: 'ho' }),
      event('user_message', { message: '<environment_context>', kind: 'environment_context' }),
    ]
    expect(wordsOf(meta(), ...events)).toEqual(['user hi', 'assistant ho'])
    expect(wordsOf(meta(), says('user', 'hi'), ...events, says('assistant', 'ho'))).toEqual(['user hi', 'assistant ho'])
    const { chats } = readLines(
      codex,
      meta(),
      says('user', 'hi'),
      says('assistant', 'ho'),
      event('agent_message', { message: 'else' }),
    )
    expect(said(chats[0]!.items)).toEqual(['user hi', 'assistant ho', 'foreign unknown'])
  })

  it('parts into branches where turns were taken back', () => {
    const { chats } = readLines(
      codex,
      meta(),
      says('user', 'one'),
      says('assistant', '1'),
      says('user', 'two'),
      says('assistant', '2'),
      says('user', 'three'),
      event('turn_aborted', { reason: 'interrupted' }),
      event('thread_rolled_back', { num_turns: 2 }),
      says('user', 'other'),
      says('assistant', '3'),
      event('thread_rolled_back', { num_turns: 99 }),
      says('user', 'anew'),
    )
    expect(said(pathInView(chats[0]!))).toEqual(['user anew'])
    expect(countedIn(chats)).toEqual({ chats: 1, messages: 8, branches: 3 })
    expect(chats[0]!.items.find(({ id }) => id === 'line-9')).toMatchObject({ text: 'other', parent: 'line-3' })
    expect(faultsOf(chats[0]!)).toEqual([])
  })

  it('keeps the words of the person apart from those that the program put beside them', () => {
    const parts = [
      { type: 'input_text', text: '# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>x</INSTRUCTIONS>' },
      { type: 'input_text', text: '<image name=[Image #1]>' },
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
      { type: 'input_text', text: '</image>' },
      { type: 'input_text', text: 'see <environment_context> in it' },
    ]
    const { chats } = readLines(
      codex,
      meta({ base_instructions: { text: 'You are.' } }),
      item({ type: 'message', role: 'user', content: parts }),
      event('user_message', { message: 'see <environment_context> in it' }),
    )
    expect(chats[0]!.system).toBe('You are.')
    expect(said(chats[0]!.items)).toEqual(['foreign injected', 'user see <environment_context> in it'])
    expect(chats[0]!.items[1]).toMatchObject({ attachments: [{ name: 'image-1', mime: 'image/png', base64: 'AAAA' }] })
  })

  it('tells model, use, how an answer ended, and its name', () => {
    const { chats } = readLines(
      codex,
      meta(),
      { timestamp, type: 'turn_context', payload: { model: 'm-1' } },
      says('user', 'go'),
      says('assistant', 'Well'),
      event('token_count', {
        info: { last_token_usage: { input_tokens: 10, cached_input_tokens: 4, output_tokens: 2 } },
      }),
      event('turn_aborted', { reason: 'interrupted' }),
      event('thread_name_updated', { thread_name: 'A name' }),
      meta({ id: 'the session that it was forked from' }),
    )
    expect(chats[0]).toMatchObject({ id: 'x', title: 'A name' })
    expect(chats[0]!.items[1]).toMatchObject({
      model: 'm-1',
      stop: 'stopped',
      usage: { input: 6, cacheRead: 4, output: 2 },
    })
  })

  it('keeps what cannot be read or is unknown, and tells it', () => {
    const { chats, findings } = readLines(
      codex,
      meta(),
      null,
      says('user', 'go'),
      { timestamp, type: 'compacted', payload: { message: '', replacement_history: [bare('user', 'go')] } },
      item({ type: 'compaction', encrypted_content: 'gAAA' }),
      item({ type: 'web_search_call', action: { query: 'x' } }),
      item({ type: 'ghost_snapshot', ghost_commit: {} }),
      item({ type: 'novelty' }),
      { timestamp, type: 'world_state', payload: {} },
      item({ type: 'image_generation_call', result: 'AAAA' }),
      item({ type: 'message', role: 'user', content: null }),
    )
    expect(said(chats[0]!.items)).toEqual([
      'user go',
      'foreign unknown',
      'foreign unknown',
      'foreign unknown',
      'foreign unknown',
      'foreign unknown',
      'assistant ',
      'user ',
    ])
    expect(chats[0]!.items[6]).toMatchObject({
      attachments: [{ name: 'image-1.png', mime: 'image/png', base64: 'AAAA' }],
    })
    expect(findings).toMatchObject({
      skipped: [],
      bad: [{ line: 2, why: 'no object' }],
      kept: [
        { line: 8, why: 'unknown line novelty' },
        { line: 9, why: 'unknown line world_state' },
      ],
    })
  })

  it('without talk is no chat, and without a header has an id of its content', () => {
    const empty = readLines(codex, meta(), says('developer', 'rules'))
    expect(empty).toMatchObject({ chats: [], findings: { skipped: [{ id: 'x', why: 'no messages' }] } })
    const { chats } = readLines(codex, says('user', 'go'))
    expect(chats[0]!.id).toMatch(/^codex-[0-9a-f]{16}$/)
    expect(readLines(codex, says('user', 'go'), says('assistant', 'more')).chats[0]!.id).toBe(chats[0]!.id)
  })

  it('may be long', () => {
    const lines = Array.from({ length: 10_000 }, (_, i) =>
      i % 3 === 0 ? says('user', `${i}`) : i % 3 === 1 ? call('same') : output('same', 'x'),
    )
    const read: ForeignChat[] = []
    expect(processorMs(() => read.push(...readLines(codex, meta(), ...lines).chats))).toBeLessThan(1_000)
    expect(faultsOf(read[0]!)).toEqual([])
    expect(countedIn(read)).toEqual({ chats: 1, messages: 3_334, branches: 1, toolCalls: 3_333, results: 3_333 })
  })
})
