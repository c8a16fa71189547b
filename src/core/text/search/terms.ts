/** The words by which a text is found: stemmed, CJK in pairs, identifiers whole and in parts. Pure. */
import { foldText, sourceRange } from './fold-text.ts'

/** A term and where it stands in the text, UTF-16 offsets, `to` exclusive. */
export type Term = { term: string; from: number; to: number }

/**
 * With the marks that lengthen, repeat or voice a letter of Japanese: サーバー, 人々, いすゞ are words, not letters
 * between marks.
 */
const cjk =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\u3006\\u3031-\\u3035\\u303c\\u3099\\u309a\\u30fc\\uff70'
const letter = `(?:(?![${cjk}])[\\p{L}\\p{N}\\p{M}_])`
/** A run of CJK letters, or a word with what joins the parts of a name, a path, a version. */
const pieces = new RegExp(`([${cjk}]+)|(${letter}+(?:[-./:@'’]${letter}+)*)`, 'gu')
/** Borders inside a word: joints, and where small letters meet capitals. Letters and digits stay together. */
const parts = /\p{Lu}{2,}(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+|[\p{Lu}\p{Lt}\p{N}]+/gu

/** Longest term that is kept, UTF-16 units: a longer one is no word but data. */
const LONGEST = 64

/** Every term of a text with its place, in order. Never throws. */
export function termsWithPlaces(text: string): Term[] {
  const read = foldText(text)
  const found: Term[] = []
  for (const match of read.text.matchAll(pieces)) {
    const from = match.index
    if (match[1] !== undefined) pairs(match[1], from, found)
    else if (match[2] !== undefined) words(match[2], from, found)
  }
  return read.starts ? found.map(({ term, from, to }) => ({ term, ...sourceRange(read, from, to) })) : found
}

/** The terms of a text, in order, with repetitions. */
export function terms(text: string): string[] {
  return termsWithPlaces(text).map(({ term }) => term)
}

/**
 * The terms of a question without the words that every text has; with them where nothing else is left. No repetitions.
 */
export function queryTerms(query: string): string[] {
  const telling = contentTerms(query)
  return telling.length > 0 ? telling : [...new Set(terms(query.slice(0, LONGEST_QUERY)))]
}

/** The terms of a question without the words that every text has: none where there are only such. No repetitions. */
export function contentTerms(query: string): string[] {
  return [...new Set(terms(query.slice(0, LONGEST_QUERY)))].filter(term => !common.has(term))
}
const LONGEST_QUERY = 4_000 // UTF-16 units

/** A term of a question and how much it tells, 0…1. */
export type WeightedTerm = { term: string; weight: number }

/**
 * The terms of a question with their weights. Of a run of Chinese or Japanese the pairs inside a word tell all, a pair
 * across the border of two words tells little: it is rare by chance, not by meaning. Two letters that stand alone
 * beside each other are most likely a name that no dictionary has (王|芳): they tell all. `telling`: without words that
 * every text has.
 */
export function weightedTerms(query: string, telling: boolean): WeightedTerm[] {
  const text = foldText(query.slice(0, LONGEST_QUERY)).text
  const borders = wordBorders(text)
  const weights = new Map<string, number>()
  for (const { term, from, to } of termsWithPlaces(text)) {
    const weight = isCjk.test(term) && to > from + 1 ? pairWeight(text, borders, { term, from, to }) : 1
    weights.set(term, Math.max(weight, weights.get(term) ?? 0))
  }
  const wanted = telling ? contentTerms(text) : queryTerms(text)
  return wanted.map(term => ({ term, weight: weights.get(term) ?? 1 }))
}
const isCjk = new RegExp(`^[${cjk}]`, 'u')
const CROSSING_PAIR = 0.25
const COMMON_PAIR = 0.15

function pairWeight(text: string, borders: ReadonlySet<number>, { term, from, to }: Term): number {
  if (commonPairs.has(term)) return COMMON_PAIR
  if (isParticle(text, to)) return CROSSING_PAIR
  if (!crosses(borders, from, to)) return 1
  return borders.has(from) && borders.has(to) && !helpers.test(term) ? 1 : CROSSING_PAIR
}

/** Letters that bind words in Chinese and Japanese: a pair with one across a border is no name. */
const helpers =
  /[的了在是我你您他她它们們和与與把被给給让讓说說有不没沒也都就还還很这這那哪个個去来來到对對从從向往跟用吗嗎呢吧啊呀要会會能想着著过過几幾什么麼谁誰はがをにでのともへやかねよたてだ]/u

/** Where words begin and end, as UTF-16 offsets; none where the engine cannot tell. */
function wordBorders(text: string): ReadonlySet<number> {
  if (!new RegExp(`[${cjk}]`, 'u').test(text) || typeof Intl.Segmenter !== 'function') return new Set()
  const language = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) ? 'ja' : 'zh'
  const borders = new Set<number>([text.length])
  for (const { segment, index } of new Intl.Segmenter(language, { granularity: 'word' }).segment(text)) {
    borders.add(index)
    // Dictionaries take a helper to the word before it (静的, 说的), which would hide the end of a name.
    if (segment.length === 2 && endings.test(segment)) borders.add(index + 1)
  }
  return borders
}
const endings = /[的了们們着著过過]$/u

/** Whether a Korean word ends here with a particle: it goes with the sentence, not with the thing. */
function isParticle(text: string, to: number): boolean {
  return /[은는이가을를의에와과도로]/u.test(text.charAt(to - 1)) && !/\p{Script=Hangul}/u.test(text.charAt(to))
}

function crosses(borders: ReadonlySet<number>, from: number, to: number): boolean {
  for (let at = from + 1; at < to; at++) if (borders.has(at)) return true
  return false
}

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
    if (whole !== '' && whole.length <= LONGEST && !/^\p{L}+['’]\p{L}{1,2}$/u.test(word))
      found.push({ term: whole, from, to: from + word.length })
    if (/[:@]/.test(word)) sections(word, from, found)
  }
  for (const part of inside) {
    const term = stem(fold(part[0]))
    const at = from + part.index
    const afterApostrophe = /['’]/.test(word.charAt(part.index - 1)) && part[0].length <= 2
    if (term !== '' && term.length <= LONGEST && !afterApostrophe)
      found.push({ term, from: at, to: at + part[0].length })
  }
}

/**
 * What stands before and behind a colon or an at sign is a name of its own: "src/app.ts" of "src/app.ts:12",
 * "work-item-7" of "work-item-7:DONE". A single word is among the parts.
 */
function sections(word: string, from: number, found: Term[]): void {
  for (const { 0: section, index } of word.matchAll(/[^:@]+/g)) {
    const term = fold(section)
    if (/[^\p{L}\p{N}\p{M}]/u.test(section) && term.length <= LONGEST)
      found.push({ term, from: from + index, to: from + index + section.length })
  }
}

/** Small letters, without accents and points. The marks of other scripts (Devanagari, Thai …) are vowels and stay. */
function fold(word: string): string {
  const small = word.toLowerCase()
  return /\P{ASCII}/u.test(small) ? small.normalize('NFKD').replace(accents, '') : small
}
const accents =
  /(?=[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}])\p{M}|\u0640/gu

/**
 * A light English stem: endings of number, past and -ing go, so that a question meets its answer. Other languages keep
 * theirs mostly.
 */
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

/** Stop words, after stemming. */
const common: ReadonlySet<string> = new Set(
  (
    'a an and are as at be been but by can could did do does for from had has have he her hers him his how i if in into is it its me my no not of on or our ' +
    'she so some that the their them then there these they this to up was we were what when where which who whom whose why will with would you your'
  )
    .split(' ')
    .map(stem),
)

/** Pairs that every text has in Chinese, Japanese and Korean: question words, endings, helpers. */
const commonPairs: ReadonlySet<string> = new Set(
  (
    '什么 怎么 哪里 哪儿 哪个 多少 几个 时候 我们 你们 他们 这个 那个 这里 那里 一个 一下 没有 可以 是不 不是 已经 就是 还是 因为 所以 如果 但是 是谁 为什 ' +
    'です ます した ませ まし たか すか どこ いつ だれ なに どれ ある あり いる する して した こと もの これ それ あれ この その から まで には では とは さん ので ' +
    'くだ ださ さい しま てい てる いま って った だっ たっ たら れば とい いう うに よう そう みた りま ござ しょ ょう でし られ れて たい ない なか かっ につ つい いて なり なっ まし せん ょっ ちょ っと けど ここ そこ たの のは れた えて いて っけ うで ' +
    '있나 나요 있어 어요 해요 예요 이에 에요 습니 니다 입니 니까 어디 디에 디죠 언제 무엇 누가 누구 얼마 어떤 그것 이것 하는 에서 으로 에게 찾고 고있'
  ).split(' '),
)
