import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { foldText } from './fold-text.ts'
import { marksOf, queryTerms, terms, termsWithPlaces, weightedTerms } from './terms.ts'
import { anyText, runs } from '../laws.fixture.ts'

describe('terms', () => {
  it('lets the forms of an English word meet', () => {
    for (const forms of [
      ['paint', 'paints', 'painted', 'painting'],
      ['city', 'cities'],
      ['box', 'boxes'],
      ['plan', 'planned', 'planning'],
      ['bake', 'baked', 'baking', 'bakes'],
      ['try', 'tries', 'tried'],
    ]) {
      expect(new Set(forms.flatMap(terms)).size, forms.join()).toBe(1)
    }
    expect(terms('bus is glass')).toEqual(['bus', 'is', 'glass'])
  })

  it('takes CJK in pairs, and a single letter alone', () => {
    expect(terms('上下文管理')).toEqual(['上下', '下文', '文管', '管理'])
    expect(terms('猫 and 犬')).toEqual(['猫', 'and', '犬'])
    expect(terms('用React写')).toEqual(['用', 'react', '写'])
  })

  it('takes names whole and in parts', () => {
    expect(terms('src/core/modelView.ts')).toEqual(['src/core/modelview.ts', 'src', 'cor', 'model', 'view', 'ts'])
    expect(terms('HTTPServer max_input_length v1.2.3')).toEqual([
      'httpserver',
      'http',
      'server',
      'max_input_length',
      'max',
      'input',
      'length',
      'v1.2.3',
      'v1',
      '2',
      '3',
    ])
    expect(terms("don't Caroline's")).toEqual(['don', 'carolin'])
  })

  it('looks through capitals and accents', () => {
    expect(terms('Café ÉCOLE')).toEqual(terms('cafe ecole'))
  })

  it.each([
    ['サーバー', ['サー', 'ーバ', 'バー']],
    ['人々', ['人々']],
    ['いすゞ', ['いす', 'すゞ']],
    ['バナヽ', ['バナ', 'ナヽ']],
    ['時々刻々', ['時々', '々刻', '刻々']],
    ['〆切', ['〆切']],
    ['らーめん', ['らー', 'ーめ', 'めん']],
    ['か゚', ['か゚']],
  ])('keeps the marks that lengthen and repeat inside of words: %s', (text, wanted) => {
    expect(terms(text)).toEqual(wanted)
  })

  it.each([
    ['ｻｰﾊﾞｰ', 'サーバー'],
    ['ＡＰＩ', 'api'],
    ['ｖ１．２．３', 'v1.2.3'],
    ['ｍａｘ＿ｌｅｎ', 'max_len'],
    ['２０２６年', '2026年'],
    ['ガギグ', 'ガギグ'.normalize('NFD')],
    ['カﾞ', 'ガ'],
    ['한국어', '한국어'.normalize('NFD')],
    ['École', 'École'.normalize('NFD')],
    ['ÉCOLE', 'ÉCOLE'.normalize('NFD')],
    ['⽂字', '文字'],
    ['㌔', 'キロ'],
    ['金額', '⾦額'],
    ['㍻', '平成'],
    ['مرحبا', 'مـــرحبا'],
    ['كتاب', 'كِتَابٌ'],
    ['שלום', 'שָׁלוֹם'],
    ['أحمد', 'احمد'],
  ])('takes %s for %s', (one, other) => {
    expect(terms(one)).toEqual(terms(other))
  })

  it('keeps the vowels of scripts that write them as marks', () => {
    expect(terms('की')).not.toEqual(terms('का'))
    expect(terms('ปี')).not.toEqual(terms('ปา'))
  })

  /**
   * Every kind of sign that takes no room; `\p{Cf}` and ignorable ones as the engine knows them are in the law below.
   */
  const unseen = [
    '\u00ad',
    '\u034f',
    '\u061c',
    '\u115f',
    '\u17b4',
    '\u180b',
    '\u180e',
    '\u200b',
    '\u200c',
    '\u200d',
    '\u200e',
    '\u200f',
    '\u202a',
    '\u202e',
    '\u2060',
    '\u2064',
    '\u2066',
    '\u2069',
    '\u3164',
    '\ufe00',
    '\ufe0f',
    '\ufeff',
    '\ufff9',
    '\u{e0001}',
    '\u{e0041}',
    '\u{e0100}',
  ]
  const words = [
    'config',
    'modelView.ts',
    'max_input_length',
    '服务器配置',
    'サーバー',
    '葛飾',
    '한국어',
    'مرحبا',
    'שלום',
    'Ａｐｉ',
    'e\u0301cole',
    'ｶﾞｽ',
    '\u1112\u1161\u11ab',
  ]

  it('does not see the signs that nobody sees, wherever they stand in a word', () => {
    for (const word of words)
      for (const sign of unseen) {
        for (let at = 0; at <= word.length; at++)
          expect(terms(word.slice(0, at) + sign + word.slice(at)), JSON.stringify([word, sign, at])).toEqual(
            terms(word),
          )
      }
  })

  it('reads a folded text as the text, and marks the text that was written', () => {
    const sign = fc.oneof(
      fc.constantFrom(
        ...unseen,
        ...words,
        'ﾞ',
        '\u3099',
        '\u0301',
        ' ',
        'ー',
        '々',
        '：',
        'ﾊ',
        '１',
        '\u1161',
        '㌔',
        '\ud842',
      ),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 2 }),
    )
    fc.assert(
      fc.property(
        fc.array(sign, { maxLength: 12 }).map(parts => parts.join('')),
        text => {
          const once = foldText(text)
          expect(foldText(once.text).text).toBe(once.text)
          expect(terms(once.text)).toEqual(terms(text))
          let last = 0
          for (const [from, to] of marksOf(text, text)) {
            expect(from).toBeGreaterThanOrEqual(last)
            expect(to > from && to <= text.length).toBe(true)
            last = from
          }
        },
      ),
      runs(300),
    )
    const text = 'restart the s\u200ber\u00adver and ｻｰﾊﾞｰ now'
    expect(marksOf(text, 'server サーバー').map(([from, to]) => text.slice(from, to))).toEqual([
      's\u200ber\u00adver',
      'ｻｰﾊﾞｰ',
    ])
  })

  it('leaves the words of every text out of a question, unless it has no others', () => {
    expect(queryTerms('What did she paint in the garden?')).toEqual(['paint', 'garden'])
    expect(queryTerms('who are you')).toEqual(['who', 'are', 'you'])
  })

  it.each(['王芳的毛毯放在哪里？', '陈静的毛毯放在哪里？', '请问王芳把毛毯放哪儿了'])(
    'takes a name that no dictionary has for a word: %s',
    query => {
      const weights = new Map(weightedTerms(query, false).map(({ term, weight }) => [term, weight]))
      const [name = ''] = ['王芳', '陈静'].filter(name => query.includes(name))
      expect([weights.get(name), weights.get('毛毯')]).toEqual([1, 1])
      for (const chance of ['的毛', '芳的', '静的', '芳把', '把毛'])
        if (query.includes(chance)) expect(weights.get(chance)).toBeLessThan(0.5)
    },
  )

  it('marks where the words of a question stand', () => {
    const text = 'She painted 一只猫 in src/garden.ts'
    expect(marksOf(text, 'paint 只猫 garden').map(([from, to]) => text.slice(from, to))).toEqual([
      'painted',
      '只猫',
      'garden',
    ])
  })

  it('gives places inside the text, in any text', () => {
    fc.assert(
      fc.property(anyText, text => {
        for (const { term, from, to } of termsWithPlaces(text)) {
          expect(term).not.toBe('')
          expect(from >= 0 && from < to && to <= text.length).toBe(true)
        }
      }),
      runs(),
    )
  })

  it.each([
    ['work-item-301-61:DONE', 'work-item-301-61'],
    ['see src/core/app.ts:12:5 there', 'src/core/app.ts'],
    ['ada@mail.example.org', 'mail.example.org'],
  ])('finds a name that stands before a colon or behind an at sign: %s', (text, name) => {
    expect(terms(text)).toContain(name)
  })

  it('is linear on one endless word', () => {
    const started = performance.now()
    terms('a-'.repeat(200_000))
    terms('aB'.repeat(200_000))
    terms(`${'x'.repeat(400_000)}!`)
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})
