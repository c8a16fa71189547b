/** What must hold for every store. Each law gets an empty store; it runs in Node and in a browser alike. */
import type { Entry } from '../core/log/entry.ts'
import { documentLaws } from './document.laws.ts'
import {
  answered,
  asked,
  fails,
  many,
  noon,
  noted,
  remembered,
  same,
  withChats,
  rowIds,
  placedIds,
  gone,
  type StoreLaw,
} from './log-store.fixture.ts'
import { removalLaws } from './removal.laws.ts'
import { sessionLaws } from './session.laws.ts'
import { textLaws } from './text.laws.ts'

const logLaws: StoreLaw[] = [
  {
    name: 'keeps the order of appending and numbers it',
    async hold(store) {
      await withChats(store, 'a')
      await store.append('a', [asked('1'), noted('2'), answered('3')])
      await store.append('a', [asked('4')])
      const rows = await store.read('a')
      same(rowIds(rows), ['1', '2', '3', '4'])
      same(
        rows.map(row => row.seq),
        [0, 1, 2, 3],
      )
      same(
        rows.map(row => row.line),
        [1, null, 2, 3],
        'lines: facts only',
      )
      same(rowIds(await store.read('a', { from: 1, limit: 2 })), ['2', '3'])
      same(rowIds(await store.read('a', { from: 9 })), [])
      same(await store.count('a'), 4)
      same(await store.count('nobody'), 0)
    },
  },
  {
    name: 'gives back every field of every kind of entry as it was',
    async hold(store) {
      await withChats(store, 'a')
      const base = { parent: 'p', at: noon(2), group: 'g' }
      const entries: Entry[] = [
        {
          id: 'u',
          parent: null,
          at: noon(2),
          type: 'user',
          text: 'see',
          attachments: [{ name: 'a.png', mime: 'image/png', bytes: 4, blob: 'b' }],
        },
        {
          ...answered('as'),
          reasoning: 'hm',
          details: {
            from: 'm',
            value: [{ type: 'reasoning.encrypted', data: 'x', n: 1.5, list: [null, { deep: true }] }],
          },
          calls: [{ id: 'c', name: 'get_time', arguments: '{ "a":1 }' }],
          usage: { input: 3, output: 4 },
        } as Entry,
        {
          id: 'r',
          parent: 'as',
          at: noon(2),
          type: 'result',
          callId: 'c',
          tool: 'get_time',
          text: 'noon',
          isError: false,
          tail: 'x',
          rest: { bytes: 200_000, lines: 3 },
        },
        {
          id: 'sh',
          ...base,
          type: 'shorten',
          target: 'r',
          keep: 10,
          unit: 'bytes',
          headShare: 70,
          path: 'tool_result/r.txt',
        },
        { id: 'st', ...base, type: 'strip', before: null },
        { id: 'cu', ...base, type: 'cut', before: 'r', pin: 'u', reason: 'compact' },
        {
          id: 'su',
          ...base,
          type: 'summary',
          of: 'cu',
          text: 'so far',
          by: 'model',
          place: 'own message',
          guide: [{ path: 'dialog/2026-01-02.jsonl', from: 1, to: 2 }],
          covers: { first: 'u', last: 'as' },
          stats: { entries: 2, before: 10, after: 5, ms: 7 },
        },
        { id: 'pi', ...base, type: 'pin', target: 'u', on: true },
        { id: 'un', ...base, type: 'undo', target: 'g' },
        { ...noted('no'), tokens: 3, data: { left: [1, { two: null }] } } as Entry,
        { ...remembered('me', 'likes tea'), supersedes: 'x', cut: 'cu', since: 'cl' } as Entry,
        { id: 'fo', parent: null, at: noon(2), type: 'foreign', raw: '{"type":"odd"}' },
      ]
      await store.append('a', entries)
      same(
        (await store.read('a')).map(row => row.entry),
        entries,
      )
      same(await store.find('su'), { session: 'a', row: { entry: entries[6], seq: 6, day: '2026-01-02', line: null } })
      same(await store.find('nothing'), undefined)
    },
  },
  {
    name: 'appends all or nothing: a known id refuses the whole of it',
    async hold(store) {
      await withChats(store, 'a', 'b')
      await store.append('a', [asked('1')])
      await fails(store.append('b', [asked('2'), asked('1')], { texts: [{ entry: '2', text: 'long' }] }), 'bad_input')
      await fails(store.append('b', [asked('3'), asked('3')]), 'bad_input')
      await fails(store.append('b', [asked('4')], { texts: [{ entry: 'other', text: 'long' }] }), 'bad_input')
      same(await store.read('b'), [])
      same(await store.text('2', 'all'), undefined)
      same((await store.session('b'))?.leaf, null)
      same(await store.days(), [{ day: '2026-01-02', lines: 1 }], 'no line was spent')
      same(rowIds(await store.append('b', [asked('2')])), ['2'])
    },
  },
  {
    name: 'refuses a chat that is not there, and stores nothing for it',
    async hold(store) {
      await fails(store.append('nobody', [asked('1')]), 'not_found')
      await fails(store.updateSession('nobody', { title: 'x' }), 'not_found')
      await fails(store.removeSession('nobody', gone), 'not_found')
      same(await store.find('1'), undefined)
    },
  },
  {
    name: 'two writers cannot interleave',
    async hold(store) {
      await withChats(store, 'a', 'b')
      await Promise.all(
        ['x', 'y', 'z'].flatMap(writer => [
          store.append('a', many(`${writer}a`, 40)),
          store.append('b', many(`${writer}b`, 40)),
        ]),
      )
      for (const session of ['a', 'b']) {
        const rows = await store.read(session)
        same(
          rows.map(row => row.seq),
          rows.map((_, index) => index),
        )
        const writers = rows.map(row => row.entry.id[0]!)
        same(writers.filter((writer, index) => writer !== writers[index - 1]).length, 3, 'blocks')
      }
      const lines = await store.lines('2026-01-02', 1, 1000)
      same(
        lines.map(({ row }) => row.line),
        lines.map((_, index) => index + 1),
      )
      same(lines.length, 240)
    },
  },
  {
    name: 'one of two appends with the same id is refused',
    async hold(store) {
      await withChats(store, 'a', 'b')
      const outcomes = await Promise.allSettled([
        store.append('a', [asked('1'), asked('2')]),
        store.append('b', [asked('2'), asked('3')]),
      ])
      same(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
      same((await store.count('a')) + (await store.count('b')), 2)
    },
  },
  {
    name: 'numbers the facts of a day over all chats, once and for ever',
    async hold(store) {
      await withChats(store, 'a', 'b')
      await store.append('a', [asked('1'), noted('n'), answered('2')])
      await store.append('b', [asked('3'), asked('4', 'x', noon(3))])
      await store.append('a', [asked('5')])
      same(placedIds(await store.lines('2026-01-02', 1, 99)), ['1', '2', '3', '5'])
      same(placedIds(await store.lines('2026-01-02', 2, 3)), ['2', '3'])
      same(placedIds(await store.lines('2026-01-02', -5, 1)), ['1'])
      same(placedIds(await store.lines('2026-01-02', 3, 2)), [])
      same(
        (await store.lines('2026-01-02', 3, 3)).map(({ session, row }) => [session, row.line]),
        [['b', 3]],
      )
      same(placedIds(await store.lines('2026-01-02', 1, 99, 'a')), ['1', '2', '5'])
      same(placedIds(await store.lines('2026-01-02', 3, 3, 'a')), ['5'], 'numbered within its chat')
      same(placedIds(await store.lines('2026-01-02', 2, 9, 'b')), [])
      same(await store.days(), [
        { day: '2026-01-02', lines: 4 },
        { day: '2026-01-03', lines: 1 },
      ])
      same(await store.days('a'), [{ day: '2026-01-02', lines: 3 }])
      same(await store.days('b'), [
        { day: '2026-01-02', lines: 1 },
        { day: '2026-01-03', lines: 1 },
      ])
      await store.append('b', [asked('late', 'imported', noon(2))])
      same(
        placedIds(await store.lines('2026-01-02', 4, 5)),
        ['5', 'late'],
        'a later import stands at the end of its day',
      )
    },
  },
  {
    name: 'finds memory of a day and of all days, oldest first',
    async hold(store) {
      await withChats(store, 'b', 'a')
      await store.append('b', [remembered('3', 'later', noon(2, 9)), asked('q')])
      await store.append('a', [remembered('1', '早上喝茶', noon(2, 1)), remembered('4', 'third', noon(3))])
      same(placedIds(await store.memories('2026-01-02')), ['1', '3'])
      same(placedIds(await store.memories()), ['1', '3', '4'])
      same(await store.memories('2026-01-07'), [])
    },
  },
]

export const storeLaws: StoreLaw[] = [...logLaws, ...sessionLaws, ...removalLaws, ...textLaws, ...documentLaws]
