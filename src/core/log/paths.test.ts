import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { parsePath, pathOf, textAtPath, type ArchivePath } from './paths.ts'
import { a, call, pathOfEntries, r, u } from './log.fixture.ts'
import { anyText, runs } from '../text/laws.fixture.ts'
import type { FactEntry } from './entry.ts'

const paths: [string, ArchivePath][] = [
  ['tool_result/r1.txt', { kind: 'tool_result', id: 'r1' }],
  ['user_text/a.b.txt', { kind: 'user_text', id: 'a.b' }],
  ['answer/x.txt', { kind: 'answer', id: 'x' }],
  ['call/x.json', { kind: 'call', id: 'x' }],
  ['dialog/2026-01-31.jsonl', { kind: 'dialog', day: '2026-01-31' }],
  ['dialog/s1/2026-01-31.jsonl', { kind: 'dialog', day: '2026-01-31', session: 's1' }],
  ['memory/2026-01-31.md', { kind: 'memory', day: '2026-01-31' }],
  ['MEMORY.md', { kind: 'memory file' }],
  ['workspace/notes/计划.md', { kind: 'workspace', path: 'workspace/notes/计划.md' }],
]

describe('paths', () => {
  it.each(paths)('%s is read and written', (text, path) => {
    expect(parsePath(text)).toEqual(path)
    expect(pathOf(path)).toBe(text)
  })

  it('takes a leading ./', () => {
    expect(parsePath('./MEMORY.md')).toEqual({ kind: 'memory file' })
  })

  it('understands the configured name of the dialog folder', () => {
    expect(parsePath('logs/chat/2026-01-31.jsonl', 'logs/chat')).toEqual({ kind: 'dialog', day: '2026-01-31' })
  })

  it.each([
    '',
    '.',
    '..',
    '/',
    '/etc/passwd',
    '/MEMORY.md',
    '../MEMORY.md',
    'workspace',
    'workspace/',
    'workspace/../MEMORY.md',
    'workspace//a',
    'workspace/./a',
    'workspace\\a',
    'workspace/a\u0000.md',
    'workspace/a\nb',
    'workspace/\ud800',
    `workspace/${'a'.repeat(256)}`,
    `workspace/${'a/'.repeat(600)}b`,
    'tool_result/.txt',
    'tool_result/a/b.txt',
    'tool_result/../x.txt',
    'tool_result/a.json',
    'tool_result/a',
    'call/a.txt',
    'dialog/2026-02-30.jsonl',
    'dialog/a/b/2026-01-01.jsonl',
    'dialog/../2026-01-01.jsonl',
    'memory/today.md',
    'memory/2026-1-1.md',
    'memory.md',
    'constructor/a.txt',
    '__proto__/a.txt',
    'C:\\a',
    'file:///etc/passwd',
    'https://x.y/z',
  ])('%j is none of ours', text => {
    expect(parsePath(text)).toBeUndefined()
  })

  it('never throws, and what it takes it gives back', () => {
    const part = fc.oneof(
      fc.constantFrom(
        '..',
        '.',
        '',
        'tool_result',
        'dialog',
        'memory',
        'workspace',
        '2026-01-01.jsonl',
        'a.txt',
        '2026-01-01.md',
      ),
      anyText,
    )
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 5 }).map(parts => parts.join('/')),
        text => {
          const path = parsePath(text)
          if (path) expect([text, text.replace(/^\.\//, '')]).toContain(pathOf(path))
        },
      ),
      runs(500),
    )
  })
})

describe('the text of a path', () => {
  const [question, answer, result] = pathOfEntries([
    u('q'),
    a('text', [call('c1', '{"a": "b\\n"}'), call('c2')]),
    r('c1', 'out'),
  ]) as FactEntry[]

  it('is that of the fact, and nothing for another kind', () => {
    expect([
      textAtPath(question!, 'user_text'),
      textAtPath(answer!, 'answer'),
      textAtPath(result!, 'tool_result'),
    ]).toEqual(['q', 'text', 'out'])
    expect([textAtPath(question!, 'answer'), textAtPath(answer!, 'tool_result'), textAtPath(result!, 'call')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('gives the calls as JSON, one a line, with the arguments as they were written', () => {
    const text = textAtPath(answer!, 'call') ?? ''
    expect(JSON.parse(text)).toEqual([
      { id: 'c1', name: 'tool', arguments: '{"a": "b\\n"}' },
      { id: 'c2', name: 'tool', arguments: '{}' },
    ])
    expect(text.split('\n')).toHaveLength(5)
  })
})
