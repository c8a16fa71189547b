/** The names of facts, each by its place: the same for the summary by rule and for the check of a model's (C6.5). */
import type { FactEntry } from '../../log/entry.ts'
import type { CallText } from './call-arguments.ts'
import type { NamePlace, NameRanking } from './name-ranking.ts'

/**
 * So much of each sort is searched for names and sentences, the newest: UTF-16 units. A name that only an older text
 * holds weighs next to nothing (see `halfLife`), and what a person said before that stood in a summary before. What
 * calls did and what failed is told of all.
 */
const searched = { result: 150_000, assistant: 250_000, user: 600_000 }

/** What a fact costs that is not searched, as UTF-16 units read. */
export const passedOver = 200

/** Index of the first fact of each sort that is searched. */
export function searchedFrom(facts: readonly FactEntry[]): Record<FactEntry['type'], number> {
  const from = { result: 0, assistant: 0, user: 0 }
  const left = { ...searched }
  for (let index = facts.length - 1; index >= 0; index--) {
    const fact = facts[index]
    if (fact === undefined || left[fact.type] < 0) continue
    left[fact.type] -= unitsOf(fact)
    if (left[fact.type] < 0) from[fact.type] = index + 1
  }
  // The newest of each is looked at, however long it is.
  for (const type of ['result', 'assistant', 'user'] as const)
    from[type] = Math.min(
      from[type],
      Math.max(
        0,
        facts.findLastIndex(fact => fact.type === type),
      ),
    )
  return from
}

/** UTF-16 units of a fact, calls included. */
export function unitsOf(fact: FactEntry): number {
  let size = fact.text.length + (fact.tail?.length ?? 0) + 200
  if (fact.type === 'assistant') for (const call of fact.calls) size += call.arguments.length
  return size
}

const places: Record<FactEntry['type'], NamePlace> = { user: 'person', assistant: 'answer', result: 'result' }

/** Takes in the names of a fact's text; `at`: its number. */
export function readNames(names: NameRanking, type: FactEntry['type'], text: string, at: number): void {
  names.read(text, places[type], at)
}

/** Takes in the names of a call. */
export function readCallNames(names: NameRanking, texts: readonly CallText[], at: number): void {
  const changes = texts.some(({ what }) => what === 'new text' || what === 'old text')
  for (const { what, text } of texts) {
    if (what === 'path') names.add('path', text, { place: changes ? 'changed file' : 'read file', at })
    else if (what === 'address') names.add('url', text, { place: 'read file', at })
    else names.read(text, what === 'new text' || what === 'old text' ? what : 'argument', at)
  }
}
