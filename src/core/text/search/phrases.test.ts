import { describe, expect, it } from 'vitest'
import { phraseBonus } from './phrases.ts'

describe('phrases of a query', () => {
  it('count where words stand beside each other as in the query, with any ending', () => {
    const bonus = phraseBonus('What is the response time of the dashboard?')
    expect(bonus('Response times: 250 ms.')).toBeGreaterThan(bonus('The time until it responded was 250 ms.'))
    expect(bonus('Nothing of it.')).toBe(0)
  })

  it('count most where all that was typed stands there, in whatever case and spacing', () => {
    const bonus = phraseBonus('Amber  lamp in src/Auth.ts')
    expect(bonus('see the amber lamp\nin src/auth.ts')).toBeGreaterThan(bonus('an amber lamp, in src and auth.ts') + 5)
  })

  it('count in Chinese and Japanese by three letters in a row', () => {
    const bonus = phraseBonus('王芳的预算上限是多少？')
    expect(bonus('预算上限定了。')).toBeGreaterThan(bonus('预算有上限。'))
    expect(phraseBonus('契約番号')('この契約番号です')).toBeGreaterThan(5)
  })

  it('are none for a single word, nothing, or broken letters', () => {
    for (const query of ['harbour', '', ' ', '\ud83d']) expect(phraseBonus(query)('a harbour')).toBe(0)
  })
})
