/** What must hold for the rows of chats and for answers that are being written, in every store. */
import type { Id } from '../core/log/entry.ts'
import { answered, asked, chatInfo, fails, noon, noted, same, withChats, type StoreLaw } from './log-store.fixture.ts'

export const sessionLaws: StoreLaw[] = [
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
