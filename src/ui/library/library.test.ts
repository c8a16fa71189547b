import { expect, it } from 'vitest'
import type { SessionInfo } from '../../core/ports/ports.ts'
import { byDay } from './day-groups.ts'
import { lineBatches } from '../files/line-batches.ts'
import { excerptAround, markedPieces } from './marked-pieces.ts'
import { plainPassage } from './plain-passage.ts'
import { titleHits } from './title-hits.ts'
import { fileName } from '../files/save-file.ts'

const chat = (id: string, updatedAt: number, more: Partial<SessionInfo> = {}): SessionInfo => ({
  id,
  title: id,
  createdAt: 0,
  updatedAt,
  leaf: null,
  ...more,
})

it('groups chats by local days, newest first, and leaves out hidden ones', () => {
  const now = new Date(2026, 2, 2, 0, 30).getTime()
  const at = (day: number, hour: number, minute = 0) => new Date(2026, 2, day, hour, minute).getTime()
  const chats = [
    chat('old', at(-3, 9)),
    chat('justNow', at(2, 0, 20)),
    chat('lateYesterday', at(1, 23, 59)),
    chat('first', at(2, 0, 0)),
    chat('away', at(2, 0, 10), { hidden: true }),
    chat('earlyYesterday', at(1, 0, 0)),
  ]
  const listed = (most: number) =>
    byDay(chats, now, most).groups.map(({ group, chats: list }) => [group, ...list.map(({ id }) => id)])
  expect(listed(5)).toEqual([
    ['today', 'justNow', 'first'],
    ['yesterday', 'lateYesterday', 'earlyYesterday'],
    ['earlier', 'old'],
  ])
  expect(byDay(chats, now, 5).older).toBe(0)
  expect(listed(3)).toEqual([
    ['today', 'justNow', 'first'],
    ['yesterday', 'lateYesterday'],
  ])
  expect(byDay(chats, now, 3).older).toBe(2)
})

it('lists the open chat however old it is, and never one that is hidden', () => {
  const chats = [
    chat('new', 3_000),
    chat('middle', 2_000),
    chat('open', 1_000),
    chat('oldest', 500),
    chat('away', 100, { hidden: true }),
  ]
  const listed = (open: string) =>
    byDay(chats, 4_000, 1, open).groups.flatMap(({ chats: list }) => list.map(({ id }) => id))
  expect(listed('open')).toEqual(['new', 'open'])
  expect(byDay(chats, 4_000, 1, 'open').older).toBe(2)
  expect(listed('new')).toEqual(['new'])
  expect(listed('away')).toEqual(['new'])
})

it('puts pinned chats first, however old and many, and counts none of them as older', () => {
  const chats = [
    chat('new', 4_000),
    chat('pin', 1_000, { pinned: true }),
    chat('middle', 3_000),
    chat('pin2', 2_000, { pinned: true }),
  ]
  const { groups, older } = byDay(chats, 5_000, 1)
  expect(groups.map(({ group, chats: list }) => [group, ...list.map(({ id }) => id)])).toEqual([
    ['pinned', 'pin2', 'pin'],
    ['today', 'new'],
  ])
  expect(older).toBe(1)
})

const plain = (text: string, word = '') => {
  const at = text.indexOf(word)
  const found = plainPassage(text, word === '' ? [] : [[at, at + word.length]], { markdown: true })
  const [mark] = found.marks
  return word === '' ? found.text : [found.text, mark && found.text.slice(...mark)]
}

it('shows a passage without the signs of Markdown, with the found word where it is then', () => {
  expect(plain('## Plan\n\n**Bold** and *thin*, `code`, ~~old~~', 'code')).toEqual([
    'Plan Bold and thin, code, old',
    'code',
  ])
  expect(plain('- one\n- [x] two\n> said\n1. first')).toBe('• one • two said 1. first')
  expect(plain('See [the page](https://a.example/x_(y)) and ![a cat](cat.png "C").', 'page')).toEqual([
    'See the page and a cat.',
    'page',
  ])
  expect(String(plain('| a | b |\n|---|:-:|\n| 1 | 2 |')).trim()).toBe('a · b  1 · 2')
  expect(plain('```ts\nconst **x** = `y`\n```\nafter')).toBe(' const **x** = `y`  after')
})

it('leaves what is no sign, and whatever holds the found word', () => {
  for (const text of ['snake_case and __init__x', '2 * 3 * 4', 'a*b*c', '`**kwargs`', 'f(x) [1]', 'C# is # not']) {
    expect(plain(text)).toBe(text.replaceAll('`', ''))
  }
  expect(plain('[here](https://needle.example)', 'needle')).toEqual(['[here](https://needle.example)', 'needle'])
  expect(plainPassage('# a\n**b**', [], { markdown: false }).text).toBe('# a **b**')
})

it('finds chats by their titles as they are typed, whatever accents and case', () => {
  const chats = [chat('Crème brûlée', 3), chat('Garden plans', 2), chat('The garden gate', 1)]
  const found = (query: string, filter = {}, most = 5) =>
    titleHits(chats, query, { filter, shown: title => title, most }).map(({ chat: { id }, marks }) => [id, ...marks])
  expect(found('gard')).toEqual([
    ['Garden plans', [0, 4]],
    ['The garden gate', [4, 8]],
  ])
  expect(found('gate GARD')).toEqual([['The garden gate', [11, 15], [4, 8]]])
  expect(found('creme')).toEqual([['Crème brûlée', [0, 5]]])
  expect(found('gard', {}, 1)).toHaveLength(1)
  expect([found('gard', { kinds: ['message'] }), found('gard', { from: 3 }), found(' ')]).toEqual([[], [], []])
})

it('splits a passage at its marks, whatever they are', () => {
  expect(markedPieces('one two', [[4, 7]])).toEqual([
    { text: 'one ', marked: false },
    { text: 'two', marked: true },
  ])
  expect(
    markedPieces('abc', [
      [2, 9],
      [1, 2],
      [-3, 1],
      [2, 2],
      [0, 2],
    ])
      .filter(({ marked }) => marked)
      .map(({ text }) => text)
      .join(''),
  ).toBe('abc')
  for (const marks of [[[5, 2]], [[0, 0]], [[9, 12]]] as [number, number][][])
    expect(markedPieces('abc', marks)).toEqual([{ text: 'abc', marked: false }])
})

it('shows the surroundings of the first mark and moves the marks with them', () => {
  const text = `${'x'.repeat(300)}needle${'y'.repeat(300)}`
  const part = excerptAround(text, [[300, 306]], 40)
  expect(part.text).toMatch(/^…x+needley+…$/)
  expect(markedPieces(part.text, part.marks).filter(({ marked }) => marked)).toEqual([{ text: 'needle', marked: true }])
  expect(excerptAround('short', [[0, 5]], 40)).toEqual({ text: 'short', marks: [[0, 5]] })
})

it('cuts a stream into lines, whatever the pieces are', async () => {
  const text = 'a\r\n两行\n\n{"x":1}\nlast'
  const bytes = new TextEncoder().encode(text)
  for (const piece of [1, 2, 3, 7, 100]) {
    const stream = new ReadableStream<Uint8Array>({
      start(out) {
        for (let at = 0; at < bytes.length; at += piece) out.enqueue(bytes.slice(at, at + piece))
        out.close()
      },
    })
    const lines: string[] = []
    for await (const batch of lineBatches(stream, 2)) lines.push(...batch)
    expect(lines).toEqual(['a', '两行', '', '{"x":1}', 'last'])
  }
})

const streamOf = (bytes: Uint8Array, piece = bytes.length): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(out) {
      for (let at = 0; at < bytes.length; at += piece) out.enqueue(bytes.slice(at, at + piece))
      out.close()
    },
  })

async function readLines(bytes: Uint8Array, piece?: number): Promise<string[]> {
  const lines: string[] = []
  for await (const batch of lineBatches(streamOf(bytes, piece), 2)) lines.push(...batch)
  return lines
}

it('reads every end of a line and every usual encoding, whatever the pieces are', async () => {
  const utf16 = (text: string, little: boolean): Uint8Array => {
    const view = new DataView(new ArrayBuffer(text.length * 2))
    for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), little)
    return new Uint8Array(view.buffer)
  }
  const lines = ['{"a":"两行 🎒"}', '', '{"b":1}', 'last']
  for (const end of ['\n', '\r\n', '\r']) {
    const text = lines.join(end)
    for (const bytes of [
      new TextEncoder().encode(text),
      new TextEncoder().encode(`\ufeff${text}`),
      utf16(`\ufeff${text}`, true),
      utf16(`\ufeff${text}`, false),
      utf16(text, true),
      utf16(text, false),
    ]) {
      for (const piece of [1, 3, 1000]) expect(await readLines(bytes, piece)).toEqual(lines)
    }
  }
  expect(await readLines(new Uint8Array())).toEqual([])
  expect(await readLines(new TextEncoder().encode('x\n\n'), 1)).toEqual(['x', ''])
})

it('tells what a file is that holds no lines of text', async () => {
  await expect(readLines(new Uint8Array([0x1f, 0x8b, 8, 0, 0]), 1)).rejects.toMatchObject({ kind: 'packed' })
  await expect(readLines(new Uint8Array([0x50, 0x4b, 3, 4, 0]))).rejects.toMatchObject({ kind: 'packed' })
  await expect(readLines(new Uint8Array([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0]))).rejects.toMatchObject({ kind: 'utf-32' })
})

it('reads one line of 20 MB in a time that grows with its length', async () => {
  const block = new TextEncoder().encode('x'.repeat(65_536))
  let left = 320
  const stream = new ReadableStream<Uint8Array>({
    pull(out) {
      if (left-- > 0) out.enqueue(block)
      else out.close()
    },
  })
  const began = performance.now()
  let length = 0
  for await (const lines of lineBatches(stream)) for (const line of lines) length += line.length
  expect(length).toBe(320 * 65_536)
  expect(performance.now() - began).toBeLessThan(15_000)
})

it('gives up a stream that breaks, with its error', async () => {
  const stream = new ReadableStream<Uint8Array>({
    pull() {
      throw new Error('disk gone')
    },
  })
  await expect(
    (async () => {
      for await (const lines of lineBatches(stream)) expect(lines).toEqual([])
    })(),
  ).rejects.toThrow('disk gone')
})

it('names files so that every file system takes them', () => {
  expect(fileName('Login: a/b? "x"', '2026-01-31')).toBe('Login-a-b-x-2026-01-31.jsonl')
  expect(fileName('把会议记录', '2026-01-31')).toBe('把会议记录-2026-01-31.jsonl')
  expect(fileName('///', '2026-01-31')).toBe('haversack-2026-01-31.jsonl')
})
