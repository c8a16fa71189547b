import { describe, expect, it } from 'vitest'
import { Corpus } from './corpus.ts'
import { rankPassages } from './rank-passages.ts'
import { openSegment, packSegment } from './segment.ts'
import { ByteReader, ByteWriter } from './varints.ts'

const texts = [
  'Ada: the copper kettle is broken',
  'Which kettle?',
  'the copper one in the kitchen, 昨天买的水壶',
  'nothing to see',
  'copper copper copper',
]

function filled(): Corpus {
  const corpus = new Corpus()
  for (const [seq, text] of texts.entries())
    corpus.add({
      session: seq < 3 ? 'a' : '聊天',
      seq,
      piece: 0,
      tail: false,
      kind: seq % 3,
      at: 1_700_000_000_000 + seq * 60_000,
      group: seq < 3 ? 'a' : 'b',
      text,
      ...(seq % 2 === 1 ? { statements: seq } : {}),
    })
  return corpus
}

const passages = texts.map((_, index) => index)

describe('a segment', () => {
  it('answers like the texts that it was made of', () => {
    const corpus = filled()
    const opened = openSegment(
      packSegment(
        corpus.rows,
        [
          { session: 'a', to: 3 },
          { session: '聊天', to: 9 },
        ],
        corpus.listsOf(passages),
      ),
    )!
    const again = new Corpus()
    again.addSegment(opened)
    expect(opened.covered).toEqual([
      { session: 'a', to: 3 },
      { session: '聊天', to: 9 },
    ])
    expect(again.rows).toEqual(corpus.rows)
    for (const query of ['copper kettle', '水壶', 'ada', 'kitchen', 'unknown'])
      expect(rankPassages(again, query, { limit: 9 })).toEqual(rankPassages(corpus, query, { limit: 9 }))
  })

  it('holds nothing of a passage whose words were taken out', () => {
    const corpus = filled()
    const opened = openSegment(packSegment(corpus.rows, [], corpus.listsOf(passages)))!
    const bytes = packSegment(opened.rows, [], opened.lists.excluding(new Set([2])))
    const again = new Corpus()
    again.addSegment(openSegment(bytes)!)
    expect(rankPassages(again, 'kitchen 水壶', { limit: 9 })).toEqual([])
    expect(rankPassages(again, 'broken', { limit: 9 })[0]?.passage).toBe(0)
  })

  it('is not opened in another format, and broken bytes end', () => {
    const corpus = filled()
    const bytes = packSegment(corpus.rows, [], corpus.listsOf(passages))
    expect(openSegment(Uint8Array.from([250, ...bytes.slice(1)]))).toBeUndefined()
    expect(openSegment(new Uint8Array())).toBeUndefined()
    expect(openSegment(bytes.slice(0, 24))?.rows.length).toBeLessThan(texts.length)
  })
})

describe('numbers in bytes', () => {
  it('come back', () => {
    const numbers = [0, 1, 127, 128, 300, 2 ** 31, 2 ** 32 + 5, Number.MAX_SAFE_INTEGER]
    const out = new ByteWriter()
    for (const number of numbers) out.number(number)
    for (const number of [0, -1, 1, -64, 2 ** 40, -(2 ** 40)]) out.signed(number)
    out.text('a\ud83d茶')
    const from = new ByteReader(out.done())
    expect(numbers.map(() => from.number())).toEqual(numbers)
    expect([1, 2, 3, 4, 5, 6].map(() => from.signed())).toEqual([0, -1, 1, -64, 2 ** 40, -(2 ** 40)])
    expect([from.text(), from.isDone, from.number()]).toEqual(['a\ud83d茶', true, 0])
  })
})
