/** How much of a query stands in a text as it was typed: words beside each other, and all of it. Pure. */
import { asksInWords } from './asking-words.ts'
import { foldText } from './fold-text.ts'
import { stem } from './terms.ts'

/** What a text with every pair of a question's words beside each other gets. Fitted with the weights of the ranking. */
const pairBonus = 3.3
/** What a text gets that has all that was typed, word for word: more than its surroundings can bring. */
const wholeBonus = 12
/** Most pairs that are looked for. */
const mostPairs = 24

const word = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+|[\p{L}\p{N}\p{M}_]+/gu
const unspaced = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Whether a text has two words, or three letters, beside each other. */
type Pair = { test: (text: string) => boolean }

/** What is added to the score of a text for the query's own phrases; 0 where it has none. Never throws. */
export function phraseBonus(query: string): (text: string) => number {
  const folded = foldText(query.slice(0, 400)).text.toLowerCase()
  const words = [...folded.matchAll(word)].map(([found]) => found)
  const pairs = words.flatMap((one, n): Pair[] => {
    const next = words[n + 1]
    if (unspaced.test(one)) return triples(one)
    return next === undefined || unspaced.test(next) ? [] : [beside(one, next)]
  })
  pairs.length = Math.min(pairs.length, mostPairs)
  const typed = folded.trim().replace(/\s+/g, ' ')
  const isPhrase = !asksInWords(query) && (words.length > 1 || /[^\p{L}]/u.test(typed) || unspaced.test(typed))
  if (pairs.length === 0 && !isPhrase) return () => 0
  return text => {
    const plain = foldText(text).text.toLowerCase().replace(/\s+/g, ' ')
    const having = pairs.filter(pair => pair.test(plain)).length
    const isWhole = isPhrase && plain.includes(typed)
    return (pairs.length === 0 ? 0 : (pairBonus * having) / pairs.length) + (isWhole ? wholeBonus : 0)
  }
}

/**
 * Two words beside each other, with any ending of them. The pattern is tried only where the first one stands: going
 * through a whole text with it took a third of a search.
 */
function beside(one: string, next: string): Pair {
  const short = stem(one)
  const begin = one.startsWith(short) ? short : one
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${begins(one)}[^\\p{L}\\p{N}]{1,3}${begins(next)}`, 'uy')
  return {
    test: text => {
      for (let at = text.indexOf(begin); at >= 0; at = text.indexOf(begin, at + 1)) {
        pattern.lastIndex = at
        if (pattern.test(text)) return true
      }
      return false
    },
  }
}

function begins(one: string): string {
  const short = stem(one)
  return short === one || !one.startsWith(short) ? `${one}(?![\\p{L}\\p{N}])` : `${short}\\p{L}{0,4}`
}

/** Three letters in a row: two alone are a term of the index already. */
function triples(run: string): RegExp[] {
  const letters = [...run]
  return letters.slice(2).map((third, n) => new RegExp(`${letters[n]}${letters[n + 1]}${third}`, 'u'))
}
