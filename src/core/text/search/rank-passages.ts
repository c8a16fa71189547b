/**
 * The ranking of memory search: by the words of a passage, of its neighbours and of its episode, and by a few features.
 * Pure.
 */
import type { Columns } from './columns.ts'
import { speakerTerm, type Corpus } from './corpus.ts'
import { asksOf, countsOf, endsAskingOf, timesOf, queryWants } from './text-features.ts'
import { termHash } from './term-hash.ts'
import { weightedTerms, type WeightedTerm } from './terms.ts'

export type RankHit = { passage: number; score: number }
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
  'length',
  'literal',
  'times',
] as const
export type RankPart = (typeof rankParts)[number]

/**
 * How soon more of one word stops to count, and how much length counts against a passage: BM25. Chat turns are short,
 * so length says less than in the usual 0.75; a sitting is long, so there it says that.
 */
const K1 = 1.2
const B = 0.4
const B_SITTING = 0.75
/**
 * How much a word counts for the neighbouring passages, by distance: an answer is often next to the words of its
 * question.
 */
const BESIDE = [0.7, 0.5, 0.3]

/**
 * Weights of the parts, fitted (logistic, one choice among all passages of a chat) on the questions of five long chats;
 * checked on five others. What each part brings stands in docs/decisions/memory-ranking.md, with the command.
 */
const W = {
  own: 2.57,
  beside: 5.76,
  sitting: 8.41,
  answers: 3.24,
  length: 0.66,
  endsAsking: -0.86,
  times: 0.87,
  counts: 0.92,
  speaker: 1.09,
  inTime: 3,
  whole: 10,
}
/**
 * A passage with at least this share of the query's words (by weight) gets `W.whole` added, so that a literal search
 * finds it.
 */
const WHOLE_FROM = 0.5
/** What being among the surest adds to a score. */
const sureBonus = 2
/**
 * What the nearest passage by meaning gets, the others less by their place: as much as being from the time that was
 * asked for. Not fitted.
 */
const similarBonus = 3
/** This many passages with most of the query's words come first, whatever surrounds the others. */
const surePassages = 3

/**
 * Most terms of a question that are looked up, and most places of them: the rarest. A word that a tenth of 100 000
 * passages have tells nothing, and following it would take most of the time.
 */
const mostTerms = 64
const mostPostings = 12_000

/**
 * The best passages for a query, best first; nothing for a query without words, unless it speaks of a time: then those
 * from that time. Never throws.
 */
export function rankPassages(
  corpus: Corpus,
  query: string,
  { limit, accept, prior, matching = false, times = [], similar: alike = [], disabledParts = [] }: RankOptions,
): RankHit[] {
  const on = (part: RankPart): number => (disabledParts.includes(part) ? 0 : 1)
  const looked = lookUp(corpus, weightedTerms(query, times.length > 0))
  const { columns } = corpus
  const { before, after, length } = columns
  const { own, beside, near, isTouched } = scratchOf(corpus)
  const touched: number[] = []
  const sitting = new Float32Array(corpus.episodeLength.length)
  const inSitting = new Float32Array(sitting.length)
  const speakers = new Set<number>()
  const mean = Math.max(1, corpus.total / Math.max(1, corpus.size))
  const sittingMean = Math.max(1, corpus.total / Math.max(1, sitting.length))
  let whole = 1e-9 // what a passage with every word once would have
  for (const { list, said, tells, weight } of looked) {
    whole += weight
    const reached: number[] = []
    const sittingsHere: number[] = []
    const spread = (passage: number, count: number): void => {
      if (near[passage] === 0) reached.push(passage)
      near[passage]! += count
    }
    for (let i = 0; i < list.length; i += 2) {
      const passage = list[i]!
      const count = list[i + 1]!
      own[passage]! += weight * saturated(count, length[passage]! / mean, B)
      spread(passage, count)
      for (let step = 0, back = before[passage]!; step < BESIDE.length && back >= 0; step++, back = before[back]!)
        spread(back, BESIDE[step]! * count)
      for (let step = 0, next = after[passage]!; step < BESIDE.length && next >= 0; step++, next = after[next]!)
        spread(next, BESIDE[step]! * count)
      const place = columns.episode[passage]!
      if (inSitting[place] === 0) sittingsHere.push(place)
      inSitting[place]! += count
    }
    for (const passage of reached) {
      beside[passage]! += weight * saturated(near[passage]!, lengthBeside(columns, passage) / (mean * WIDTH), B)
      near[passage] = 0
      if (isTouched[passage] === 0) touched.push(passage)
      isTouched[passage] = 1
    }
    const sittingWeight = tells * idf(sitting.length, sittingsHere.length)
    for (const place of sittingsHere) {
      sitting[place]! +=
        sittingWeight * saturated(inSitting[place]!, corpus.episodeLength[place]! / sittingMean, B_SITTING)
      inSitting[place] = 0
    }
    for (const passage of said) speakers.add(passage)
  }
  const lift = new Map(alike.map((passage, at) => [passage, similarBonus * (1 - at / alike.length)]))
  for (const passage of lift.keys()) {
    if (isTouched[passage] === 0) touched.push(passage)
    isTouched[passage] = 1
  }
  if (looked.length === 0)
    for (let passage = 0; passage < corpus.size; passage++)
      if (isWithin(columns.at[passage]!, times)) touched.push(passage)
  const wants = queryWants(query)
  const sittings = Math.log(1 + sitting.length) * Math.max(1, looked.length)
  const literal = new Best(surePassages)
  for (const passage of touched)
    if (
      own[passage]! > 0 &&
      literal.wants(own[passage]!, passage) &&
      columns.gone[passage] === 0 &&
      (accept?.(passage) ?? true)
    )
      literal.add(own[passage]!, passage)
  const sure = new Set(literal.inOrder().map(hit => hit.passage))
  const best = new Best(limit)
  const [wOwn, wBeside, wSitting] = [
    (on('own') * W.own) / whole,
    (on('neighbours') * W.beside) / whole,
    (on('sitting') * W.sitting) / sittings,
  ]
  const [wAnswers, wLength, wSpeaker] = [
    (on('answers') * W.answers) / whole,
    on('length') * W.length,
    on('speaker') * W.speaker,
  ]
  for (const passage of touched) {
    if (columns.gone[passage] === 1 || (matching && own[passage] === 0 && looked.length > 0)) continue
    const asked = before[passage]!
    const signs = columns.features[passage]!
    let score =
      wOwn * own[passage]! +
      wBeside * beside[passage]! +
      wSitting * sitting[columns.episode[passage]!]! +
      wLength * columns.logLength[passage]!
    if (own[passage]! > WHOLE_FROM * whole) score += on('literal') * W.whole * (own[passage]! / whole - WHOLE_FROM)
    if (asked >= 0 && own[asked]! > 0 && asksOf(columns.features[asked]!)) score += wAnswers * own[asked]!
    score +=
      on('signs') *
      ((endsAskingOf(signs) ? W.endsAsking : 0) +
        (wants.time ? W.times * timesOf(signs) : 0) +
        (wants.count ? W.counts * countsOf(signs) : 0))
    if (times.length > 0 && isWithin(columns.at[passage]!, times)) score += on('times') * W.inTime
    if (speakers.size > 0 && speakers.has(passage)) score += wSpeaker
    if (sure.has(passage)) score += on('literal') * sureBonus
    if (lift.size > 0) score += lift.get(passage) ?? 0
    if (prior) score += prior(passage)
    if (best.wants(score, passage) && (accept?.(passage) ?? true)) best.add(score, passage)
  }
  for (const passage of touched) own[passage] = beside[passage] = isTouched[passage] = 0
  return best.inOrder()
}

/** Arrays with a place for each passage: kept, and left as they were found, all zero. */
type Scratch = { own: Float32Array; beside: Float32Array; near: Float32Array; isTouched: Uint8Array }
const scratches = new WeakMap<Corpus, Scratch>()

function scratchOf(corpus: Corpus): Scratch {
  const known = scratches.get(corpus)
  if (known && known.own.length >= corpus.size) return known
  const size = corpus.size + 10_000
  const made = {
    own: new Float32Array(size),
    beside: new Float32Array(size),
    near: new Float32Array(size),
    isTouched: new Uint8Array(size),
  }
  scratches.set(corpus, made)
  return made
}

type Looked = { list: number[]; said: number[]; tells: number; weight: number }

/** The rarest terms, as many as can be followed in time; the others say little. */
function lookUp(corpus: Corpus, terms: readonly WeightedTerm[]): Looked[] {
  const known = terms
    .map(({ term, weight }) => ({ term, weight, hash: termHash(term), cost: corpus.costOf(termHash(term)) }))
    .sort((a, b) => a.cost - b.cost)
    .slice(0, mostTerms)
  const found: Looked[] = []
  let spent = 0
  for (const { term, weight, hash, cost } of known) {
    if (spent + cost > mostPostings && found.some(({ list }) => list.length > 0)) break
    spent += cost
    const list: number[] = []
    const said: number[] = []
    corpus.each(hash, (passage, count) => {
      list.push(passage, count)
    })
    if (list.length > 0)
      corpus.each(speakerTerm(term), passage => {
        said.push(passage)
      })
    found.push({ list, said, tells: weight, weight: weight * idf(corpus.size, list.length / 2) })
  }
  return found
}

const WIDTH = 1 + 2 * BESIDE.reduce((sum, share) => sum + share, 0)

function lengthBeside({ length, before, after }: Columns, passage: number): number {
  let sum = length[passage]!
  for (let step = 0, back = before[passage]!; step < BESIDE.length && back >= 0; step++, back = before[back]!)
    sum += BESIDE[step]! * length[back]!
  for (let step = 0, next = after[passage]!; step < BESIDE.length && next >= 0; step++, next = after[next]!)
    sum += BESIDE[step]! * length[next]!
  return sum
}

function isWithin(at: number, times: RankOptions['times'] = []): boolean {
  return times.some(({ from, to }) => at >= from && at < to)
}

function idf(all: number, having: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5))
}

function saturated(count: number, length: number, b: number): number {
  return (count * (K1 + 1)) / (count + K1 * (1 - b + b * length))
}

/** The best few of many; of equals the newer one first. */
class Best {
  readonly #most: number
  readonly #hits: RankHit[] = []
  #least = -Infinity

  constructor(most: number) {
    this.#most = most
  }

  wants(score: number, passage: number): boolean {
    return (
      this.#hits.length < this.#most ||
      score > this.#least ||
      (score === this.#least && passage > (this.#hits.at(-1)?.passage ?? 0))
    )
  }

  add(score: number, passage: number): void {
    let at = this.#hits.length
    while (
      at > 0 &&
      (this.#hits[at - 1]!.score < score ||
        (this.#hits[at - 1]!.score === score && this.#hits[at - 1]!.passage < passage))
    )
      at--
    this.#hits.splice(at, 0, { passage, score })
    if (this.#hits.length > this.#most) this.#hits.pop()
    this.#least = this.#hits.at(-1)?.score ?? -Infinity
  }

  inOrder(): RankHit[] {
    return this.#hits
  }
}
