/** What must hold for documents, blobs, segments and settings in every store. */
import { asked, fails, noon, same, withChats, gone, type StoreLaw } from './log-store.fixture.ts'
import type { Entry, Id } from '../core/log/entry.ts'

export const documentLaws: StoreLaw[] = [
  {
    name: 'keeps every revision of a document and refuses a writer who has not seen the newest',
    async hold(store) {
      same(await store.saveDocument('MEMORY.md', 'one', 1, 0), 1)
      same(await store.saveDocument('MEMORY.md', '二', 2, 1), 2)
      await fails(store.saveDocument('MEMORY.md', 'late', 3, 1), 'busy')
      await fails(store.saveDocument('workspace/new.md', 'x', 3, 4), 'busy')
      same(await store.document('MEMORY.md'), { path: 'MEMORY.md', revision: 2, at: 2, text: '二', leaves: 'stays' })
      same((await store.document('MEMORY.md', 1))?.text, 'one')
      same(await store.document('MEMORY.md', 9), undefined)
      same(await store.document('nothing'), undefined)
    },
  },
  {
    name: 'two writers of one revision: one is refused',
    async hold(store) {
      const outcomes = await Promise.allSettled([
        store.saveDocument('d', 'a', 1, 0),
        store.saveDocument('d', 'b', 1, 0),
      ])
      same(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
      same((await store.document('d'))?.revision, 1)
    },
  },
  {
    name: 'lists documents by path with their newest revision and size in bytes',
    async hold(store) {
      await store.saveDocument('workspace/b/二.md', '中', 5, 0)
      await store.saveDocument('workspace/a.md', '', 6, 0)
      await store.saveDocument('MEMORY.md', 'x', 1, 0)
      await store.saveDocument('MEMORY.md', 'xyz', 2, 1)
      same(await store.documents(), [
        { path: 'MEMORY.md', revision: 2, at: 2, bytes: 3, leaves: 'stays' },
        { path: 'workspace/a.md', revision: 1, at: 6, bytes: 0, leaves: 'stays' },
        { path: 'workspace/b/二.md', revision: 1, at: 5, bytes: 3, leaves: 'stays' },
      ])
      same(
        (await store.documents('workspace/b')).map(({ path }) => path),
        ['workspace/b/二.md'],
      )
      await store.removeDocument('MEMORY.md')
      same(await store.document('MEMORY.md', 1), undefined)
      same(await store.documents('M'), [])
      same(await store.saveDocument('MEMORY.md', 'again', 9, 0), 1)
      await store.removeDocument('nothing')
    },
  },
  {
    name: 'keeps with each revision whether it may leave the device; what stays once stays, until the document is removed',
    async hold(store) {
      const marks = async () => (await store.documents()).map(({ path, leaves }) => `${path} ${leaves}`)
      await store.saveDocument('workspace/asks', 'a', 1, 0, 'asks')
      await store.saveDocument('workspace/b', 'b', 1, 0, 'stays')
      await store.saveDocument('workspace/c', 'c', 1, 0)
      same(await marks(), ['workspace/asks asks', 'workspace/b stays', 'workspace/c stays'])
      await store.saveDocument('workspace/asks', 'a', 2, 1, 'asks')
      await store.saveDocument('workspace/b', 'b', 2, 1, 'asks')
      same(await marks(), ['workspace/asks asks', 'workspace/b stays', 'workspace/c stays'])
      await store.saveDocument('workspace/asks', 'a', 3, 2, 'stays')
      same(
        [(await store.document('workspace/asks', 2))?.leaves, (await store.document('workspace/asks', 3))?.leaves],
        ['asks', 'stays'],
      )
      await store.markDocumentLocalOnly('workspace/asks')
      await store.markDocumentLocalOnly('nothing')
      same(
        [(await store.document('workspace/asks', 1))?.leaves, (await store.document('workspace/asks'))?.leaves],
        ['stays', 'stays'],
      )
      await store.removeDocument('workspace/b')
      await store.saveDocument('workspace/b', 'b', 3, 0, 'asks')
      same(await marks(), ['workspace/asks stays', 'workspace/b asks', 'workspace/c stays'])
    },
  },
  {
    name: 'keeps blobs byte for byte until no entry names them',
    async hold(store) {
      await withChats(store, 'a')
      const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256)
      const question = (id: Id): Entry =>
        ({ ...asked(id), attachments: [{ name: 'p', mime: 'image/png', bytes: 3, blob: 'b' }] }) as Entry
      await store.putBlob('b', 'image/png', bytes.subarray(10, 60_000))
      await store.append('a', [question('1'), question('2')])
      same(await store.blob('b'), { mime: 'image/png', bytes: bytes.slice(10, 60_000) })
      await store.removeTexts(['1'], gone)
      same((await store.blob('b'))?.bytes.length, 59_990, 'the other question still shows it')
      await store.removeTexts(['2'], gone)
      same(await store.blob('b'), undefined)
      same(await store.blob('nothing'), undefined)
    },
  },
  {
    name: 'keeps segments of the search index until they are removed',
    async hold(store) {
      await store.addSegment({ id: 's1', facts: 2, bytes: new Uint8Array([1, 2, 255]) })
      await store.addSegment({ id: 's2', facts: 0, bytes: new Uint8Array(0) })
      same(
        (await store.segments()).map(({ id, facts, bytes }) => [id, facts, [...bytes]]),
        [
          ['s1', 2, [1, 2, 255]],
          ['s2', 0, []],
        ],
      )
      await store.removeSegment('s1')
      await store.removeSegment('nothing')
      same(
        (await store.segments()).map(({ id }) => id),
        ['s2'],
      )
      same([(await store.segments('s1')).length, (await store.segments('s2')).length], [1, 0])
    },
  },
  {
    name: 'keeps small values by key; undefined removes one',
    async hold(store) {
      const value = { list: [1, 'zwei', { drei: null }], when: noon(2), yes: true }
      await store.saveSetting('k', value)
      await store.saveSetting('null', null)
      same(await store.setting('k'), value)
      same(await store.setting('null'), null)
      await store.saveSetting('k', undefined)
      same(await store.setting('k'), undefined)
      same(await store.setting('nothing'), undefined)
    },
  },
]
