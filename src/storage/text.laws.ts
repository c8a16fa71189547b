/** What must hold for texts in every store: byte for byte, also the odd ones, and ranges that cost the range. */
import { asked, noon, same, withChats, type StoreLaw } from './log-store.fixture.ts'

/** 400 000 characters of one, two, three and four bytes, lines of every length, and one line that spans pieces. */
const long =
  Array.from({ length: 9_000 }, (_, index) => `${index}: ${'añ中😀'.repeat(index % 23)}${index % 7 ? '\n' : ''}`).join(
    '',
  ) + `${'x'.repeat(300_000)}\n${'尾'.repeat(70_000)}`

export const textLaws: StoreLaw[] = [
  {
    name: 'a text over 128 KiB comes back byte for byte',
    async hold(store) {
      await withChats(store, 'a')
      await store.append('a', [asked('1', long.slice(0, 100)), asked('2')], { texts: [{ entry: '1', text: long }] })
      same((await store.text('1', 'all')) === long, true, 'whole')
      same(await store.text('2', 'all'), undefined)
      same(await store.text('2', { bytes: [0, 9] }), undefined)
      same(await store.text('2', { lines: [1, 9] }), undefined)
    },
  },
  {
    name: 'ranges by bytes are cut at characters and join to the whole',
    async hold(store) {
      await withChats(store, 'a')
      await store.append('a', [asked('1')], { texts: [{ entry: '1', text: long }] })
      const bytes = new TextEncoder().encode(long)
      const parts: string[] = []
      for (let from = 0; from < bytes.length; from += 49_999)
        parts.push((await store.text('1', { bytes: [from, from + 49_999] }))!)
      same(parts.join('') === long, true, 'joined')
      for (const from of [0, 1, 131_070, 131_071, 131_072, 131_073, 262_144, 400_001]) {
        const start = bytes.subarray(from).findIndex(byte => (byte & 0xc0) !== 0x80)
        const aligned = await store.text('1', { bytes: [from + start, from + start + 40] })
        same(
          new TextDecoder().decode(bytes.slice(from + start, from + start + 40)).startsWith(aligned!),
          true,
          `from ${from}`,
        )
      }
      same(await store.text('1', { bytes: [bytes.length + 5, bytes.length + 9] }), '')
      same(await store.text('1', { bytes: [7, 3] }), '')
      same(await store.text('1', { bytes: [bytes.length - 3, bytes.length + 900] }), '尾')
      same(await store.text('1', { bytes: [-9, 3] }), '0: ')
    },
  },
  {
    name: 'ranges by lines are whole lines with their newlines',
    async hold(store) {
      await withChats(store, 'a')
      await store.append('a', [asked('1'), asked('2')], {
        texts: [
          { entry: '1', text: long },
          { entry: '2', text: 'one\ntwo\n' },
        ],
      })
      const lines = long.split('\n')
      const part = (from: number, to: number): string =>
        lines
          .slice(from - 1, to)
          .map((line, index) => (from + index < lines.length ? `${line}\n` : line))
          .join('')
      for (const [from, to] of [
        [1, 1],
        [2, 5],
        [700, 900],
        [3_000, 3_000],
        [lines.length - 1, lines.length - 1],
        [lines.length, lines.length],
        [lines.length - 2, lines.length + 9],
      ] as const) {
        same((await store.text('1', { lines: [from, to] })) === part(from, to), true, `lines ${from} to ${to}`)
      }
      same(await store.text('1', { lines: [lines.length + 1, lines.length + 2] }), '')
      same(await store.text('2', { lines: [2, 2] }), 'two\n')
      same(await store.text('2', { lines: [0, 1] }), 'one\n')
      same(await store.text('2', { lines: [3, 9] }), '')
      same(await store.text('2', { lines: [2, 1] }), '')
    },
  },
  {
    name: 'odd texts stay what they are: NUL, lone surrogates, Chinese, nothing at all',
    async hold(store) {
      await withChats(store, 'a')
      const odd = [
        '\u0000\u0001',
        'broken \ud83d tail',
        '\udc00\ud800',
        '你好，世界',
        '',
        '<|endoftext|>',
        '\u2028\ufeff\r\n',
        '\uffff',
      ]
      await store.append(
        'a',
        odd.map((text, index) => asked(`o${index}`, text, noon(2))),
      )
      const texts = (await store.read('a')).map(({ entry }) => (entry.type === 'user' ? entry.text : 'not a question'))
      same(
        texts.every((text, index) => text === odd[index]),
        true,
        'in entries',
      )
      const whole = odd.join('|').repeat(9_000)
      await store.append('a', [asked('whole'), asked('empty')], {
        texts: [
          { entry: 'whole', text: whole },
          { entry: 'empty', text: '' },
        ],
      })
      same((await store.text('whole', 'all')) === whole, true, 'in texts')
      same(await store.text('empty', 'all'), '')
      same(await store.text('empty', { lines: [1, 1] }), '')
    },
  },
]
