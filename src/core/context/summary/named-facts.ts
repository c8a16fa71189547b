/** The names of facts, each by its place: the same for the summary by rule and for the check of a model's (C6.5). */
import type { FactEntry } from '../../log/entry.ts'
import type { CallText } from './call-arguments.ts'
import type { NamePlace, NameRanking } from './name-ranking.ts'

/**
 * So much of each sort is searched for names and sentences, the newest: UTF-16 units. A name that only an older text
 * holds weighs next to nothing (see `halfLife`), and what a person said before that stood in a summary before.
 */
const searched = { result: 480_000, assistant: 200_000, user: 300_000 }
/** Of more facts than this the newest are read: as many as no window holds. */
const mostFacts = 4_000

/** What a fact costs that is not searched, as UTF-16 units read. */
export const passedOver = 200

/** `any`: index of the first fact that is read at all; of each sort that of the first whose text is searched. */
export type ReadFrom = Record<FactEntry['type'] | 'any', number>

/** What of the facts is read. The newest of each sort is searched, however long it is. */
export function readFrom(facts: readonly FactEntry[]): ReadFrom {
  const any = Math.max(0, facts.length - mostFacts)
  const from: ReadFrom = { any, result: any, assistant: any, user: any }
  const left = { ...searched }
  for (let index = facts.length - 1; index >= any; index--) {
    const fact = facts[index]
    if (fact === undefined || left[fact.type] <= 0) continue
    left[fact.type] -= unitsOf(fact)
    if (left[fact.type] <= 0) from[fact.type] = index
  }
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
