import { describe, expect, it } from 'vitest'
import { sampleAnswers } from '../../ui/markdown/answers.fixture.ts'
import { continuation, joinedText, lastWords } from './continuation.ts'

const fenced = 'Here:\n\n```ts\nconst one = 1\nconst two = o'

describe('what goes on with a text', () => {
  it.each([
    ['a broken word', 'The quick bro', 'wn fox.', 'The quick brown fox.'],
    ['a broken word, said whole', 'The quick bro', 'brown fox.', 'The quick brown fox.'],
    ['the last words again', 'The quick brown fox ju', 'brown fox jumps.', 'The quick brown fox jumps.'],
    [
      'the last words again, with other quotes and breaks',
      'He said “no” to\nthe qui',
      '"no" to the quick fox.',
      'He said “no” to\nthe quick fox.',
    ],
    ['the whole text again', 'One. Two. Thr', 'One. Two. Three. Four.', 'One. Two. Three. Four.'],
    ['a word that was whole', 'It ends with the', 'the end.', 'It ends with the end.'],
    [
      'an announcement',
      'We go to the market square',
      'Sure, I go on from there:\n\nto the market square and buy bread.',
      'We go to the market square and buy bread.',
    ],
    ['nothing but the end again', 'All of it is here.', 'All of it is here.', 'All of it is here.'],
    ['a sentence of its own', 'This is done.', 'Next comes more.', 'This is done. Next comes more.'],
    ['white space of both', 'One line\n', 'One line\nAnother', 'One line\nAnother'],
    ['Chinese', '今天天气很', '好，我们走吧。', '今天天气很好，我们走吧。'],
    ['Chinese, the end again', '今天天气很', '天气很好，我们走吧。', '今天天气很好，我们走吧。'],
    ['a pair of a surrogate', 'Look: 🦊', '🦊 and more', 'Look: 🦊🦊 and more'],
    ['code', fenced, 'ne + 1\n```\n\nDone.', `${fenced}ne + 1\n\`\`\`\n\nDone.`],
    [
      'code, in a fence of its own',
      fenced,
      '```ts\nconst two = one + 1\n```\n\nDone.',
      `${fenced}ne + 1\n\`\`\`\n\nDone.`,
    ],
    ['code, in a fence without a name', fenced, '```\nconst two = one + 1\n```', `${fenced}ne + 1\n\`\`\``],
    ['code, the fence opened again', '```py\nx = 1\n', '```py\ny = 2\n```', '```py\nx = 1\ny = 2\n```'],
    ['code, with its end', '```py\nx = 1', '```\n\nDone.', '```py\nx = 1\n```\n\nDone.'],
    ['code, the next line', '```js\na();', 'b();\n```', '```js\na();\nb();\n```'],
    ['a list', '1. One\n2. Two', '3. Three', '1. One\n2. Two\n3. Three'],
    ['a list, in mid-item', '- one\n- tw', 'o\n- three', '- one\n- two\n- three'],
    ['a list, the item again', '- one\n- tw', '- two\n- three', '- one\n- two\n- three'],
    ['a list, with an item that begins like the last', '- item\n', '- item two', '- item\n- item two'],
    ['a list behind words', 'You need:', '- bread', 'You need:\n\n- bread'],
    ['a number that is no item', 'It was in 19', '84. Then', 'It was in 1984. Then'],
    ['a heading', 'The end.', '## Next', 'The end.\n\n## Next'],
    ['a fence behind words', 'As follows:', '```js\na\n```', 'As follows:\n\n```js\na\n```'],
    ['a table', '| a | b |\n|---|---|\n| 1 | 2 |', '| 3 | 4 |', '| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |'],
    ['a quote', '> one', '> two', '> one\n> two'],
  ])('is one text with it: %s', (_, before, after, whole) => {
    expect(joinedText(before, after)).toBe(whole)
  })

  it('is the text where it goes on to the letter, wherever it was cut, and where it begins with the last words', () => {
    for (const { name, text } of sampleAnswers) {
      for (let at = 1; at < text.length; at += 5) {
        const [before, after] = [text.slice(0, at), text.slice(at)]
        expect(joinedText(before, after), `${name}, to the letter at ${at}`).toBe(text)
        const end = lastWords(before)
        if (end.length < 20 || before.endsWith('`')) continue
        const again = end + before.slice(before.trimEnd().length) + after
        expect(joinedText(before, again), `${name}, with the last words at ${at}`).toBe(text)
        expect(joinedText(before, again.trimStart(), true).startsWith(before)).toBe(true)
      }
    }
  })

  it('while it is written shows nothing that is said twice', () => {
    const [before, after] = ['The quick brown fox jumps over the la', 'brown fox jumps over the lazy dog.']
    let shown = before
    for (let length = 0; length <= after.length; length++) {
      const now = joinedText(before, after.slice(0, length), true)
      expect(now.startsWith(shown)).toBe(true)
      shown = now
    }
    expect(shown).toBe('The quick brown fox jumps over the lazy dog.')
    expect(continuation(fenced, '```t', true)).toBe('')
  })

  it('takes no time worth speaking of', () => {
    const long = 'ab '.repeat(100_000)
    const began = performance.now()
    continuation(long, long)
    expect(performance.now() - began).toBeLessThan(500)
  })
})

it('the last words begin with a word and are few', () => {
  expect(lastWords('The quick bro')).toBe('The quick bro')
  expect(lastWords(`${'word '.repeat(100)}the end  \n`)).toMatch(/^word [\w ]{80,110}the end$/)
  expect(lastWords('a\nb\nc\nd')).toBe('b\nc\nd')
  expect(lastWords('x'.repeat(500))).toHaveLength(120)
})
