/** The summary by rule, for when no model can make one: six sections from the facts (C6.5). Never asks a model. */
import type { FactEntry } from '../../log/entry.ts'
import { collect } from './extract-collect.ts'
import { extracted } from './extract-write.ts'

export type ExtractInput = {
  facts: readonly FactEntry[]
  previous?: string
  /** Most of the summary, tokens. */
  cap: number
  count: (text: string) => number
  /**
   * Lets other work run; awaited after each slice of work. It must give the thread away (a timer, a message), a
   * resolved promise is not enough. What it throws ends the summary.
   */
  pause?: () => Promise<void>
}

/**
 * So much of the results and of the answers is searched for names, the newest: UTF-16 units. A name that only an older
 * one holds weighs least among its like and hardly ever stays; it is read again by its path. What was done and what
 * failed is told of all.
 */
const searched = { result: 1_500_000, assistant: 3_000_000 }

/**
 * Facts whose texts together have this many UTF-16 units are one slice: 15 to 20 ms of CPU (16 MB took 1.7 s on a busy
 * Xeon, November 2026).
 */
const slice = 150_000

/**
 * Goal, constraints, progress, decisions, next steps and critical context as far as rules can tell them, merged with
 * the previous summary. At most `cap` tokens, unless six empty headings alone are more. What matters most stays when
 * not all fits: the newest request and the first, then what the person demanded, decisions, open items, then the rest.
 */
export async function extract(input: ExtractInput): Promise<string> {
  const collection = collect(input.previous)
  const searchedFrom = {
    result: firstSearched(input.facts, 'result'),
    assistant: firstSearched(input.facts, 'assistant'),
    user: 0,
  }
  let work = 0
  for (const [index, fact] of input.facts.entries()) {
    collection.read(fact, index / input.facts.length, index >= searchedFrom[fact.type])
    work += fact.text.length + (fact.tail?.length ?? 0) + 200
    if (fact.type === 'assistant') for (const call of fact.calls) work += call.arguments.length
    if (work >= slice) {
      work = 0
      await input.pause?.()
    }
  }
  return extracted(collection.end(), input.cap, input.count)
}

function firstSearched(facts: readonly FactEntry[], type: keyof typeof searched): number {
  let left = searched[type]
  for (let index = facts.length - 1; index >= 0; index--) {
    const fact = facts[index]
    if (fact?.type === type) left -= fact.text.length
    if (left < 0) return index
  }
  return 0
}
