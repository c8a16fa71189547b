/**
 * The ranking of memory search: by the words of a text, of its neighbours and of its episode, by who says it, and by a
 * few features. A long text is one, and comes as its best passage. Pure.
 */
import { asksInWords, subjectTerms } from './asking-words.ts'
import { BestHits, type RankHit } from './best-hits.ts'
import type { Columns } from './columns.ts'
import type { ChatShape, Corpus } from './corpus.ts'
import { idf, lookUp, wishesWith } from './look-up.ts'
import { questionKind, type QuestionKind } from './question-kinds.ts'
import { scratchOf } from './scratch.ts'
import {
  asksOf,
  countsOf,
  endsAskingOf,
  isAssistant,
  isPerson,
  likeSign,
  timesOf,
  queryWants,
  wishSign,
} from './text-features.ts'
import { weightedTerms } from './terms.ts'

/**
 * `times`: moments that the question speaks of, ms, `to` exclusive: passages from then come first. `matching`: only
 * passages with a word of the query themselves. `prior`: what is added to a score. `near`: passages of like meaning,
 * nearest first.
 */
export type RankOptions = {
  limit: number
  accept?: (passage: number) => boolean
  prior?: (passage: number) => number
  matching?: boolean
  times?: readonly { from: number; to: number }[]
  similar?: readonly number[]
  disabledParts?: readonly RankPart[]
}
/** Parts that can be left out, to measure what each brings. */
export const rankParts = [
  'own',
  'neighbours',
  'sitting',
  'answers',
  'signs',
  'speaker',
  'voice',
  'length',
  'literal',
  'times',
  'kinds',
] as const
export type RankPart = (typeof rankParts)[number]

/** How soon more of one word stops to count, and how much length counts against a text, and what is around it: BM25. */
const K1 = 1.2
const B = 0.5
const B_BESIDE = 0.4
/**
 * How much a word counts for the neighbouring texts, by distance: an answer is often next to the words of its
 * question.
 */
const BESIDE = [0.7, 0.5, 0.3]

/**
 * Weights of the parts, fitted (logistic, one choice among all texts of a chat) on the questions of five long talks and
 * of ten chats with an assistant at once; checked on others. What each part brings stands in
 * docs/decisions/memory-ranking.md, with the command.
 */
const W = {
  own: 4,
  beside: 5.1,
  sitting: 6.7,
  answers: 3.3,
  length: 0.32,
  endsAsking: -0.55,
  times: 0.85,
  counts: 0.25,
  speaker: 1.05,
  inTime: 4.9,
  all: 1,
  allTyped: 6,
}
/** What is added to them where the answers are long (`longAnswers` 1). */
const LONG = { own: -0.4, beside: -4.6, answers: -3.3, length: -0.76, next: 1.7, person: 1.2 }
/**
 * What else counts for some kinds of questions. `first`: being among the first texts of its chat, where things are
 * brought up. `person`: the person says it, where the answers are long. `like`: it tells what the person likes or not.
 * Fitted with the others.
 */
const KIND: Record<QuestionKind, { first: number; person: number; like: number }> = {
  order: { first: 2, person: 3, like: 0 },
  summary: { first: 4, person: 0, like: 0 },
  advice: { first: 0, person: 0, like: 2 },
  list: { first: 0, person: 0, like: 0 },
  plain: { first: 0, person: 0, like: 0 },
}
/** What a word of the question tells in a standing wish, where the best of these are chosen. Unit: as `W`. */
const wishFit = 6
/** Standing wishes that may bear on a question, at most; the least share of its words where it asks for no advice. */
const mostWishes = 4
const leastFit = 0.05

/** What is added where tools work: their long results hold what is looked for. Set by `bench -- work`. */
const WORK = { length: 0.35 }
/** Between talk, where others say about as much as the person, and long answers. Unit: terms of a text, on average. */
const talk = 60
const answers = 240
/** A chat of few texts is taken to be like all the others. Unit: texts. */
const usualTexts = 10

/** A text with this share of the query's words (by weight) has them all. */
const ALL_FROM = 0.95
/**
 * What the nearest passage by meaning gets, the others less by their place: as much as being from the time that was
 * asked for. Not fitted.
 */
const similarBonus = 3
/** What a second passage of a text loses, where the first one must not come. Unit: score. */
const behindFirst = 3
/**
 * The best passages for a query, best first; nothing for a query without words, unless it speaks of a time: then those
 * from that time. Never throws.
 */
export function rankPassages(corpus: Corpus, query: string, options: RankOptions): RankHit[] {
  return rankWithWishes(corpus, query, options).hits
}

/** The same, and the standing wishes of the person that fit the question best, among the hits or not, best first. */
export function rankWithWishes(
  corpus: Corpus,
  query: string,
  { limit, accept, prior, matching = false, times = [], similar: alike = [], disabledParts = [] }: RankOptions,
): { hits: RankHit[]; wishes: RankHit[] } {
  const on = (part: RankPart): number => (disabledParts.includes(part) ? 0 : 1)
  const terms = weightedTerms(query, times.length > 0)
  const isAsked = asksInWords(query)
  const looked = lookUp(corpus, isAsked ? subjectTerms(terms) : terms)
  const { columns } = corpus
  const { length, head, wholeLength, previous, next } = columns
  const { piece, own, covered, beside, near, isTouched } = scratchOf(corpus)
  const touched: number[] = [] // texts, by their first passages
  const matched: number[] = [] // passages
  const touch = (text: number): void => {
    if (isTouched[text] === 0) touched.push(text)
    isTouched[text] = 1
  }
  const sitting = new Float32Array(corpus.episodeLength.length)
  const inSitting = new Float32Array(sitting.length)
  const speakers = new Set<number>()
  const pieceMean = Math.max(1, corpus.total / Math.max(1, corpus.size))
  const mean = Math.max(1, corpus.total / Math.max(1, corpus.texts))
  const means = corpus.chats.map(chat => meanLength(chat, mean))
  const sittingMean = Math.max(1, corpus.total / Math.max(1, sitting.length))
  let whole = 1e-9 // what a text with every word once would have
  for (const { list, said, tells, weight } of looked) {
    whole += weight
    const having: number[] = []
    const reached: number[] = []
    const sittingsHere: number[] = []
    for (let i = 0; i < list.length; i += 2) {
      const passage = list[i]!
      const count = list[i + 1]!
      if (piece[passage] === 0) matched.push(passage)
      piece[passage]! += weight * saturated(count, length[passage]! / pieceMean, B)
      const text = head[passage]!
      if (near[text] === 0) having.push(text)
      near[text]! += count
      const place = columns.episode[passage]!
      if (inSitting[place] === 0) sittingsHere.push(place)
      inSitting[place]! += count
    }
    const counts = having.map(text => near[text]!)
    for (const [n, text] of having.entries()) {
      own[text]! += weight * saturated(counts[n]!, wholeLength[text]! / means[columns.chat[text]!]!, B)
      covered[text]! += weight
      reached.push(text)
    }
    const spread = (text: number, count: number): void => {
      if (near[text] === 0) reached.push(text)
      near[text]! += count
    }
    for (const [n, text] of having.entries()) {
      for (let step = 0, back = previous[text]!; step < BESIDE.length && back >= 0; step++, back = previous[back]!)
        spread(back, BESIDE[step]! * counts[n]!)
      for (let step = 0, on = next[text]!; step < BESIDE.length && on >= 0; step++, on = next[on]!)
        spread(on, BESIDE[step]! * counts[n]!)
    }
    for (const text of reached) {
      const around = lengthBeside(columns, text) / (means[columns.chat[text]!]! * WIDTH)
      beside[text]! += weight * saturated(near[text]!, around, B_BESIDE)
      near[text] = 0
      touch(text)
    }
    const sittingWeight = tells * idf(sitting.length, sittingsHere.length)
    for (const place of sittingsHere) {
      sitting[place]! += sittingWeight * saturated(inSitting[place]!, corpus.episodeLength[place]! / sittingMean, B)
      inSitting[place] = 0
    }
    for (const passage of said) speakers.add(head[passage]!)
  }
  const lift = new Map<number, { passage: number; bonus: number }>()
  for (const [at, passage] of alike.entries()) {
    const text = head[passage]!
    if (!lift.has(text)) lift.set(text, { passage, bonus: similarBonus * (1 - at / alike.length) })
    touch(text)
  }
  if (looked.length === 0)
    for (let passage = 0; passage < corpus.size; passage++)
      if (isWithin(columns.at[passage]!, times)) touch(head[passage]!)
  /** The passage of a text that is shown: the best that may come, and whether a better one may not. */
  const shown = (text: number): { passage: number; isSecond: boolean } | undefined => {
    let passage = -1
    let first = lift.get(text)?.passage ?? text
    for (let at = text; at < corpus.size && head[at] === text; at++) if (piece[at]! > piece[first]!) first = at
    const mayCome = (at: number): boolean => columns.gone[at] === 0 && (accept?.(at) ?? true)
    if (mayCome(first)) return { passage: first, isSecond: false }
    for (let at = text; at < corpus.size && head[at] === text; at++)
      if (piece[at]! > (passage < 0 ? 0 : piece[passage]!) && mayCome(at)) passage = at
    return passage < 0 ? undefined : { passage, isSecond: true }
  }
  const kind = isAsked && on('kinds') === 1 ? questionKind(query) : 'plain'
  const counts = KIND[kind]
  const fits = isAsked ? wishesWith(corpus, terms) : new Map<number, number>()
  for (const text of fits.keys()) touch(text)
  const wishes = new BestHits(mostWishes)
  const mayBear = (text: number): boolean =>
    (columns.statements[text]! & wishSign) !== 0 && (kind === 'advice' || (fits.get(text) ?? 0) >= leastFit * whole)
  const wants = queryWants(query)
  const sittings = Math.log(1 + sitting.length) * Math.max(1, looked.length)
  const best = new BestHits(limit)
  const long = corpus.chats.map(chat => longAnswers(chat, mean))
  const work = corpus.chats.map(toolWork)
  const wSitting = (on('sitting') * W.sitting) / sittings
  for (const text of touched) {
    if (matching && own[text] === 0 && looked.length > 0) continue
    const asked = previous[text]!
    const answer = next[text]!
    const signs = columns.wholeFeatures[text]!
    const share = long[columns.chat[text]!]!
    const tools = work[columns.chat[text]!]!
    let score =
      (on('own') * (W.own + share * LONG.own) * own[text]!) / whole +
      (on('neighbours') * (W.beside + share * LONG.beside) * beside[text]!) / whole +
      wSitting * sitting[columns.episode[text]!]! +
      on('length') * (W.length + share * LONG.length + tools * WORK.length) * columns.logLength[text]!
    if (covered[text]! >= ALL_FROM * whole) score += on('literal') * (isAsked ? W.all : W.allTyped)
    if (asked >= 0 && own[asked]! > 0 && asksOf(columns.wholeFeatures[asked]!))
      score += (on('answers') * (W.answers + share * LONG.answers) * own[asked]!) / whole
    if (answer >= 0) score += (on('neighbours') * share * LONG.next * own[answer]!) / whole
    if (wants.answer ? isAssistant(signs) : isPerson(signs)) score += on('voice') * share * LONG.person
    if (kind !== 'plain') {
      score += counts.first * (1 - columns.nth[text]! / corpus.chats[columns.chat[text]!]!.texts)
      if (isPerson(signs)) score += share * counts.person
      if ((columns.statements[text]! & likeSign) !== 0) score += counts.like
    }
    score +=
      on('signs') *
      ((endsAskingOf(signs) ? W.endsAsking : 0) +
        (wants.time ? W.times * timesOf(signs) : 0) +
        (wants.count ? W.counts * countsOf(signs) : 0))
    if (times.length > 0 && isWithin(columns.at[text]!, times)) score += on('times') * W.inTime
    if (speakers.has(text)) score += on('speaker') * W.speaker
    score += lift.get(text)?.bonus ?? 0
    if (prior) score += prior(text)
    if (isAsked && kind !== 'order' && kind !== 'summary' && mayBear(text)) {
      const bearing = score + (wishFit * (fits.get(text) ?? 0)) / whole
      const wish = wishes.wants(bearing, text) ? shown(text) : undefined
      if (wish) wishes.add(bearing, wish.passage)
    }
    if (!best.wants(score, text)) continue
    const it = shown(text)
    if (!it) continue
    if (it.isSecond) score -= behindFirst
    if (best.wants(score, it.passage)) best.add(score, it.passage)
  }
  for (const text of touched) own[text] = covered[text] = beside[text] = isTouched[text] = 0
  for (const passage of matched) piece[passage] = 0
  return { hits: best.inOrder(), wishes: wishes.inOrder() }
}

/** How long a text of a chat is on average, in terms; like everywhere where there are few. */
function meanLength({ texts, length }: ChatShape, everywhere: number): number {
  return (length + usualTexts * everywhere) / (texts + usualTexts)
}

/** How much a chat is work with tools: 0 without them, 1 where a third of its texts are what tools gave. */
function toolWork({ texts, results }: ChatShape): number {
  return results === texts ? 0 : Math.min(1, (3 * results) / texts) // a document or a title has no other voice
}

/** How much a chat is one with long answers: 0 for talk, 1 where what is not the person's is long. */
function longAnswers({ others, othersLength }: ChatShape, everywhere: number): number {
  const mean = meanLength({ texts: others, length: othersLength, others, othersLength, results: 0 }, everywhere)
  return Math.min(1, Math.max(0, Math.log(Math.max(1, mean) / talk) / Math.log(answers / talk)))
}

const WIDTH = 1 + 2 * BESIDE.reduce((sum, share) => sum + share, 0)

function lengthBeside({ wholeLength, previous, next }: Columns, text: number): number {
  let sum = wholeLength[text]!
  for (let step = 0, back = previous[text]!; step < BESIDE.length && back >= 0; step++, back = previous[back]!)
    sum += BESIDE[step]! * wholeLength[back]!
  for (let step = 0, on = next[text]!; step < BESIDE.length && on >= 0; step++, on = next[on]!)
    sum += BESIDE[step]! * wholeLength[on]!
  return sum
}

function isWithin(at: number, times: RankOptions['times'] = []): boolean {
  return times.some(({ from, to }) => at >= from && at < to)
}

function saturated(count: number, length: number, b: number): number {
  return (count * (K1 + 1)) / (count + K1 * (1 - b + b * length))
}
