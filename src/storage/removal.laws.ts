/** What must hold of what is removed, in every store: words go, tombstones and numbers stay. */
import type { Entry } from '../core/log/entry.ts'
import {
  answered,
  asked,
  chatInfo,
  fails,
  noon,
  same,
  withChats,
  rowIds,
  placedIds,
  gone,
  type StoreLaw,
} from './log-store.fixture.ts'

export const removalLaws: StoreLaw[] = [
  {
    name: 'blanking takes the texts, leaves tombstones and every number',
    async hold(store) {
      await withChats(store, 'a', 'b')
      const result: Entry = {
        id: 'r',
        parent: '1',
        at: noon(2),
        type: 'result',
        callId: 'c',
        tool: 'fetch_url',
        text: 'head',
        tail: 'tail',
        isError: false,
        rest: { bytes: 999, lines: 9 },
      }
      await store.append('a', [asked('1', '问'), answered('2'), result], { texts: [{ entry: 'r', text: 'whole' }] })
      await store.append('b', [asked('3')])
      await store.removeTexts(['1', 'r'], gone)
      same(
        (await store.read('a')).map(row => [row.seq, row.line]),
        [
          [0, 1],
          [1, 2],
          [2, 3],
        ],
      )
      same((await store.find('1'))?.row.entry, {
        id: '1',
        parent: null,
        at: noon(2),
        type: 'user',
        text: '',
        gone: { ...gone, bytes: 3 },
      })
      same((await store.find('r'))?.row.entry, {
        id: 'r',
        parent: '1',
        at: noon(2),
        type: 'result',
        callId: 'c',
        tool: 'fetch_url',
        text: '',
        isError: false,
        gone: { ...gone, bytes: 999 },
      })
      same(await store.text('r', 'all'), undefined)
      same(placedIds(await store.lines('2026-01-02', 1, 9)), ['1', '2', 'r', '3'])
      await store.removeTexts(['1'], { day: '2026-02-02', why: 'twice' })
      same((await store.find('1'))?.row.entry.gone, { ...gone, bytes: 3 }, 'the first tombstone stays')
      await fails(store.removeTexts(['2', 'nothing'], gone), 'not_found')
      same((await store.find('2'))?.row.entry.gone, undefined, 'all or nothing')
      await store.append('a', [asked('5')])
      same((await store.find('5'))?.row.line, 5)
    },
  },
  {
    name: 'blanking takes the words of answers, calls, summaries, notes, memory and foreign lines',
    async hold(store) {
      await withChats(store, 'a')
      const secret = 'SECRET'
      const base = { parent: null, at: noon(2) }
      await store.append('a', [
        {
          ...base,
          id: '1',
          type: 'assistant',
          text: secret,
          reasoning: secret,
          details: { from: 'm', value: [{ data: secret }] },
          calls: [{ id: 'c', name: 'get_time', arguments: `{"a":"${secret}"}` }],
          model: 'm',
          local: true,
          stop: 'calls',
        },
        {
          ...base,
          id: '2',
          group: 'g',
          type: 'summary',
          of: 'x',
          text: secret,
          by: 'person',
          place: 'own message',
          guide: [],
          covers: { first: '1', last: '1' },
          stats: { entries: 1, before: 1, after: 1, ms: 1 },
        },
        { ...base, id: '3', type: 'note', code: 'command', text: secret, data: { secret } },
        { ...base, id: '4', type: 'memory', text: secret },
        { ...base, id: '5', type: 'foreign', raw: secret },
      ])
      await store.removeTexts(['1', '2', '3', '4', '5'], gone)
      const left = JSON.stringify([await store.read('a'), await store.memories()])
      same(left.includes(secret), false)
      same(
        left.includes('"callId"') || left.includes('"id":"c","name":"get_time"'),
        true,
        'the call keeps its id and name',
      )
      same(rowIds(await store.read('a')), ['1', '2', '3', '4', '5'])
    },
  },
  {
    name: 'deleting a chat blanks it, keeps its lines, and leaves the others whole',
    async hold(store) {
      await withChats(store, 'a', 'b')
      await store.append('a', [asked('1'), answered('2')])
      await store.append('b', [asked('3')])
      await store.savePartial({
        session: 'a',
        parent: null,
        at: 1,
        text: 'half',
        reasoning: '',
        calls: [],
        model: 'm',
        local: true,
      })
      await store.removeSession('a', gone)
      same(
        (await store.sessions()).map(info => info.id),
        ['b'],
      )
      same(await store.session('a'), undefined)
      same(await store.partial('a'), undefined)
      const lines = await store.lines('2026-01-02', 1, 9)
      same(
        lines.map(({ row }) => [row.entry.id, row.line, row.entry.gone?.why]),
        [
          ['1', 1, gone.why],
          ['2', 2, gone.why],
          ['3', 3, undefined],
        ],
      )
      await fails(store.createSession(chatInfo('b')), 'bad_input')
    },
  },
]
