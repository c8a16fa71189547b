import { describe, expect, it } from 'vitest'
import { transcript } from './transcript.ts'
import { findIn, placesOf } from './find.ts'

const items = (text: string) => transcript([{ id: 'u', parent: null, at: 0, type: 'user', text }], 'u')

describe('search in the open chat', () => {
  it.each([
    ['The Server', 'server'],
    ['s\u200ber\u00adver', 'server'],
    ['server', 'ser\u200dver'],
    ['ｻｰﾊﾞｰ', 'サーバー'],
    ['サーバー', 'ｻｰﾊﾞｰ'],
    ['ＡＰＩ', 'api'],
    ['カ\u3099ス', 'ガス'],
    ['École'.normalize('NFD'), 'école'],
  ])('finds in %j what was looked for as %j, and marks it', (text, query) => {
    expect(findIn(items(`before ${text} after`), query)).toHaveLength(1)
    const [place] = placesOf(`before ${text} after`, query, 5)
    expect(place).toBeDefined()
    expect(text.endsWith(`before ${text} after`.slice(place!.from, place!.to))).toBe(true)
  })

  it('finds nothing for what nobody sees', () => {
    for (const query of ['', ' ', '\u200b', '\u200e\u00ad'])
      expect([findIn(items('a \u200b b'), query), placesOf('a \u200b b', query, 5)]).toEqual([[], []])
  })
})
