import { describe, expect, it } from 'vitest'
import { sessionLine } from '../../core/log/file-format/jsonl.ts'
import { fileKindOf } from './file-kind.ts'

const bytes = (...values: (number | string)[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    values.flatMap(value => (typeof value === 'number' ? [value] : [...value].map(sign => sign.charCodeAt(0)))),
  )
const file = (name: string, content: BlobPart, type = ''): File => new File([content], name, { type })

const header = sessionLine({ id: 's', name: 'x', createdAt: 1 })
const chatgpt = JSON.stringify([{ title: 'x', mapping: { r: { id: 'r', message: null, parent: null, children: [] } } }])

describe('a file is what its bytes say', () => {
  const heic = bytes(0, 0, 0, 24, 'ftypheic', 0, 0, 0, 0, 'mif1heic')
  it.each([
    ['photo.png', bytes(0x89, 'PNG\r\n', 0x1a, 10), 'picture'],
    ['photo.jpg', bytes(0xff, 0xd8, 0xff, 0xe0), 'picture'],
    ['IMG_1.HEIC', heic, 'picture'],
    ['x.webp', bytes('RIFF', 1, 2, 3, 4, 'WEBP'), 'picture'],
    ['x.gif', bytes('GIF89a'), 'picture'],
    ['paper.pdf', bytes('%PDF-1.7\n'), 'pdf'],
    ['letter.docx', bytes('PK', 3, 4, 20, 0), 'document'],
    ['old.doc', bytes(0xd0, 0xcf, 0x11, 0xe0), 'document'],
    ['empty.zip', bytes('PK', 5, 6, 0, 0), 'packed'],
    ['chat.jsonl.gz', bytes(0x1f, 0x8b, 8), 'packed'],
    ['x.7z', bytes('7z', 0xbc, 0xaf, 0x27, 0x1c), 'packed'],
    ['x.rar', bytes('Rar!', 0x1a, 7), 'packed'],
    ['song.mp3', bytes('ID3', 3, 0), 'sound or film'],
    ['film.mp4', bytes(0, 0, 0, 24, 'ftypisom'), 'sound or film'],
    ['x.wav', bytes('RIFF', 1, 2, 3, 4, 'WAVE'), 'sound or film'],
    ['small.gguf', bytes('GGUF', 3, 0, 0, 0), 'model'],
    ['a.sqlite', bytes('SQLite format 3', 0), 'binary'],
    ['a.bin', bytes(1, 2, 0, 3, 0, 0, 5), 'binary'],
    ['empty.txt', '', 'empty'],
    ['gbk.txt', bytes(...Array.from({ length: 40 }, () => [0xc4, 0xe3, 0xba, 0xc3]).flat()), 'encoding'],
  ])('%s', async (name, content, why) => {
    expect(await fileKindOf(file(name, content))).toEqual({ is: 'refused', why })
  })

  it('a text is one whatever it is called, and whatever the browser takes it for', async () => {
    for (const one of [
      file('main.ts', 'export const a = 1', 'video/mp2t'),
      file('drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'),
      file('package.json', '{"name":"x"}', 'application/json'),
      file('README', 'x'),
      file('log.txt', bytes('line\n'.repeat(2_000), 0xff)),
    ]) {
      expect(await fileKindOf(one), one.name).toEqual({ is: 'text', encoding: 'utf-8' })
    }
    expect(await fileKindOf(file('notepad.txt', bytes(0xff, 0xfe, 'h', 0, 'i', 0)))).toEqual({
      is: 'text',
      encoding: 'utf-16le',
    })
    expect(await fileKindOf(file('chat.txt', `${header}\n`))).toEqual({ is: 'chats', encoding: 'utf-8' })
    expect(await fileKindOf(file('all.zip', bytes('PK', 3, 4, 20, 0)))).toEqual({ is: 'zip' })
    expect(await fileKindOf(file('conversations.json', chatgpt))).toEqual({
      is: 'foreign',
      app: 'chatgpt',
      encoding: 'utf-8',
    })
  })

  it('what cannot be read is said so', async () => {
    const gone = file('gone.txt', 'x')
    gone.slice = () =>
      ({ arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotFoundError')) }) as unknown as Blob
    expect(await fileKindOf(gone)).toEqual({ is: 'refused', why: 'unreadable' })
  })

  it('a sign that is cut in two at the end of what was read is no fault', async () => {
    expect(await fileKindOf(file('long.txt', `x${'字'.repeat(300_000)}`))).toEqual({ is: 'text', encoding: 'utf-8' })
  })
})
