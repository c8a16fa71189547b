/**
 * The names in a conversation by how likely the work needs them next: one ranking for the summary by rule and for the
 * check of a model's summary (C6.5).
 */
import { eachIdentifier, type IdentifierKind } from './identifiers.ts'

/** Where a name stood. */
export type NamePlace =
  | 'person'
  | 'answer'
  | 'new text'
  | 'old text'
  | 'changed file'
  | 'read file'
  | 'argument'
  | 'result'
  | 'previous'

export type RankedName = {
  kind: IdentifierKind
  text: string
  /** How much it matters for its length; falls while the work goes on without it. */
  score: number
  /** Texts that it stands in. */
  times: number
  /** Number of the last fact that it stands in; below 0: only the previous summary does. */
  last: number
  byPerson: boolean
  onlyResults: boolean
  inPrevious: boolean
  /** The text that says most about it: of the weightiest place the newest. */
  source: string
}

type Mention = Omit<RankedName, 'score'> & {
  /** Weight as it was at `last`. */
  fresh: number
  /** Weight that does not fall. */
  lasting: number
  sourceWeight: number
  inText: number
}

/**
 * What one text adds, by its place: what an agent itself wrote or touched is needed again far more often than what it
 * was only shown. Halving or doubling any of them moves the shares of `npm run bench -- traces` by a point or two
 * (November 2026).
 */
const weights: Record<NamePlace, number> = {
  person: 8,
  answer: 5,
  'new text': 2.5,
  'old text': 1,
  'changed file': 14,
  'read file': 8,
  argument: 3,
  result: 1,
  previous: 1,
}

/** After so many facts without a name it weighs half. */
const halfLife = 50
/** So much of a weight never falls: what came up all the time is not forgotten within a pause. */
const lastingShare = 0.05
/** An option is mostly syntax, and a path of one word what closes a tag, unless somebody said it. */
const optionShare = 0.3
const tagShare = 0.05
/** A longer result is a file or a listing: a number in it is one of many. UTF-16 units. */
const shortResult = 2_000
const inListingShare = 0.1
const kindShares: Record<IdentifierKind, number> = { path: 1, code: 0.8, url: 0.6, hash: 0.6, number: 0.4, error: 0.4 }

/** Most names held while reading. */
const mostNames = 20_000
/**
 * Texts above this are read at both ends only: an identifier in the middle of a huge result is reachable by its path.
 * UTF-16 units.
 */
const readAtMost = 60_000
/** Longest name, UTF-16 units. */
const longestName = 220

export class NameRanking {
  readonly #names = new Map<string, Mention>()
  #texts = 0
  #at = -1

  /** Takes in the identifiers of a text, each once; `at`: number of its fact, growing. */
  read(text: string, place: NamePlace, at: number): void {
    this.#at = Math.max(this.#at, at)
    const read = text.length <= readAtMost ? text : `${text.slice(0, readAtMost / 2)}\n${text.slice(-readAtMost / 2)}`
    const inText = ++this.#texts
    const listing = place === 'result' && text.length > shortResult
    const told = { place, at, weight: weights[place], inText, source: read }
    const inListing = { ...told, weight: told.weight * inListingShare }
    eachIdentifier(read, (kind, found) => {
      if (brokenLine.test(found)) return
      // Where in a file something stood is true until the next edit.
      const name = kind === 'path' && place === 'result' ? found.replace(lineNumbers, '') : found
      this.#mention(kind, name, listing && (kind === 'number' || kind === 'error') ? inListing : told)
    })
  }

  /**
   * Takes in one name, whatever it looks like; `weight`: how much it counts, that of its place without it; `source`:
   * what says more about it.
   */
  add(
    kind: IdentifierKind,
    name: string,
    {
      place,
      at,
      weight = weights[place],
      source = name,
    }: { place: NamePlace; at: number; weight?: number; source?: string },
  ): void {
    this.#at = Math.max(this.#at, at)
    this.#mention(kind, name, { place, at, weight, inText: ++this.#texts, source })
  }

  get(name: string): Omit<RankedName, 'score'> | undefined {
    return this.#names.get(name)
  }

  /** So many of them, the weightiest first, of equal ones the newest. */
  ranked(most: number): RankedName[] {
    const mentions = [...this.#names.values()]
    const scores = Float64Array.from(mentions, mention => this.#scoreOf(mention))
    // Sorting numbers and then a few names is many times cheaper than sorting all names.
    const least = scores.length <= most ? -1 : scores.toSorted()[scores.length - most]!
    const ranked: RankedName[] = []
    for (const [at, mention] of mentions.entries()) {
      const score = scores[at]!
      if (score < least) continue
      const { fresh: _fresh, lasting: _lasting, sourceWeight: _sourceWeight, inText: _inText, ...name } = mention
      ranked.push({ ...name, score })
    }
    return ranked.sort((a, b) => b.score - a.score || b.last - a.last).slice(0, most)
  }

  #scoreOf(mention: Mention): number {
    const weight = mention.fresh * faded(this.#at - mention.last) + mention.lasting
    return weight * shareOf(mention) * worthOf(mention.text)
  }

  #mention(
    kind: IdentifierKind,
    name: string,
    {
      place,
      at,
      weight,
      inText,
      source,
    }: { place: NamePlace; at: number; weight: number; inText: number; source: string },
  ): void {
    if (name.length > longestName || name.length < (kind === 'code' ? 3 : 1)) return
    const known = this.#names.get(name)
    if (known === undefined) {
      if (this.#names.size >= mostNames) this.#dropLightest()
      this.#names.set(name, {
        kind,
        text: name,
        times: 1,
        last: at,
        byPerson: place === 'person',
        onlyResults: place === 'result',
        inPrevious: place === 'previous',
        source,
        sourceWeight: weight,
        fresh: weight,
        lasting: weight * lastingShare,
        inText,
      })
      return
    }
    if (known.inText === inText) return
    known.inText = inText
    known.times++
    // A listing that comes again and again tells less each time.
    const counts = place === 'result' ? weight / known.times ** 2 : weight
    known.fresh = known.fresh * faded(at - known.last) + counts
    known.lasting += counts * lastingShare
    known.last = at
    known.byPerson ||= place === 'person'
    known.onlyResults &&= place === 'result'
    known.inPrevious ||= place === 'previous'
    if (weight >= known.sourceWeight) {
      known.source = source
      known.sourceWeight = weight
    }
  }

  /** An unbounded log must not become an unbounded table: the lighter half of it goes. */
  #dropLightest(): void {
    const scores = Float64Array.from(this.#names.values(), mention => this.#scoreOf(mention))
    const middle = scores.toSorted()[mostNames / 2]!
    for (const [name, mention] of this.#names) if (this.#scoreOf(mention) <= middle) this.#names.delete(name)
  }
}

/** A long name must be worth its tokens: its weight is divided by its length to this power. */
const lengthShare = 0.35
/** Of each length its share of a weight: worked out once. */
const worths: number[] = []

/** What a text of this length is worth, 1 for an empty one. */
export function worthOf({ length }: string): number {
  return (worths[length] ??= (1 + length / 4) ** -lengthShare)
}

/** Of each age its share of a weight: worked out once. */
const fadings: number[] = []

function faded(facts: number): number {
  return facts <= 0 ? 1 : (fadings[facts] ??= 2 ** (-facts / halfLife))
}

const lineNumbers = /(?<=[A-Za-z]):\d+(?::\d+)?(?:-\d+)?$/
/** Two lines of a text within quotes. */
const brokenLine = /\\n/

function shareOf({ kind, text, byPerson }: { kind: IdentifierKind; text: string; byPerson: boolean }): number {
  const first = text.charCodeAt(0)
  if (first !== 0x2d && first !== 0x2f) return kindShares[kind] // most
  if (text.startsWith('--')) return kindShares[kind] * optionShare
  return kindShares[kind] * (!byPerson && /^\/[\w-]*$/.test(text) ? tagShare : 1)
}
