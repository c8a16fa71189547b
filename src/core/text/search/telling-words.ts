/** The words of a question that tell what it is about, with how much each tells. Pure. */
import { subjectTerms } from './asking-words.ts'
import type { Corpus } from './corpus.ts'
import { isEveryday } from './everyday-words.ts'
import { foldText } from './fold-text.ts'
import { termHash } from './term-hash.ts'
import { contentTerms, terms } from './terms.ts'

/** `terms`: what the index knows of the word: itself, or its pairs of letters. */
export type TellingWord = { word: string; weight: number; terms: readonly string[] }

/** As many of the heaviest words count: what is said beside them is how one puts it. Fitted with what follows. */
const mostWords = 3
/** Shares of its weight that a word keeps. */
const EVERYDAY = 0.2
/** "Which city": what kind of answer is wanted often stands not in the answer. */
const CATEGORY = 0.5
/** One letter of Chinese, Japanese, Korean: found by chance more easily. */
const LETTER = 0.7
/** A word that nobody ever said here is more often another way to put it than another thing; a name is not. */
const NEVER_SAID = 0.3
/** Few texts do not show what is rare: as if there were so many more, and each word in some of them. */
const moreTexts = 300
const moreHaving = 5
/** UTF-16 units of a question that are read. */
const longestQuestion = 400

/** The heaviest words of a question first; none where it has only words that every text has. Never throws. */
export function tellingWords(corpus: Pick<Corpus, 'size' | 'costOf'>, query: string): TellingWord[] {
  const text = foldText(query.slice(0, longestQuestion)).text
  const names = termsOfAll(text.matchAll(capitalised))
  const categories = termsOfAll(text.matchAll(category))
  const found = new Map<string, TellingWord>()
  const add = ({ word, share = 1, isName = false }: Piece): void => {
    const own = contentTerms(word)
    if (own.length === 0 || found.has(word)) return
    const having = own.map(term => corpus.costOf(termHash(term)))
    const rarity = Math.log(1 + (corpus.size + moreTexts) / (Math.max(...having) + moreHaving))
    const isSaid = having.some(count => count > 0) || isName || names.has(word) || /\p{N}/u.test(word)
    const kept = isEveryday(word) || asking.test(word) ? EVERYDAY : 1
    found.set(word, { word, terms: own, weight: share * rarity * kept * (isSaid ? 1 : NEVER_SAID) })
  }
  const plain = contentTerms(text.replace(unspaced, ' ').replace(hangul, ' '))
  for (const { term } of subjectTerms(plain.map(term => ({ term, weight: 1 }))))
    add({ word: term, share: categories.has(term) ? CATEGORY : 1 })
  for (const [run] of text.matchAll(unspaced)) for (const piece of wordsOf(run)) add(piece)
  for (const [run] of text.matchAll(hangul)) add(koreanWord(run))
  return [...found.values()].sort((a, b) => b.weight - a.weight).slice(0, mostWords)
}

/** A word of Chinese, Japanese or Korean; `share` of its weight that it keeps. */
type Piece = { word: string; share?: number; isName?: boolean }

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+/gu
const hangul = /\p{Script=Hangul}+/gu
/** A capital inside of a sentence. */
const capitalised = /(?<=[\p{L}\p{N},;:’'"] +)(\p{Lu}[\p{L}\p{M}]+)/gu
const category = /\b(?:what|which) (?:kind of )?([a-z]+)/giu
/** Words that ask: 什么东西, 哪个, 뭐라고. */
const asking = /什么|什麼|哪|怎|多少|多长|多久|几|幾|何|^(?:뭐|무엇|무슨|어떻|어떤|어디|언제|누구|누가|얼마|왜)/u
/** Chinese and Japanese pieces that bind words. */
const binds =
  /^[的了在是我你您他她它们們和与與把被給给让讓说說有不没沒也都就还還很这這那哪个個去来來到對对从從向往跟用吗嗎呢吧啊呀要会會能想着著过過几幾什么麼谁誰为為以请請多长長久老又再更最只才好太真]$|^[\p{Script=Hiragana}ー]{1,2}$/u
/** Chinese words of one letter that say what is done. */
const verbs =
  /^[搬換换借买買卖賣用做吃喝住花送拿找写寫看问問见見听聽学學坐走跑开開关關等带帶穿当當订訂付叫改选選交修装裝洗种種读讀放讲講出进進回隔]$/u
/** A Japanese word with its ending. */
const inflected = /\p{Script=Han}\p{Script=Hiragana}+$/u
/** A Korean word that ends a clause: what is done, not what is spoken of. */
const predicate = /(?:요|죠|봐|줄래|니다|니까|까|지|래|줘|던|하는|한)$/u

const particle = /(?<=..)(?:에게서|에게|에서|한테|까지|부터|이랑|으로|처럼|보다)$|[은는이가을를의에와과도로]$/u

function termsOfAll(matches: Iterable<RegExpMatchArray>): Set<string> {
  return new Set([...matches].flatMap(match => terms(match[1] ?? '')))
}

/** A Korean word without its particle. */
function koreanWord(run: string): Piece {
  const word = run.length > 2 ? run.replace(particle, '') : run
  return { word, share: predicate.test(run) ? EVERYDAY : word.length === 1 ? LETTER : 1 }
}

/** The words of a run of Chinese or Japanese; letters that stand alone beside each other are most likely a name. */
function wordsOf(run: string): Piece[] {
  const isJapanese = /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(run)
  const pieces: Piece[] = []
  let letters = ''
  const close = (next: string): void => {
    const count = [...letters].length
    // 置|い, 探|し is what is done; 傘|は is a thing.
    const isVerb =
      isJapanese && count === 1 && /^\p{Script=Hiragana}/u.test(next) && !/^[はがをにのでともへや]/u.test(next)
    if (count > 0)
      pieces.push({ word: letters, share: isVerb ? EVERYDAY : count === 1 ? LETTER : 1, isName: count > 1 })
    letters = ''
  }
  const segments = segmentsOf(run, isJapanese ? 'ja' : 'zh')
  for (const [n, segment] of segments.entries()) {
    // 決まり, 思い出せ, 確認|し: what is done.
    const isVerb = isJapanese
      ? inflected.test(segment) ||
        (/\p{Script=Han}$/u.test(segment) && /^(?:[しすせ]|さ[れせ])/u.test(segments[n + 1] ?? ''))
      : verbs.test(segment)
    if ([...segment].length === 1 && !binds.test(segment) && !isVerb) {
      letters += segment
      continue
    }
    close(segment)
    if (!binds.test(segment)) pieces.push({ word: segment, share: isVerb ? EVERYDAY : 1 })
  }
  close('')
  return pieces
}

/** Words as a dictionary cuts them, without the helper that it takes to the word before (静的); else letters. */
function segmentsOf(run: string, language: string): string[] {
  if (typeof Intl.Segmenter !== 'function') return [...run]
  return [...new Intl.Segmenter(language, { granularity: 'word' }).segment(run)].flatMap(({ segment }) =>
    /^.[的了们們着著过過]$/u.test(segment) ? [...segment] : [segment],
  )
}
