import { describe, expect, it } from 'vitest'
import { bpe, byScript, bytesOver, calibrated } from './counter.ts'
import { bytesTokens, scriptTokens } from '../text/tokens.ts'
import { recipeText, type Recipe } from '../text/recipe.fixture.ts'
import type { Message } from './message.ts'
import vectors from './counter.vectors.json' with { type: 'json' }

type Case = {
  name: string
  why: string
  rule: string
  tokens: number
  divisor?: number
  text?: Recipe
  strategy?: 'cowagent' | 'qwenpaw'
  fact?: { type: 'user' | 'assistant' | 'result'; text: string; images?: number; calls?: [string, string][] }
}

function messageOf(fact: NonNullable<Case['fact']>): Message {
  if (fact.type === 'user')
    return {
      role: 'user',
      content: fact.text,
      images: Array.from({ length: fact.images ?? 0 }, () => ({ mime: 'image/png', blob: 'b' })),
    }
  if (fact.type === 'result') return { role: 'tool', content: fact.text, toolCallId: 'c', name: 'tool' }
  return {
    role: 'assistant',
    content: fact.text,
    toolCalls: (fact.calls ?? []).map(([name, text], i) => ({ id: `c${i}`, name, arguments: text })),
  }
}

describe('counting', () => {
  it.each(vectors as Case[])('$name: $why', ({ rule, divisor, text, strategy, fact, tokens }) => {
    if (rule === 'C1.1') expect(bytesTokens(recipeText(text ?? ''), divisor ?? 4)).toBe(tokens)
    else if (rule === 'C1.2') expect(scriptTokens(recipeText(text ?? ''))).toBe(tokens)
    else
      expect(
        (strategy === 'cowagent' ? byScript() : bytesOver(4)).message(messageOf(fact ?? { type: 'user', text: '' })),
      ).toBe(tokens)
  })

  it('counts details by what a model reads of them: texts, sealed ones by their bytes, nothing else', () => {
    const plain = { role: 'assistant', content: 'x' } as const
    const value = [
      { type: 'thinking', thinking: 'x'.repeat(40), signature: 'x'.repeat(160), index: 0, format: 'x'.repeat(999) },
      { id: 'c', extra_content: { google: { thought_signature: 'x'.repeat(16) } } },
    ]
    for (const counter of [bytesOver(4), byScript()]) {
      expect(counter.message({ ...plain, details: { from: 'a', value } }) - counter.message(plain)).toBe(
        counter.text('x'.repeat(40)) + 30 + 3,
      )
      for (const odd of [null, 1, 'x', [], [null, [[1]]], { text: 1 }])
        expect(counter.message({ ...plain, details: { from: 'a', value: odd } })).toBe(counter.message(plain))
    }
  })

  it('counts reasoning only where it is sent', () => {
    const plain: Message = { role: 'assistant', content: 'four' }
    expect(bytesOver(4).message({ ...plain, reasoning: 'x'.repeat(40) }) - bytesOver(4).message(plain)).toBe(10)
  })

  it('adds four for each message where it counts exactly', () => {
    const counter = bpe(text => text.length)
    expect(
      counter.message({ role: 'assistant', content: 'ab', toolCalls: [{ id: '1', name: 'cd', arguments: '{}' }] }),
    ).toBe(4 + 2 + 4)
    expect(counter.message({ role: 'user', content: '' })).toBe(4)
  })

  it('counts a message once, and gives the same counter for the same way', () => {
    let asked = 0
    const count = (text: string): number => {
      asked++
      return text.length
    }
    const message: Message = { role: 'user', content: 'hello' }
    bpe(count).message(message)
    calibrated(bpe(count), 2).message(message)
    expect(asked).toBe(1)
    expect(bytesOver(3)).toBe(bytesOver(3))
  })

  it('multiplies by the factor', () => {
    expect(calibrated(bytesOver(4), 1.5).text('x'.repeat(40))).toBe(15)
    expect(calibrated(bytesOver(4), 1)).toBe(bytesOver(4))
  })
})
