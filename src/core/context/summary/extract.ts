/** The summary by rule, for when no model can make one: six sections from the facts (C6.5). Never asks a model. */
import type { FactEntry } from '../../log/entry.ts'
import { collect } from './extract-collect.ts'
import { extracted } from './extract-write.ts'
import { passedOver, readFrom, unitsOf } from './named-facts.ts'

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

/** UTF-16 units of text read between two pauses: some 10 ms of CPU on a busy Xeon, November 2026. */
const slice = 25_000

/**
 * Goal, constraints, progress, decisions, next steps and critical context as far as rules can tell them, merged with
 * the previous summary. At most `cap` tokens, unless six empty headings alone are more. What matters most stays when
 * not all fits: the newest request and the first, then what the person demanded, decisions, open items, then the rest.
 */
export async function extract(input: ExtractInput): Promise<string> {
  const collection = collect(input.previous)
  const { facts } = input
  const from = readFrom(facts)
  await input.pause?.()
  let work = 0
  // The first request is told however long ago it was.
  const first = facts.findIndex(fact => fact.type === 'user' && !fact.gone)
  if (first >= 0 && first < from.any) collection.read(facts[first]!, 0)
  for (let index = from.any; index < facts.length; index++) {
    const fact = facts[index]!
    collection.read(fact, index / facts.length, index >= from[fact.type])
    work += index >= from[fact.type] ? unitsOf(fact) : passedOver
    if (work >= slice) {
      work = 0
      await input.pause?.()
    }
  }
  await input.pause?.()
  const collected = await collection.end(input.pause)
  await input.pause?.()
  return extracted(collected, input)
}
