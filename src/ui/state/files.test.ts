import { describe, expect, it } from 'vitest'
import { sessionLine } from '../../core/log/file-format/jsonl.ts'
import { attachLimit } from './draft/compose.ts'
import { MessageDraft } from './draft/message-draft.svelte.ts'
import { readDrop, accepts, meansFiles } from '../files/dropped.ts'
import { filesInFolders } from '../files/folder.ts'
import type { FilesPage, FileIntent } from './report.ts'
import { attachForeign, mostFiles, takeFiles } from './take-files.ts'

const bytes = (...values: (number | string)[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    values.flatMap(value => (typeof value === 'number' ? [value] : [...value].map(sign => sign.charCodeAt(0)))),
  )
const file = (name: string, content: BlobPart, type = ''): File => new File([content], name, { type })

const header = sessionLine({ id: 's', name: 'x', createdAt: 1 })
/** Of a program whose exports are not read. */
const grok = JSON.stringify({ conversations: [{ conversation: { id: 'x' }, responses: [] }] })
const chatgpt = JSON.stringify([{ title: 'x', mapping: { r: { id: 'r', message: null, parent: null, children: [] } } }])

/** What of the page the taking of files touches. */
function page({ route = 'chat', dialog = false, reports = {} as Record<string, object | undefined> } = {}) {
  const imported: string[] = []
  const looked: string[] = []
  const opened: string[] = []
  const session = {
    id: 's1',
    state: 'open',
    unstored: false,
    draft: new MessageDraft(),
    drafting: false,
    saveDraft: () => {},
  }
  const shell = {
    files: null,
    route: { page: route, id: 's1' },
    dialog: dialog ? { name: 'settings' } : null,
    sheet: null,
    session: route === 'start' ? undefined : session,
    focusMessageBox: () => {},
    lookIntoExports: (files: readonly File[]) => {
      looked.push(...files.map(({ name }) => name))
    },
    newChat: () => {
      shell.session = session
      opened.push('new')
    },
    open: (id: string) => {
      opened.push(id)
    },
    library: {
      transfer: null as object | null,
      import: async ({ name }: File) => {
        imported.push(name)
        const report =
          name in reports
            ? reports[name]
            : { entries: 2, messages: 2, skipped: 0, sessions: ['in'], versions: [], documents: [], problems: [] }
        if (report === undefined)
          shell.library.transfer = { what: 'import', state: 'failed', code: 'bad_input', message: 'It is damaged' }
        return report
      },
    },
  }
  const take = (files: readonly File[], wish: FileIntent = 'either', folders: readonly FileSystemEntry[] = []) =>
    takeFiles(shell as unknown as FilesPage, { files, folders, text: '' }, wish)
  const report = () => (shell as unknown as FilesPage).files
  return {
    shell: shell as unknown as FilesPage,
    take,
    report,
    imported,
    opened,
    looked,
    draft: session.draft,
    names: () => session.draft.attached.map(({ name }) => name),
  }
}

describe('what is dropped on the page', () => {
  it('goes where it belongs, and what cannot is named once with its reason', async () => {
    const { take, report, imported, names, opened, looked } = page()
    await take([
      file('notes.md', '# Notes'),
      file('photo.png', bytes(0x89, 'PNG')),
      file('chat.jsonl', header),
      file('b.heic', bytes(0, 0, 0, 24, 'ftypheic')),
      file('all.7z', bytes('7z', 0xbc, 0xaf, 0x27, 0x1c)),
      file('export.zip', bytes('PK', 3, 4)),
      file('grok.json', grok),
      file('conversations.json', chatgpt),
    ])
    expect(names()).toEqual(['notes.md'])
    expect(looked).toEqual(['export.zip', 'conversations.json']) // together: one export may be in several files
    expect(imported).toEqual(['chat.jsonl'])
    expect(opened).toEqual([]) // the text waits in this chat
    expect(report()?.refused).toEqual([
      { name: 'photo.png', why: 'picture' },
      { name: 'b.heic', why: 'picture' },
      { name: 'all.7z', why: 'packed' },
    ])
    expect(report()?.foreign).toMatchObject([{ app: 'grok' }])
    expect(report()?.imported).toEqual([{ name: 'chat.jsonl', said: '2 messages imported', failed: false }])
  })

  it('says nothing where all of it can be seen', async () => {
    const { take, report, names } = page()
    await take([file('a.txt', 'a'), file('b.txt', 'b')])
    expect(names()).toEqual(['a.txt', 'b.txt'])
    expect(report()).toBeNull()
  })

  it('behind a dialog it says what it took', async () => {
    const { take, report } = page({ dialog: true })
    await take([file('a.txt', 'a')])
    expect(report()).toMatchObject({ attached: 1, refused: [] })
  })

  it('on the first page begins a chat, but not for what is not taken', async () => {
    const first = page({ route: 'start' })
    await first.take([file('photo.png', bytes(0x89, 'PNG'))])
    expect(first.opened).toEqual([])
    await first.take([file('a.txt', 'a')])
    expect(first.opened).toEqual(['new'])
    expect(first.names()).toEqual(['a.txt'])
    expect(first.report()).toBeNull()
    const archive = page({ route: 'archive' })
    await archive.take([file('a.txt', 'a')])
    expect(archive.opened).toEqual(['s1'])
  })

  it('an export of another program can be attached after all, and the rest of what was said stays', async () => {
    const { shell, take, report, names } = page()
    await take([file('grok.json', grok), file('photo.png', bytes(0x89, 'PNG'))])
    await attachForeign(shell, 'grok')
    expect(names()).toEqual(['grok.json'])
    expect(report()).toMatchObject({ foreign: [], refused: [{ name: 'photo.png', why: 'picture' }] })
  })

  it('of several imports each is told, also one that fails', async () => {
    const { take, report, imported } = page({ reports: { 'b.jsonl': undefined } })
    await take([file('a.jsonl', header), file('b.jsonl', header), file('c.jsonl', header)])
    expect(imported).toEqual(['a.jsonl', 'b.jsonl', 'c.jsonl'])
    expect(report()?.imported.map(({ said, failed }) => [said, failed])).toEqual([
      ['2 messages imported', false],
      ['It is damaged', true],
      ['2 messages imported', false],
    ])
  })

  it('no more is taken than a message can hold', async () => {
    const { take, report, names } = page()
    const large = file('large.txt', 'x')
    Object.defineProperty(large, 'size', { value: attachLimit + 1 })
    const half = (name: string): File => Object.defineProperty(file(name, 'x'), 'size', { value: attachLimit / 2 + 1 })
    await take([large, half('one.txt'), half('two.txt')])
    expect(names()).toEqual(['one.txt'])
    expect(report()?.refused).toEqual([
      { name: 'large.txt', why: 'too large' },
      { name: 'two.txt', why: 'together too large' },
    ])
    const many = page()
    await many.take(Array.from({ length: mostFiles + 2 }, (_, at) => file(`${at}.txt`, 'x')))
    expect(many.names()).toHaveLength(mostFiles)
    expect(many.report()?.refused).toEqual([
      { name: '100.txt', why: 'too many' },
      { name: '101.txt', why: 'too many' },
    ])
  })
})

describe('what is chosen', () => {
  it('to be attached is attached, also an export, but no ZIP', async () => {
    const { take, report, imported, names, looked } = page()
    await take([file('chat.jsonl', header), file('conversations.json', chatgpt)], 'attach')
    expect(names()).toEqual(['chat.jsonl', 'conversations.json'])
    expect([imported, looked, report()]).toEqual([[], [], null])
    await take([file('all.zip', bytes('PK', 3, 4))], 'attach')
    expect(report()?.refused).toEqual([{ name: 'all.zip', why: 'packed' }])
  })

  it('to be imported is imported; an export of another program is looked into first, or named', async () => {
    const { take, report, imported, names, looked } = page()
    await take(
      [
        file('conversations.json', chatgpt),
        file('grok.json', grok),
        file('table.jsonl', '{"a":1}\n{"a":2}'),
        file('packed.jsonl.gz', bytes(0x1f, 0x8b)),
      ],
      'import',
    )
    expect([imported, names()]).toEqual([['table.jsonl', 'packed.jsonl.gz'], []])
    expect(looked).toEqual(['conversations.json'])
    expect(report()?.foreign).toMatchObject([{ app: 'grok' }])
  })
})

it('words from elsewhere come behind what is typed, and long ones as an attachment', async () => {
  const { shell, draft } = page()
  const drop = (text: string) => takeFiles(shell, { files: [], folders: [], text }, 'either')
  await drop('https://example.org/a')
  draft.typed += ' is it'
  await drop('true?')
  expect(draft.typed).toBe('https://example.org/a is it true?')
  await drop('x'.repeat(30_000))
  expect(draft.attached).toMatchObject([{ name: 'dropped.txt', bytes: 30_000 }])
})

/** A folder as browsers give it. */
function folder(path: string, content: Record<string, string | null | object>): FileSystemEntry {
  const inner = Object.entries(content).map(([name, value]) =>
    typeof value === 'object' && value !== null
      ? folder(`${path}/${name}`, value as Record<string, string>)
      : ({
          name,
          fullPath: `${path}/${name}`,
          isDirectory: false,
          isFile: true,
          file: (give: (file: File) => void, fail: (error: Error) => void) => {
            if (value === null) fail(new Error('locked'))
            else give(file(name, value as string))
          },
        } as unknown as FileSystemEntry),
  )
  return {
    name: path.split('/').at(-1),
    fullPath: path,
    isDirectory: true,
    createReader: () => {
      const batches = [inner.slice(0, 1), inner.slice(1), []]
      return {
        readEntries: (give: (entries: FileSystemEntry[]) => void) => {
          give(batches.shift() ?? [])
        },
      }
    },
  } as unknown as FileSystemEntry
}

it('of a folder all texts are taken, by their paths; what programs keep in it is left out', async () => {
  const entry = folder('/project', {
    'b.md': 'b',
    'a.md': 'a',
    '.git': { config: 'x' },
    docs: { 'c.md': 'c' },
    'locked.md': null,
    'x.bin': '\0\0',
  })
  expect(await filesInFolders([entry], 2)).toMatchObject({ more: true })
  const { take, report, names } = page()
  await take([], 'either', [entry])
  expect(names()).toEqual(['project/a.md', 'project/b.md', 'project/docs/c.md'])
  expect(report()?.refused).toEqual([
    { name: 'project/x.bin', why: 'binary' },
    { name: 'project/.git', why: 'left out' },
    { name: 'project/locked.md', why: 'unreadable' },
  ])
})

/** Of a DataTransfer only what is asked. */
function transfer(given: { files?: File[]; data?: Record<string, string> }): DataTransfer {
  const { files = [], data = {} } = given
  return {
    files,
    types: [...Object.keys(data), ...(files.length > 0 ? ['Files'] : [])],
    getData: (type: string) => data[type] ?? '',
    items: [
      ...Object.keys(data).map(type => ({ kind: 'string', type })),
      ...files.map(one => ({ kind: 'file', getAsFile: () => one })),
    ],
  } as unknown as DataTransfer
}

it('a drop is read at once: files before words, the address of a link before its words', () => {
  const one = file('a.txt', 'a')
  expect(readDrop(transfer({ files: [one], data: { 'text/uri-list': 'file:///a.txt' } }))).toEqual({
    files: [one],
    folders: [],
    text: '',
  })
  expect(
    readDrop(transfer({ data: { 'text/uri-list': '# a link\r\nhttps://example.org/', 'text/plain': 'Example' } })).text,
  ).toBe('https://example.org/')
  expect(readDrop(null)).toEqual({ files: [], folders: [], text: '' })
  expect([
    accepts(null),
    accepts(transfer({ data: { 'application/x-other': '' } })),
    accepts(transfer({ files: [one] })),
  ]).toEqual([false, false, true])
})

it('a paste means its files where its text is only their names', () => {
  const files = [file('a.txt', 'a'), file('b.txt', 'b')]
  for (const pasted of ['', 'a.txt', 'a.txt\nb.txt', '/home/me/a.txt\r\nC:\\b.txt'])
    expect(meansFiles(pasted, files), pasted).toBe(true)
  for (const pasted of ['A1\tB1', 'see a.txt please', 'a.txt is new'])
    expect(meansFiles(pasted, files), pasted).toBe(false)
  expect(meansFiles('', [])).toBe(false)
})
