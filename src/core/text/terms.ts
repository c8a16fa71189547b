/** The words by which a text is found: stemmed, CJK in pairs, identifiers whole and in parts. Pure. */

/** A term and where it stands in the text, UTF-16 offsets, `to` exclusive. */
export type Term = { term: string; from: number; to: number }

const cjk = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}'
const letter = `(?:(?![${cjk}])[\\p{L}\\p{N}\\p{M}_])`
/** A run of CJK letters, or a word with what joins the parts of a name, a path, a version. */
const pieces = new RegExp(`([${cjk}]+)|(${letter}+(?:[-./:@'’]${letter}+)*)`, 'gu')
/** Borders inside a word: joints, and where small letters meet capitals. Letters and digits stay together. */
const parts = /\p{Lu}{2,}(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+|[\p{Lu}\p{Lt}\p{N}]+/gu

/** Longest term that is kept, UTF-16 units: a longer one is no word but data. */
const LONGEST = 64

/** Every term of a text with its place, in order. Never throws. */
export function termsWithPlaces(text: string): Term[] {
  const found: Term[] = []
  for (const match of text.matchAll(pieces)) {
    const from = match.index
    if (match[1] !== undefined) pairs(match[1], from, found)
    else if (match[2] !== undefined) words(match[2], from, found)
  }
  return found
}

/** The terms of a text, in order, with repetitions. */
export function terms(text: string): string[] {
  return termsWithPlaces(text).map(({ term }) => term)
}

/** The terms of a question without the words that every text has; with them where nothing else is left. No repetitions. */
export function queryTerms(query: string): string[] {
  const telling = tellingTerms(query)
  return telling.length > 0 ? telling : [...new Set(terms(query.slice(0, LONGEST_QUERY)))]
}

/** The terms of a question without the words that every text has: none where there are only such. No repetitions. */
export function tellingTerms(query: string): string[] {
  return [...new Set(terms(query.slice(0, LONGEST_QUERY)))].filter(term => !common.has(term))
}
const LONGEST_QUERY = 4_000 // UTF-16 units

/** Where the words of a query stand in a text: ranges for marks, in order, not overlapping. */
export function marksOf(text: string, query: string): [number, number][] {
  const wanted = new Set(queryTerms(query))
  const marks: [number, number][] = []
  for (const { term, from, to } of termsWithPlaces(text)) {
    if (!wanted.has(term)) continue
    const last = marks.at(-1)
    if (last && from <= last[1]) last[1] = Math.max(last[1], to)
    else marks.push([from, to])
  }
  return marks
}

function pairs(run: string, from: number, found: Term[]): void {
  const letters = [...run]
  if (letters.length === 1) found.push({ term: run, from, to: from + run.length })
  let at = from
  for (const [i, first] of letters.entries()) {
    const second = letters[i + 1]
    if (second !== undefined) found.push({ term: first + second, from: at, to: at + first.length + second.length })
    at += first.length
  }
}

function words(word: string, from: number, found: Term[]): void {
  const inside = [...word.matchAll(parts)]
  const [only] = inside
  if (inside.length !== 1 || only?.[0] !== word) {
    const whole = fold(word)
    if (whole !== '' && whole.length <= LONGEST && !/^\p{L}+['’]\p{L}{1,2}$/u.test(word)) found.push({ term: whole, from, to: from + word.length })
  }
  for (const part of inside) {
    const term = stem(fold(part[0]))
    const at = from + part.index
    const afterApostrophe = /['’]/.test(word.charAt(part.index - 1)) && part[0].length <= 2
    if (term !== '' && term.length <= LONGEST && !afterApostrophe) found.push({ term, from: at, to: at + part[0].length })
  }
}

/** Small letters, without accents. */
function fold(word: string): string {
  const small = word.toLowerCase()
  return /\P{ASCII}/u.test(small) ? small.normalize('NFKD').replace(/\p{M}/gu, '') : small
}

/** A light English stem: endings of number, past and -ing go, so that a question meets its answer. Other languages keep theirs mostly. */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  let stemmed = word
  if (/ie[sd]$/.test(stemmed) && stemmed.length > 4) stemmed = `${stemmed.slice(0, -3)}y`
  else if (/(?:ss|sh|ch|x|z)es$/.test(stemmed)) stemmed = stemmed.slice(0, -2)
  else if (stemmed.endsWith('s') && !/(?:ss|us|is)$/.test(stemmed)) stemmed = stemmed.slice(0, -1)
  const ending = /^(.*[aeiouy].*?)(?:ing|ed)$/.exec(stemmed)
  if (ending?.[1] !== undefined && ending[1].length >= 3) stemmed = ending[1].replace(/([bdgmnprt])\1$/, '$1')
  if (stemmed.endsWith('e') && stemmed.length > 3) stemmed = stemmed.slice(0, -1)
  if (stemmed.endsWith('y') && stemmed.length > 3) stemmed = `${stemmed.slice(0, -1)}i`
  return stemmed
}

/** Words that tell nothing, as they are after stemming. */
const common: ReadonlySet<string> = new Set(
  ('a an and are as at be been but by can could did do does for from had has have he her hers him his how i if in into is it its me my no not of on or our '
  + 'she so some that the their them then there these they this to up was we were what when where which who whom whose why will with would you your')
    .split(' ').map(stem),
)
