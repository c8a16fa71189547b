/** What must hold for every store. Each law gets an empty store; it runs in Node and in a browser alike. */
import type { Entry, Id } from '../core/log/entry.ts'
import { documentLaws } from './document.laws.ts'
import {
  answered,
  asked,
  chatInfo,
  fails,
  many,
  noon,
  noted,
  remembered,
  same,
  withChats,
  type StoreLaw,
} from './log-store.fixture.ts'
import { textLaws } from './text.laws.ts'

const ids = (rows: readonly { entry: Entry }[]): Id[] => rows.map(row => row.entry.id)
const placedIds = (found: readonly { row: { entry: Entry } }[]): Id[] => found.map(({ row }) => row.entry.id)
const gone = { day: '2026-01-09', why: 'deleted by you' }

const logLaws: StoreLaw[] = [
  {
    name: 'keeps the order of appending and numbers it',
    async hold(store) {
      await withChats(store, 'a')
      await store.append('a', [asked('1'), noted('2'), answered('3')])
      await store.append('a', [asked('4')])
      const rows = await store.read('a')
      same(ids(rows), ['1', '2', '3', '4'])
      same(
        rows.map(row => row.seq),
        [0, 1, 2, 3],
      )
      same(
        rows.map(row => row.line),
        [1, null, 2, 3],
        'lines: facts only',
      )
      same(ids(await store.read('a', { from: 1, limit: 2 })), ['2', '3'])
      same(ids(await store.read('a', { from: 9 })), [])
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
      same(ids(await store.append('b', [asked('2')])), ['2'])
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
    name: 'moves the leaf to the last entry, unless told to keep it, the time only forward, and counts',
    async hold(store) {
      await store.createSession(chatInfo('a', { updatedAt: noon(2) }))
      await store.append('a', [asked('1', 'hi', noon(3)), noted('2', 'n', noon(4))])
      same(await store.session('a'), chatInfo('a', { leaf: '2', updatedAt: noon(4), size: 2 }))
      await store.append('a', [asked('3', 'old', noon(1))], { keepLeaf: true })
      same(await store.session('a'), chatInfo('a', { leaf: '2', updatedAt: noon(4), size: 3 }))
      await store.append('a', [])
      same((await store.session('a'))?.leaf, '2')
    },
  },
  {
    name: 'changes the row of a chat together with an append, or not at all',
    async hold(store) {
      await store.createSession(chatInfo('a', { updatedAt: noon(2), draft: 'd' }))
      await store.append('a', [asked('1'), asked('2')], {
        keepLeaf: true,
        changes: { leaf: '1', unfinishedImport: '1', draft: undefined },
      })
      const { draft: _draft, ...without } = chatInfo('a', {
        leaf: '1',
        unfinishedImport: '1',
        updatedAt: noon(2),
        size: 2,
      })
      same(await store.session('a'), without)
      await fails(store.append('a', [asked('1')], { keepLeaf: true, changes: { leaf: '2' } }), 'bad_input')
      same(await store.session('a'), without)
      await store.append('a', [asked('3')], { changes: { leaf: '1', title: 't' } })
      same(await store.session('a'), { ...without, title: 't', leaf: '3', size: 3 })
    },
  },
  {
    name: 'creates a chat with its first entries, or neither, and knows whose ids are taken',
    async hold(store) {
      await withChats(store, 'a')
      await store.append('b', [asked('1', 'hi', noon(3)), asked('2', 'ho', noon(4))], {
        keepLeaf: true,
        create: chatInfo('b', { leaf: '1', updatedAt: noon(2) }),
      })
      same(await store.session('b'), chatInfo('b', { leaf: '1', updatedAt: noon(4), size: 2 }))
      await fails(store.append('b', [asked('3')], { create: chatInfo('b') }), 'bad_input')
      await fails(store.append('c', [asked('2')], { create: chatInfo('c') }), 'bad_input')
      await fails(store.append('d', [asked('4')], { create: chatInfo('c') }), 'not_found')
      await store.append('e', [], { create: chatInfo('e') })
      same((await store.sessions()).map(({ id }) => id).sort(), ['a', 'b'])
      same([...(await store.knownIds(['4', '2', '1', '3']))].sort(), ['1', '2'])
      same((await store.knownIds([])).size, 0)
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
      same(ids(await store.read('a')), ['1', '2', '3', '4', '5'])
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
  {
    name: 'a partial is overwritten, lives until an answer is appended, and can be dropped',
    async hold(store) {
      await withChats(store, 'a', 'b')
      const partial = (session: Id, text: string) => ({
        session,
        parent: '1',
        at: noon(2),
        text,
        reasoning: 'r',
        calls: [{ id: 'c', name: 'n', arguments: '{' }],
        model: 'm',
        local: false,
      })
      await store.savePartial(partial('a', 'one'))
      await store.savePartial(partial('a', 'one two'))
      await store.savePartial(partial('b', 'else'))
      same(await store.partial('a'), partial('a', 'one two'))
      await store.append('a', [asked('1'), noted('2')])
      same((await store.partial('a'))?.text, 'one two', 'a question does not end it')
      await store.append('a', [answered('3')])
      same(await store.partial('a'), undefined)
      same((await store.partial('b'))?.text, 'else')
      await store.dropPartial('b')
      same(await store.partial('b'), undefined)
      await store.dropPartial('b')
    },
  },
  {
    name: 'lists chats newest first, changes fields and removes them',
    async hold(store) {
      await store.createSession(chatInfo('old', { updatedAt: noon(1), config: { max_input_length: 9 } }))
      await store.createSession(chatInfo('new', { updatedAt: noon(5), model: 'm', draft: '草稿' }))
      same(
        (await store.sessions()).map(info => info.id),
        ['new', 'old'],
      )
      await store.updateSession('new', { title: '新标题', titled: true, model: undefined, allowed: ['fetch_url'] })
      same(
        await store.session('new'),
        chatInfo('new', { updatedAt: noon(5), draft: '草稿', title: '新标题', titled: true, allowed: ['fetch_url'] }),
      )
      same('model' in (await store.session('new'))!, false)
      const info = (await store.session('old'))!
      info.config!['max_input_length'] = 1
      same((await store.session('old'))?.config, { max_input_length: 9 }, 'what came out is a copy')
      await store.updateSession('old', { leaf: 'x' })
      same((await store.session('old'))?.leaf, 'x')
    },
  },
]

export const storeLaws: StoreLaw[] = [...logLaws, ...textLaws, ...documentLaws]
