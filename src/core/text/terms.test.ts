import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { marksOf, queryTerms, terms, termsWithPlaces, weightedTerms } from './terms.ts'
import { anyText, runs } from './laws.fixture.ts'

describe('terms', () => {
  it('lets the forms of an English word meet', () => {
    for (const forms of [['paint', 'paints', 'painted', 'painting'], ['city', 'cities'], ['box', 'boxes'], ['plan', 'planned', 'planning'], ['bake', 'baked', 'baking', 'bakes'], ['try', 'tries', 'tried']]) {
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
    expect(terms('HTTPServer max_input_length v1.2.3')).toEqual(['httpserver', 'http', 'server', 'max_input_length', 'max', 'input', 'length', 'v1.2.3', 'v1', '2', '3'])
    expect(terms("don't Caroline's")).toEqual(['don', 'carolin'])
  })

  it('looks through capitals and accents', () => {
    expect(terms('Café ÉCOLE')).toEqual(terms('cafe ecole'))
  })

  it('leaves the words of every text out of a question, unless it has no others', () => {
    expect(queryTerms('What did she paint in the garden?')).toEqual(['paint', 'garden'])
    expect(queryTerms('who are you')).toEqual(['who', 'are', 'you'])
  })

  it.each(['王芳的毛毯放在哪里？', '陈静的毛毯放在哪里？', '请问王芳把毛毯放哪儿了'])('takes a name that no dictionary has for a word: %s', query => {
    const weights = new Map(weightedTerms(query, false).map(({ term, weight }) => [term, weight]))
    const [name = ''] = ['王芳', '陈静'].filter(name => query.includes(name))
    expect([weights.get(name), weights.get('毛毯')]).toEqual([1, 1])
    for (const chance of ['的毛', '芳的', '静的', '芳把', '把毛']) if (query.includes(chance)) expect(weights.get(chance)).toBeLessThan(0.5)
  })

  it('marks where the words of a question stand', () => {
    const text = 'She painted 一只猫 in src/garden.ts'
    expect(marksOf(text, 'paint 只猫 garden').map(([from, to]) => text.slice(from, to))).toEqual(['painted', '只猫', 'garden'])
  })

  it('gives places inside the text, in any text', () => {
    fc.assert(fc.property(anyText, text => {
      for (const { term, from, to } of termsWithPlaces(text)) {
        expect(term).not.toBe('')
        expect(from >= 0 && from < to && to <= text.length).toBe(true)
      }
    }), runs())
  })

  it('is linear on one endless word', () => {
    const started = performance.now()
    terms('a-'.repeat(200_000))
    terms('aB'.repeat(200_000))
    terms(`${'x'.repeat(400_000)}!`)
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})
