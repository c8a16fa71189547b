import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../core/text/laws.fixture.ts'
import { thinkTags } from './think-tags.ts'

const split = (
  pieces: readonly string[],
  inside = false,
): { text: string; reasoning: string; openedByTemplate: boolean } => {
  const tags = thinkTags(inside)
  const out = { text: '', reasoning: '' }
  for (const piece of [...pieces.flatMap(piece => tags.push(piece)), ...tags.end()]) out[piece.type] += piece.text
  return { ...out, openedByTemplate: tags.openedByTemplate }
}

describe('think tags', () => {
  it.each([
    ['<think>a</think>b', 'b', 'a'],
    ['\n<thinking>a</thinking>\n\nb', 'b', 'a'],
    ['<think>\n\n</think>\n\nb', 'b', '\n\n'],
    ['<think>a', '', 'a'],
    ['b', 'b', ''],
    ['', '', ''],
    ['<thin', '<thin', ''],
    ['In HTML a <think> tag', 'In HTML a <think> tag', ''],
    ['Write `</think>` so', 'Write `</think>` so', ''],
    ['<think>a < b </thin c</think>d', 'd', 'a < b </thin c'],
    ['  <b>', '  <b>', ''],
    ['[THINK]a[/THINK]b', 'b', 'a'],
    ['[THINK]a', '', 'a'],
    ['◁think▷a◁/think▷b', 'b', 'a'],
    ['<seed:think>a</think>b</seed:think>c', 'c', 'a</think>b'],
    ['[1] first', '[1] first', ''],
    ['<think>İİİ</think>İb', 'İb', 'İİİ'],
  ])('%j', (whole, text, reasoning) => {
    expect(split([whole])).toMatchObject({ text, reasoning })
  })

  it('gives the same whatever pieces it comes in', () => {
    const part = fc.constantFrom(
      '<think>',
      '</think>',
      '<',
      '</',
      'think>',
      'a',
      ' ',
      '\n',
      '`',
      '思考',
      '<thinking>',
      '</thinking>',
      '[THINK]',
      '[/THINK]',
      '◁think▷',
      '<|channel|>analysis<|message|>',
      '<|end|>',
      '<|start|>assistant',
      '<|channel|>final<|message|>',
      '<|return|>',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.boolean(), (parts, inside) => {
        const whole = split([parts.join('')], inside)
        expect(split(parts, inside)).toEqual(whole)
        expect(split(Array.from(parts.join('')), inside)).toEqual(whole)
      }),
      runs(300),
    )
  })

  it('gives a wrongly guessed thought again as text', () => {
    expect(split(['The ', 'answer.'], true)).toEqual({
      text: 'The answer.',
      reasoning: 'The answer.',
      openedByTemplate: false,
    })
    expect(split(['I think.</think>Yes'], true)).toEqual({ text: 'Yes', reasoning: 'I think.', openedByTemplate: true })
  })
})

it('parts the channels of gpt-oss where a server leaves them in the text', () => {
  const answer =
    '<|channel|>analysis<|message|>Let me think.<|end|><|start|>assistant<|channel|>analysis<|message|> More.<|end|><|start|>assistant<|channel|>final<|message|>It is <b>noon</b>.<|return|>'
  for (const each of [1, 3, 7, 1000]) {
    const tags = thinkTags(false)
    const pieces = [...answer.match(new RegExp(`[^]{1,${each}}`, 'g'))!.flatMap(text => tags.push(text)), ...tags.end()]
    const of = (type: string): string => pieces.map(piece => (piece.type === type ? piece.text : '')).join('')
    expect([of('reasoning'), of('text')]).toEqual(['Let me think. More.', 'It is <b>noon</b>.'])
  }
  const call = thinkTags(false)
  expect(
    call
      .push(
        '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.get_time <|message|>{}<|call|>',
      )
      .filter(({ type }) => type === 'text')
      .map(({ text }) => text)
      .join(''),
    // a call is found by who looks for calls
  ).toBe('<|start|>assistant<|channel|>commentary to=functions.get_time <|message|>{}<|call|>')
})
