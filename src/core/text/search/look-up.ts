/** Where the words of a question stand in a corpus, and how much each tells. */
import { speakerTerm, wishTerm, type Corpus } from './corpus.ts'
import { termHash } from './term-hash.ts'
import { wishSign } from './text-features.ts'
import type { WeightedTerm } from './terms.ts'

/**
 * Most terms of a question that are looked up, and most places of them: the rarest. A word that a tenth of 100 000
 * passages have tells nothing, and following it would take most of the time.
 */
const mostTerms = 64
const mostPostings = 12_000

/**
 * Passages with a term and how often, in turn; those whose speaker it names; how much it tells by itself, and by how
 * rare it is.
 */
export type Looked = { list: number[]; said: number[]; tells: number; weight: number }

/** The rarest terms, as many as can be followed in time; the others say little. */
export function lookUp(corpus: Corpus, terms: readonly WeightedTerm[]): Looked[] {
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

/** How much of the words of a question the standing wishes have, by their texts. */
export function wishesWith(corpus: Corpus, terms: readonly WeightedTerm[]): Map<number, number> {
  const fits = new Map<number, number>()
  const wanted = new Map(terms.map(({ term, weight }) => [wishTerm(term), { weight, term }]))
  for (const [hash, { weight, term }] of wanted) {
    const tells = weight * idf(corpus.size, corpus.costOf(termHash(term)))
    corpus.each(hash, passage => {
      const text = corpus.columns.head[passage]!
      if ((corpus.columns.statements[text]! & wishSign) !== 0) fits.set(text, (fits.get(text) ?? 0) + tells)
    })
  }
  return fits
}

/** How much a term tells that so many of all have. */
export function idf(all: number, having: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5))
}
