/**
 * How much of what a question names is said by a text that was found: the share of its most telling words. Independent
 * of the weights of the ranking. Pure.
 */
import { dayOf } from '../day.ts'
import { asksInWords } from './asking-words.ts'
import type { Corpus } from './corpus.ts'
import { foldText } from './fold-text.ts'
import { likeStems, likeWords } from './like-words.ts'
import { tellingWords, type TellingWord } from './telling-words.ts'
import { countsOf, featuresOf, packFeatures, queryWants, timesOf } from './text-features.ts'
import { terms } from './terms.ts'

/**
 * The coverage from which on something is taken to be said. Between what answers a question and what only shares some
 * of its words. Fitted and checked by `npm run bench -- answerable` (bench/results/answerable.json, 2026-11-29).
 */
export const saidFrom = 0.7

/** A text that was found, when it was said (ms), and what stands right before and after it in the same sitting. */
export type FoundText = { text: string; before: string; after: string; at?: number }

/** What a word counts that only a neighbour has, that a like word stands for, that has another ending. */
const BESIDE = 0.5
const LIKE = 0.7
const OTHER_ENDING = 0.8
/** What it weighs that a time, a number, a place or a reason is asked for. Unit: weights of words, most 4…6. */
const WANTED = 1.5

const asksPlace = /\bwhere\b|哪里|哪裡|哪儿|どこ|어디/iu
const tellsPlace = /\b(?:in|at|on|under|behind|near|next|inside|above|below|to|from)\b|在|放|里|裡|上|に|から|에|로/iu
const asksReason = /\bwhy\b|为什么|為什麼|为何|なぜ|왜/iu
const tellsReason = /\b(?:because|since|so|due|reason)\b|因|为了|所以|から|ので|때문|니까/iu

/**
 * A function that tells of a text how much of the question it says, 0…1; `unnamed` where the question names nothing.
 * A sentence that only asks says nothing, but what stands right behind it is taken to speak of it. Never throws.
 */
export function coverageOf(
  corpus: Pick<Corpus, 'size' | 'costOf'>,
  query: string,
  unnamed = 0,
): (found: FoundText) => number {
  const words = tellingWords(corpus, query)
  const wants = queryWants(query)
  const demands: ((text: string, signs: number) => boolean)[] = [
    ...(wants.time ? [(_: string, signs: number) => timesOf(signs) > 0] : []),
    ...(wants.count ? [(text: string, signs: number) => countsOf(signs) > 0 || /\p{N}/u.test(text)] : []),
    ...(asksPlace.test(query) ? [(text: string) => tellsPlace.test(text)] : []),
    ...(asksReason.test(query) ? [(text: string) => tellsReason.test(text)] : []),
  ]
  const whole = words.reduce((sum, { weight }) => sum + weight, WANTED * demands.length)
  return ({ text, before, after, at }) => {
    if (words.length === 0) return unnamed
    const said = statements(text)
    if (said.trim() === '') return 0
    const own = read(at === undefined ? said : `${said} ${dateWords(at)}`)
    const asked = read(onlyAsks(before) ? before : '')
    const beside = [read(statements(before)), read(statements(after))]
    const signs = demands.length === 0 ? 0 : packFeatures(featuresOf(text), 'other')
    let counted = WANTED * demands.filter(isMet => isMet(text, signs)).length
    for (const word of words)
      counted +=
        word.weight *
        Math.max(has(own, word), has(asked, word), BESIDE * Math.max(...beside.map(one => has(one, word))))
    return counted / whole
  }
}

type Read = { text: string; terms: ReadonlySet<string> }

function read(text: string): Read {
  return { text: foldText(text).text, terms: new Set(terms(text)) }
}

/** How surely a text has a word, 0…1. */
function has({ text, terms: own }: Read, { word, terms: wanted }: TellingWord): number {
  if (isLetter.test(word) && text.includes(word)) return 1
  const having = wanted.filter(term => own.has(term)).length
  if (having > 0) return having / wanted.length
  for (const like of likeStems(word)) if (own.has(like)) return LIKE
  if (likeWords(word).some(like => text.includes(like))) return LIKE
  if (!/^[a-z]{5,}$/.test(word)) return 0
  const begin = word.slice(0, Math.max(4, word.length - 2))
  for (const one of own) if (one.startsWith(begin) && one.length <= word.length + 4) return OTHER_ENDING
  return 0
}
/** One letter of Chinese, Japanese or Korean: no term of the index, but a word. */
const isLetter = /^[\p{Script=Han}\p{Script=Hangul}]$/u

const months = 'January February March April May June July August September October November December'.split(' ')

/** The day of a text as one asks for it: "in May 2025" needs no such words in the text. */
function dateWords(at: number): string {
  const date = new Date(at)
  const [year, month, day] = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return `${day} ${months[month - 1]} ${year} ${dayOf(at)} ${year}年${month}月${day}日 ${day}号`
}

/** A text without the sentences that only ask. */
function statements(text: string): string {
  return (text.match(sentences) ?? []).filter(sentence => !onlyAsks(sentence)).join(' ')
}
const sentences = /[^.!?。！？\n]+[.!?。！？\n]*/gu

/** Whether a sentence asks: by its sign, or by its words where no full stop says otherwise. */
function onlyAsks(sentence: string): boolean {
  return /[?？吗嗎呢]\s*$/u.test(sentence) || (asksInWords(sentence) && !/[.。!！]\s*$/u.test(sentence))
}
