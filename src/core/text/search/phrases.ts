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

/** What is added to the score of a text for the query's own phrases; 0 where it has none. Never throws. */
export function phraseBonus(query: string): (text: string) => number {
  const folded = foldText(query.slice(0, 400)).text.toLowerCase()
  const words = [...folded.matchAll(word)].map(([found]) => found)
  const pairs = words.flatMap((one, n): RegExp[] => {
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

/** Two words beside each other, with any ending of them. */
function beside(one: string, next: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])${begins(one)}[^\\p{L}\\p{N}]{1,3}${begins(next)}`, 'u')
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
