import { describe, expect, it } from 'vitest'
import { identifiersIn } from './identifiers.ts'
import { dialogGuide, guideUpTo } from '../compaction/guide.ts'
import type { ArchivePlace } from '../../log/entry.ts'
import { summaryUser } from './summarize.fixture.ts'

const named = (text: string, kind?: string): string[] =>
  identifiersIn(text)
    .filter(one => kind === undefined || one.kind === kind)
    .map(one => one.text)

describe('identifiersIn', () => {
  it.each<[string, string, string[]]>([
    [
      'path',
      'See src/core/a.ts:12, ./run.sh, ~/notes/x, /etc/hosts, C:\\Temp\\x.log and report.pdf.',
      ['src/core/a.ts:12', './run.sh', '~/notes/x', '/etc/hosts', 'C:\\Temp\\x.log', 'report.pdf'],
    ],
    ['url', 'Open https://x.example/a?b=1&c=2, mail me@x.example.', ['https://x.example/a?b=1&c=2', 'me@x.example']],
    [
      'hash',
      'Commit 3fa9c1d and 123e4567-e89b-12d3-a456-426614174000, sha256:0a1b2c3d4e, 0xdeadbeef.',
      ['3fa9c1d', '123e4567-e89b-12d3-a456-426614174000', 'sha256:0a1b2c3d4e', '0xdeadbeef'],
    ],
    [
      'number',
      'It took 30 GB, 12.5 % and €1,200.50 on 2026-03-02 at 14:30, v2.3.1 on 10.0.0.1:8080, ticket OPS-12.',
      ['30 GB', '12.5 %', '€1,200.50', '2026-03-02', '14:30', 'v2.3.1', '10.0.0.1:8080', 'OPS-12'],
    ],
    ['number', '预算3000元,5个人,2026年3月2日,延迟200毫秒。', ['3000元', '5个人', '2026年', '3月', '2日', '200毫秒']],
    [
      'error',
      'It says "connection refused by host".\nTypeError: x is undefined\nHTTP 404, ECONNRESET, exit code 137',
      ['connection refused by host', 'TypeError: x is undefined', 'HTTP 404', 'ECONNRESET', 'exit code 137'],
    ],
    [
      'code',
      'Call fooBar(), foo_bar, FooBar, MAX_SIZE, --force, a.bC and Map.get(key).',
      ['fooBar()', 'foo_bar', 'FooBar', 'MAX_SIZE', '--force', 'a.bC', 'Map.get'],
    ],
  ])('finds a %s in: %s', (kind, text, expected) => {
    expect(named(text, kind).sort()).toEqual([...expected].sort())
  })

  it('finds nothing in prose', () => {
    expect(
      named('We and/or they went home, he/she was well-known. It was 5 to 6, i.e. nothing. Why? No! 他们回家了。'),
    ).toEqual([])
  })

  it('names each once', () => {
    expect(named('a.ts a.ts b.ts a.ts')).toEqual(['a.ts', 'b.ts'])
  })
})

describe('dialogGuide', () => {
  it('names the first and last line of each day, days in order, what has no place passed over', () => {
    const facts = ['a', 'b', 'c', 'd', 'e'].map(id => summaryUser(id, 'x'))
    const at = (day: string, line: number, ownLine: number): ArchivePlace => ({ day, line, session: 's', ownLine })
    const places = new Map([
      ['a', at('2026-03-02', 7, 4)],
      ['b', at('2026-03-02', 4, 1)],
      ['c', at('2026-03-01', 90, 3)],
      ['e', at('2026-03-02', 12, 9)],
    ])
    expect(dialogGuide(facts, id => places.get(id))).toEqual([
      { path: 'dialog/2026-03-01.jsonl', from: 90, to: 90 },
      { path: 'dialog/2026-03-02.jsonl', from: 4, to: 12 },
    ])
    expect(dialogGuide([], () => undefined)).toEqual([])
  })

  it('names the file of the chat alone where lines of other chats lie between', () => {
    const places = new Map<string, ArchivePlace>([
      ['a', { day: '2026-03-02', line: 4, session: 's', ownLine: 2 }],
      ['b', { day: '2026-03-02', line: 6, session: 's', ownLine: 3 }],
    ])
    const facts = ['a', 'b'].map(id => summaryUser(id, 'x'))
    expect(dialogGuide(facts, id => places.get(id))).toEqual([{ path: 'dialog/s/2026-03-02.jsonl', from: 2, to: 3 }])
    expect(dialogGuide(facts.slice(1), id => places.get(id))).toEqual([
      { path: 'dialog/2026-03-02.jsonl', from: 6, to: 6 },
    ])
  })

  it('is the same for a log that grew, also for a shorter part of it and for places that come late', () => {
    const log = Array.from({ length: 40 }, (_, n) => summaryUser(`f${n}`, 'x'))
    const places = new Map<string, ArchivePlace>()
    const place = (id: string): ArchivePlace | undefined => places.get(id)
    for (const to of [5, 12, 12, 40, 3, 30, 40]) {
      for (const [at, { id }] of log.slice(0, to - 2).entries())
        places.set(id, {
          day: `2026-03-0${1 + (at % 3)}`,
          line: 1 + ((at * 7) % 40),
          session: 's',
          ownLine: 1 + ((at * 7) % 40),
        })
      expect(guideUpTo(log, to, place)).toEqual(dialogGuide(log.slice(0, to), place))
    }
  })
})
